"""The contract of a game: rules as an immutable position."""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Protocol, Self

from arena.options import Option

Json = dict[str, Any]


class Game(Protocol):
    """The rules of one game as an immutable position; chance, actions and views are plain JSON values.

    No I/O, no clock, no global random. Simultaneous choices are asked one seat after another and stay hidden
    from views and events until the last one is in. What `view` and `events` return is shared, never changed.
    """

    name: ClassVar[str]
    seats: ClassVar[range]
    """Table sizes that the rules allow."""
    higher_wins: ClassVar[bool]
    options: ClassVar[Mapping[str, Option]]

    @classmethod
    def start(cls, seats: int, rng: Random, options: Mapping[str, Any]) -> Self:
        """The position before the first decision; all chance is spent here or derived from a seed kept here.

        `options` may be partial; it is settled against `cls.options`.
        """

    @classmethod
    def from_chance(cls, seats: int, chance: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        """The same with every chance outcome given, in the form that `chance()` returns.

        UsageError when an outcome is impossible, or, in `play`, when the given chance is used up.
        """

    @property
    def turn(self) -> int | None:
        """The seat asked now; None when the game is over."""

    @property
    def kind(self) -> str:
        """What is asked: place, look, play, loot, offer; empty when over."""

    def legal(self) -> tuple[str, ...]:
        """The actions of the seat on turn, in a fixed order that leaks nothing; empty when over."""

    def play(self, action: str) -> Self:
        """The position after this action; IllegalAction changes nothing."""

    def view(self, seat: int | None) -> Json:
        """The table as this seat sees it and all past facts that bound hidden cards: enough alone.

        None is the judge, who sees everything; his view has the same shape and never goes to a bot.
        """

    def events(self, seat: int | None, since: int = 0) -> tuple[Json, ...]:
        """What this seat has seen happen, public and its own private, from its event number `since` on.

        Every event has a "type"; a private one names its "seat". None is the judge: everybody's events, each
        once, in order.
        """

    @staticmethod
    def tell(event: Json) -> str:
        """One line of English for an event, for people who watch a match or read a replay."""

    def scores(self) -> tuple[int, ...]:
        """As the rules count them, by seat, if the game ended now."""

    def placings(self) -> tuple[int, ...]:
        """By seat, 1 + the number of seats strictly better (1, 1, 3)."""

    def chance(self) -> Json:
        """Every chance outcome so far, in the record's form."""

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        """A position uniform over those that the owner of this view cannot tell from the real one."""
