"""Tie-breaks, against the reference program and by hand."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.model import Outcome, Pairing, Round
from arena.standings.cards import cards_of
from arena.standings.tie_breaks import (
    DIRECT,
    PODS,
    SWISS,
    RoundCard,
    buchholz,
    buchholz_cut_1,
    direct_encounter,
    earned,
    sonneborn_berger,
    tie_breaks,
    wins,
)

LETTERS = {1.0: "1", 0.5: "=", 0.0: "0"}


def history(
    dice: random.Random, bots: int, rounds: int
) -> tuple[dict[int, list[RoundCard]], dict[int, list[str]]]:
    """A random Swiss without repeats, with byes, absences and forfeits; and its TRF cells."""
    cards: dict[int, list[RoundCard]] = {bot: [] for bot in range(1, bots + 1)}
    cells: dict[int, list[str]] = {bot: [] for bot in cards}
    met: set[frozenset[int]] = set()

    def give(
        bot: int, number: int, points: float, cell: str, rivals: tuple[int, ...] = (), **facts: bool
    ) -> None:
        cards[bot].append(RoundCard(number, tuple(map(str, rivals)), points, **facts))
        cells[bot].append(cell)

    gone: set[int] = set()
    for number in range(rounds):
        waiting = dice.sample(sorted(cards), bots)
        for bot in tuple(waiting):
            if bot in gone or dice.random() < 0.06:
                waiting.remove(bot)
                half = dice.random() < 0.3
                give(
                    bot,
                    number,
                    0.5 if half else 0.0,
                    f"  0000 - {'H' if half else 'Z'}",
                    played=False,
                    voluntary=True,
                )
                gone |= {bot} if dice.random() < 0.3 else set()
        while waiting:
            one = waiting.pop()
            other = next((bot for bot in waiting if frozenset((one, bot)) not in met), None)
            if other is None:
                bye = not any(cell.endswith("U") for cell in cells[one])
                give(
                    one,
                    number,
                    float(bye),
                    f"  0000 - {'U' if bye else 'Z'}",
                    played=False,
                    voluntary=not bye,
                )
                continue
            waiting.remove(other)
            met.add(frozenset((one, other)))
            if dice.random() < 0.08:
                both = dice.random() < 0.2
                cell = f"  {other:>4} w {'-' if both else '+'}"
                give(one, number, float(not both), cell, (other,), played=False, voluntary=both)
                give(other, number, 0.0, f"  {one:>4} b -", (one,), played=False, voluntary=True)
                continue
            points = dice.choice((0.0, 0.5, 1.0))
            give(one, number, points, f"  {other:>4} w {LETTERS[points]}", (other,))
            give(other, number, 1 - points, f"  {one:>4} b {LETTERS[1 - points]}", (one,))
    return cards, cells


def reference(
    folder: Path, cells: dict[int, list[str]], total: dict[str, float], order: tuple[str, ...]
) -> dict[str, dict[str, str]]:
    """What gacrux's checker computes, in a process of its own."""
    rounds = len(next(iter(cells.values())))
    lines = [
        "012 Test",
        f"062 {len(cells)}",
        "092 Swiss (Dutch)",
        f"XXR {rounds}",
        f"142 {rounds}",
        "192 FIDE_DUTCH",
    ]
    for bot, row in cells.items():
        head = f"001 {bot:>4}      {f'Bot {bot}':<33} {3000 - bot:>4}" + " " * 27
        lines.append(f"{head} {total[str(bot)]:>4.1f} {bot:>4}" + "".join(row))
    file = folder / "swiss.trf"
    file.write_text("\n".join(lines) + "\n")
    command = [
        sys.executable,
        "-m",
        "gacrux.tiebreakchecker",
        "-i",
        str(file),
        "-f",
        "TRF",
        "-s",
        "-dC",
        "-o",
        "-",
    ]
    said = subprocess.run(
        [*command, "-t", *order], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    head, *rows = [line.split(",") for line in said.strip().splitlines()]
    return {row[0]: dict(zip(head, row, strict=True)) for row in rows}


def compare(folder: Path, seed: int) -> None:
    dice = random.Random(seed)
    cards, cells = history(dice, dice.randint(5, 16), dice.randint(3, 9))
    named = {str(bot): rounds for bot, rounds in cards.items()}
    chosen, codes = dice.choice([
        (SWISS, ("BH/C1", "BH", "SB", "WIN", "DE")),
        ((DIRECT, "sonneborn_berger", "buchholz_cut_1", "wins"), ("DE", "SB", "BH/C1", "WIN")),
    ])  # fmt: skip
    expected = reference(folder, cells, earned(named), ("PTS", *codes))
    values, total = tie_breaks(named, chosen), earned(named)
    merit = {bot: (total[bot], *values[bot]) for bot in named}
    for bot, row in expected.items():
        assert total[bot] == float(row["PTS"])
        for name, code, value in zip(chosen, codes, values[bot], strict=True):
            if name != DIRECT:
                assert value == float(row[code]), (seed, bot, name)
        assert 1 + sum(merit[rival] > merit[bot] for rival in named) == int(row["Rank"]), (seed, bot)


@pytest.mark.parametrize("seed", range(12))
def test_equals_the_reference_program(tmp_path: Path, seed: int) -> None:
    compare(tmp_path, seed)


@pytest.mark.slow
def test_equals_the_reference_program_often(tmp_path: Path) -> None:
    for seed in range(100, 200):
        compare(tmp_path, seed)


def card(number: int, rival: str, points: float, **facts: bool) -> RoundCard:
    return RoundCard(number, (rival,) if rival else (), points, **facts)


def test_by_hand() -> None:
    """Three rounds: a beats b and c, has the bye; b beats d twice; c draws d, is absent at the end."""
    cards = {
        "a": [card(1, "b", 1), card(2, "c", 1), card(3, "", 1, played=False)],
        "b": [card(1, "a", 0), card(2, "d", 1), card(3, "d", 1)],
        "c": [card(1, "d", 0.5), card(2, "a", 0), card(3, "", 0, played=False, voluntary=True)],
        "d": [card(1, "c", 0.5), card(2, "b", 0), card(3, "b", 0)],
    }
    assert earned(cards) == {"a": 3, "b": 2, "c": 0.5, "d": 0.5}
    # c's absence at the end counts as a draw for its opponents; a's bye is a dummy with 3, capped at 3 draws.
    assert buchholz(cards) == {"a": 2 + 1 + 1.5, "b": 3 + 0.5 + 0.5, "c": 0.5 + 3 + 0.5, "d": 1 + 2 + 2}
    assert buchholz_cut_1(cards) == {"a": 3.5, "b": 3.5, "c": 3.5, "d": 4}  # c's cut is its absence
    assert sonneborn_berger(cards)["a"] == 2 + 1 + 1.5
    assert wins(cards) == {"a": 3, "b": 2, "c": 0, "d": 0}


def test_direct_encounter() -> None:
    cards = {
        "a": [card(1, "b", 1), card(2, "c", 0), card(3, "x", 1)],
        "b": [card(1, "a", 0), card(2, "x", 1), card(3, "c", 1)],
        "c": [card(1, "x", 1), card(2, "a", 1), card(3, "b", 0)],
        "x": [card(1, "c", 0), card(2, "b", 0), card(3, "a", 0)],
    }
    assert direct_encounter(cards, ["a", "b", "c"]) == {"a": 0, "b": 0, "c": 0}  # a ring
    assert direct_encounter(cards, ["a", "b"]) == {"a": 1, "b": 0}
    assert direct_encounter(cards, ["x", "a", "b", "c"])["x"] == 0
    # Not all have met: y might still win all its games, so nothing is decided among a, b and y; but nobody
    # can catch up with a, who beat b and z.
    cards["y"] = [card(1, "", 1, played=False)] * 3
    assert direct_encounter(cards, ["b", "a", "y"]) == {"a": 0, "b": 0, "y": 0}
    cards["a"] = [*cards["a"], card(4, "z", 1)]
    cards["z"] = [card(4, "a", 0)]
    assert direct_encounter(cards, ["a", "b", "z"]) == {"a": 2, "b": 0, "z": 0}


def test_pods() -> None:
    rounds = [
        (Round(0, (Pairing(0, ("a", "b", "c"), range(1)),), byes=("d",)), [
            Outcome(f"e0-r0-t0-d0-s{n}", "e0-r0-t0-d0", ("a", "b", "c"), (1, 2, 3), (9, 6, 0))
            for n in range(3)
        ]),
        (Round(1, (Pairing(0, ("b", "c", "d"), range(1)),)), [
            Outcome("e0-r1-t0-d0-s0", "e0-r1-t0-d0", ("b", "c", "d"), (1, 1, 3), None),
        ]),
    ]  # fmt: skip
    cards = cards_of(rounds, ("a", "b", "c", "d"), 3)
    assert earned(cards) == {"a": 1, "b": 1.25, "c": 0.75, "d": 0.5}
    assert cards["a"][1] == RoundCard(1, (), 0.0, played=False, voluntary=True)
    values = tie_breaks(cards, PODS)
    assert values["d"] == (pytest.approx((0.5 + (1.25 + 0.75) / 2) / 2), 0)
    assert [values[bot][1] for bot in "abc"] == [4, 1, -5]
    turned = cards_of(rounds, ("a", "b", "c", "d"), 3, higher_wins=False)
    assert [turned[bot][0].margin for bot in "abc"] == [-4, -1, 5]


def test_a_short_table_of_two_among_pods_counts_as_one_of_them() -> None:
    outcome = Outcome("e0-r1-t0-d0-s0", "e0-r1-t0-d0", ("a", "b"), (1, 2), None)
    other = Outcome("e0-r1-t0-d1-s0", "e0-r1-t0-d1", ("a", "b"), (1, 1), None)
    cards = cards_of([(Round(1, (Pairing(0, ("a", "b"), range(2)),)), [outcome, other])], "ab", 3)
    assert earned(cards) == {"a": 0.75, "b": 0.25}


def test_a_pairing_of_two_is_one_game() -> None:
    def match(deal: int, seat: int, first: int) -> Outcome:
        block = f"e0-r4-t2-d{deal}"
        return Outcome(f"{block}-s{seat}", block, ("a", "b"), (first, 3 - first), (1.0, 0.0))

    outcomes = [match(0, 0, 1), match(0, 1, 1), match(1, 0, 2), match(1, 1, 1)]
    round_ = Round(4, (Pairing(2, ("a", "b"), range(2)), Pairing(3, ("c", "d"), range(2))), byes=("e",))
    cards = cards_of([(round_, outcomes)], "abcde", 2)
    assert earned(cards) == {"a": 1, "b": 0, "c": 0.5, "d": 0.5, "e": 1}
    assert [cards[bot][0].played for bot in "abcde"] == [True, True, True, True, False]


@pytest.mark.parametrize(
    ("missing", "points", "played", "voluntary"),
    [
        ([("b",), ("b",)], [1, 0], [False, False], [False, True]),
        ([("a", "b"), ("a", "b")], [0, 0], [False, False], [True, True]),
        ([("a", "b"), ("b",)], [1, 0], [False, False], [False, True]),
        ([("b",), ()], [1, 0], [True, True], [False, False]),
    ],
)
def test_who_is_in_no_match_of_its_pairing_loses_it_by_forfeit(
    missing: list[tuple[str, ...]], points: list[float], played: list[bool], voluntary: list[bool]
) -> None:
    """Missing in the one deal and the other; the matches themselves are drawn where nobody was there."""
    outcomes = [
        Outcome(
            f"e0-r1-t0-d{deal}-s0",
            f"e0-r1-t0-d{deal}",
            ("a", "b"),
            (1, 2 - len(gone) // 2),
            None,
            absent=gone,
        )
        for deal, gone in enumerate(missing)
    ]
    cards = cards_of([(Round(1, (Pairing(0, ("a", "b"), range(2)),)), outcomes)], "ab", 2)
    assert [earned(cards)[bot] for bot in "ab"] == points
    assert [cards[bot][0].played for bot in "ab"] == played
    assert [cards[bot][0].voluntary for bot in "ab"] == voluntary


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_names_and_order_change_nothing(seed: int) -> None:
    dice = random.Random(seed)
    cards, _ = history(dice, dice.randint(2, 9), dice.randint(1, 6))
    named = {str(bot): rounds for bot, rounds in cards.items()}
    other = dict(zip(named, dice.sample(sorted(named), len(named)), strict=True))
    moved = {
        other[bot]: [
            RoundCard(c.round, tuple(other[rival] for rival in c.rivals), c.points, c.played, c.voluntary)
            for c in rounds
        ]
        for bot, rounds in dice.sample(sorted(named.items()), len(named))
    }
    values, again = tie_breaks(named, SWISS), tie_breaks(moved, SWISS)
    assert {other[bot]: value for bot, value in values.items()} == again
