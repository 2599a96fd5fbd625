"""docs/sdk.md names everything public, and shows code that runs; the SDK needs nothing but Python."""

import inspect
import re
import subprocess
import sys
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from support.turns import setup_of, turn_of

from arena.bot import rules_of

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "sdk.md").read_text(encoding="utf-8")
MODULES = [
    "arena.bot",
    *(f"arena.bot.{name}" for name in ("pecking_order", "peech", "rat_deau", "encodings")),
]


def chapter(module: str) -> str:
    found = re.search(rf"^## .*`{re.escape(module)}`\n(.+?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"docs/sdk.md has no chapter on {module}"
    return found[1]


def public(module: ModuleType) -> list[str]:
    """What the module offers, and below its classes their fields, properties and methods."""
    own = [
        name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
    ]
    names = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    found = []
    for name in names:
        found.append(name)
        value = getattr(module, name)
        if inspect.isclass(value):
            members = {*vars(value), *inspect.get_annotations(value)} - {"Event"}
            found += [f"{name}.{member}" for member in sorted(members) if not member.startswith("_")]
    return found


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_documented(name: str) -> None:
    text = chapter(name)
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", text))))
    missing = [full for full in public(import_module(name)) if full.rpartition(".")[2] not in words]
    assert not missing, f"docs/sdk.md, {name}: {missing}"


@pytest.mark.parametrize("name", MODULES)
def test_no_name_is_documented_that_is_not_there(name: str) -> None:
    offered = import_module(name)
    for row in re.findall(r"^\| `(\w+)[`(]", chapter(name), re.MULTILINE):
        assert hasattr(offered, row), row


@pytest.mark.parametrize("name", MODULES)
def test_every_public_function_and_class_says_what_it_is(name: str) -> None:
    module = import_module(name)
    for full in public(module):
        owner, _, member = full.rpartition(".")
        value = getattr(getattr(module, owner), member, None) if owner else getattr(module, member)
        if inspect.isclass(value) or inspect.isfunction(value) or isinstance(value, property):
            assert value.__doc__ or owner in ("Encoding", "PeckingOrder", "Peech", "RatDeau"), (
                f"{name}: {full}"
            )


BLOCKS = re.findall(r"```python\n(.+?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_examples_play(number: int) -> None:
    """Each is a bot, and answers its way through a match of the game that it names."""
    space: dict[str, object] = {}
    exec(compile(BLOCKS[number], f"example {number}", "exec"), space)
    game = re.findall(r'GAMES = \["(\w+)"\]', BLOCKS[number])[0]
    rules, seats = rules_of(game), rules_of(game).seats[0]
    position = rules.start(seats, Random(number), {})
    acts, since = {}, [0] * seats
    while position.turn is not None:
        turn = turn_of(position, seats, since[position.turn])
        since[turn.seat] += len(turn.events)
        if turn.seat not in acts:
            made = space.get("Bot")
            setup = setup_of(position, turn.seat, seats)
            acts[turn.seat] = made(setup).act if callable(made) else space["act"]
        action = acts[turn.seat](turn)  # type: ignore[operator]
        assert action in turn.legal
        position = position.play(action)


def test_the_sdk_needs_only_the_standard_library() -> None:
    """Without site-packages, as in the jail."""
    code = f"import sys; sys.path.append({str(ROOT)!r}); import {', '.join(MODULES)}"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_package_tells_type_checkers_that_it_is_typed() -> None:
    assert files("arena").joinpath("py.typed").is_file()
