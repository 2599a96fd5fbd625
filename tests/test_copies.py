"""Fairness of blocks: bots that play alike come out alike, whoever else sits there."""

from collections import defaultdict
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from support.runs import Choice, Chooser, by_chance, event_of

from arena.blocks import blocks_of
from arena.match import play_match
from arena.model import Event, Pairing, Request, Round

GAMES = [("pecking_order", 2), ("peech", 4), ("rat_deau", 2), ("rat_deau", 3), ("rat_deau", 4)]


def middle(request: Request, rng: Random) -> str:
    """A deterministic bot: what it is shown decides."""
    return request.legal[len(str(request.view)) % len(request.legal)]


def points_by_block(event: Event, deals: int, choices: dict[str, Choice]) -> list[dict[str, float]]:
    """For each block of the one table each bot's mean points."""
    bots = tuple(bot.id for bot in event.bots)
    found = []
    for block in blocks_of(event, Round(1, (Pairing(0, bots, range(deals)),))):
        points: dict[str, list[float]] = defaultdict(list)
        for seating, seats in enumerate(block.seatings):
            players = [Chooser(choices.get(bot, by_chance)) for bot in seats]
            record = play_match(event, block.id.match(seating), seats, players)
            for bot, share in zip(record.seats, record.points, strict=True):
                points[bot].append(share)
        found.append({bot: fmean(shares) for bot, shares in points.items()})
    return found


def table(game: str, seats: int, *names: str) -> Event:
    return event_of(game, [(name, name) for name in names], seats)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_table_of_copies_is_exactly_equal_in_every_block(game: str, seats: int) -> None:
    names = "abcd"[:seats]
    for block in points_by_block(table(game, seats, *names), 20, dict.fromkeys(names, middle)):
        assert block == pytest.approx(dict.fromkeys(names, 0.5), abs=1e-12)


@pytest.mark.parametrize(("game", "seats"), [case for case in GAMES if case[1] > 2])
def test_copies_among_other_bots_are_equal_in_the_mean(game: str, seats: int) -> None:
    """Deterministic copies; the cyclic order is drawn anew for each deal, which takes its luck away."""
    event = table(game, seats, "copy", "twin", *(f"other{n}" for n in range(seats - 2)))
    blocks = points_by_block(event, 40, {"copy": middle, "twin": middle})
    apart = [block["copy"] - block["twin"] for block in blocks]
    assert abs(fmean(apart)) <= 4 * stdev(apart) / sqrt(len(apart))
    assert (stdev(apart) > 0) == (game == "peech")  # in Rat d'eau all decide at once: copies never differ
