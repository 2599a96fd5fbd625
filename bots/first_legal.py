"""Plays every game alike: whatever is allowed and named first. An opponent to be beaten by thinking."""

NAME = "First"
AUTHOR = "arena"
GAMES = ["pecking_order", "peech", "rat_deau"]


def act(turn):
    return turn.legal[0]
