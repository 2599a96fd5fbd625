"""The auditor of Peech: it agrees with the rules that are played, and refuses what is not allowed."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import audit_peech
from support.records import agrees, play_twice, put, random_record

ROUND = ("chance", "rounds", 0)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**64),
    st.fixed_dictionaries(
        {},
        optional={
            "rounds": st.integers(1, 4),
            "redraw": st.sampled_from(["each_round", "once"]),
            "battle_order": st.sampled_from(["points", "rank"]),
            "max_battles": st.integers(1, 40),
            "coup_card_points": st.sampled_from(["table", "face"]),
        },
    ),
)
def test_it_agrees_with_the_rules_that_are_played(seed: int, options: dict[str, Any]) -> None:
    agrees(*random_record("peech", 4, seed, **options))


@pytest.mark.slow
def test_it_agrees_for_long() -> None:
    for seed in range(300):
        agrees(*random_record("peech", 4, seed))


def deal_too_short(record: dict[str, Any]) -> None:
    for hand in record["chance"]["rounds"][0]["deals"][0]:
        hand.pop()


def deal_of_a_coup_card(record: dict[str, Any]) -> None:
    first = record["chance"]["rounds"][0]
    first["deals"][0][2][0] = first["coups"][1]


def deal_of_a_won_card(record: dict[str, Any]) -> None:
    first = record["chance"]["rounds"][0]
    first["deals"][1][0] = [*first["deals"][0][0]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (play_twice, "which is not in its hand"),
        (put("1S", "decisions", 0, 0), "'1S', which is not in its hand"),
        (lambda record: record["decisions"][3].append("AS"), "seat 3 has 1 decisions too many"),
        (lambda record: record["decisions"][3].pop(), "no decision left|not in its hand"),
        (lambda record: record["decisions"].pop(), "four seats"),
        (put("6S", *ROUND, "points", 0), "6S among the points"),
        (put("10X", *ROUND, "points", 0), "no card"),
        (put(["7S", "7S", "8S", "9S"], *ROUND, "points"), "points drawn twice"),
        (put(["7S", "8S", "9S"], *ROUND, "points"), "3 points for four seats"),
        (put("JS", *ROUND, "coups", 3), "JS among the coups"),
        (deal_too_short, "7 cards dealt to seat 0 where 8 are due"),
        (deal_of_a_coup_card, "no free card"),
        (deal_of_a_won_card, "no free card|cards dealt|dealt twice"),
        (lambda record: record["chance"]["rounds"][0]["deals"].append([[]] * 4), "1 deals too many"),
        (lambda record: record["chance"]["rounds"][0]["deals"].pop(), "a deal is missing"),
        (lambda record: record["chance"]["rounds"].pop(), "2 rounds for 3"),
        (put(1, *ROUND, "seed"), "a round's chance is"),
        (put(1, "chance", "seed"), "nothing else"),
        (put({"redraw": "once"}, "options"), "drawn anew"),
    ],
)
def test_what_is_not_allowed_is_refused(change: Callable[[dict[str, Any]], Any], said: str) -> None:
    record, _ = random_record("peech", 4, 3)
    changed = copy.deepcopy(record)
    change(changed)
    with pytest.raises(AssertionError, match=said):
        audit_peech.replay(changed)


def battle(*cards: str, piles: tuple[str, ...] = ("", "", "", ""), **options: Any) -> list[str]:
    """The won piles after one battle, cards by seat, `-` for a seat that is out."""
    round_ = audit_peech.Round({"points": [], "coups": [], "deals": []}, options)
    round_.won = [pile.split() for pile in piles]
    round_.battle({seat: card for seat, card in enumerate(cards) if card != "-"})
    return [" ".join(pile) for pile in round_.won]


@pytest.mark.parametrize(
    ("cards", "won", "options"),
    [
        ("7S KH 9D 3C", ["3C", "", "", ""], {}),  # E1
        ("3S KH 9D 8C", ["", "", "", ""], {}),
        ("6S 8H 9D 10C", ["8H", "", "", ""], {}),  # E2
        ("8S 8H 6D 10C", ["", "", "10C", ""], {}),
        ("7S 9H AD JC", ["AD", "", "", ""], {}),
        ("7S 7H 5D QC", ["5D", "QC", "", ""], {}),  # E3
        ("3S 6H 4D 6C", ["", "4D", "", "3S"], {}),
        ("6S 6H 8D KC", ["", "", "", ""], {}),  # E4
        ("8S 9H 10D 4C", ["", "", "", ""], {}),  # E5
        ("8S 9H 10D 9C", ["8S", "9H", "10D", "9C"], {}),  # E6
        ("AS AH 2D JC", ["AS", "AH", "2D", "JC"], {}),
        ("7S 4D 9C -", ["4D", "", "", ""], {}),  # E7
        ("7S 7D 9C -", ["", "", "", ""], {}),
        ("8S 9D 10C -", ["8S", "9D", "10C", ""], {}),
        ("- 4S 7D 3C", ["", "", "3C", ""], {}),
        ("AS KH QD 5C", ["KH", "", "", ""], {}),  # E8
        ("KS QH 2D AC", ["", "", "KS", "QH"], {}),  # E9
        ("KS QH 2D AC", ["AC", "", "", ""], {"battle_order": "rank"}),
    ],
)
def test_e1_to_e9(cards: str, won: list[str], options: dict[str, Any]) -> None:
    assert battle(*cards.split(), **options) == won


def test_e8_and_e14() -> None:
    piles = ("9H 8H", "", "", "")
    assert battle("7S", "8D", "AD", "9C", piles=piles)[0] == "9H AD"
    assert battle("7S", "8D", "AD", "AC", piles=piles)[0] == "9H 8H AD"
    assert battle("7S", "8D", "AD", "2C", piles=piles)[0] == "9H 8H AD"
    assert battle("7S", "8D", "AD", "9C")[0] == "AD"


@pytest.mark.parametrize(
    ("point", "coup", "pile", "options", "score"),
    [
        ("10S", "6S", "7S 6S 3S 3H 4S", {}, 8),  # one short of the target of E10
        ("10S", "6S", "7S 6S 5S 3S 3H 4S", {}, 2),  # E10
        ("10S", "6S", "7S 6S 5S 3S 3H 4S", {"coup_card_points": "face"}, 0),
        ("7S", "4S", "7S 7H 7D 7C", {}, 0),
        ("9S", "8S", "8S 5S 5H AS 3S", {}, 11),
        ("7S", "5S", "7S 7H 6S 3S", {}, 1),
        ("KS", "10S", "", {}, 31),
    ],
)
def test_e10(point: str, coup: str, pile: str, options: dict[str, Any], score: int) -> None:
    round_ = audit_peech.Round({"points": [point], "coups": [coup], "deals": []}, options)
    round_.won[0] = pile.split()
    assert round_.score(0) == score
