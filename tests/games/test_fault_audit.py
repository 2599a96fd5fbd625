"""Placings where bots made faults: the referee's, and those that the auditor works out of the record."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.audit_faults import AUDITORS, expected_placings
from support.matches import GAMES, event_of, play

from arena.model import Fault, FaultKind, Record
from arena.players.scripted import ScriptedPlayer


class Faulty(ScriptedPlayer):
    """Answers at random, and makes a fault at one decision: 0 is its start; None: never."""

    def __init__(self, at: int | None, rng: Random) -> None:
        super().__init__(start=Fault(FaultKind.START, 0, "no") if at == 0 else None)
        self.at, self.rng = at, rng

    def ask(self, request: Any) -> str | Fault:
        super().ask(request)
        if len(self.requests) == self.at:
            return Fault(FaultKind.CRASH, 0, "no") if self.rng.random() < 0.5 else "no such action"
        return self.rng.choice(request.legal)


def faulty_match(game: str, seats: int, seed: int, at: list[int | None]) -> Record:
    return play(event_of(game, seats, seed), [Faulty(n, Random(f"{seed}/{i}")) for i, n in enumerate(at)])


@pytest.mark.parametrize(("game", "seats"), GAMES)
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9), st.lists(st.none() | st.integers(0, 8), min_size=4, max_size=4))
def test_the_referee_and_the_auditor_agree(game: str, seats: int, seed: int, at: list[int | None]) -> None:
    record = json.loads(json.dumps(faulty_match(game, seats, seed, at[:seats]).as_json()))
    scores, placings = AUDITORS[game].replay(record)
    assert scores == record["scores"]
    assert expected_placings(record, scores) == record["placings"]
    if not any(record["faults"]):
        assert placings == record["placings"]


def fault(decision: int | None) -> dict[str, Any] | None:
    return None if decision is None else {"kind": "crash", "decision": decision, "detail": ""}


@pytest.mark.parametrize(
    ("faults", "places"),
    [
        ([None, None, None], [1, 3, 2]),
        ([2, None, None], [3, 2, 1]),
        ([None, 3, 2], [1, 2, 3]),
        ([3, 3, None], [2, 2, 1]),
        ([0, 0, 1], [2, 2, 1]),
        ([4, 5, 6], [3, 2, 1]),
    ],
)
def test_first_to_fail_is_last(faults: list[int | None], places: list[int]) -> None:
    record = {"game": "rat_deau", "decisions": [["1"] * 6] * 3, "faults": [fault(each) for each in faults]}
    assert expected_placings(record, [9, 1, 5]) == places


def test_a_fault_after_the_end_is_no_record() -> None:
    record = {"game": "rat_deau", "decisions": [["1"] * 6] * 2, "faults": [fault(7), None]}
    with pytest.raises(AssertionError, match="seat 0 fails at decision 7 of 6"):
        expected_placings(record, [0, 0])


def test_moments_of_pecking_order_are_in_the_order_of_play() -> None:
    """Seat 1 looks after its first card, so seat 0's second decision is the fourth of the match."""
    record = json.loads(json.dumps(faulty_match("pecking_order", 2, 1, [None, None]).as_json()))
    first, second = AUDITORS["pecking_order"].moments(record)
    assert sorted(first + second) == list(range(len(first) + len(second)))
    assert [len(first), len(second)] == [len(decisions) for decisions in record["decisions"]]
    record["faults"] = [fault(3), fault(2)]
    expected = [2, 1] if first[2] < second[1] else [1, 2]
    assert expected_placings(record, [0, 0]) == expected


def test_who_is_out_in_peech_decides_less_often() -> None:
    """The same decision number is not the same battle: a seat that is done skips the rest of its round."""
    for seed in range(20):
        record = json.loads(json.dumps(faulty_match("peech", 4, seed, [None] * 4).as_json()))
        moments = AUDITORS["peech"].moments(record)
        assert [len(each) for each in moments] == [len(each) for each in record["decisions"]]
        last = min(len(each) for each in moments)
        if len({each[last - 1] for each in moments}) > 1:
            record["faults"] = [fault(last)] * 4
            order = [each[last - 1] for each in moments]
            assert expected_placings(record, [0] * 4) == [1 + sum(o > m for o in order) for m in order]
            return
    pytest.fail("no seat was ever out before another")
