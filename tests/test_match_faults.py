"""Who is at fault, and what a fault costs: one table for each kind, seat and table size."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from support.matches import GAMES, MATCH, event_of, play, rat_deau, replayed

from arena import registry
from arena.blocks import deal_seed, stand_in_seed
from arena.model import Fault, FaultKind, Record
from arena.players.scripted import ScriptedPlayer

KINDS = list(FaultKind)[1:]
START = Fault(FaultKind.START, 0, "")


def bad_answer(kind: FaultKind, decision: int) -> str | Fault:
    return "no such card" if kind is FaultKind.ILLEGAL else Fault(kind, decision, "what happened")


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("decision", [1, 6])
def test_whoever_is_at_fault_is_last_and_the_others_play_on(
    seats: int, kind: FaultKind, decision: int
) -> None:
    for offender in range(seats):
        event, players = rat_deau(seats)
        script = [*(str(card) for card in range(1, decision)), bad_answer(kind, decision)]
        players[offender] = ScriptedPlayer(script)
        record = play(event, players)
        assert_last(record, offender)
        fault = record.faults[offender]
        assert fault is not None
        assert (fault.kind, fault.decision) == (kind, decision)
        assert len(players[offender].requests) == decision  # it is never asked again
        assert players[offender].ended is None
        for seat, player in enumerate(players):
            assert player.closed == 1
            if seat != offender:
                assert record.faults[seat] is None
                assert len(player.requests) == 6
                assert player.ended == (record.scores, record.placings)


def assert_last(record: Record, offender: int) -> None:
    """The offender is last alone, and the rest is placed by the scores of the game among themselves."""
    seats = len(record.seats)
    assert record.placings[offender] == seats
    assert record.points[offender] == 0
    others = [seat for seat in range(seats) if seat != offender]
    for seat in others:
        better = sum(record.scores[other] > record.scores[seat] for other in others)
        assert record.placings[seat] == 1 + better
    assert replayed(record).scores() == record.scores


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("kind", list(FaultKind))
def test_whatever_fails_at_the_start_is_a_start_fault(seats: int, kind: FaultKind) -> None:
    for offender in range(seats):
        event, players = rat_deau(seats)
        players[offender] = ScriptedPlayer(start=Fault(kind, 5, "no ready"))
        record = play(event, players)
        assert_last(record, offender)
        assert record.faults[offender] == Fault(FaultKind.START, 0, "no ready")
        assert players[offender].requests == []
        assert len(record.decisions[offender]) == 6


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_stand_in_is_uniform_from_the_matchs_own_seed(game: str, seats: int) -> None:
    event, players = event_of(game, seats), [ScriptedPlayer(start=START) for _ in range(seats)]
    record = play(event, players)
    dice = Random(stand_in_seed(event, MATCH))
    position = registry.games.get(game).start(seats, Random(deal_seed(event, MATCH)), event.options)
    taken: list[list[str]] = [[] for _ in range(seats)]
    while (seat := position.turn) is not None:
        taken[seat].append(dice.choice(position.legal()))
        position = position.play(taken[seat][-1])
    assert record.decisions == tuple(map(tuple, taken))
    assert record.placings == (1,) * seats


def late(decisions: int, kind: FaultKind = FaultKind.CRASH) -> ScriptedPlayer:
    """Answers so many requests of Rat d'eau, then fails."""
    return ScriptedPlayer([*(str(card) for card in range(1, decisions + 1)), Fault(kind, 0, "")])


TOGETHER: list[tuple[str, Callable[[], list[ScriptedPlayer]], list[int | None]]] = [
    ("two in one choice share", lambda: [late(2), late(2)], [1, 1]),
    ("the first to fail is last", lambda: [late(3), late(2)], [1, 2]),
    ("whatever the seat", lambda: [late(2), late(3)], [2, 1]),
    ("whatever the faults", lambda: [late(2, FaultKind.TIMEOUT), late(2, FaultKind.MEMORY)], [1, 1]),
    ("a start fault is before all", lambda: [ScriptedPlayer(start=START), late(0)], [2, 1]),
    ("start faults share", lambda: [ScriptedPlayer(start=START)] * 2, [1, 1]),
    ("three seats, two in one choice", lambda: [late(1), ScriptedPlayer(), late(1)], [2, 1, 2]),
    ("three seats, one after another", lambda: [late(5), late(0), late(1)], [1, 3, 2]),
    ("four seats, two and one", lambda: [late(4), late(2), ScriptedPlayer(), late(4)], [2, 4, 1, 2]),
    ("four seats, two choices", lambda: [late(4), late(2), late(2), late(4)], [1, 3, 3, 1]),
    ("two of four", lambda: [late(0), ScriptedPlayer(), ScriptedPlayer(), late(1)], [4, None, None, 3]),
]  # fmt: skip


@pytest.mark.parametrize(("what", "made", "placings"), TOGETHER, ids=[case[0] for case in TOGETHER])
def test_several_faults_are_placed_by_the_moment_of_each(
    what: str, made: Callable[[], list[ScriptedPlayer]], placings: list[int | None]
) -> None:
    players = made()
    record = play(event_of("rat_deau", len(players)), players)
    for place, expected in zip(record.placings, placings, strict=True):
        assert place == expected or (expected is None and place <= 2), what


def test_in_a_sequential_game_the_first_to_fail_is_last() -> None:
    fault = Fault(FaultKind.CRASH, 0, "")
    for first in (0, 1):
        players = [
            ScriptedPlayer([*(["1", "2", "4"][:n]), fault]) for n in ((0, 0) if first == 0 else (1, 0))
        ]
        assert play(event_of("pecking_order", 2), players).placings == ((2, 1) if first == 0 else (1, 2))


def test_in_one_battle_of_peech_seats_fail_together_and_in_the_next_later() -> None:
    """Nobody has seen anything between the first and the last card of a battle."""

    class Fails(ScriptedPlayer):
        def __init__(self, after: int) -> None:
            super().__init__()
            self.after = after

        def ask(self, request: Any) -> str | Fault:
            super().ask(request)
            return request.legal[0] if len(self.requests) <= self.after else Fault(FaultKind.TIMEOUT, 0, "")

    record = play(event_of("peech", 4), [Fails(3), Fails(99999), Fails(3), Fails(4)])
    assert record.placings == (3, 1, 3, 2)
    assert [fault and fault.decision for fault in record.faults] == [4, None, 4, 5]
    assert record.points == pytest.approx((1 / 6, 1, 1 / 6, 2 / 3))


def test_a_crash_when_losing_never_voids_the_game_nor_helps() -> None:
    """The winner is who would have won, the crasher gets nothing (other runners: an escape from a loss)."""
    sound = play(*rat_deau(2, seed=3))
    loser = sound.placings.index(max(sound.placings))
    event, players = rat_deau(2, seed=3)
    cards = sound.decisions[loser]
    players[loser] = ScriptedPlayer([*cards[:5], Fault(FaultKind.CRASH, 0, "exit status 1")])
    record = play(event, players)
    assert record.points[loser] == 0
    assert record.points[1 - loser] == 1


def test_when_one_of_four_dies_the_others_finish_are_told_and_are_scored() -> None:
    event, players = event_of("peech", 4), [ScriptedPlayer() for _ in range(4)]
    players[2] = ScriptedPlayer([Fault(FaultKind.CRASH, 0, "killed by signal 11")])
    record = play(event, players)
    assert_peech_placings(record, offender=2)
    for seat in (0, 1, 3):
        assert players[seat].ended == (record.scores, record.placings)
        assert len(players[seat].requests) > 10


def assert_peech_placings(record: Record, offender: int) -> None:
    others = [seat for seat in range(4) if seat != offender]
    assert record.placings[offender] == 4
    for seat in others:
        better = sum(record.scores[other] < record.scores[seat] for other in others)
        assert record.placings[seat] == 1 + better


def test_an_illegal_answer_is_named_with_what_was_legal() -> None:
    event, players = rat_deau(2)
    players[1] = ScriptedPlayer(["1", "1\n\x1b[2J"])
    fault = play(event, players).faults[1]
    assert fault == Fault(FaultKind.ILLEGAL, 2, r'"1\n\x1b[2J" is not legal here: 2, 3, 4, 5, 6, 7, 8, 9')


def test_an_illegal_answers_detail_is_bounded() -> None:
    event, players = rat_deau(2, pack=list(range(900, 1000)))
    players[0] = ScriptedPlayer(["é" * 50_000])
    fault = play(event, players).faults[0]
    assert fault is not None
    assert len(fault.detail) < 1100
    assert fault.detail.isascii()
    assert "900, 901" in fault.detail
