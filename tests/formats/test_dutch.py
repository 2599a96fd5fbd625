"""Two-seat Swiss against gacrux's own checker, and the history whose only pairing takes a search."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.formats.dutch import dutch_pairs
from arena.formats.history import Played
from arena.formats.swiss import event_trf, seeding, swiss
from arena.model import Event, Outcome, Pairing, Round
from arena.standings import placings_of, points_of
from arena.testing.check_format import make_event, play_round

GIVEN = {"deals": 1, "order": "listed"}


def _random_tournament(number: int) -> tuple[Event, Played]:
    """Byes in odd fields; now and then a pairing is void, a bot absent from one, or out for good."""
    rng = Random(number)
    bots = rng.randint(5, 30)
    most = bots - 1 if bots % 2 == 0 else bots
    rounds = min(rng.randint(5, 11), most)
    event = make_event(
        swiss, bots, 2, "pecking_order", number, {**GIVEN, "rounds": rounds, "order": "random"}
    )
    strength = {bot.id: rng.gauss(0, 1) for bot in event.bots}
    leaves = {bot.id: rng.randint(2, rounds) for bot in event.bots if rng.random() < 0.04}
    played: Played = ()
    while (round_ := swiss.next_round(event, played)) is not None:
        outcomes = play_round(event, round_, strength, number)
        void = {pairing.table for pairing in round_.pairings if rng.random() < 0.04}
        kept = tuple(outcome for outcome in outcomes if int(outcome.block.split("-")[2][1:]) not in void)
        gone = {
            bot.id for bot in event.bots if round_.number >= leaves.get(bot.id, 99) or rng.random() < 0.02
        }
        played = (*played, (round_, tuple(_without(outcome, gone) for outcome in kept)))
    return event, played


def _without(outcome: Outcome, gone: set[str]) -> Outcome:
    """The outcome as it is when these bots cannot be started."""
    absent = tuple(bot for bot in outcome.bots if bot in gone)
    if not absent:
        return outcome
    places = placings_of([float(bot not in absent) for bot in outcome.bots])
    return replace(outcome, placings=places, points=points_of(places), scores=None, absent=absent)


def _check_tournament(number: int, folder: Path) -> None:
    event, played = _random_tournament(number)
    relaxed = [i for i, (round_, _) in enumerate(played) if round_.notes]
    strict = played[: relaxed[0]] if relaxed else played
    byes = [bot for round_, _ in strict for bot in round_.byes]
    assert len(set(byes)) == len(byes)
    met: set[frozenset[str]] = set()
    for round_, outcomes in strict:
        assert 2 * len(round_.pairings) + len(round_.byes) == len(event.bots)
        pairs = {frozenset(pairing.bots) for pairing in round_.pairings}
        assert not pairs & met
        met |= pairs - {frozenset(outcome.bots) for outcome in outcomes if outcome.absent}
    file = folder / f"{number}.trf"
    file.write_text(event_trf(event, strict), encoding="utf-8")
    command = [sys.executable, "-m", "gacrux.pairingchecker", "-i", str(file), "-c", "-dT"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120).stdout
    assert said.rstrip().endswith("Check: True"), f"tournament {number}: {said[-500:]}"


@pytest.mark.parametrize("number", range(30))
def test_random_tournaments_pair_as_the_checker_does(number: int, tmp_path: Path) -> None:
    _check_tournament(number, tmp_path)


@pytest.mark.full
def test_three_hundred_random_tournaments(tmp_path: Path) -> None:
    for number in range(300):
        _check_tournament(number, tmp_path)


def test_a_forfeit_is_no_game_and_the_two_may_meet_again() -> None:
    event = make_event(swiss, 4, 2, "pecking_order", given={**GIVEN, "rounds": 3})
    first = _round(event, 0, [("a0", "a1", "a0"), ("a2", "a3", "a2")])
    second = _round(event, 1, [("a0", "a2", "a0"), ("a1", "a3", "a1")])
    gone = (first[0], tuple(_without(outcome, {"a1", "a3"}) for outcome in first[1]))
    for played, cells, met in [
        ((first, second), "2 w 1 3 w 1", [{"a0", "a3"}, {"a1", "a2"}]),
        ((gone, second), "2 w + 3 w 1", [{"a0", "a1"}, {"a2", "a3"}]),
    ]:
        row = next(line for line in event_trf(event, played).splitlines() if line.startswith("001    1"))
        assert " ".join(row.split()[-6:]) == cells
        again = swiss.next_round(event, played)
        assert again is not None
        assert [set(pairing.bots) for pairing in again.pairings] == met


def _round(
    event: Event, number: int, results: list[tuple[str, str, str]]
) -> tuple[Round, tuple[Outcome, ...]]:
    pairings, outcomes = [], []
    for table, (a, b, winner) in enumerate(results):
        pairings.append(Pairing(table, (a, b), range(number, number + 1)))
        placings = (1, 1) if not winner else ((1, 2) if winner == a else (2, 1))
        block = f"e0-r{number + 1}-t{table}-d{number}"
        outcomes.append(Outcome(f"{block}-s0", block, (a, b), placings, None, points_of(placings)))
    return Round(number + 1, tuple(pairings)), tuple(outcomes)


def test_a_greedy_pairing_would_repeat_here() -> None:
    """After A-B, C-D and A-C, B-D nothing but A-D, B-C is left, whatever the scores say."""
    event = make_event(swiss, 4, 2, "pecking_order", given={**GIVEN, "rounds": 3})
    played = (
        _round(event, 0, [("a0", "a1", "a0"), ("a2", "a3", "a2")]),
        _round(event, 1, [("a2", "a0", "a0"), ("a1", "a3", "a1")]),
    )
    next_round = swiss.next_round(event, played)
    assert next_round is not None
    assert {frozenset(pairing.bots) for pairing in next_round.pairings} == {
        frozenset(("a0", "a3")),
        frozenset(("a1", "a2")),
    }
    assert next_round.notes == ()


def test_where_none_is_left_the_round_says_so_and_goes_on() -> None:
    event = make_event(swiss, 6, 2, "pecking_order", given={**GIVEN, "rounds": 5})
    triangles = [  # two groups of three that have met one another entirely: no pairing is left inside a group
        [("a0", "a3", ""), ("a1", "a4", ""), ("a2", "a5", "")],
        [("a0", "a4", ""), ("a1", "a5", ""), ("a2", "a3", "")],
        [("a0", "a5", ""), ("a1", "a3", ""), ("a2", "a4", "")],
    ]
    played = tuple(_round(event, i, results) for i, results in enumerate(triangles))
    next_round = swiss.next_round(event, played)
    assert next_round is not None
    assert next_round.notes == ("the rules leave no pairing without a repeat: paired with as few as can be",)
    assert sorted(bot for pairing in next_round.pairings for bot in pairing.bots) == seeding(event)
    again = [p for p in next_round.pairings if {int(bot[1]) // 3 for bot in p.bots} == {0, 1}]
    assert len(again) == 1


def test_the_exported_file_gives_the_same_pairs_when_read_back(tmp_path: Path) -> None:
    event, played = _random_tournament(99)
    order = seeding(event)
    for stop in range(len(played)):
        pairs = dutch_pairs(event_trf(event, played[:stop]))
        told = [(order[a - 1], order[b - 1]) for a, b in pairs if b]
        assert told == [pairing.bots for pairing in played[stop][0].pairings]


@pytest.mark.parametrize(
    ("bots", "rounds", "refused"),
    [(1, 1, True), (2, 1, False), (2, 2, True), (5, 5, False), (5, 6, True), (6, 5, False), (6, 6, True)],
)
def test_impossible_two_seat_events_are_refused(bots: int, rounds: int, refused: bool) -> None:
    event = make_event(swiss, bots, 2, "pecking_order", given={**GIVEN, "rounds": rounds})
    problems, _ = swiss.check(event)
    assert bool(problems) == refused


def test_more_pod_rounds_than_can_avoid_repeats_are_warned_about() -> None:
    event = make_event(swiss, 13, 4, "peech", given={**GIVEN, "rounds": 5})
    assert swiss.check(event) == ((), ("13 bots at 4 seats: repeats cannot be avoided after round 4",))
