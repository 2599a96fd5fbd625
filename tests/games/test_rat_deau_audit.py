"""The auditor of Rat d'eau: it agrees with the rules that are played, and refuses what is not allowed."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import audit_rat_deau
from support.records import agrees, play_twice, put, random_record


@settings(max_examples=100, deadline=None)
@given(
    st.integers(0, 2**64),
    st.integers(2, 4),
    st.fixed_dictionaries(
        {},
        optional={
            "pack": st.lists(st.integers(0, 20), min_size=6, max_size=12),
            "raft_factor": st.integers(0, 10),
            "raft_worth": st.integers(0, 10),
            "offers_return_on_anger": st.booleans(),
        },
    ),
)
def test_it_agrees_with_the_rules_that_are_played(seed: int, seats: int, options: dict[str, Any]) -> None:
    agrees(*random_record("rat_deau", seats, seed, **options))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_agrees_for_long(seats: int) -> None:
    for seed in range(300):
        agrees(*random_record("rat_deau", seats, seed))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (play_twice, "which is not in its hand"),
        (put("10", "decisions", 0, 0), "'10', which is not in its hand"),
        (put("05", "decisions", 0, 0), "'05', which is not in its hand"),
        (lambda record: record["decisions"][2].append("1"), "seat 2 has 1 decisions too many"),
        (lambda record: record["decisions"][2].pop(), "seat 2 has no decision left"),
        (put([7, 1], "chance", "dice", 0), "dice that show"),
        (put([True, 1], "chance", "dice", 0), "dice that show"),
        (put([1, 1, 1], "chance", "dice", 0), "3 dice"),
        (lambda record: record["chance"]["dice"].pop(), "2 rolls for 3 rounds"),
        (lambda record: record["chance"]["dice"].append([1, 2]), "4 rolls for 3 rounds"),
        (put(1, "chance", "seed"), "nothing else"),
        (put([["1"] * 6], "decisions"), "1 seats"),
        (put({"pack": [1, 2, 3, 4, 5]}, "options"), "5 cards is too small"),
    ],
)
def test_what_is_not_allowed_is_refused(change: Callable[[dict[str, Any]], Any], said: str) -> None:
    record, _ = random_record("rat_deau", 3, 3)
    changed = copy.deepcopy(record)
    change(changed)
    with pytest.raises(AssertionError, match=said):
        audit_rat_deau.replay(changed)


def rat_deau(seats: int, dice: list[list[int]], *choices: str, **options: Any) -> tuple[list[int], list[int]]:
    decisions = [[choice.split()[seat] for choice in choices] for seat in range(seats)]
    record = {"chance": {"dice": dice}, "decisions": decisions, "options": options}
    return audit_rat_deau.replay(record)


EQUAL = [4, 4]


@pytest.mark.parametrize(
    ("roll", "choices", "scores", "places"),
    [
        (EQUAL, "9 9 | 6 4 | 8 8 | 5 5 | 7 7 | 4 6", [29, 29], [1, 1]),  # E3
        (EQUAL, "9 8 | 5 4 | 8 9 | 6 7 | 7 6 | 4 5", [7, 11], [2, 1]),  # E4
        (EQUAL, "9 9 | 6 4 | 1 2 | 4 3 | 3 8 | 2 1", [6, 2], [1, 2]),  # E5
        (EQUAL, "9 9 9 | 1 1 1 | 8 8 8 | 2 2 2 | 7 7 7 | 3 3 3", [0, 0, 0], [1, 1, 1]),  # E6
        ([1, 6], "1 1 1 1 | 9 9 5 5 | 2 2 2 2 | 8 8 4 3 | 3 3 3 4 | 7 6 7 6", [6, 6, 11, 7], [3, 3, 1, 2]),
        ([1, 2], "1 1 1 | 5 4 5 | 2 2 2 | 6 5 4 | 3 3 3 | 4 7 6", [11, 16, 6], [2, 1, 3]),  # E8: 13 is met
        ([3, 2], "1 1 1 | 5 4 6 | 2 2 2 | 4 5 4 | 3 3 3 | 6 6 5", [0, 0, 0], [1, 1, 1]),  # E8: 15 is not 18
    ],
)
def test_worked_examples(roll: list[int], choices: str, scores: list[int], places: list[int]) -> None:
    each = choices.split("|")
    assert rat_deau(len(scores), [roll] * 3, *each) == (scores, places)


def test_e10() -> None:
    pack = [1, 1, 5, 5, 9, 9]
    stolen_one_by_one = ["9 9", "5 5", "9 9", "1 1", "5 5", "1 1"]
    assert rat_deau(2, [EQUAL] * 3, *stolen_one_by_one, pack=pack)[0] == [5, 5]
    again = ["9 9", "7 8", "7 8", "6 5", "5 4", "4 3"]
    dice = [[6, 1], EQUAL, EQUAL]
    assert rat_deau(2, dice, *again, offers_return_on_anger=True)[0] == [10, 4]
    with pytest.raises(AssertionError, match="seat 0 plays '7', which is not in its hand"):
        rat_deau(2, dice, *again)
