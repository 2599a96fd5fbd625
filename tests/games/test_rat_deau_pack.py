"""Why the pack is 1..9: the exact chance that a first raft is met, for other packs and offers too."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from arena.games.rat_deau import RatDeau, demand_of

ROLLS = [(black, red) for black in range(1, 7) for red in range(1, 7)]

PACKS = {
    # random offers | all offer their 4th to 6th best | the same, each 1 more | one seat offers its lowest
    range(1, 7): (".35 .26 .18", ".16 .05 .00", ".30 .18 .11", ".05 .00 .00"),
    range(1, 8): (".41 .35 .30", ".30 .18 .11", ".44 .37 .31", ".13 .05 .00"),
    range(1, 9): (".47 .44 .41", ".44 .37 .31", ".54 .55 .56", ".24 .16 .11"),
    range(2, 9): (".53 .53 .53", ".44 .37 .31", ".54 .55 .56", ".32 .21 .18"),
    range(1, 10): (".53 .53 .53", ".54 .55 .56", ".65 .75 .78", ".32 .30 .25"),
    range(11): (".53 .53 .52", ".65 .75 .78", ".79 .89 .92", ".32 .35 .42"),
    range(1, 11): (".59 .61 .63", ".65 .75 .78", ".79 .89 .92", ".38 .44 .45"),
    range(1, 13): (".69 .74 .78", ".92 1.0 1.0", "1.0 1.0 1.0", ".47 .65 .82"),
}
ALL_OFFER = {3: ".33 .14 0", 4: ".42 .39 .33", 5: ".58 .58 .58", 6: ".61 .67 .75", 7: ".75 1 1", 8: "1 1 1"}


def met(seats: int, total: int) -> Fraction:
    """The chance that offers of this sum meet the demand."""
    return Fraction(sum(total >= demand_of(seats, roll) for roll in ROLLS), len(ROLLS))


def met_by_random_offers(seats: int, pack: range) -> Fraction:
    sums = Counter(map(sum, product(pack, repeat=seats)))
    return sum((met(seats, total) * times for total, times in sums.items()), Fraction()) / len(pack) ** seats


def met_by_free_offers(seats: int, pack: range, more: int = 0, riders: int = 0) -> Fraction:
    """Mean of three rounds in which all offer their 4th to 6th best card, but for riders with the lowest."""
    free = [card + more for card in sorted(pack)[-6:-3]]
    return sum((met(seats, (seats - riders) * card + riders * min(pack)) for card in free), Fraction()) / 3


@pytest.mark.parametrize("pack", PACKS)
def test_the_chance_to_meet_the_demand(pack: range) -> None:
    columns = (
        [met_by_random_offers(seats, pack) for seats in RatDeau.seats],
        [met_by_free_offers(seats, pack) for seats in RatDeau.seats],
        [met_by_free_offers(seats, pack, more=1) for seats in RatDeau.seats],
        [met_by_free_offers(seats, pack, riders=1) for seats in RatDeau.seats],
    )
    for found, written in zip(columns, PACKS[pack], strict=True):
        assert [float(chance) for chance in found] == pytest.approx(
            [float(value) for value in written.split()], abs=0.00501
        )


@pytest.mark.parametrize("value", ALL_OFFER)
def test_the_chance_when_all_offer_the_same(value: int) -> None:
    found = [float(met(seats, seats * value)) for seats in RatDeau.seats]
    assert found == pytest.approx([float(each) for each in ALL_OFFER[value].split()], abs=0.00501)


def test_the_dice_of_the_rules_leave_the_demand_as_it_is_a_sixth_of_the_time() -> None:
    demands = Counter(demand_of(2, roll) for roll in ROLLS)
    assert demands[10] == 6
    assert all(demands[10 + face] == demands[10 - face] == face - 1 for face in range(2, 7))
