"""Random games as exported records, and records with something changed in them."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from arena.registry import games
from support.audit_faults import AUDITORS


def random_record(game: str, seats: int, seed: int, **options: Any) -> tuple[dict[str, Any], Any]:
    """A random game as an exported record, as far as the rules go, and its end."""
    rng = Random(seed)
    position = games.get(game).start(seats, rng, options)
    decisions: list[list[str]] = [[] for _ in range(seats)]
    while position.turn is not None:
        action = rng.choice(position.legal())
        decisions[position.turn].append(action)
        position = position.play(action)
    record = {"game": game, "chance": position.chance(), "decisions": decisions, "options": options}
    return json.loads(json.dumps(record)), position


def agrees(record: dict[str, Any], end: Any) -> None:
    audited = AUDITORS[record["game"]].replay(record)
    assert audited == (list(end.scores()), list(end.placings()))


def put(value: Any, *path: Any) -> Callable[[dict[str, Any]], None]:
    """A change of a record: this value at the end of this path."""

    def change(record: dict[str, Any]) -> None:
        at: Any = record
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value

    return change


def play_twice(record: dict[str, Any]) -> None:
    record["decisions"][1][1] = record["decisions"][1][0]
