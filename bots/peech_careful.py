"""Fights with 3 points or more; else it lays a mine, a card that is worth nothing to who takes it."""

NAME = "Careful"
AUTHOR = "arena"
GAMES = ["peech"]

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
POINTS = {
    "A": 2,
    "2": 2,
    "3": 0,
    "4": 0,
    "5": 1,
    "6": 4,
    "7": 5,
    "8": 3,
    "9": 3,
    "10": 3,
    "J": 2,
    "Q": 1,
    "K": 1,
}


def act(turn):
    strength = POINTS.get if turn.options["battle_order"] == "points" else RANKS.index
    best = max(turn.legal, key=lambda card: strength(card[:-1]))
    mines = [card for card in turn.legal if POINTS[card[:-1]] == 0]
    return mines[0] if mines and POINTS[best[:-1]] < 3 else best
