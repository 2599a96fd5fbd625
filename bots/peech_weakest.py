"""Never fights: always the weakest card. A bad plan, for comparison."""

NAME = "Weakest"
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
    return min(turn.legal, key=lambda card: strength(card[:-1]))
