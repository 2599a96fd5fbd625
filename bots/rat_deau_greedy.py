"""Takes no thought for tomorrow: the highest card as loot, then the next highest as offer."""

NAME = "Greedy"
AUTHOR = "arena"
GAMES = ["rat_deau"]


def act(turn):
    return max(turn.legal, key=int)
