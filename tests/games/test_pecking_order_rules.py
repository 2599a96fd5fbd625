"""Pecking Order: its options and chance, and what must hold in every game."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pecking_order import played, random_game, told

from arena.errors import UsageError
from arena.games.pecking_order import CARDS, PeckingOrder
from arena.model import Request
from arena.protocol import MAX_LINE, turn_message
from arena.testing.check_game import check_game

SEEDS = st.integers(0, 2**64)
FLAGS = st.booleans()


def test_the_starter_is_an_option_and_alternates() -> None:
    start = PeckingOrder.start(2, Random(1), {"first_player": 1, "rounds": 3})
    starters, position = [start.turn], start
    while position.turn is not None:
        rounds = position.view(None)["round"]
        position = position.play(position.legal()[-1])
        if position.view(None)["round"] > rounds:
            starters.append(position.turn)
    assert starters == [1, 0, 1]
    assert played("9@10 5@9", first_player=1).scores() == (9, 10)


def test_each_round_has_its_own_decks_whatever_is_played() -> None:
    ends = [random_game(3, rounds=4)[-1].chance()]
    position = PeckingOrder.start(2, Random(3), {"rounds": 4})
    while position.turn is not None:
        position = position.play(position.legal()[0])
    ends.append(position.chance())
    assert ends[0] == ends[1]
    decks = [tuple(deck) for pair in ends[0]["decks"] for deck in pair]
    assert len(set(decks)) == 8
    assert all(sorted(map(str, deck)) == sorted(map(str, CARDS)) for deck in decks)
    one = PeckingOrder.start(2, Random(3), {}).chance()
    assert one["decks"] == ends[0]["decks"][:1]


def test_chance_tells_the_rounds_so_far() -> None:
    start = PeckingOrder.start(2, Random(5), {"rounds": 2})
    again = PeckingOrder.from_chance(2, start.chance(), {"rounds": 2})
    assert len(start.chance()["decks"]) == 1
    assert again.view(None) == start.view(None)
    while again.view(None)["left"] != [0, 0]:
        again = again.play(again.legal()[0])
    with pytest.raises(UsageError, match="the given decks are used up: 1 pair"):
        again.play(again.legal()[0])


WRONG_CHANCE: list[Any] = [
    {},
    {"deck": []},
    {"decks": []},
    {"decks": [[[1], [2]], [[1], [2]]]},
    {"decks": [[[1], [2]]], "seed": 1},
    {"decks": [[[1], [2], [3]]]},
    {"decks": [[[1]]]},
    {"decks": [[[], []]]},
    {"decks": [[[1, 2], [3]]]},
    {"decks": [[[1, 1], [2, 3]]]},
    {"decks": [[[0], [2]]]},
    {"decks": [[[13], [2]]]},
    {"decks": [[["1"], [2]]]},
    {"decks": [[[True], [2]]]},
    {"decks": [[[1.0], [2]]]},
    {"decks": [[["j"], [2]]]},
    {"decks": [[[[1]], [2]]]},
    {"decks": [[1, 2]]},
    {"decks": 7},
    {"decks": None},
]


@pytest.mark.parametrize("chance", WRONG_CHANCE, ids=repr)
def test_impossible_decks_are_refused(chance: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"^chance: .*equally long decks a round \(1 at most\)"):
        PeckingOrder.from_chance(2, chance, {})


@pytest.mark.parametrize(
    "options",
    [{"rounds": 0}, {"rounds": 11}, {"first_player": 2}, {"jaguar_holds_tiebreak": "perhaps"}, {"round": 1}],
    ids=repr,
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        PeckingOrder.start(2, Random(0), options)


@pytest.mark.parametrize("seats", [1, 3])
def test_two_seats_only(seats: int) -> None:
    with pytest.raises(UsageError, match="2 seats"):
        PeckingOrder.start(seats, Random(0), {})


@settings(max_examples=60, deadline=None)
@given(SEEDS, FLAGS, st.integers(1, 2), st.integers(0, 1))
def test_every_game(seed: int, jaguar: bool, rounds: int, first: int) -> None:
    """Ends in time, conserves cards, scores within bounds, and its first cards are those of its chance."""
    positions = random_game(seed, jaguar_holds_tiebreak=jaguar, rounds=rounds, first_player=first)
    end = positions[-1]
    assert 22 * rounds <= len(positions) - 1 <= 34 * rounds
    assert all(0 <= score <= 66 and sum(result) <= 66 for result in end.results for score in result)
    decks = end.chance()["decks"]
    for position in positions:
        cards_are_conserved(position, decks)
    for seat in (0, 1):
        drawn = [event["card"] for event in told(end, seat, "draw")]
        assert drawn == [card for pair in decks for card in pair[seat]]
    again = PeckingOrder.from_chance(2, end.chance(), end.settings)
    for before, after in pairwise(positions):
        assert again.view(None) == before.view(None)
        again = again.play(played_between(before, after))
    assert again == end


def cards_are_conserved(position: PeckingOrder, decks: list[list[list[Any]]]) -> None:
    """On the board, in hand, in the deck, or lost in a fight or for want of a perch: all cards, each once."""
    view = position.view(None)
    history = view["history"]
    for _ in range(view["round"] - 1):
        history = history[[event["type"] for event in history].index("round") + 1 :]
    for seat in (0, 1):
        on_board = [s["card"] for s in view["board"].values() if s and s["seat"] == seat]
        in_hand = [view["card"]] if view["kind"] == "place" and view["turn"] == seat else []
        deck = decks[view["round"] - 1][seat]
        in_deck = deck[len(deck) - view["left"][seat] :]
        lost = sum(lost_by(event, seat) for event in history)
        assert len(on_board) + len(in_hand) + len(in_deck) + lost == len(deck)
        assert len(set(on_board + in_hand + in_deck)) == len(deck) - lost


def lost_by(event: dict[str, Any], seat: int) -> bool:
    if event["type"] == "fight":
        stays = "attacker" if event["seat"] == seat else "defender"
        return bool(event["stays"] != stays)
    return event == {"type": "no_perch", "seat": seat}


def played_between(before: PeckingOrder, after: PeckingOrder) -> str:
    new = after.events(None)[len(before.events(None))]
    return "none" if new["type"] == "decline" else str(new["perch"])


@pytest.mark.parametrize(
    "options", [{"jaguar_holds_tiebreak": False}, {"rounds": 4}, {"first_player": 1, "rounds": 2}], ids=repr
)
def test_the_contract_holds_under_other_options(options: dict[str, Any]) -> None:
    check_game(PeckingOrder, games=8, looks=8, seed=7, options=options)


def test_the_longest_turn_fits_a_line() -> None:
    """Ten rounds, told from the beginning each time, are well below the protocol's limit."""
    longest = 0
    for position in random_game(11, rounds=10)[:-1]:
        seat = position.turn
        request = Request(position.kind, position.legal(), position.view(seat), position.events(seat))
        longest = max(longest, len(turn_message(1000, request, 10.0)))
    assert MAX_LINE // 2 < longest < MAX_LINE * 0.95


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ({"type": "draw", "seat": 0, "card": "J"}, "Seat 0 draws the jaguar."),
        ({"type": "draw", "seat": 0, "card": 7}, "Seat 0 draws bird 7."),
        ({"type": "place", "seat": 1, "perch": "8a"}, "Seat 1 takes perch 8a."),
        (
            {"type": "fight", "seat": 1, "perch": "10", "defender": 5, "stays": "attacker"},
            "Seat 1 attacks bird 5 on perch 10: the attacker stays.",
        ),
        (
            {"type": "fight", "seat": 1, "perch": "10", "defender": "J", "stays": "nobody"},
            "Seat 1 attacks the jaguar on perch 10: both go.",
        ),
        ({"type": "look", "seat": 1, "perch": "9"}, "Seat 1 looks at the card on perch 9."),
        ({"type": "see", "seat": 1, "perch": "9", "card": 12}, "Seat 1 sees bird 12 on perch 9."),
        ({"type": "decline", "seat": 1}, "Seat 1 does not look."),
        ({"type": "no_perch", "seat": 0}, "Seat 0 has no free perch and discards a card."),
        ({"type": "round", "round": 1, "scores": [10, 9]}, "Round 1 ends 10 to 9."),
    ],
)
def test_tell(event: dict[str, Any], line: str) -> None:
    assert PeckingOrder.tell(event) == line
