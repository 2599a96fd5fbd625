"""Peech's worked examples E1 to E16, its options and what it refuses."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from support.peech import NOBODYS, NOBODYS_CARDS, crafted, played, random_game

from arena.errors import IllegalAction, UsageError
from arena.games.peech import STRENGTH, Peech, takes_of

NONE = "- - - -"


def takes(cards: str, order: str = "points") -> tuple[str, bool]:
    taken, lone_ace = takes_of([None if c == "-" else c for c in cards.split()], STRENGTH[order])
    return " ".join(card or "-" for card in taken), lone_ace


@pytest.mark.parametrize(
    ("cards", "taken", "lone_ace"),
    [
        ("7S KH 9D 3C", "3C - - -", False),  # E1
        ("3S KH 9D 8C", NONE, False),
        ("6S 8H 9D 10C", "8H - - -", False),  # E2
        ("8S 8H 6D 10C", "- - 10C -", False),
        ("7S 9H AD JC", "AD - - -", False),
        ("7S 7H 5D QC", "5D QC - -", False),  # E3
        ("3S 6H 4D 6C", "- 4D - 3S", False),
        ("6S 6H 8D KC", NONE, False),  # E4
        ("8S 9H 10D 4C", NONE, False),  # E5
        ("8S 9H 10D 9C", "8S 9H 10D 9C", False),  # E6
        ("AS AH 2D JC", "AS AH 2D JC", False),
        ("7S 4D - 9C", "4D - - -", False),  # E7, with seat 2 out
        ("7S 7D - 9C", NONE, False),
        ("8S 9D - 10C", "8S 9D - 10C", False),
        ("- 4S 7D 3C", "- - 3C -", False),
        ("7S 8H AD 9C", "AD - - -", True),  # E8
        ("7S 8H AD AC", "AD - - -", False),
        ("7S 8H AD 2C", "AD - - -", False),
        ("AS KH QD 5C", "KH - - -", False),
        ("KS QH 2D AC", "- - KS QH", False),  # E9
    ],
)
def test_e1_to_e9_who_takes_which_card(cards: str, taken: str, lone_ace: bool) -> None:
    assert takes(cards) == (taken, lone_ace)


def test_e9_by_rank_the_king_takes_the_ace() -> None:
    assert takes("KS QH 2D AC", "rank") == ("AC - - -", True)
    assert crafted("KS QH 2D AC").view(None)["won"] == [[], [], ["KS"], ["QH"]]
    assert crafted("KS QH 2D AC", battle_order="rank").view(None)["won"] == [["AC"], [], [], []]


def test_three_seats_never_take_two_by_two() -> None:
    assert takes("7S 7D - 9C") == takes("7S 4D - 7H") == (NONE, False)


@pytest.mark.parametrize(
    ("point", "coup", "won", "coup_points", "score"),
    [
        ("10S", "6S", "7S 6H 5D 3C 3D 4S", "table", 2),
        ("10S", "6S", "7S 6H 5D 3C 3D 4S", "face", 0),
        ("7S", "4S", "7H 7D 7C 6H", "table", 0),
        ("9S", "8S", "5D 5H 5C 6H 3S", "table", 11),
        ("7S", "5S", "7H 6H 8D AS", "table", 1),
        ("KS", "10S", "", "table", 31),
    ],
)
def test_e10_what_a_round_scores(point: str, coup: str, won: str, coup_points: str, score: int) -> None:
    position = crafted(points=f"{point} KH KD KC", coups=f"{coup} 9H 9D 9C", coup_card_points=coup_points)
    table = replace(position.table, won=[won.split(), [], [], []])
    assert table.result()["scores"][0] == score
    if point == "7S" and coup == "4S":
        assert table.result()["gained"][0] == 19


THREES = ("7S QS 3S KS", "7H QH 3H KH", "7D QD 3D KD", "7C QC 3C KC")


def test_e11_a_round_with_two_peeches() -> None:
    jacks = ("- 6S JS 8S", "- 6H JH 8H", "- 6D JD 8D", "- 6C JC 8C")
    after = crafted(*THREES, points="KS 7S 10S JS", coups="4S 4H 10S 10H")
    assert after.turn == 1
    assert after.view(1)["active"] == [1, 2, 3]
    assert after.view(None)["hands"][0] == []
    over = crafted(*THREES, *jacks, points="KS 7S 10S JS", coups="4S 4H 10S 10H")
    assert over.turn is None
    assert over.view(0)["results"] == [
        {
            "type": "scores",
            "round": 1,
            "points": ["KS", "7S", "10S", "JS"],
            "coups": ["4S", "4H", "10S", "10H"],
            "counts": [4, 4, 0, 0],
            "gained": [0, 8, 0, 0],
            "scores": [21, 4, 26, 26],
            "winners": [1],
        }
    ]
    assert over.scores() == (21, 3, 26, 26)
    assert over.placings() == (2, 1, 3, 3)
    assert [e["by"] for e in over.events(2) if e["type"] == "peech"] == [0, 1]


def test_e12_both_winners_of_a_round_take_a_point_off() -> None:
    fives = ("- 6S QS 8S", "- 6H QH 8H", "- 6D QD 8D", "- 6C QC 8C")
    threes = ("7S AS 3S KS", "7H AH 3H KH", "7D AD 3D KD", "7C AC 3C KC")
    over = crafted(*threes, *fives, points="8S QS 10S JS", coups="4S 4H 10S 10H")
    assert over.view(None)["results"][0]["scores"] == [14, 14, 26, 26]
    assert over.scores() == (13, 13, 26, 26)
    assert over.placings() == (1, 1, 3, 3)


def test_e13_two_reach_in_the_same_battle() -> None:
    battles = ("8S 9S KS QS", "8H 9H KH QH", "8D 9D KD QD", "8C 9C KC QC")
    before = crafted(*battles[:3], coups="4S 4H 10S 10H")
    assert before.view(0)["hand_size"] == 5
    over = crafted(*battles, coups="4S 4H 10S 10H")
    assert over.turn is None
    assert over.view(None)["results"][0]["counts"] == [4, 4, 0, 0]
    (deal,) = over.chance()["rounds"][0]["deals"]
    assert [len(hand) - len(battles) for hand in deal] == [4, 4, 4, 4]
    assert [event["by"] for event in over.events(3) if event["type"] == "peech"] == [0, 1]


def test_e14_an_ace_throws_the_last_won_card() -> None:
    battles = ("7S AS 9D 10D", "7H 8H 6S 6H", "7D 9H AH 10H", "7C 4S KD 2D", "6D AD 8S 8D")
    after = crafted(*battles, coups="10C 10S 9S 9C")
    assert after.view(2)["won"] == [["AS", "AH", "AD"], [], [], []]
    told = [(event["takes"][0], event["thrown"]) for event in after.view(3)["battles"]]
    assert told == [("AS", None), ("8H", None), ("AH", "8H"), ("4S", None), ("AD", "4S")]


def unchanged(position: Peech, action: Any) -> None:
    before = (position.view(None), position.events(None), position.legal(), position.turn)
    with pytest.raises(IllegalAction, match=r"play: (one of|nothing)"):
        position.play(action)
    assert (position.view(None), position.events(None), position.legal(), position.turn) == before


def test_e15_illegal_cards_change_nothing() -> None:
    position = crafted("7S KH 9D 3C")
    other = position.view(None)["hands"][1][0]
    for action in (other, "7S", "10S", "7s", "", None, 7, ["7S"], "1H", "play"):
        unchanged(position, action)
    out = crafted(*THREES, coups="4S 4H 10S 10H")
    assert out.chosen == ()
    mine = crafted(*THREES[:3], coups="4S 4H 10S 10H").view(None)["hands"][0]
    for card in mine:
        unchanged(out, card)
    unchanged(random_game(1)[-1], "7S")


DEAL = crafted().chance()["rounds"][0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"points": ["6S", "KH", "KD", "KC"]}, "points of round 1: 4 different cards"),
        ({"points": ["AS", "KH", "KD", "KC"]}, "points of round 1: 4 different cards"),
        ({"points": ["KH", "KH", "KD", "KC"]}, "points of round 1: 4 different cards"),
        ({"points": ["KH", "KD", "KC"]}, "points of round 1: 4 different cards"),
        ({"coups": ["3S", "10H", "10D", "10C"]}, "coups of round 1: 4 different cards"),
        ({"coups": ["JS", "10H", "10D", "10C"]}, "coups of round 1: 4 different cards"),
        ({"coups": ["10H", "10H", "10D", "10C"]}, "coups of round 1: 4 different cards"),
        ({"coups": [["10H"], 1, {}, None]}, "coups of round 1: 4 different cards"),
        (
            {"deals": [[hand[:7] for hand in DEAL["deals"][0]]]},
            "deal 1 of round 1, seat 0: 8 different cards",
        ),
        (
            {"deals": [[["10S", *DEAL["deals"][0][0][1:]], *DEAL["deals"][0][1:]]]},
            "deal 1 of round 1, seat 0: 8",
        ),
        ({"deals": [[DEAL["deals"][0][0]] * 4]}, "deal 1 of round 1, seat 1: 8 different cards"),
        ({"deals": [DEAL["deals"][0][:3]]}, "deal 1 of round 1: 4 hands, not 3"),
        ({"deals": []}, "the given chance ends before deal 1 of round 1"),
        ({"deals": 7}, "chance: a list of `rounds`"),
        ({"deals": [7]}, "chance: a list of `rounds`"),
        ({"deals": [[7]]}, "chance: a list of `rounds`"),
    ],
)
def test_e15_impossible_chance_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        Peech.from_chance(4, {"rounds": [{**DEAL, **changes}]}, {})
    assert str(caught.value).startswith(said)


def test_chance_of_other_shapes_is_refused() -> None:
    for chance in ({}, {"rounds": 3}, {"rounds": [3]}, {"rounds": [{"points": DEAL["points"]}]}):
        with pytest.raises(UsageError, match="chance: a list of `rounds`"):
            Peech.from_chance(4, chance, {})
    with pytest.raises(UsageError, match="the given chance ends before round 1"):
        Peech.from_chance(4, {"rounds": []}, {})
    with pytest.raises(UsageError, match="chance: 2 rounds, where 1 are played"):
        Peech.from_chance(4, {"rounds": [DEAL, DEAL]}, {"rounds": 1})


def test_e16_the_ninth_battle_ends_the_round() -> None:
    again = crafted(*NOBODYS, NOBODYS[0], **NOBODYS_CARDS)
    sizes = [(deal["size"], [len(hand) for hand in deal["hands"]]) for deal in again.view(None)["deals"]]
    assert sizes == [(8, [8, 8, 8, 8])] * 2
    assert again.view(0)["battles_played"] == 9
    assert again.turn == 0
    over = crafted(*NOBODYS, NOBODYS[0], **NOBODYS_CARDS, max_battles=9)
    assert over.turn is None
    assert over.view(None)["results"][0]["scores"] == [12 + 4, 14 + 5, 15 + 10, 16 + 10]
    assert over.view(None)["results"][0]["winners"] == [0]
    assert over.scores() == (15, 19, 25, 26)


def test_given_chance_that_runs_out_is_said_in_play() -> None:
    cards = [card for battle in NOBODYS for card in battle.split()]
    first = crafted(*NOBODYS, **NOBODYS_CARDS, max_battles=8)
    for options, said in (({}, "deal 2 of round 1"), ({"max_battles": 8}, "round 2")):
        last = played(Peech.from_chance(4, first.chance(), options), cards[:-1])
        with pytest.raises(UsageError, match=f"the given chance ends before {said}"):
            last.play(cards[-1])
        assert last.turn == 3


def test_the_next_deal_is_checked_in_play() -> None:
    good = crafted(*NOBODYS, NOBODYS[0], **NOBODYS_CARDS).chance()["rounds"][0]
    for wrong in ([hand[:7] for hand in good["deals"][1]], [*good["deals"][1][:3], good["deals"][1][0]]):
        chance = {"rounds": [{**good, "deals": [good["deals"][0], wrong]}]}
        position = Peech.from_chance(4, chance, {})
        position = played(position, [card for battle in NOBODYS for card in battle.split()][:-1])
        with pytest.raises(UsageError, match="deal 2 of round 1, seat"):
            position.play("3S")


def test_a_seat_that_is_out_is_dealt_nothing() -> None:
    battles = (
        "7S AS 3S KS", "7H AH 3H KH", "7D AD 3D KD", "7C AC 3C KC",
        "- 8S 8H QS", "- 8D 8C QH", "- 9S 9H QD", "- 9D 9C QC",
    )  # fmt: skip
    free = [rank + suit for rank in ("8", "9", "Q", "J", "2", "5") for suit in "SHDC"]
    right, wrong = [[], free[:8], free[8:16], free[16:]], [free[:8], free[8:16], free[16:], []]
    after = crafted(*battles, coups="4S 4H 10S 10H", more_deals=[right])
    assert after.turn == 1
    assert [len(hand) for hand in after.view(None)["hands"]] == [0, 8, 8, 8]
    with pytest.raises(UsageError, match="deal 2 of round 1, seat 0: 0 different cards"):
        crafted(*battles, coups="4S 4H 10S 10H", more_deals=[wrong])


def test_points_and_coups_are_drawn_each_round_or_once() -> None:
    def drawn(redraw: str) -> list[tuple[list[str], list[str]]]:
        over = random_game(5, redraw=redraw)[-1]
        return [(each["points"], each["coups"]) for each in over.chance()["rounds"]]

    first, second, third = drawn("each_round")
    assert first != second != third != first
    assert drawn("once") == [first] * 3


def test_coups_drawn_once_are_known_after_the_first_round() -> None:
    for position in random_game(5, redraw="once")[:-1]:
        known = [coup is not None for coup in position.view(2)["coups"]]
        assert known == ([True] * 4 if position.view(2)["results"] else [False, False, True, False])


def test_other_cards_in_a_later_round_are_refused_when_drawn_once() -> None:
    over = random_game(5, redraw="once", rounds=2)[-1]
    other = random_game(6, redraw="once", rounds=2)[-1].chance()["rounds"][1]
    chance = {"rounds": [over.chance()["rounds"][0], other]}
    position = Peech.from_chance(4, chance, {"redraw": "once", "rounds": 2})
    cards = [card for e in over.events(None) if e["type"] == "battle" for card in e["cards"] if card]
    with pytest.raises(UsageError, match="round 2: those of round 1, which are drawn once"):
        played(position, cards)


def test_rounds_are_added_and_each_round_won_takes_a_point_off() -> None:
    for rounds in (1, 5):
        over = random_game(9, rounds=rounds)[-1]
        results = over.view(None)["results"]
        assert len(results) == rounds
        for seat, score in enumerate(over.scores()):
            wins = sum(seat in result["winners"] for result in results)
            assert score == sum(result["scores"][seat] for result in results) - wins


def test_other_tables_and_options_are_refused() -> None:
    for seats in (2, 3, 5):
        with pytest.raises(UsageError, match=f"peech is played by 4 seats, not {seats}"):
            Peech.start(seats, Random(1), {})
    for options in ({"rounds": 0}, {"max_battles": 301}, {"redraw": "never"}, {"order": "rank"}):
        with pytest.raises(UsageError, match="option"):
            Peech.start(4, Random(1), options)


def test_every_event_is_told_in_one_line() -> None:
    told = {
        event["type"]: Peech.tell(event) for event in crafted(*THREES, coups="4S 4H 10S 10H").events(None)
    }
    assert set(told) == {"round", "coup", "deal", "hand", "battle", "peech"}
    assert told["battle"] == "battle 4: seat 0 7C, seat 1 QC, seat 2 3C, seat 3 KC; seat 0 takes 3C"
    assert told["peech"] == "seat 0 has won its 4 cards: Peech!"
    nobody = {
        "type": "battle",
        "battle": 2,
        "cards": ["8S", "9H", None, "4C"],
        "takes": [None] * 4,
        "thrown": None,
    }
    assert Peech.tell(nobody) == "battle 2: seat 0 8S, seat 1 9H, seat 3 4C; nobody takes a card"
    thrown = nobody | {"takes": [None, "AS", None, None], "thrown": "8H"}
    assert Peech.tell(thrown).endswith("seat 1 takes AS and throws 8H")
    (scored,) = crafted(*NOBODYS[:1], max_battles=1).events(1)[-1:]
    assert Peech.tell(scored).startswith("round 1 scores: seat 0 31, seat 1 31")
    assert Peech.tell(scored).endswith("won by 0 and 1 and 2 and 3")
