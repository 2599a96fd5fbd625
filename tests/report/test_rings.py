"""Bots that beat each other in turn are named on the head-to-head page."""

from types import SimpleNamespace
from typing import Any

import pytest

from arena.model import Outcome
from arena.report.pages.pairs import view_of
from arena.standings.columns import Columns
from arena.standings.head_to_head import HeadToHead

NAMES = {"r": "Rock", "p": "Paper", "s": "Scissors <b>"}
BEATS = (("r", "s"), ("s", "p"), ("p", "r"))


def _event(matches: int, upsets: int = 0) -> Any:
    """Each beats the next `matches` times and loses `upsets` times; every match is a block of its own."""
    outcomes = [
        Outcome(
            f"{winner}{loser}{i}", f"b{winner}{loser}{i}", (winner, loser), (2, 1) if i < upsets else (1, 2)
        )
        for winner, loser in BEATS
        for i in range(matches + upsets)
    ]
    table = [
        SimpleNamespace(bot=SimpleNamespace(id=bot, name=name), rank=1, row=None)
        for bot, name in NAMES.items()
    ]
    pairs = HeadToHead(Columns.of(outcomes, tuple(NAMES)))
    return SimpleNamespace(
        table=table, pairs=pairs, event=SimpleNamespace(index=0, name="Hands", game="peech")
    )


def test_a_sure_ring_is_named_with_what_it_means() -> None:
    rings = view_of(_event(40)).rings
    assert rings[0] == "The field is not transitive: one number a bot cannot say who beats whom."
    assert len(rings) == 2
    assert all(name in rings[1] for name in NAMES.values())
    assert "may be chance" not in rings[1]


@pytest.mark.parametrize("matches", [2, 8])
def test_a_ring_that_may_be_chance_is_called_so(matches: int) -> None:
    rings = view_of(_event(matches, matches - 1)).rings
    assert "none of them certain" in rings[0]
    assert "may be chance" in rings[1]
