"""Pecking Order: `imagine` is exact. Its whole distribution is worked out and set against brute force."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pecking_order import dealt

from arena.errors import UsageError
from arena.games import assignments
from arena.games.pecking_order import CARDS, PeckingOrder

ACTED = ("place", "fight", "look", "decline")
Decks = tuple[Any, ...]


class Branching(Random):
    """Answers from a script of choices, and notes out of how many each one was."""

    def __init__(self, script: list[tuple[int, int]]) -> None:
        super().__init__(0)
        self.script, self.at = script, 0

    def _randbelow(self, n: int) -> int:
        if self.at == len(self.script):
            self.script.append((0, n))
        choice, of = self.script[self.at]
        assert of == n
        self.at += 1
        return choice


def distribution(drawn: Callable[[Random], Hashable]) -> dict[Hashable, Fraction]:
    """Every outcome with its exact probability: all choices of the generator are gone through."""
    found: Counter[Hashable] = Counter()
    script: list[tuple[int, int]] = []
    while True:
        outcome = drawn(Branching(script))
        chance = Fraction(1)
        for _, of in script:
            chance /= of
        found[outcome] += chance
        while script and script[-1][0] == script[-1][1] - 1:
            script.pop()
        if not script:
            return dict(found)
        choice, of = script.pop()
        script.append((choice + 1, of))


def moves(position: PeckingOrder) -> tuple[str, ...]:
    return tuple(event.get("perch", "none") for event in position.events(None) if event["type"] in ACTED)


def identity(position: PeckingOrder) -> Hashable:
    """All that makes a position: chance and actions."""
    return position.decks, moves(position)


def indistinguishable(position: PeckingOrder, seat: int) -> set[Hashable]:
    """By brute force over all decks and all moves of the other seat: what looks just so to this seat."""
    view, history = position.view(seat), list(position.events(seat))
    size = [len(pair[0]) for pair in position.decks]
    mine = iter([event["card"] for event in history if event["type"] == "draw"])
    drawn = [[card for card, _ in zip(mine, range(n), strict=False)] for n in size]
    found: set[Hashable] = set()
    for theirs in product(*(permutations(CARDS, n) for n in size)):
        for own in product(*(completions(known, n) for known, n in zip(drawn, size, strict=True))):
            decks = [[a, b] if seat == 0 else [b, a] for a, b in zip(own, theirs, strict=True)]
            start = PeckingOrder.from_chance(2, {"decks": decks}, position.settings)
            found.update(identity(same) for same in followed(start, seat, view, history))
    return found


def completions(known: list[Any], size: int) -> Iterator[Decks]:
    rest = [card for card in CARDS if card not in known]
    return ((*known, *more) for more in permutations(rest, size - len(known)))


def followed(
    position: PeckingOrder, seat: int, view: dict[str, Any], history: list[dict[str, Any]]
) -> Iterator[PeckingOrder]:
    """All ways on from here in which this seat sees its history happen, and at the end this view."""
    so_far = list(position.events(seat))
    if so_far != history[: len(so_far)]:
        return
    if position.view(seat) == view:
        yield position
    ahead = {event.get("perch", "none") for event in history[len(so_far) :]} | {"none"}
    for action in position.legal():
        if action in ahead:
            yield from followed(position.play(action), seat, view, history)


def short_game(rng: Random, sizes: list[int], **options: Any) -> list[PeckingOrder]:
    """A random game with short decks on few perches, so that there are fights, ties and looks."""
    cards = rng.sample(CARDS, 5) if rng.random() < 0.5 else CARDS
    decks = [[rng.sample(cards, size), rng.sample(cards, size)] for size in sizes]
    positions = [PeckingOrder.from_chance(2, {"decks": decks}, {"rounds": len(sizes), **options})]
    while (position := positions[-1]).turn is not None:
        near = [action for action in position.legal() if action in ("1", "3")]
        positions.append(position.play(rng.choice(near or position.legal())))
    return positions


def is_exact(position: PeckingOrder, seat: int) -> None:
    view = position.view(seat)
    found = distribution(lambda rng: identity(PeckingOrder.imagine(view, rng)))
    right = indistinguishable(position, seat)
    assert set(found) == right
    assert set(found.values()) == {Fraction(1, len(right))}


@pytest.mark.parametrize("jaguar", [True, False])
def test_every_view_of_a_short_game(jaguar: bool) -> None:
    """Both seats' views, also while the other seat is asked to place or to look."""
    for position in short_game(Random(1), [2], jaguar_holds_tiebreak=jaguar):
        for seat in (0, 1):
            is_exact(position, seat)


def before(text: str, **options: Any) -> PeckingOrder:
    """The position at the stroke in a game written down like `dealt`'s."""
    position = dealt(text.replace("/", " "), **options)
    for move in text.split("/")[0].replace("|", " ").split():
        position = position.play(move.split("@")[-1])
    return position


@pytest.mark.parametrize(
    "text",
    [
        "3@1 J@8a 4@2 5@8b | 7@1 / 7@2",  # 8 points: one of the two is the jaguar
        "3@1 J@8a | 7@1 / 7@2",
        "3@1 6@9 | 7@1 / 7@2",  # no jaguar on the board
        "3@1 6@9 | / 7@1 7@2",  # not on turn: the other seat places
        "3@1 6@9 4@2 5@3 / 1",  # one round, not on turn: the other seat may look
    ],
)
def test_views_where_an_earlier_round_tells(text: str) -> None:
    """The score of a round bounds its cards, and its decks belong to the position."""
    is_exact(before(text), 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_views_of_a_second_round(seed: int) -> None:
    for position in short_game(Random(seed), [2, 1]):
        if position.round == 2 and position.turn is not None:
            is_exact(position, position.turn)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *range(2, 8)])
def test_every_view_of_more_short_games(seed: int) -> None:
    options = {"jaguar_holds_tiebreak": bool(seed % 2), "first_player": seed % 3 % 2}
    for position in short_game(Random(seed), [2], **options):
        for seat in (0, 1):
            is_exact(position, seat)


BIRDS = set(range(1, 13))


@pytest.mark.parametrize(
    ("text", "perch", "cards", "options"),
    [
        ("7@10 7@10 / 1@1 2@2", "10", BIRDS - {1, 2, 3, 4, 5, 6}, {}),  # a tie would be the attacker's
        ("2@1 4@2 7@10 8@10 / 1@3 1@4", "10", {8, 9, 10, 11, 12}, {}),  # a tie would be its own
        ("J@1 4@2 7@10 8@10 / 1@3 1@4", "10", {8, 9, 10, 11, 12}, {}),
        ("J@1 4@2 7@10 8@10 / 1@3 1@4", "10", {7, 8, 9, 10, 11, 12}, {"jaguar_holds_tiebreak": False}),
        ("7@10 1@1 2@2 J@10 / 3@4 3@5", "1", BIRDS, {}),  # its jaguar is gone
        ("J@10 1@1 2@2 J@10 / 3@4 3@5", "1", {*BIRDS, "J"}, {}),  # what attacked a jaguar may be anything
        ("2@4 J@1 3@5 7@10 7@10 / 1@9", "1", {"J"}, {"jaguar_holds_tiebreak": False}),
        ("2@4 5@1 3@5 7@10 7@10 / 1@9", "1", BIRDS - {7}, {"jaguar_holds_tiebreak": False}),
        ("2@4 5@1 3@5 7@10 7@10 / 1@9", "1", {*BIRDS, "J"} - {7}, {}),
        ("5@10 9@3 10 / 4@4 4@5", "3", BIRDS, {}),  # it has looked, so it is a bird
        ("5@10 9@3 / 10 4@4 4@5", "3", BIRDS, {}),  # it is asked where to look
        ("5@10 J@3 / 4@4 4@5", "3", {*BIRDS, "J"}, {}),  # silence says nothing
        ("5@10 9@9 4@3 9 / 1@1", "9", {9}, {}),
    ],
)
def test_what_a_seat_can_tell(text: str, perch: str, cards: set[Any], options: dict[str, Any]) -> None:
    """The cards that seat 0 imagines on a perch of the other seat."""
    rng, view = Random(1), before(text, **options).view(0)
    imagined = [PeckingOrder.imagine(view, rng).view(None)["board"][perch]["card"] for _ in range(400)]
    assert set(imagined) == cards


def test_the_judge_imagines_nothing() -> None:
    position = PeckingOrder.start(2, Random(1), {})
    with pytest.raises(UsageError, match="the view of a seat"):
        PeckingOrder.imagine(position.view(None), Random(1))


def test_decks_to_come_are_drawn_anew() -> None:
    position = PeckingOrder.start(2, Random(1), {"rounds": 3})
    imagined = [PeckingOrder.imagine(position.view(0), Random(seed)) for seed in range(20)]
    assert len({identity(each) for each in imagined}) == 20
    for r in (1, 2):
        assert len({each.decks[r] for each in imagined} | {position.decks[r]}) == 21


CARDS_OF_FIVE = st.integers(1, 31)


@settings(max_examples=60, deadline=None)
@given(st.lists(CARDS_OF_FIVE, min_size=1, max_size=3), st.booleans())
def test_assignments_are_uniform(bounds: list[int], split: bool) -> None:
    """Five cards, up to three places: every way equally likely, also where two cases share the ways out."""
    first, *others = bounds
    cases = [[first & 0b00110, *others], [first & 0b11001, *others]] if split else [bounds]
    ways = [
        way
        for way in permutations(range(5), len(bounds))
        if all(bound >> card & 1 for bound, card in zip(bounds, way, strict=True))
    ]
    assert sum(assignments.count(case, 5) for case in cases) == len(ways)
    if not ways:
        with pytest.raises(ValueError, match="no cards fit"):
            assignments.draw(cases, 5, Random(0))
        return
    found = distribution(lambda rng: tuple(assignments.draw(cases, 5, rng)))
    assert found == dict.fromkeys(ways, Fraction(1, len(ways)))
