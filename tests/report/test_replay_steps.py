"""Records to steps: complete for the judge, and for a seat nothing that it did not know."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.runs import event_of

from arena.model import Fault, FaultKind, Game, MatchId, Record, Timing
from arena.registry import games
from arena.report import replay
from arena.report.pages.match import view_of
from arena.report.site import Frame, Page, environment, render
from arena.standings import placings_of, points_of

GAMES = [("pecking_order", 2), ("peech", 4), ("rat_deau", 3)]
NAMES = {f"b{i}": f"Bot {i}" for i in range(4)}
LINKS: dict[str, str | None] = dict.fromkeys(NAMES)


def record_of(position: Game, rng: Random, game: str, seats: int) -> Record:
    """Play on by chance from a first position; every decision takes its number in milliseconds."""
    decisions: list[list[str]] = [[] for _ in range(seats)]
    while (seat := position.turn) is not None:
        decisions[seat].append(rng.choice(position.legal()))
        position = position.play(decisions[seat][-1])
    placings = placings_of(position.scores(), games.get(game).higher_wins)
    return Record(
        MatchId(0, 1, 0, 0, 0), game, event_of(game, [("a", "A")], seats).options,
        tuple(f"b{i}" for i in range(seats)), position.chance(), tuple(map(tuple, decisions)),
        position.scores(), placings, points_of(placings), (None,) * seats,
        tuple(Timing(think_ms=tuple(float(n + 1) for n in range(len(mine)))) for mine in decisions),
    )  # fmt: skip


def random_record(game: str, seats: int, seed: int, **options: Any) -> Record:
    rng = Random(seed)
    settled = event_of(game, [("a", "A")], seats, **options).options
    record = record_of(games.get(game).start(seats, rng, settled), rng, game, seats)
    return replace(record, options=settled)


def page(record: Record, seat: int | None) -> str:
    frame = Frame("t", "r", ())
    return render(environment(), Page("x", "match.html.j2", frame, view_of(record, NAMES, LINKS, seat)))


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_judge_sees_every_event_and_decision_once(game: str, seats: int) -> None:
    record = random_record(game, seats, 5)
    steps = list(replay.steps_of(record))
    assert [step.number for step in steps] == list(range(len(steps)))
    for seat in range(seats):
        made = [d for step in steps for d in step.decisions if d.seat == seat]
        assert tuple(d.action for d in made) == record.decisions[seat]
        assert [d.number for d in made] == [d.think_ms for d in made] == list(range(1, len(made) + 1))
        assert all(d.action in d.legal for d in made)
        assert steps[-1].made[seat] == len(made)
    position = replay.start_of(record)
    for step in steps:
        for decision in step.decisions:
            position = position.play(decision.action)
    assert position.turn is None
    assert [e for step in steps for e in step.events] == list(position.events(None))
    assert steps[-1].view == position.view(None)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_seat_has_one_step_a_request_and_all_that_it_saw(game: str, seats: int) -> None:
    record = random_record(game, seats, 6)
    position = replay.start_of(record)
    made = [0] * seats
    while (mover := position.turn) is not None:
        position = position.play(record.decisions[mover][made[mover]])
        made[mover] += 1
    for seat in range(seats):
        steps = list(replay.steps_of(record, seat))
        assert len(steps) == len(record.decisions[seat]) + 1
        assert [e for step in steps for e in step.events] == list(position.events(seat))
        assert all(d.seat == seat for step in steps for d in step.decisions)


def test_decisions_after_a_fault_are_the_stand_ins() -> None:
    record = random_record("rat_deau", 2, 1)
    failed = replace(record, faults=(None, Fault(FaultKind.TIMEOUT, 3, "no answer")))
    by = {d.number: d.stand_in for step in replay.steps_of(failed) for d in step.decisions if d.seat == 1}
    assert by == {1: False, 2: False, 3: True, 4: True, 5: True, 6: True}
    started = replace(record, faults=(Fault(FaultKind.START, 0, "no"), None))
    assert all(d.stand_in for s in replay.steps_of(started) for d in s.decisions if d.seat == 0)


def test_a_seats_page_is_the_same_whatever_it_never_learns() -> None:
    """Seat 0 beats two attackers unseen, a 5 and a 3 or a 4 and a 2: its page cannot tell which."""

    def match(first: int, second: int) -> Record:
        chance = {"decks": [[[9, 8], [first, second]]]}
        options = event_of("pecking_order", [("a", "A")]).options
        position = games.get("pecking_order").from_chance(2, chance, options)
        decisions: list[list[str]] = [[], []]
        for action in ("10", "10", "9", "9"):
            decisions[position.turn].append(action)
            position = position.play(action)
        base = random_record("pecking_order", 2, 1)
        return replace(
            base, chance=chance, decisions=tuple(map(tuple, decisions)), scores=position.scores(),
            placings=position.placings(), timings=(),
        )  # fmt: skip

    assert page(match(5, 3), 0) == page(match(4, 2), 0)
    assert page(match(5, 3), 1) != page(match(4, 2), 1)
    assert page(match(5, 3), None) != page(match(4, 2), None)


def test_a_declined_look_does_not_show_on_the_other_seats_page() -> None:
    """A bird on the promontory that does not look, or a jaguar: the other seat's page is the same."""

    def match(card: int | str, extra: tuple[str, ...]) -> Record:
        chance = {"decks": [[[2, 4], [card, 1]]]}
        options = event_of("pecking_order", [("a", "A")]).options
        position = games.get("pecking_order").from_chance(2, chance, options)
        decisions: list[list[str]] = [[], []]
        # Seat 0 takes 10, seat 1 the promontory; later seat 0 attacks it and is beaten, or not.
        for action in ("10", "3", *extra, "9", "7"):
            decisions[position.turn].append(action)
            position = position.play(action)
        base = random_record("pecking_order", 2, 1)
        return replace(
            base, chance=chance, decisions=tuple(map(tuple, decisions)), scores=(19, 7),
            placings=(1, 2), timings=(),
        )  # fmt: skip

    looked_not, jaguar = match(3, ("none",)), match("J", ())
    ours, theirs = (list(replay.steps_of(record, 0)) for record in (looked_not, jaguar))
    assert [step.number for step in ours] == [step.number for step in theirs]
    assert ours[:-1] == theirs[:-1]  # the last step holds the scores, in which the bird counts


@pytest.mark.parametrize(("game", "seats"), [("peech", 4), ("rat_deau", 2)])
def test_a_page_of_a_seat_never_names_a_hidden_hand(game: str, seats: int) -> None:
    record = random_record(game, seats, 3, **({"rounds": 1} if game == "peech" else {}))
    view = view_of(record, NAMES, LINKS, 1)
    for picture in view.data["pictures"]:
        assert [hand for at, hand in enumerate(picture["hands"]) if at != 1] == [None] * (seats - 1)
    if game == "peech":
        secret = record.chance["rounds"][0]["coups"]
        before = [p for p in view.data["pictures"] if not p["scored"]]
        assert all(p["coups"][at] is None for p in before for at in (0, 2, 3))
        hidden = {
            card for step in view.steps[:-1] for line in step.lines for card in line.replace(",", " ").split()
        }
        unseen = [secret[at] for at in (0, 2, 3)]
        assert not hidden & set(unseen), "a coup card of another seat was told before the scoring"


@settings(max_examples=15)
@given(st.sampled_from(GAMES), st.integers(0, 10**6))
def test_every_random_match_has_its_pages(game: tuple[str, int], seed: int) -> None:
    record = random_record(*game, seed)
    for seat in (None, 0):
        view = view_of(record, NAMES, LINKS, seat)
        assert len(view.data["pictures"]) == len(view.steps) > 1
        assert all(line for step in view.steps for line in step.lines)


def test_a_game_without_a_board_is_shown_in_words(tmp_path: Path) -> None:
    lines = dict(
        replay.view_lines(
            {"seat": 0, "options": {}, "heap_size": 3, "piles": [[1, 2], None], "by": {"a": True}}
        )
    )
    assert lines == {"heap size": "3", "piles": "(1 2) –", "by": "a: True"}
