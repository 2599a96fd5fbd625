"""The bot SDK: what a bot is told, and tools to read it and to look ahead. docs/sdk.md shows all of it.

Standard library and the rules in `arena.games` only: it works in the jail, and without a tournament. A bot is
one file with a function, or a class where it wants to remember something; neither has to import anything:

    def act(turn):
        return turn.legal[0]

    class Bot:
        def __init__(self, setup): ...
        def act(self, turn): ...
"""

from collections.abc import Mapping
from typing import Any, TypedDict

from arena.bot.clock import Clock
from arena.bot.lookahead import imagine, play_out, rules_of

__all__ = ["Clock", "Json", "Limits", "Setup", "Turn", "imagine", "play_out", "rules_of"]

Json = dict[str, Any]


class Limits(TypedDict):
    """What a bot may use."""

    move: float
    """Seconds for one decision; what goes beyond is taken from the bank."""
    bank: float
    """Seconds in reserve for the whole match."""
    start: float
    """Seconds to get ready."""
    memory: int
    """Bytes."""
    processes: int


class Setup:
    """What a bot is told once, before the first decision of a match."""

    __slots__ = ("game", "limits", "options", "seat", "seats", "seed")

    game: str
    """`pecking_order`, `peech` or `rat_deau`."""
    seat: int
    """One's own seat, from 0."""
    seats: int
    """How many sit at the table."""
    options: Json
    """The game's options, all of them."""
    seed: int
    """One's own; `random` has been seeded with it already."""
    limits: Limits
    """`move`, `bank`, `start` in seconds, `memory` in bytes, `processes`."""

    def __init__(self, message: Mapping[str, Any]) -> None:
        self.game = message["game"]
        self.seat = message["seat"]
        self.seats = message["seats"]
        self.options = message["options"]
        self.seed = message["seed"]
        self.limits = message["limits"]

    def __repr__(self) -> str:
        return f"Setup(game={self.game!r}, seat={self.seat}, seats={self.seats}, options={self.options!r})"


class Turn:
    """One decision: `act` returns one of `legal`."""

    __slots__ = ("bank", "events", "game", "kind", "legal", "limits", "options", "seat", "seats", "view")

    game: str
    """`pecking_order`, `peech` or `rat_deau`."""
    seat: int
    """One's own seat, from 0."""
    seats: int
    """How many sit at the table."""
    options: Json
    """The game's options, all of them."""
    kind: str
    """What is asked: place, look, play, loot, offer."""
    legal: list[str]
    """All actions allowed now; never empty."""
    view: Json
    """The table as this seat sees it: enough to decide with no memory of earlier turns."""
    events: list[Json]
    """What this seat has seen happen since its last turn."""
    bank: float
    """Seconds left beyond the move limit, for the whole match."""
    limits: Limits
    """Those of the setup."""

    def __init__(self, setup: Setup, message: Mapping[str, Any]) -> None:
        self.game = setup.game
        self.seat = setup.seat
        self.seats = setup.seats
        self.options = setup.options
        self.limits = setup.limits
        self.kind = message["kind"]
        self.legal = message["legal"]
        self.view = message["view"]
        self.events = message["events"]
        self.bank = message["bank"]

    def __repr__(self) -> str:
        return f"Turn(game={self.game!r}, seat={self.seat}, kind={self.kind!r}, legal={self.legal!r})"
