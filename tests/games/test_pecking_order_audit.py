"""The auditor of Pecking Order: it agrees with the rules that are played, and refuses what is not allowed."""

import copy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.audit_pecking_order import Table, replay

from arena.registry import games


def random_record(seed: int, options: dict[str, Any], perches: int = 11) -> tuple[dict[str, Any], Any]:
    """A random game as a record, and its end; with fewer `perches` preferred, fights are more frequent."""
    rng = Random(seed)
    position = games.get("pecking_order").start(2, rng, options)
    decisions: list[list[str]] = [[], []]
    while position.turn is not None:
        legal = position.legal()
        action = rng.choice(legal[:perches])
        decisions[position.turn].append(action)
        position = position.play(action)
    return {"chance": position.chance(), "decisions": decisions, "options": options}, position


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "rounds": st.integers(1, 3),
        "first_player": st.integers(0, 1),
        "jaguar_holds_tiebreak": st.booleans(),
    },
)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9), OPTIONS, st.integers(1, 11))
def test_it_agrees_with_the_rules_that_are_played(seed: int, options: dict[str, Any], perches: int) -> None:
    record, end = random_record(seed, options, perches)
    assert replay(record) == (list(end.scores()), list(end.placings()))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(0, 1))
def test_a_decision_too_many_or_too_few_is_refused(seed: int, seat: int) -> None:
    record, _ = random_record(seed, {})
    more, fewer = copy.deepcopy(record), copy.deepcopy(record)
    more["decisions"][seat].append("5")
    with pytest.raises(AssertionError, match="too many"):
        replay(more)
    fewer["decisions"][seat].pop()
    with pytest.raises(
        AssertionError, match=r"no decision left|no card of the other seat|has a card already"
    ):
        replay(fewer)


BIRDS = [*range(1, 13)]
DECK = [*BIRDS, "J"]
STACKED = [12, "J", *range(1, 12)]


@pytest.mark.parametrize(
    ("decks", "said"),
    [
        ([[DECK, BIRDS]], "holds one jaguar"),
        ([[DECK, [*BIRDS, "J", "J"]]], "holds one jaguar"),
        ([[[*range(1, 12), 11, "J"], DECK]], "holds the birds 1 to 12"),
        ([[[*map(str, BIRDS), "J"], DECK]], "whole numbers"),
        ([[DECK]], "a deck for each of two seats"),
        ([], "0 pairs of decks for 1 rounds"),
        ([[DECK, DECK]] * 2, "2 pairs of decks for 1 rounds"),
    ],
)
def test_wrong_chance_is_refused(decks: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        replay({"chance": {"decks": decks}, "decisions": [[], []]})


@pytest.mark.parametrize(
    ("decisions", "said"),
    [
        ([["10", "10"], ["9"]], "seat 0 plays on 10, where it has a card already"),
        ([["8"], []], "seat 0 plays on '8', which is no perch"),
        ([["none"], []], "seat 0 plays on 'none', which is no perch"),
        ([["3", "5"], ["9"]], "seat 1 has no decision left where a placement is due"),
        ([["10"], ["3", "9"]], "seat 1 looks at '9', where no card of the other seat lies face down"),
        ([["10"], ["3", "3"]], "seat 1 looks at '3', where no card of the other seat lies face down"),
        ([["10"], ["3"]], "seat 1 has no decision left where a look is due"),
    ],
)
def test_what_is_not_allowed_is_refused(decisions: list[list[str]], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        replay({"chance": {"decks": [[DECK, DECK]]}, "decisions": decisions})


def score(moves: str, jaguar_holds: bool = True) -> tuple[int, int]:
    """What both score after moves like `5@10 9@9`, seat 0 first; `4@3>9` looks at 9, `4@3>none` declines."""
    answers: list[list[str]] = [[], []]
    for turn, move in enumerate(moves.split()):
        answers[turn % 2] += move.partition("@")[2].split(">")
    table = Table([list(reversed(each)) for each in answers], jaguar_holds)
    for turn, move in enumerate(moves.split()):
        card = move.partition("@")[0]
        table.take_turn(turn % 2, card if card == "J" else int(card))
    assert table.answers == [[], []], "a look that is not asked"
    return table.score(0), table.score(1)


@pytest.mark.parametrize(
    ("moves", "scores"),
    [
        ("5@10 9@9", (10, 9)),  # E1
        ("5@10 9@10", (0, 10)),  # E2
        ("9@10 5@10", (10, 0)),  # E3
        ("7@10 7@10", (0, 10)),  # E4
        ("2@1 4@2 7@10 7@10", (11, 2)),  # E5
        ("7@10 2@1 1@4 7@10", (4, 11)),  # E6
        ("6@1 6@1", (1, 0)),  # E7
        ("6@1 7@1", (0, 1)),
        ("12@10 J@10", (0, 0)),  # E8
        ("J@10 12@10", (0, 0)),  # E9
        ("J@10 J@10", (0, 0)),  # E10
        ("J@1 J@1", (0, 0)),
        ("J@10 1@1", (0, 1)),  # E11
        ("J@1 3@2 7@10 7@10", (10, 2)),  # E12
        ("3@8a 5@9 4@8b 6@7", (19, 16)),  # E13
        ("3@8a 5@9 J@8b 6@7", (8, 16)),
        ("3@8a 4@8b", (8, 8)),
        ("3@8a 1@2 4@8b 6@8b", (8, 10)),
        ("5@10 9@9 4@3>9 1@1", (13, 10)),  # E14
        ("5@10 9@9 4@3>none 1@1", (13, 10)),
        ("2@3 3@10 1@5 9@3>5", (5, 13)),  # E15
        ("9@3 3@3", (3, 0)),  # E16: no look after a lost attack, for a jaguar, or with no card to look at
        ("9@10 J@3", (10, 0)),
        ("9@10 5@10 6@1 5@3>1", (11, 3)),
    ],
)
def test_e1_to_e16(moves: str, scores: tuple[int, int]) -> None:
    assert score(moves) == scores


def test_e12_a_jaguar_that_does_not_hold_the_tie_break() -> None:
    assert score("J@1 3@2 7@10 7@10", jaguar_holds=False) == (0, 12)


@pytest.mark.parametrize("moves", ["9@10 5@10 6@1 5@3>10", "9@10 5@10 6@1 5@3>3", "9@10 5@10 6@1 5@3>2"])
def test_e16_only_a_face_down_card_of_the_other_seat_is_looked_at(moves: str) -> None:
    with pytest.raises(AssertionError, match="where no card of the other seat lies face down"):
        score(moves)


def test_e18_cards_without_a_perch_are_discarded() -> None:
    perches = ["10", "1", "2", "3", "4", "5", "6", "7", "8a", "8b", "9"]
    decks = [[12, *range(1, 12), "J"], [*range(1, 12), 12, "J"]]
    record = {"chance": {"decks": [decks]}, "decisions": [perches, ["10"] * 13]}
    assert replay(record) == ([56, 0], [1, 2])


def test_e19_the_other_seat_starts_the_next_round() -> None:
    """The second round is the first with the seats changed, starter and all."""
    script = ["10", "1", "2", "4", "5", "6", "7", "8a", "8b", "9", "3"]
    round_1 = [[12, *range(1, 12), "J"], [*range(1, 12), 12, "J"]]
    record = {"chance": {"decks": [round_1, round_1[::-1]]}, "options": {"rounds": 2}}
    decisions = [[*script, *["10"] * 13], [*["10"] * 13, *script]]
    assert replay({**record, "decisions": decisions}) == ([56, 56], [1, 1])
    with pytest.raises(AssertionError):
        replay({**record, "options": {"rounds": 2, "first_player": 1}, "decisions": decisions})
