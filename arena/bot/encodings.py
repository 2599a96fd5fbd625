"""Views as lists of numbers and actions as numbers, for learners: one class a game.

Every feature lies within -1 and 1. Seats come in clockwise order, the observer first, so that what is learned
on one seat holds on all. `arena.pettingzoo` trains on these, and a bot plays by them in the jail.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from arena.bot import pecking_order, peech, rat_deau
from arena.errors import UsageError
from arena.games.pecking_order import CARDS, NONE


class Encoding(Protocol):
    """How one game with these options looks to a learner."""

    actions: tuple[str, ...]
    """Every action that may ever be legal; an action's number is its place here."""
    size: int
    """Of the observation."""

    def encode(self, view: Mapping[str, Any]) -> list[float]:
        """A seat's view as `size` numbers."""


class PeckingOrder:
    """2 what is asked · 13 the drawn card · 11 perches of 16 (mine, theirs, face up, the card) · 2 decks left
    · 13 own cards drawn · 13 the other's cards seen · 1 round · 2 scores of past rounds.
    """

    actions = (*pecking_order.WORTH, NONE)
    size = 2 + 13 + 11 * 16 + 2 + 13 + 13 + 1 + 2

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        self._rounds = options["rounds"]

    def encode(self, view: Mapping[str, Any]) -> list[float]:
        seat = view["seat"]
        found: list[float] = [
            view["kind"] == "place",
            view["kind"] == "look",
            *_one_hot(CARDS, [view["card"]]),
        ]
        for stand in view["board"].values():
            owner, card, up = (stand["seat"], stand["card"], stand["up"]) if stand else (None, None, False)
            found += [owner == seat, owner == 1 - seat, up, *_one_hot(CARDS, [card])]
        mine, theirs = self._seen(view)
        found += [view["left"][s] / len(CARDS) for s in (seat, 1 - seat)]
        found += [*_one_hot(CARDS, mine), *_one_hot(CARDS, theirs), view["round"] / self._rounds]
        most = 66 * self._rounds
        found += [sum(scores[s] for scores in view["results"]) / most for s in (seat, 1 - seat)]
        return list(map(float, found))

    @staticmethod
    def _seen(view: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
        """In this round."""
        mine: list[Any] = []
        theirs: list[Any] = []
        for event in pecking_order.parse(view["history"]):
            match event:
                case pecking_order.Draw(card=card):
                    mine.append(card)
                case pecking_order.See(card=card):
                    theirs.append(card)
                case pecking_order.Fight(seat=attacker, defender=card) if attacker == view["seat"]:
                    theirs.append(card)
                case pecking_order.Round():
                    mine, theirs = [], []
        return mine, theirs


class Peech:
    """52 the hand · 52 one's own coup card · 4 seats of 107 (active, starting points, cards won, 52 cards
    shown since the last deal, 52 won cards) · 1 cards in hand · 1 round · 4 scores of past rounds.
    """

    actions = peech.CARDS
    size = 52 + 52 + 4 * 107 + 1 + 1 + 4

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        self._rounds = options["rounds"]

    def encode(self, view: Mapping[str, Any]) -> list[float]:
        seat = view["seat"]
        order = [(seat + step) % 4 for step in range(4)]
        battles = view["battles"][sum(deal["size"] for deal in view["deals"][:-1]) :]
        found: list[float] = [
            *_one_hot(peech.CARDS, view["hands"][seat] or ()),
            *_one_hot(peech.CARDS, [view["coups"][seat]]),
        ]
        for s in order:
            shown = [battle["cards"][s] for battle in battles]
            found += [s in view["active"], view["start"][s] / 21, len(view["won"][s]) / 10]
            found += [*_one_hot(peech.CARDS, shown), *_one_hot(peech.CARDS, view["won"][s])]
        found += [view["hand_size"] / 8, view["round"] / self._rounds]
        past = [sum(result["scores"][s] for result in view["results"]) for s in order]
        found += [min(1.0, score / (31 * self._rounds)) for score in past]
        return list(map(float, found))


class RatDeau:
    """2 what is asked · 3 round · 1 demand · for each seat: how many of each value it holds, has as loot, and
    how many rafts. Values are those of the pack, rising.
    """

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        self._values = sorted(set(options["pack"]))
        self._copies = max(map(options["pack"].count, self._values))
        self._most = options["raft_factor"] * seats + 6
        self.actions = tuple(map(str, self._values))
        self.size = 2 + 3 + 1 + seats * (2 * len(self._values) + 1)

    def encode(self, view: Mapping[str, Any]) -> list[float]:
        table = rat_deau.Table.of(view)
        found: list[float] = [
            view["kind"] == "loot",
            view["kind"] == "offer",
            *_one_hot((1, 2, 3), [table.round]),
        ]
        found.append((table.demand or 0) / self._most)
        for seat in (table.seat, *((table.seat + step) % view["seats"] for step in range(1, view["seats"]))):
            for cards in (table.hands[seat], table.loots[seat]):
                found += [cards.count(value) / self._copies for value in self._values]
            found.append(table.rafts[seat] / 3)
        return list(map(float, found))


_ENCODINGS: Mapping[str, Callable[[int, Mapping[str, Any]], Encoding]] = {
    "pecking_order": PeckingOrder,
    "peech": Peech,
    "rat_deau": RatDeau,
}


def encoding(game: str, seats: int, options: Mapping[str, Any]) -> Encoding:
    """For a table of this size with these options, all of them; UsageError for a game that has none."""
    if game not in _ENCODINGS:
        raise UsageError(f"{game} has no encoding; one of {', '.join(_ENCODINGS)}")
    return _ENCODINGS[game](seats, options)


def _one_hot(among: Sequence[Any], these: Sequence[Any]) -> list[bool]:
    return [one in these for one in among]
