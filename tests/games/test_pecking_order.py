"""Pecking Order: the rules' worked examples E1 to E19, one test each."""

import pytest
from support.pecking_order import dealt, no_perch_left, played, refuses, stands, told

from arena.errors import IllegalAction


def test_e1_two_perches() -> None:
    end = played("5@10 9@9")
    assert end.scores() == (10, 9)
    assert end.placings() == (1, 2)
    assert end.turn is None
    assert end.legal() == ()
    assert end.kind == ""


def test_e2_a_higher_attacker_stays_face_down() -> None:
    end = played("5@10 9@10")
    assert end.scores() == (0, 10)
    assert [stands(end, viewer, "10") for viewer in (0, 1, None)] == [
        (1, None, False),
        (1, 9, False),
        (1, 9, False),
    ]
    fight = {"type": "fight", "seat": 1, "perch": "10", "defender": 5, "stays": "attacker"}
    assert told(end, 0, "fight") == [fight]
    assert "9" not in repr([event for event in end.events(0) if event["type"] != "round"])


def test_e3_a_higher_defender_stays_face_up() -> None:
    end = played("9@10 5@10")
    assert end.scores() == (10, 0)
    assert {stands(end, viewer, "10") for viewer in (0, 1, None)} == {(0, 9, True)}
    assert "5" not in repr(end.events(0))


def test_e4_a_tie_is_the_attackers() -> None:
    assert played("7@10 7@10").scores() == (0, 10)


def test_e5_a_tie_is_the_tie_break_holders_as_defender() -> None:
    assert played("2@1 4@2 7@10 7@10").scores() == (11, 2)


def test_e6_a_tie_is_the_tie_break_holders_as_attacker() -> None:
    assert played("7@10 2@1 1@4 7@10").scores() == (4, 11)


def test_e7_on_the_tie_break_perch_the_defender_holds_it() -> None:
    assert played("6@1 6@1").scores() == (1, 0)
    assert played("6@1 7@1").scores() == (0, 1)


def test_e8_an_attacking_jaguar_takes_both() -> None:
    end = played("12@10 J@10")
    assert end.scores() == (0, 0)
    assert end.placings() == (1, 1)
    assert stands(end, None, "10") is None
    assert told(end, 0, "fight")[0]["stays"] == "nobody"


def test_e9_a_defending_jaguar_takes_both() -> None:
    end = played("J@10 12@10")
    assert end.scores() == (0, 0)
    assert told(end, 1, "fight") == [
        {"type": "fight", "seat": 1, "perch": "10", "defender": "J", "stays": "nobody"}
    ]
    assert "12" not in repr(end.events(0))


@pytest.mark.parametrize("perch", ["10", "1"])
def test_e10_two_jaguars_go_both(perch: str) -> None:
    end = played(f"J@{perch} J@{perch}")
    assert end.scores() == (0, 0)
    assert stands(end, None, perch) is None


def test_e11_a_jaguar_scores_nothing() -> None:
    assert played("J@10 1@1").scores() == (0, 1)


def test_e12_a_jaguar_holds_the_tie_break() -> None:
    moves = "J@1 3@2 7@10 7@10"
    assert played(moves).scores() == (10, 2)
    assert played(moves, jaguar_holds_tiebreak=False).scores() == (0, 12)


@pytest.mark.parametrize(
    ("moves", "scores"),
    [
        ("3@8a 5@9 4@8b 6@7", (19, 16)),
        ("3@8a 5@9 J@8b 6@7", (8, 16)),
        ("3@8a 4@8b", (8, 8)),
        ("3@8a 1@2 4@8b 6@8b", (8, 10)),
    ],
)
def test_e13_the_double_perch(moves: str, scores: tuple[int, int]) -> None:
    assert played(moves).scores() == scores


def test_e14_a_bird_on_the_promontory_looks() -> None:
    asked = dealt("5@10 9@9 4@3 1@1").play("10").play("9").play("3")
    assert (asked.turn, asked.kind, asked.legal()) == (0, "look", ("9", "none"))
    after = asked.play("9")
    look = {"type": "look", "seat": 0, "perch": "9"}
    assert told(after, 0, "see") == [{"type": "see", "seat": 0, "perch": "9", "card": 9}]
    assert told(after, 1, "look") == told(after, 0, "look") == [look]
    assert told(after, 1, "see") == []
    assert stands(after, 0, "9") == (1, 9, False)
    assert stands(after, 1, "3") == (0, None, False)
    assert after.play("1").scores() == (13, 10)


def test_e15_a_look_after_a_won_fight() -> None:
    end = played("2@3 3@10 1@5 9@3 5")
    assert told(end, 0, "look") == [{"type": "look", "seat": 1, "perch": "5"}]
    assert told(end, 1, "see") == [{"type": "see", "seat": 1, "perch": "5", "card": 1}]
    assert end.scores() == (5, 13)


@pytest.mark.parametrize(
    "moves",
    [
        "9@3 9@9 8@8a 2@3 1@1 1@2",  # the attack on 3 fails
        "9@10 9@9 J@3 2@2",  # a jaguar
        "9@3 2@2",  # no enemy at all
        "9@10 2@10 8@2 8@3 7@7 7@6",  # the enemy on 10 is face up; the one on 2 is not
    ],
)
def test_e16_when_a_look_is_asked(moves: str) -> None:
    position, looks = dealt(moves), []
    for move in moves.split():
        position = position.play(move.split("@")[1])
        if position.kind == "look":
            looks.append(position.legal())
            position = position.play("none")
    assert looks == ([("2", "none")] if "8@3" in moves else [])


def test_e16_declining_looks_like_a_jaguar() -> None:
    bird = played("5@10 9@9 4@3 none 1@1").events(None)
    assert [event["type"] for event in bird].count("decline") == 1
    seen = []
    for moves in ("5@10 9@9 4@3 none", "5@10 9@9 J@3"):
        position = dealt(moves + " 1@1")
        for move in moves.split():
            position = position.play(move.split("@")[-1])
        assert (position.turn, position.kind) == (1, "place")
        seen.append((position.view(1), position.events(1), position.legal()))
    assert seen[0] == seen[1]


def test_e17_no_such_perch() -> None:
    refuses(dealt("5@10 9@9"), ["", "8", "11", "j", "none", " 10", "10 ", "8c", "٣"])


def test_e17_an_own_perch_and_looks_that_are_not_allowed() -> None:
    start = dealt("5@10 9@9 4@8a 1@8a 3@3 2@1")
    own = start.play("10").play("9")
    refuses(own, ["10"])
    with pytest.raises(IllegalAction, match=r"^place: one of 1, 2, 3, 4, 5, 6, 7, 8a, 8b, 9, not '10'$"):
        own.play("10")
    look = own.play("8a").play("8a").play("3")  # the 1 on 8a has lost: 8a is seat 0's, face up
    assert look.legal() == ("9", "none")
    refuses(look, ["10", "8a", "3", "1", "nobody"])
    end = look.play("none").play("1")
    refuses(end, ["1", "none", ""])


def test_e17_a_face_up_enemy_cannot_be_looked_at() -> None:
    position = dealt("9@10 2@10 8@2 8@3 7@7 7@6")
    for action in ("10", "10", "2", "3"):
        position = position.play(action)
    assert position.kind == "look"
    refuses(position, ["10"])


def test_e18_no_perch_left() -> None:
    end = no_perch_left()
    assert end.scores() == (56, 0)
    assert told(end, 1, "no_perch") == [{"type": "no_perch", "seat": 0}] * 2
    assert sum(event["seat"] == 0 for event in told(end, None, "draw")) == 13
    assert [event["stays"] for event in told(end, None, "fight")] == ["defender"] * 12 + ["nobody"]


def test_e19_two_rounds() -> None:
    end = played("5@10 9@9 | 9@10 5@10")
    assert end.view(None)["results"] == [[10, 9], [0, 10]]
    assert [event["scores"] for event in told(end, 0, "round")] == [[10, 9], [0, 10]]
    assert end.scores() == (10, 19)
    assert end.chance() == {"decks": [[[5], [9]], [[5], [9]]]}
