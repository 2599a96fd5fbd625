"""One playthrough of every registered game and table size, compared line by line; `--update` rewrites them.

A playthrough is a random game as text: at every state, every answer of the game that is new since the state
before. A line of a view names who sees the change (`*`: all seats and the judge).
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.model import Game, Json
from arena.registry import games
from arena.testing.trial import as_text

FOLDER = Path(__file__).parent / "playthroughs"
OPTIONS: dict[str, Json] = {"peech": {"rounds": 2, "max_battles": 9}}
"""Where a game with its own defaults would be too long to read."""
TABLES = [(name, seats) for name in games for seats in games.get(name).seats]


def playthrough(name: str, seats: int, seed: int = 1) -> Iterator[str]:
    options = OPTIONS.get(name, {})
    position: Game = games.get(name).start(seats, Random(seed), options)
    rng = Random(seed)
    yield f"# {name}, {seats} seats, seed {seed}, options {as_text(options).decode()}"
    state, before, told = 0, dict[str, Any](), dict[str, int]()
    while True:
        yield ""
        yield f"state {state}"
        now = answers(position, seats)
        yield from changes(before, now)
        yield from events(position, seats, told)
        turn = position.turn
        if turn is None:
            return
        imagined = games.get(name).imagine(position.view(turn), Random(state))
        yield f"imagined: {hashlib.sha256(as_text(imagined.view(None))).hexdigest()[:16]}"
        action = rng.choice(position.legal())
        yield f"action: {action}"
        position, before, state = position.play(action), now, state + 1


def answers(position: Game, seats: int) -> dict[str, dict[str, Any]]:
    """What the game answers: by viewer for views, and once for what concerns everybody."""
    public = {
        "turn": position.turn,
        "kind": position.kind,
        "legal": " ".join(position.legal()),
        "scores": " ".join(map(str, position.scores())),
        "placings": " ".join(map(str, position.placings())),
        "chance": position.chance(),
    }
    told = {"": dict(facts(public))}
    for viewer in (None, *range(seats)):
        name = "judge" if viewer is None else str(viewer)
        told[name] = {f"view.{path}": value for path, value in facts(position.view(viewer))}
    return told


def facts(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """What gets a line of its own: scalars, rows of scalars, and objects in a list."""
    if isinstance(value, dict) and not path.rpartition(".")[2].isdecimal():
        inner = list(value.items())
    elif isinstance(value, list) and any(isinstance(each, list | dict) for each in value):
        inner = list(enumerate(value))
    else:
        yield path, value
        return
    for key, each in inner:
        yield from facts(each, f"{path}.{key}" if path else str(key))


def changes(before: dict[str, dict[str, Any]], now: dict[str, dict[str, Any]]) -> Iterator[str]:
    """One line for each fact that is new, other or gone, with all who see it so."""
    seen: dict[str, list[str]] = {}
    for viewer, told in now.items():
        old = before.get(viewer, {})
        for path in [*told, *(path for path in old if path not in told)]:
            if path not in told:
                seen.setdefault(f"{path} is gone", []).append(viewer)
            elif path not in old or old[path] != told[path]:
                seen.setdefault(f"{path}: {as_text(told[path]).decode()}", []).append(viewer)
    for line, viewers in seen.items():
        who = "*" if len(viewers) == len(now) - 1 else ",".join(viewers)
        yield f"{who} {line}".strip()


def events(position: Game, seats: int, told: dict[str, int]) -> Iterator[str]:
    """New events with who sees them, and how they are told."""
    seen: dict[str, list[str]] = {}
    for viewer in (None, *range(seats)):
        name = "judge" if viewer is None else str(viewer)
        for event in position.events(viewer, told.get(name, 0)):
            seen.setdefault(as_text(event).decode(), []).append(name)
            if viewer is None:
                seen.setdefault(f"tell: {position.tell(event)}", [])
        told[name] = len(position.events(viewer))
    for text, viewers in seen.items():
        if text.startswith("tell: "):
            yield text
        else:
            yield f"{'*' if len(viewers) == seats + 1 else ','.join(viewers)} event {text}"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_game_plays_through_as_written(name: str, seats: int, update: bool) -> None:
    path = FOLDER / f"{name}_{seats}.txt"
    lines = list(playthrough(name, seats))
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert path.exists(), f"{name} at {seats} seats has no playthrough: pytest --update writes it"
    written = path.read_text(encoding="utf-8").splitlines()
    for number, (found, expected) in enumerate(zip(lines, written, strict=False), start=1):
        assert found == expected, f"{path.name}:{number}"
    assert len(lines) == len(written)


def test_every_playthrough_belongs_to_a_game() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(
        f"{name}_{seats}.txt" for name, seats in TABLES
    )
