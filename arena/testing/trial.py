"""One random game on trial: where it stands, what every seat is told, and how a complaint reads."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, NoReturn

import orjson

from arena.errors import IllegalAction, UsageError
from arena.model import Game, Json

Leaf = tuple[str, Any]


@dataclass
class Trial:
    """A game class at one table size and seed; `actions` is what was played up to where the check stands."""

    game: type[Game]
    seats: int
    options: Mapping[str, Any]
    seed: int
    actions: list[str] = field(default_factory=list)

    def start(self) -> Game:
        return self.game.start(self.seats, Random(self.seed), self.options)

    def replayed(self, chance: Json) -> Game:
        """The start with this chance given, as it comes out of a record."""
        return self.game.from_chance(self.seats, parsed(as_text(chance)), self.options)

    def imagined(self, position: Game, seat: int, rng: Random) -> Game:
        """What this seat may imagine, from its view as it crosses the pipe."""
        return self.game.imagine(parsed(as_text(position.view(seat))), rng)

    def fail(self, text: str) -> NoReturn:
        shown = " ".join(self.actions[-12:])
        after = f"after {len(self.actions)} actions (… {shown})" if self.actions else "at the start"
        raise AssertionError(f"{self.game.name}, {self.seats} seats, seed {self.seed}, {after}: {text}")

    def need(self, holds: object, text: str) -> None:
        if not holds:
            self.fail(text)

    def same(self, found: Any, expected: Any, text: str) -> None:
        """Two JSON values are equal; the complaint shows the first place where they are not."""
        if found != expected:
            self.fail(f"{text}: {difference(found, expected)}")

    def play(self, position: Game, action: str) -> Game:
        """Plays a legal action; whatever the game raises is a complaint."""
        try:
            return position.play(action)
        except Exception as error:
            self.fail(f"play({action!r}), which is legal, raises {type(error).__name__}: {error}")

    def refuses(self, position: Game, action: str) -> None:
        """The game raises IllegalAction for this action, and nothing else."""
        try:
            position.play(action)
        except IllegalAction:
            return
        except Exception as error:
            self.fail(f"play({action!r}) raises {type(error).__name__} instead of IllegalAction: {error}")
        self.fail(f"play({action!r}) is accepted, which is not in legal()")

    def bytes_of(self, value: Any, what: str) -> bytes:
        """The value as JSON; it must come back from there as it was."""
        try:
            data = as_text(value)
        except TypeError as error:
            self.fail(f"{what} is no JSON: {error}")
        self.same(parsed(data), value, f"{what} does not come back from JSON as it was")
        return data

    def told(self, position: Game) -> Json:
        """All that the position answers to anybody."""
        viewers: list[int | None] = [None, *range(self.seats)]
        return {
            "turn": position.turn,
            "kind": position.kind,
            "legal": list(position.legal()),
            "scores": list(position.scores()),
            "placings": list(position.placings()),
            "chance": position.chance(),
            "views": {str(viewer): position.view(viewer) for viewer in viewers},
            "events": {str(viewer): list(position.events(viewer)) for viewer in viewers},
        }


def as_text(value: Any) -> bytes:
    return orjson.dumps(value)


def parsed(data: bytes) -> Any:
    return orjson.loads(data)


def is_usage_error(call: Any, *args: Any) -> bool:
    """Whether this call is refused in words for a person."""
    try:
        call(*args)
    except UsageError:
        return True
    except Exception:
        return False
    return False


def leaves(value: Any, path: str = "") -> Iterator[Leaf]:
    """Every scalar, and every empty object or list, with the path to it."""
    inner = (
        value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    )
    empty = True
    for key, each in inner:
        empty = False
        yield from leaves(each, f"{path}.{key}" if path else str(key))
    if empty:
        yield path, value


def difference(found: Any, expected: Any) -> str:
    """The first place where two JSON values differ, in words."""
    first, second = dict(leaves(found)), dict(leaves(expected))
    for path in [*first, *second]:
        mine, other = first.get(path, "nothing"), second.get(path, "nothing")
        if mine != other or (path in first) != (path in second):
            return f"at {path or 'the top'}: {mine!r:.60} and {other!r:.60}"
    return "they differ in their types"
