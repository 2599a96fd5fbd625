"""Plays any game, every legal action equally likely: the measure that each bot must beat first."""

import random

NAME = "random"
AUTHOR = "arena"


def act(turn):  # type: ignore[no-untyped-def] # as an author would write it
    return random.choice(turn.legal)
