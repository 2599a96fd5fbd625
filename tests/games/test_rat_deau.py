"""Rat d'eau: the rules' worked examples, one test each, and what must hold in every game."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import IllegalAction, UsageError
from arena.games.rat_deau import RatDeau, captor_of, demand_of

EQUAL = [4, 4]
"""A roll that leaves the demand at 5 a seat."""


def played(seats: int, dice: list[list[int]], *choices: str, **options: object) -> RatDeau:
    """The position after these choices, each the cards of all seats: "9 8" is seat 0's 9 and seat 1's 8."""
    position = RatDeau.from_chance(seats, {"dice": dice}, options)
    for cards in choices:
        for card in cards.split():
            position = position.play(card)
    return position


def last(position: RatDeau, kind: str) -> dict[str, object]:
    return next(event for event in reversed(position.events(None)) if event["type"] == kind)


@pytest.mark.parametrize(
    ("seats", "roll", "demand"),
    [(3, (2, 3), 12), (4, (5, 3), 25), (2, (4, 4), 10), (2, (1, 6), 4), (2, (6, 1), 16)],
)
def test_e1_the_demand(seats: int, roll: tuple[int, int], demand: int) -> None:
    assert demand_of(seats, roll) == demand
    loot = " ".join(["9"] * seats)
    assert played(seats, [list(roll)], loot).view(0)["demand"] == demand


@pytest.mark.parametrize(
    ("offers", "captor"),
    [
        ((3, 2), 0),
        ((7, 7, 5), 2),
        ((9, 9, 6, 4), 2),
        ((7, 7, 7, 1), 3),
        ((7, 7, 5, 5), None),
        ((4, 4, 4), None),
        ((6, 6), None),
    ],
)
def test_e2_the_captor(offers: tuple[int, ...], captor: int | None) -> None:
    assert captor_of(offers) == captor


def test_e3_two_players_share_the_rafts() -> None:
    end = played(2, [EQUAL] * 3, "9 9", "6 4", "8 8", "5 5", "7 7", "4 6")
    assert [event["captor"] for event in end.events(None) if event["type"] == "raft"] == [0, None, 1]
    assert end.view(None)["rafts"] == [1, 1]
    assert end.scores() == (29, 29)
    assert end.placings() == (1, 1)


def test_e4_anger_takes_the_best_loot() -> None:
    first = played(2, [EQUAL] * 3, "9 8", "5 4")
    assert last(first, "anger")["stolen"] == [9, 8]
    end = played(2, [EQUAL] * 3, "9 8", "5 4", "7 6", "6 7", "8 9", "4 5")
    assert last(end, "raft")["captor"] == 1
    assert last(end, "anger")["stolen"] == [8, 9]
    assert end.scores() == (7, 6 + 5)
    assert end.placings() == (2, 1)


def test_e5_an_old_card_may_go_and_a_raft_never() -> None:
    rounds = ["9 9", "6 4", "1 2", "2 1", "3 3", "4 5"]
    second = played(2, [EQUAL] * 3, *rounds[:4])
    assert last(second, "anger")["stolen"] == [9, 9]
    assert second.view(None)["loots"] == [[1], [2]]
    assert second.view(None)["rafts"] == [1, 0]
    end = played(2, [EQUAL] * 3, *rounds)
    assert last(end, "anger")["stolen"] == [3, 3]
    assert end.scores() == (1 + 5, 2)


def test_e6_three_failures_leave_nothing() -> None:
    end = played(3, [EQUAL] * 3, "9 9 9", "1 1 1", "8 8 8", "2 2 2", "7 7 7", "3 3 3")
    assert end.view(None)["loots"] == [[], [], []]
    assert end.scores() == (0, 0, 0)
    assert end.placings() == (1, 1, 1)


def test_e7_four_players() -> None:
    end = played(4, [[1, 6]] * 3, "1 1 1 2", "9 9 5 5", "2 2 2 1", "8 8 4 3", "3 3 3 4", "7 6 7 6")
    assert [event["demand"] for event in end.events(None) if event["type"] == "dice"] == [14, 14, 14]
    assert [event["captor"] for event in end.events(None) if event["type"] == "raft"] == [None, 2, None]
    assert end.scores() == (6, 6, 11, 7)
    assert end.placings() == (3, 3, 1, 2)


def test_e8_met_when_equal_or_more() -> None:
    end = played(3, [[1, 2], [3, 2], [5, 5]], "9 9 9", "5 4 5", "8 8 8", "6 5 4", "7 7 7", "4 6 6")
    facts = [(event["type"], event.get("sum")) for event in end.events(None)]
    assert [demand["demand"] for demand in end.events(None) if demand["type"] == "dice"] == [13, 18, 15]
    assert facts[2:4] == [("offer", 14), ("raft", None)]
    assert facts[6:8] == [("offer", 15), ("anger", None)]
    assert facts[10:12] == [("offer", 16), ("raft", None)]
    exact = played(2, [EQUAL], "9 9", "6 4")
    assert last(exact, "raft")["captor"] == 0


@pytest.mark.parametrize("action", ["9", "0", "10", "", "x", " 8", "8\n", "08", "٨", "none"])
def test_e9_cards_that_cannot_be_played(action: str) -> None:
    offering = played(2, [EQUAL], "9 9")
    before = offering.view(None)
    with pytest.raises(IllegalAction, match="offer: one of 1, 2, 3, 4, 5, 6, 7, 8, not"):
        offering.play(action)
    assert offering.view(None) == before


def test_e9_no_answer_is_taken_too_many() -> None:
    end = played(2, [EQUAL] * 3, "9 9", "6 4", "8 8", "5 5", "7 7", "4 6")
    assert (end.turn, end.kind, end.legal()) == (None, "", ())
    with pytest.raises(IllegalAction, match="the game is over"):
        end.play("1")


@pytest.mark.parametrize(
    "dice",
    [
        [[7, 1]],
        [[0, 1]],
        [[1]],
        [[1, 2, 3]],
        [[1, True]],
        [[1.0, 2]],
        [["1", "2"]],
        ["12"],
        "123",
        None,
        {"0": [1, 1]},
        [EQUAL] * 4,
    ],
)
def test_e9_impossible_dice(dice: object) -> None:
    with pytest.raises(UsageError, match="chance"):
        RatDeau.from_chance(2, {"dice": dice}, {})


def test_e9_chance_of_another_form() -> None:
    for chance in ({}, {"dice": [], "cards": []}, {"rolls": []}):
        with pytest.raises(UsageError, match="chance"):
            RatDeau.from_chance(2, chance, {})


def test_e9_given_dice_that_are_used_up() -> None:
    position = played(2, [EQUAL], "9 9", "6 4", "8")
    with pytest.raises(UsageError, match="used up: 1 rolls, and round 2 needs one"):
        position.play("8")
    assert position.turn == 1


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_e9_tables_that_the_rules_do_not_know(seats: int) -> None:
    with pytest.raises(UsageError, match=f"2 to 4 seats, not {seats}"):
        RatDeau.start(seats, Random(1), {})


@pytest.mark.parametrize("pack", [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5, -6], [1] * 101, [1001] * 6])
def test_e9_packs_that_do_not_do(pack: list[int]) -> None:
    with pytest.raises(
        UsageError, match=r"option\.pack: a list of 6 to 100 whole numbers from 0 to 1000, not"
    ):
        RatDeau.start(2, Random(1), {"pack": pack})


def test_e10_of_two_equal_cards_one_is_stolen() -> None:
    pack = [9, 1, 5, 1, 9, 5]
    start = played(2, [], pack=pack)
    assert start.legal() == ("1", "5", "9")
    assert start.view(0)["hands"] == [[1, 1, 5, 5, 9, 9], None]
    end = played(2, [EQUAL] * 2, "9 9", "5 5", "9 9", "1 1", pack=pack)
    assert last(end, "anger")["stolen"] == [9, 9]
    assert end.view(0)["loots"] == [[9], [9]]
    assert end.view(0)["hands"] == [[1, 5], None]


def test_e10_offers_may_return_on_anger() -> None:
    high = [6, 1]
    angry = played(2, [high], "9 9", "7 8", offers_return_on_anger=True)
    assert last(angry, "anger")["returned"] is True
    assert angry.legal() == ("1", "2", "3", "4", "5", "6", "7", "8")
    assert angry.play("1").legal() == ("1", "2", "3", "4", "5", "6", "7", "8")
    lost = played(2, [high], "9 9", "7 8")
    assert lost.legal() == ("1", "2", "3", "4", "5", "6", "8")
    met = played(2, [EQUAL], "9 9", "7 8", offers_return_on_anger=True)
    assert met.legal() == ("1", "2", "3", "4", "5", "6", "8")


def test_factor_and_worth_of_a_raft_are_options() -> None:
    end = played(2, [EQUAL], "9 8", "2 1", raft_factor=1, raft_worth=7)
    assert last(end, "dice")["demand"] == 2
    assert end.scores() == (9 + 7, 8)


def test_a_choice_is_hidden_until_all_are_in() -> None:
    position = played(3, [EQUAL], "9 8")
    assert position.events(2) == ()
    assert position.view(2)["chosen"] == [None, None, None]
    assert position.view(0)["chosen"] == [9, None, None]
    assert position.view(None)["chosen"] == [9, 8, None]
    assert position.view(2)["hand_sizes"] == [9, 9, 9]
    revealed = position.play("7")
    assert revealed.view(2)["loots"] == [[9], [8], [7]]
    assert revealed.events(2)[0] == {"type": "loot", "round": 1, "cards": [9, 8, 7]}


def test_imagine_draws_the_face_down_cards_evenly() -> None:
    position = played(3, [EQUAL, EQUAL], "9 8 7", "1 2 1", "7 7", pack=[1, 1, 2, 7, 7, 7, 8, 9])
    view = position.view(2)
    rng = Random(7)
    drawn = Counter(RatDeau.imagine(view, rng).chosen for _ in range(6000))
    legal = ((1, 2, 7, 8), (1, 7, 9))
    pairs = [(a, b) for a in legal[0] for b in legal[1]]
    assert sorted(drawn) == sorted(pairs)
    even = 6000 / len(pairs)
    assert sum((drawn[pair] - even) ** 2 / even for pair in pairs) < 31.3  # chi-square, 11 df, 0.1 %


def test_imagine_draws_later_dice_anew() -> None:
    view = played(2, [EQUAL], "9 9", "6 4").view(0)
    rng = Random(3)
    demands = {RatDeau.imagine(view, rng).play("8").play("8").demand for _ in range(400)}
    assert demands == {*range(4, 9), *range(12, 17), 10}


def test_the_dice_are_fair_and_the_same_whatever_the_seats_do() -> None:
    faces: Counter[tuple[int, int, int]] = Counter()
    for seed in range(1500):
        low = high = RatDeau.start(2, Random(seed), {})
        while low.kind:
            low, high = low.play(low.legal()[0]), high.play(high.legal()[-1])
        assert low.chance() == high.chance()
        faces.update((r, *roll) for r, roll in enumerate(low.chance()["dice"]))
    assert len(faces) == 3 * 36
    even = 1500 / 36
    assert sum((times - even) ** 2 / even for times in faces.values()) < 105 + 4 * 210**0.5


@given(
    seats=st.integers(2, 4),
    pack=st.lists(st.integers(0, 12), min_size=6, max_size=12),
    back=st.booleans(),
    rng=st.randoms(use_true_random=False),
)
def test_cards_are_conserved_and_bounds_hold(seats: int, pack: list[int], back: bool, rng: Random) -> None:
    position = RatDeau.start(seats, rng, {"pack": pack, "offers_return_on_anger": back})
    gone: list[Counter[int]] = [Counter() for _ in range(seats)]
    decisions = 0
    while position.kind:
        seen = len(position.events(None))
        position = position.play(rng.choice(position.legal()))
        decisions += 1
        for event in position.events(None, seen):
            lost = event.get("stolen", event["cards"] if event["type"] == "offer" else [])
            for seat, card in enumerate(lost):
                gone[seat][card] += 1
            if event.get("returned"):
                for seat, card in enumerate(last(position, "offer")["cards"]):
                    gone[seat][card] -= 1
        view = position.view(None)
        for seat in range(seats):
            assert Counter(view["hands"][seat] + view["loots"][seat]) + gone[seat] == Counter(pack)
    assert decisions == 6 * seats
    met = sum(event["type"] == "raft" for event in position.events(None))
    assert all(len(loot) == met for loot in view["loots"])
    best = sorted(pack)[-3:]
    assert all(0 <= score <= sum(best) + 15 for score in position.scores())
    assert sum(view["rafts"]) <= met
