"""Settles where there is room: the most valuable empty perch, or of all perches when none is empty."""

NAME = "Settler"
AUTHOR = "arena"
GAMES = ["pecking_order"]


def worth(perch):
    return int(perch.rstrip("ab"))


def act(turn):
    if turn.kind == "look":
        return "none"
    empty = [perch for perch in turn.legal if turn.view["board"][perch] is None]
    return max(empty or turn.legal, key=worth)
