"""Attacks what it knows to be weaker, with 9 or more hidden cards too; the jaguar goes for the best."""

NAME = "Hunter"
AUTHOR = "arena"
GAMES = ["pecking_order"]

STRONG = 9


def worth(perch):
    return int(perch.rstrip("ab"))


def targets(turn):
    """The perches to choose from; none where all that is left is a bad attack."""
    card, board = turn.view["card"], turn.view["board"]
    empty = [perch for perch in turn.legal if board[perch] is None]
    enemies = {perch: board[perch]["card"] for perch in turn.legal if perch not in empty}
    if card == "J":
        return list(enemies) or empty
    weaker = [perch for perch, other in enemies.items() if other not in (None, "J") and other < card]
    hidden = [perch for perch, other in enemies.items() if other is None]
    return weaker or (hidden if card >= STRONG else []) or empty


def act(turn):
    if turn.kind == "look":
        return "none"
    return max(targets(turn) or turn.legal, key=worth)
