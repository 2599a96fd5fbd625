"""Plays every game alike: whatever is allowed and named last. An opponent to be beaten by thinking."""

NAME = "Last"
AUTHOR = "arena"
GAMES = ["pecking_order", "peech", "rat_deau"]


def act(turn):
    return turn.legal[-1]
