"""Never fights: always the weakest card. A bad plan, for comparison."""

NAME = "Weakest"
AUTHOR = "arena"
GAMES = ["peech"]

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
POINTS = dict(zip(RANKS, [2, 2, 0, 0, 1, 4, 5, 3, 3, 3, 2, 1, 1], strict=True))


def act(turn):
    strength = POINTS.get if turn.options["battle_order"] == "points" else RANKS.index
    return min(turn.legal, key=lambda card: strength(card[:-1]))
