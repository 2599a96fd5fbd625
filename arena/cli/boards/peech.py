"""Peech: for every seat its point card, target, hand, won pile and hidden choice."""

from collections.abc import Iterator, Sequence

from arena.model import Json


def board(view: Json, names: Sequence[str]) -> Iterator[str]:
    """A dot is a card that the viewer does not see; the target is a coup card."""
    yield f"Round {view['round']}, {view['battles_played']} battles fought"
    rows = [_row(view, seat) for seat, _ in enumerate(names)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    wide = max(map(len, names))
    for seat, (name, row) in enumerate(zip(names, rows, strict=True)):
        points, coup, hand, won, chosen = row
        yield (
            f"seat {seat}  {name:{wide}}  points {points:{widths[0]}}  target {coup:{widths[1]}}  "
            f"hand {hand:{widths[2]}}  won {won}{chosen}"
        )


def _row(view: Json, seat: int) -> tuple[str, str, str, str, str]:
    hand, won, chosen = view["hands"][seat], view["won"][seat], view["chosen"][seat]
    if seat not in view["active"]:
        cards = "out"
    elif hand is None:
        cards = " ".join("·" * view["hand_size"])
    else:
        cards = " ".join(hand)
    return (
        f"{view['points'][seat]} ({view['start'][seat]})",
        view["coups"][seat] or "·",
        cards,
        f"{len(won)}: {' '.join(won)}" if won else "0",
        f"  chooses {chosen}" if chosen else "",
    )
