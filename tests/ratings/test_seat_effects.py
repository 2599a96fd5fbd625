"""The seat table on random play: Pecking Order favours the first mover, Peech nobody."""

import math
from collections.abc import Iterator
from random import Random

import pytest

from arena import registry
from arena.model import Outcome
from arena.standings.columns import Columns
from arena.standings.scores import SeatEffect, seat_effects


def blocks(game: str, seats: int, count: int) -> Iterator[Outcome]:
    """Random players in all cyclic seatings of each deal, each with a generator of its own."""
    rules = registry.games.get(game)
    order = tuple("abcd"[:seats])
    for deal in range(count):
        for turn in range(seats):
            seating = order[turn:] + order[:turn]
            dice = [Random(f"{deal} {turn} {bot}") for bot in seating]
            position = rules.start(seats, Random(deal), {})
            while position.turn is not None:
                position = position.play(dice[position.turn].choice(position.legal()))
            yield Outcome(f"{deal}-{turn}", f"{deal}", seating, position.placings(), position.scores())


def effects(game: str, seats: int, count: int) -> tuple[SeatEffect, ...]:
    found = seat_effects(Columns.of(blocks(game, seats, count), tuple("abcd"[:seats])))
    for effect in found:
        print(f"\n{game} seat {effect.seat}: {effect.points.value:+.4f} ± {effect.points.half_width:.4f}")
    return found


@pytest.mark.full
def test_pecking_order_favours_the_first_mover() -> None:
    first, second = effects("pecking_order", 2, 60_000)
    assert first.points.value - first.points.half_width > 0
    assert first.points.value + first.points.half_width >= 0.006
    assert second.points.value == -first.points.value


@pytest.mark.full
def test_peech_favours_no_seat() -> None:
    """Of four seats none is further from one half than 2.5 standard errors: 95 % for all four."""
    for effect in effects("peech", 4, 3_000):
        assert abs(effect.points.value) < effect.points.half_width * 2.5 / 1.96
        assert math.isfinite(effect.score.value)
