"""Rat d'eau: the demand, and for every seat its hand, loot, rafts and hidden choice."""

from collections.abc import Iterator, Sequence
from typing import Any

from arena.model import Json


def board(view: Json, names: Sequence[str]) -> Iterator[str]:
    """A dot is a card that the viewer does not see."""
    demand = "" if view["demand"] is None else f", the water rat demands {view['demand']}"
    yield f"Round {view['round']} of 3{demand}"
    hands = [_cards(hand, size) for hand, size in zip(view["hands"], view["hand_sizes"], strict=True)]
    loots = [_cards(loot, 0) or "none" for loot in view["loots"]]
    wide, hand_wide, loot_wide = (max(map(len, column)) for column in (names, hands, loots))
    for seat, name in enumerate(names):
        chosen = view["chosen"][seat]
        yield (
            f"seat {seat}  {name:{wide}}  hand {hands[seat]:{hand_wide}}  loot {loots[seat]:{loot_wide}}  "
            f"rafts {view['rafts'][seat]}{'' if chosen is None else f'  chooses {chosen}'}"
        )


def _cards(cards: Sequence[Any] | None, size: int) -> str:
    return " ".join(["·"] * size if cards is None else map(str, cards))
