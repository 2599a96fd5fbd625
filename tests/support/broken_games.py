"""Games that break one rule of the contract each, and what the check must say of them."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, ClassVar, Self

from arena.errors import IllegalAction
from arena.games.rat_deau import RatDeau
from arena.model import Json
from support.kuhn import DECK, Kuhn


class LeakedCard(Kuhn):
    """The view holds the other seat's card."""

    def view(self, seat: int | None) -> Json:
        return {**super().view(seat), "next": self.cards[1]}


class LeakedCardThatImagineKnows(Kuhn):
    """The same, and imagine hides it by reading the leak."""

    def view(self, seat: int | None) -> Json:
        return {**super().view(seat), "debug": list(self.cards)}

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        return cls(dict(view["options"]), tuple(view["debug"]), tuple(view["moves"]))


class LeakingOrder(Kuhn):
    """The order of legal() depends on the other seat's card."""

    def legal(self) -> tuple[str, ...]:
        legal = super().legal()
        return legal[::-1] if self.turn is not None and self.cards[1 - self.turn] == 3 else legal


class LeakingEvents(Kuhn):
    """Private events are told to all."""

    def events(self, seat: int | None, since: int = 0) -> tuple[Json, ...]:
        return super().events(None, since)


class PendingTold(RatDeau):
    """A card laid face down is told as an event, and so stands in the history that a view holds."""

    def play(self, action: str) -> Self:
        after = super().play(action)
        told = {"type": "dice", "round": self.round, "dice": [int(action), 0], "demand": 0}
        return replace(after, history=(*self.history, told)) if after.chosen else after

    def chance(self) -> Json:
        return {"dice": [roll for roll in super().chance()["dice"] if roll[1]]}


class PendingVisible(RatDeau):
    """A card laid face down shows in the other seats' views."""

    def view(self, seat: int | None) -> Json:
        return {**super().view(seat), "chosen": super().view(None)["chosen"]}


class PendingSumVisible(RatDeau):
    """The same, but in a form that imagine does not contradict: it plays along."""

    def view(self, seat: int | None) -> Json:
        return {**super().view(seat), "debug": list(self.chosen)}

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        return replace(super().imagine(view, rng), chosen=tuple(view["debug"]))


class FixedImagine(Kuhn):
    """imagine always gives the other seat the lowest card left."""

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        left = iter(card for card in DECK if card not in view["cards"])
        cards = tuple(next(left) if card is None else card for card in view["cards"])
        return cls(dict(view["options"]), cards, tuple(view["moves"]))


class LopsidedImagine(RatDeau):
    """imagine draws high cards more often."""

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        return max((super(cls, cls).imagine(view, rng) for _ in range(9)), key=lambda made: made.chosen)


class SecretSource(Kuhn):
    """imagine draws from the global generator."""

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        return super().imagine(view, Random(random.getrandbits(64)))


@dataclass(frozen=True)
class ImpurePlay(Kuhn):
    """play adds to a list that the position before shares."""

    told: list[str] = field(default_factory=list, compare=False)

    def play(self, action: str) -> Self:
        after = super().play(action)
        self.told.append(action)
        return replace(after, told=self.told)

    def view(self, seat: int | None) -> Json:
        return {**super().view(seat), "told": list(self.told)}

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        return replace(super().imagine(view, rng), told=list(view["told"]))


class WrongPlacings(RatDeau):
    """Equal scores get different places."""

    def placings(self) -> tuple[int, ...]:
        order = sorted(range(len(self.hands)), key=lambda seat: -self.scores()[seat])
        return tuple(order.index(seat) + 1 for seat in range(len(self.hands)))


class NeverEnds(Kuhn):
    """Two passes do not end it."""

    @property
    def kind(self) -> str:
        return "move"

    def view(self, seat: int | None) -> Json:
        return {**super().view(seat), "moves": []}

    def events(self, seat: int | None, since: int = 0) -> tuple[Json, ...]:
        return ()


class ChanceLeftOut(RatDeau):
    """chance() leaves the last roll out."""

    def chance(self) -> Json:
        return {"dice": super().chance()["dice"][:-1]}


class ChanceTurnedRound(RatDeau):
    """chance() gives red before black."""

    def chance(self) -> Json:
        return {"dice": [roll[::-1] for roll in super().chance()["dice"]]}


class ChanceMadeUp(Kuhn):
    """from_chance takes anything."""

    @classmethod
    def from_chance(cls, seats: int, chance: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        return super().from_chance(seats, {"cards": chance.get("cards", [1, 2])}, options)


class OtherSeeds(Kuhn):
    """start ignores its generator."""

    _count: ClassVar[list[int]] = [0]

    @classmethod
    def start(cls, seats: int, rng: Random, options: Mapping[str, Any]) -> Self:
        cls._count[0] += 1
        return super().start(seats, Random(cls._count[0]), options)


class AnythingGoes(Kuhn):
    """play takes what is not legal."""

    def play(self, action: str) -> Self:
        return super().play(action.strip() if action.strip() in self.legal() else action)


class WrongError(Kuhn):
    """play answers an illegal action with an error of its own."""

    def play(self, action: str) -> Self:
        try:
            return super().play(action)
        except IllegalAction as error:
            raise ValueError(str(error)) from None


class TuplesInView(Kuhn):
    """The view holds tuples, which JSON does not know."""

    def view(self, seat: int | None) -> Json:
        return {**super().view(seat), "moves": self.moves}


class OffByOne(Kuhn):
    """events(seat, since) starts one too late."""

    def events(self, seat: int | None, since: int = 0) -> tuple[Json, ...]:
        return super().events(seat, since + 1 if since else 0)


class Speechless(Kuhn):
    """tell knows no move."""

    @staticmethod
    def tell(event: Json) -> str:
        return "" if event["type"] == "move" else Kuhn.tell(event)


class AnyTable(Kuhn):
    """A table of any size is accepted."""

    @classmethod
    def from_chance(cls, seats: int, chance: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        return super().from_chance(2, chance, options)


class TooLong(Kuhn):
    """A view does not fit a line of the protocol."""

    def view(self, seat: int | None) -> Json:
        return {**super().view(seat), "padding": "x" * 70_000}


def showing_everything(game: type[Any]) -> type[Any]:
    """The game with the judge's view in everybody's."""

    class Shown(game):  # type: ignore[misc]
        def view(self, seat: int | None) -> Json:
            return {**super().view(seat), "all": super().view(None)}

    return Shown


def drawing_always_the_same(game: type[Any]) -> type[Any]:
    """The game with an imagine that is not random."""

    class Same(game):  # type: ignore[misc]
        @classmethod
        def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
            return super().imagine(view, Random(0))

    return Same


BROKEN: Mapping[type[Any], str] = {
    LeakedCard: r"seat 0 sees what it may not|was told the same: at next",
    LeakedCardThatImagineKnows: r"differs between two games in which seat \d was told the same: at debug",
    LeakingOrder: r"legal\(\) of seat \d changes when hidden things are drawn anew",
    LeakingEvents: r"an event that not all seats|events show what it may not see",
    PendingTold: r"events\(1\) tell that seat 0 chose '\d' and not '\d', which imagine holds to be hidden",
    PendingVisible: r"(is not the view|not told|told the same).* at chosen\.0",
    PendingSumVisible: r"view\(\d\) changes with what seat \d is not told \(seat 0 chose",
    FixedImagine: r"imagine does not draw evenly.* more like each other than the truth",
    LopsidedImagine: r"imagine does not draw evenly.* more like each other than the truth",
    SecretSource: r"imagine draws from something besides its rng|draws from the global random generator",
    ImpurePlay: r"play changes its argument|a refused action changes|changes with what seat",
    WrongPlacings: r"placings\(\) .* do not agree with scores",
    NeverEnds: r"does not end within 500 decisions",
    ChanceLeftOut: r"chance\(\) does not cover what was played, from_chance says: the given dice are used up",
    ChanceTurnedRound: r"a game replayed from its chance\(\) goes another way: at .*dice",
    ChanceMadeUp: r"from_chance with nonsense is not refused",
    OtherSeeds: r"the same seed and actions do not give equal positions",
    AnythingGoes: r"play\('(pass|bet) '\) is accepted, which is not in legal\(\)",
    WrongError: r"raises ValueError instead of IllegalAction",
    TuplesInView: r"view\(None\) does not come back from JSON as it was",
    OffByOne: r"events\(0, since\) from request to request are not events\(0\)",
    Speechless: r"tell\(\) gives no line of text",
    AnyTable: r"start with 1 seats is not refused by a UsageError",
    TooLong: r"what seat 0 is asked cannot be sent",
}
