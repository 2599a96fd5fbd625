"""Checks of what a seat may not see: nothing hidden shows, and `imagine` draws evenly what is hidden.

Five ways to find a leak, for none of them finds all: hidden cards drawn anew, another choice made face down,
both played on, other games in which the seat met the same, and choices told that imagine holds to be hidden.
"""

from collections.abc import Mapping, Sequence
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

from arena.model import Game
from arena.testing.trial import Trial, as_text, leaves

STEPS = 8
"""How far a pair of positions is played on."""
EVEN_GAMES = 20
"""Fewer games than this say nothing about evenness."""


def check_imagine(trial: Trial, position: Game, rng: Random) -> None:
    """The seat on turn cannot tell what it imagines from the position, now or when both are played on."""
    seat = position.turn
    if seat is None:
        return
    view, before = position.view(seat), as_text(position.view(seat))
    draw = rng.getrandbits(64)
    imagined = trial.imagined(position, seat, Random(draw))
    hidden = f"seat {seat} sees what it may not, or imagine does not rebuild what it sees"
    trial.same(imagined.view(seat), view, f"imagine(view).view({seat}) is not the view: {hidden}")
    trial.same(list(imagined.legal()), list(position.legal()),
               f"legal() of seat {seat} changes when hidden things are drawn anew")  # fmt: skip
    trial.need((imagined.turn, imagined.kind) == (seat, position.kind), "imagine(view) asks somebody else")
    told = list(position.events(seat))
    trial.need(
        _is_part(list(imagined.events(seat)), told),
        f"imagine(view).events({seat}) are not what seat {seat} was told: events show what it may not see",
    )
    again = trial.imagined(position, seat, Random(draw))
    trial.need(again == imagined, "imagine draws from something besides its rng")
    trial.need(as_text(position.view(seat)) == before, "imagine changes the view it is given")
    since = {seat: (len(told), len(imagined.events(seat)))}
    _play_on(trial, (position, imagined), since, rng, "hidden things were drawn anew")
    _finish(trial, imagined, rng)


def check_siblings(trial: Trial, position: Game, rng: Random) -> None:
    """Who is not told of a choice sees no difference between one choice and another."""
    legal = position.legal()
    if len(legal) < 2:
        return
    one, other = rng.sample(legal, 2)
    counts = {seat: len(position.events(seat)) for seat in range(trial.seats) if seat != position.turn}
    since = {seat: (count, count) for seat, count in counts.items()}
    pair = trial.play(position, one), trial.play(position, other)
    chose = f"seat {position.turn} chose {other!r} and not {one!r}"
    if position.turn != pair[1].turn == pair[0].turn:
        _check_told_apart(trial, pair, rng, chose)
    _play_on(trial, pair, since, rng, chose)


def _check_told_apart(trial: Trial, pair: tuple[Game, Game], rng: Random, chose: str) -> None:
    """A choice that was told is not drawn anew: nobody imagines the other position of the pair."""
    other, true = pair
    seat = true.turn
    if seat is None or true.events(seat) == other.events(seat):
        return
    seen, is_so, might_be = (
        dict(leaves(view)) for view in (true.view(seat), true.view(None), other.view(None))
    )
    hidden = [
        path
        for path in {**is_so, **might_be}
        if is_so.get(path, ...) != might_be.get(path, ...) and seen.get(path, ...) != is_so.get(path, ...)
    ]
    if hidden:
        drawn = dict(leaves(trial.imagined(true, seat, rng).view(None)))
        trial.need(
            any(drawn.get(path, ...) != might_be.get(path, ...) for path in hidden),
            f"events({seat}) tell that {chose}, which imagine holds to be hidden",
        )


def _play_on(
    trial: Trial, pair: tuple[Game, Game], since: Mapping[int, tuple[int, int]], rng: Random, because: str
) -> None:
    """Plays the same in both while some seat is told the same, from its two event numbers on."""
    first, second = pair
    for _ in range(STEPS):
        fooled = [
            seat for seat, (one, two) in since.items() if first.events(seat, one) == second.events(seat, two)
        ]
        if not fooled or first.turn != second.turn or first.kind != second.kind or first.turn is None:
            return
        for seat in fooled:
            trial.same(second.view(seat), first.view(seat),
                       f"view({seat}) changes with what seat {seat} is not told ({because})")  # fmt: skip
        if first.turn in fooled:
            trial.same(list(second.legal()), list(first.legal()),
                       f"legal() changes with what seat {first.turn} is not told ({because})")  # fmt: skip
        both = [action for action in first.legal() if action in second.legal()]
        if not both:
            return
        action = rng.choice(both)
        first, second = trial.play(first, action), trial.play(second, action)


def _finish(trial: Trial, position: Game, rng: Random) -> None:
    """An imagined position can be played to its end."""
    for _ in range(10_000):
        if position.turn is None:
            return
        position = trial.play(position, rng.choice(position.legal()))
    trial.fail("an imagined position does not end")


def _is_part(some: list[Any], whole: list[Any]) -> bool:
    """Whether all of these stand in the whole, in order: a view need not tell of what bounds nothing."""
    rest = iter(whole)
    return all(any(each == other for other in rest) for each in some)


class SameTold:
    """Views by what a seat was told: in any two games, the same events and own choices give the same view."""

    def __init__(self) -> None:
        self._views: dict[tuple[object, ...], Any] = {}

    def check(self, trial: Trial, position: Game, own_actions: Sequence[Sequence[str]]) -> None:
        for seat in range(trial.seats):
            events = as_text(list(position.events(seat)))
            key = (seat, position.turn, position.kind, events, tuple(own_actions[seat]))
            view = self._views.setdefault(key, position.view(seat))
            text = f"view({seat}) differs between two games in which seat {seat} was told the same"
            trial.same(position.view(seat), view, text)


class Evenness:
    """Whether the truth and two imagined positions are alike: under random play they may change places.

    Compared is how many hidden facts of the judge's view agree: truth and imagined against two imagined. An
    even draw makes both equal in the mean, one that repeats itself or knows the truth does not.
    """

    def __init__(self) -> None:
        self._games: list[float] = []
        self._here: list[float] = []

    def look(self, trial: Trial, position: Game, rng: Random) -> None:
        if position.turn is None:
            return
        true = dict(leaves(position.view(None)))
        one, two = (dict(leaves(trial.imagined(position, position.turn, rng).view(None))) for _ in range(2))
        paths = [
            path for path in {**true, **one, **two} if not true.get(path) == one.get(path) == two.get(path)
        ]
        if paths:
            agree = sum((true.get(p) == one.get(p)) - (one.get(p) == two.get(p)) for p in paths)
            self._here.append(agree / len(paths))

    def end_game(self) -> None:
        if self._here:
            self._games.append(fmean(self._here))
        self._here = []

    def verdict(self, trial: Trial) -> None:
        """Five standard errors, over games: the looks within one game are not independent."""
        if len(self._games) < EVEN_GAMES:
            return
        mean, error = fmean(self._games), stdev(self._games) / sqrt(len(self._games))
        z = abs(mean) / error if error else inf
        if abs(mean) > 0.02 and z > 5:
            how = "the truth than each other" if mean > 0 else "each other than the truth"
            trial.fail(
                f"imagine does not draw evenly: two imagined positions are more like {how} ({mean:+.2f})"
            )
