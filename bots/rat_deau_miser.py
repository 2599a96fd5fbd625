"""Lets the others feed the rat: the highest card as loot, the lowest as offer."""

NAME = "Miser"
AUTHOR = "arena"
GAMES = ["rat_deau"]


def act(turn):
    choose = max if turn.kind == "loot" else min
    return choose(turn.legal, key=int)
