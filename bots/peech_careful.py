"""Fights with 3 points or more; else it lays a mine, a card that is worth nothing to who takes it."""

NAME = "Careful"
AUTHOR = "arena"
GAMES = ["peech"]

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
POINTS = dict(zip(RANKS, [2, 2, 0, 0, 1, 4, 5, 3, 3, 3, 2, 1, 1], strict=True))


def act(turn):
    strength = POINTS.get if turn.options["battle_order"] == "points" else RANKS.index
    best = max(turn.legal, key=lambda card: strength(card[:-1]))
    mines = [card for card in turn.legal if POINTS[card[:-1]] == 0]
    return mines[0] if mines and POINTS[best[:-1]] < 3 else best
