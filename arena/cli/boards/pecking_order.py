"""Pecking Order: the perches in their order, who sits where, and the card in hand."""

from collections.abc import Iterator, Sequence

from arena.model import Json


def board(view: Json, names: Sequence[str]) -> Iterator[str]:
    """A column for each perch: its name above, the seat and its card below.

    `·` is a card that the viewer does not know, `^` one that all see.
    """
    decks = ", ".join(f"{name} {left}" for name, left in zip(names, view["left"], strict=True))
    yield f"Round {view['round']}, cards left: {decks}"
    perches = list(view["board"].items())
    cards = [_card(stand) for _, stand in perches]
    width = max(map(len, ["perch", *cards, *(perch for perch, _ in perches)]))
    yield " ".join(["perch ", *(f"{perch:>{width}}" for perch, _ in perches)])
    for seat, _ in enumerate(names):
        row = (
            card if stand and stand["seat"] == seat else ""
            for card, (_, stand) in zip(cards, perches, strict=True)
        )
        yield " ".join([f"seat {seat}", *(f"{card:>{width}}" for card in row)]).rstrip()
    if view["card"] is not None:
        yield f"card to place: {view['card']}"
    for number, result in enumerate(view["results"], start=1):
        yield f"round {number}: {' to '.join(map(str, result))}"


def _card(stand: Json | None) -> str:
    if stand is None:
        return ""
    return ("^" if stand["up"] else "") + ("·" if stand["card"] is None else str(stand["card"]))
