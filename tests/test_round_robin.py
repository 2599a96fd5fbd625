"""Round robin: all pairs in Berger order, all tables, or balanced ones; identities that last."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.contests import make_event

from arena.blocks import blocks_of
from arena.formats.balanced import meetings_of
from arena.formats.round_robin import berger, rank, round_robin
from arena.model import Event, Round

OPTIONS = {"deals": 2, "seatings": "cyclic", "rounds": None, "max_tables": 250}


def field(bots: int, seats: int = 2, **options: object) -> Event:
    names = tuple(f"bot{number}" for number in range(bots))
    return make_event(bots=names, seats=seats, format_options={**OPTIONS, **options})


def first_round(event: Event) -> Round:
    made = round_robin.next_round(event, ())
    assert made is not None
    return made


def places(event: Event, round_: Round) -> list[tuple[int, ...]]:
    at = {bot.id: place for place, bot in enumerate(event.bots)}
    return [tuple(at[bot] for bot in pairing.bots) for pairing in round_.pairings]


def test_the_published_berger_table_for_six() -> None:
    legs = [[], [], [], [], []]  # type: list[list[str]]
    for leg, (one, other) in berger(6):
        legs[leg - 1].append(f"{one + 1}-{other + 1}")
    assert legs == [
        ["1-6", "2-5", "3-4"], ["4-6", "3-5", "1-2"], ["2-6", "1-3", "4-5"], ["5-6", "1-4", "2-3"],
        ["3-6", "2-4", "1-5"],
    ]  # fmt: skip


@given(st.integers(2, 30))
def test_everybody_meets_everybody_once_and_plays_at_most_once_a_leg(players: int) -> None:
    made = list(berger(players))
    assert sorted(pair for _, pair in made) == list(combinations(range(players), 2))
    for number in {leg for leg, _ in made}:
        seated = [player for leg, pair in made if leg == number for player in pair]
        assert len(set(seated)) == len(seated) == players - players % 2


@given(st.integers(2, 5), st.integers(2, 9))
def test_a_table_keeps_its_number_when_a_bot_is_added(seats: int, bots: int) -> None:
    tables = list(combinations(range(bots), seats))
    assert sorted(rank(table) for table in tables) == list(range(comb(bots, seats)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_bot_added_at_the_end_plays_only_what_is_new(seats: int) -> None:
    small, large = field(5, seats), field(6, seats)
    before = {block.id: block.seatings for block in blocks_of(small, first_round(small))}
    after = {block.id: block.seatings for block in blocks_of(large, first_round(large))}
    assert before.items() < after.items()
    assert all("bot5" in seatings[0] for block, seatings in after.items() if block not in before)


def test_rounds_have_deals_of_their_own_and_end() -> None:
    event = field(3, rounds=2)
    one = first_round(event)
    two = round_robin.next_round(event, ((one, ()),))
    assert two is not None
    assert {pairing.deals for pairing in one.pairings} == {range(2)}
    assert {pairing.deals for pairing in two.pairings} == {range(2, 4)}
    assert round_robin.next_round(event, ((one, ()), (two, ()))) is None


def efficiency(players: int, tables: list[tuple[int, ...]]) -> float:
    """A-efficiency: harmonic mean of the eigenvalues over that of a design in which pairs meet equally."""
    met = np.array(meetings_of(players, tables), dtype=float)
    values = np.linalg.eigvalsh(np.diag(met.sum(axis=1)) - met)[1:]
    return float((players - 1) / (1 / values).sum() / (met.sum() / (players - 1)))


@pytest.mark.parametrize(
    ("bots", "seats", "tables"),
    [(6, 3, 6), (7, 3, 7), (8, 4, 14), (9, 3, 12), (13, 4, 13), (20, 4, 35), (60, 4, 300)],
)
def test_balanced_tables_are_nearly_as_good_as_the_ideal(bots: int, seats: int, tables: int) -> None:
    event = field(bots, seats, max_tables=tables)
    assert round_robin.check(event) == ((), ())
    assert efficiency(bots, places(event, first_round(event))) >= 0.96


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 4), st.integers(3, 12), st.integers(1, 60))
def test_nobody_plays_less_than_another_by_more_than_one(seats: int, bots: int, most: int) -> None:
    event = field(max(bots, seats), seats, max_tables=most)
    round_ = first_round(event)
    tables = places(event, round_)
    assert len(set(tables)) == len(tables) <= max(most, 1)
    sat = [sum(player in table for table in tables) for player in range(len(event.bots))]
    assert max(sat) - min(sat) <= 1
    assert [pairing.table for pairing in round_.pairings] == [rank(table) for table in tables]
    if len(tables) < comb(len(event.bots), seats):
        met = meetings_of(len(event.bots), tables)
        counts = [met[a][b] for a, b in combinations(range(len(event.bots)), 2)]
        assert f"pairs meet at {min(counts)} to {max(counts)} of them" in round_.notes[0]


@pytest.mark.parametrize(("bots", "seats", "tables"), [(7, 3, 7), (7, 4, 7), (13, 4, 13)])
def test_where_all_pairs_can_meet_equally_often_they_do(bots: int, seats: int, tables: int) -> None:
    event = field(bots, seats, max_tables=tables)
    met = meetings_of(bots, places(event, first_round(event)))
    assert len({met[a][b] for a, b in combinations(range(bots), 2)}) == 1


def test_later_balanced_rounds_even_out_the_earlier_ones() -> None:
    event = field(12, 4, max_tables=6)
    one = first_round(event)
    two = round_robin.next_round(event, ((one, ()),))
    assert two is not None
    met = meetings_of(12, places(event, one) + places(event, two))
    assert max(map(max, met)) <= 2


def test_small_fields_are_refused_or_warned_about() -> None:
    assert round_robin.check(field(2, 3))[0] == ("a table of 3 takes at least 3 bots, not 2",)
    assert round_robin.check(field(1))[0] == ("a table of 2 takes at least 2 bots, not 1",)
    assert round_robin.check(field(40, 4, max_tables=100))[1] == (
        "100 tables of 4 cannot let all 40 bots meet; that takes 130 at least (max_tables)",
    )
    assert round_robin.check(field(7, 4, max_tables=5))[1] == (
        "with 5 tables of 4 some of the 7 bots sit at one table more than others",
    )


def test_five_hundred_bots_are_paired_at_once() -> None:
    assert len(first_round(field(500)).pairings) == 124_750
