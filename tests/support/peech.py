"""Peech for tests: rounds crafted battle by battle, and random games."""

from collections.abc import Sequence
from random import Random
from typing import Any

from arena.games.peech import CARDS, Peech

POINTS = "KS KH KD KC"
COUPS = "10S 10H 10D 10C"

NOBODYS = (
    "8S 8H 8D 5H", "8C 9S 9H 5D", "9D 9C 10D 5C", "AS AH AD QS", "AC 2S 2H QH", "2D 2C JS QD", "JH JD JC QC",
    "KS KH KD 3S",
)  # fmt: skip
"""Eight battles in which nobody takes a card."""


NOBODYS_CARDS: dict[str, Any] = {"points": "7S 8S 9S 10S", "coups": "4S 5S 10S 10H"}
"""Coup cards with which NOBODYS can be dealt, and point cards."""


def crafted(
    *battles: str,
    points: str = POINTS,
    coups: str = COUPS,
    more_deals: Sequence[list[list[str]]] = (),
    **options: Any,
) -> Peech:
    """The position after these battles, each `"7S KH 9D 3C"` by seat, `-` for a seat that is out.

    Hands hold what is played, eight battles a deal, and are filled up to eight with cards left over.
    """
    lines = [battle.split() for battle in battles]
    deals = [
        filled([[line[seat] for line in lines[first : first + 8]] for seat in range(4)], coups.split())
        for first in range(0, max(1, len(lines)), 8)
    ]
    first_round = {"points": points.split(), "coups": coups.split(), "deals": [*deals, *more_deals]}
    position = Peech.from_chance(4, {"rounds": [first_round]}, {"rounds": 1, **options})
    return played(position, [card for line in lines for card in line if card != "-"])


def filled(hands: list[list[str]], coups: Sequence[str]) -> list[list[str]]:
    """Four hands of eight: the given cards, then others that are nowhere."""
    hands = [[card for card in hand if card != "-"] for hand in hands]
    used = {*coups, *(card for hand in hands for card in hand)}
    left = [card for card in CARDS if card not in used]
    return [hand + [left.pop() for _ in range(8 - len(hand))] for hand in hands]


def played(position: Peech, cards: Sequence[str]) -> Peech:
    for card in cards:
        position = position.play(card)
    return position


def random_game(seed: int, decisions: int = 10**6, **options: Any) -> list[Peech]:
    """The positions of a random game, in order, with at most so many decisions."""
    rng = Random(seed)
    positions = [Peech.start(4, rng, options)]
    while positions[-1].turn is not None and len(positions) <= decisions:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal())))
    return positions
