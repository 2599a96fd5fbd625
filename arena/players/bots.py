"""Where a bot is found and what it says of itself. Its code is read here, never run."""

import ast
import hashlib
import os
import re
import shlex
import stat
import unicodedata
import warnings
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import arena.bot
from arena.errors import UsageError, did_you_mean
from arena.model import Bot

BUILT_IN: Mapping[str, Path] = {"random": Path(arena.bot.__file__).with_name("random_bot.py")}
"""Bots that have a name everywhere."""

MAX_NAME = 200  # characters
MAX_FACTS = 2**20  # bytes of source: a longer file is taken, but what it says of itself is not looked for
MAX_SOURCE = 16 * 2**20  # bytes of a Python file, as the jail takes it
MAX_BOT = 64 * 2**20  # bytes of a folder's files together

_YAML_KEYS = ("command", "build", "name", "author", "games")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a bot says of itself: `NAME`, `AUTHOR`, `GAMES` of a Python file, or the keys of its bot.yaml."""

    name: str = ""
    author: str = ""
    games: tuple[str, ...] = ()
    """Empty: it says nothing, so it may play all."""
    command: tuple[str, ...] = ()
    build: tuple[str, ...] = ()


def find_bot(spec: str, folder: Path | None = None) -> Bot:
    """The bot at the path `spec`, a .py file or a folder with bot.yaml, or the one of that name.

    A name is a built-in one or that of a file or folder in `bots/`. Paths start at `folder` (default: the
    current one), `bots/` is looked for there and in the current folder. The id is made of the file's name,
    and two bots may get the same. A syntax error is no error here: it shows when the bot is started.
    UsageError when there is no such bot or it cannot be read.
    """
    try:
        source = _locate(spec, folder or Path())
        digest, facts = digest_of(source), facts_of(source)
    except OSError as error:
        raise UsageError(f"{spec:.80}: {error.strerror}") from None
    stem = spec if source == BUILT_IN.get(spec) else source.stem if source.is_file() else source.name
    return Bot(
        id=slug(stem), name=clean_name(facts.name) or clean_name(stem) or "bot", digest=digest,
        source=source, author=clean_name(facts.author), command=facts.command, build=facts.build,
    )  # fmt: skip


def facts_of(source: Path) -> Facts:
    """What the bot says of itself; nothing of a Python file that cannot be parsed."""
    if source.is_dir():
        return _yaml_facts(source / "bot.yaml")
    if source.stat().st_size > MAX_FACTS:
        return Facts()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(source.read_bytes()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Facts()
    said = dict(_constants(body))
    games = said.get("GAMES", ())
    games = (games,) if isinstance(games, str) else games
    return Facts(
        name=_text(said.get("NAME")), author=_text(said.get("AUTHOR")),
        games=tuple(game for game in games if isinstance(game, str)) if isinstance(games, tuple) else (),
    )  # fmt: skip


def digest_of(source: Path) -> str:
    """sha256 in hex of a file's bytes, or of a folder's file names and contents.

    UsageError for a link, device or pipe among them (a submission must hold all that it is), and for more
    than MAX_SOURCE or MAX_BOT bytes.
    """
    digest, most = hashlib.sha256(), MAX_BOT if source.is_dir() else MAX_SOURCE
    room = most
    for path in files_of(source):
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"{path}: an ordinary file, not a link, device or pipe")
        room -= status.st_size
        if room < 0:
            raise UsageError(f"{source}: at most {most} bytes")
        data = path.read_bytes()
        if path != source:
            name = path.relative_to(source).as_posix().encode("utf-8", "surrogateescape")
            digest.update(b"%d:%s%d:" % (len(name), name, len(data)))
        digest.update(data)
    return digest.hexdigest()


def files_of(source: Path) -> Iterator[Path]:
    """The file itself, or all files of a folder in a fixed order, without hidden ones and Python's caches."""
    if not source.is_dir():
        yield source
        return
    for path in sorted(source.iterdir(), key=lambda path: path.name):
        if path.name.startswith(".") or path.name == "__pycache__":
            continue
        if path.is_dir() and not path.is_symlink():
            yield from files_of(path)
        else:
            yield path


def clean_name(text: str) -> str:
    """A name for people: one line, NFC, at most MAX_NAME characters, what cannot be printed as U+FFFD."""
    words = " ".join(unicodedata.normalize("NFC", text[: 4 * MAX_NAME]).split())
    return "".join(char if char.isprintable() else "\ufffd" for char in words[:MAX_NAME]).strip()


def slug(text: str) -> str:
    """A name for files, addresses and tables: small ASCII letters, digits, `_` and `-`, at most 60."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9_]+", "-", plain).strip("-")[:60].strip("-") or "bot"


def free_id(wanted: str, taken: Container[str]) -> str:
    """The id itself, or the first of `wanted-2`, `wanted-3`, … that is not taken."""
    number, free = 1, wanted
    while free in taken:
        number += 1
        free = f"{wanted}-{number}"
    return free


def _locate(spec: str, here: Path) -> Path:
    if spec in BUILT_IN:
        return BUILT_IN[spec]
    if not spec or "\0" in spec:
        raise UsageError(f"a bot's file, folder or name, not {spec!r}")
    shelves = list(dict.fromkeys([here.absolute() / "bots", Path.cwd() / "bots"]))
    places = [here.absolute() / spec]
    if "/" not in spec:
        places += [shelf / name for shelf in shelves for name in (f"{spec}.py", spec)]
    for place in places:
        if place.name == "bot.yaml" and place.is_file():
            return place.parent
        if place.is_file():
            return _python_file(place, spec)
        if (place / "bot.yaml").is_file():
            return place
    if places[0].is_dir():
        raise UsageError(f"{spec}: a folder without bot.yaml; a bot is a .py file or a folder with bot.yaml")
    if os.path.lexists(places[0]):
        raise UsageError(f"{spec}: an ordinary file, not a link to nowhere, device, pipe or socket")
    known = [*BUILT_IN, *(found for shelf in shelves for found in _bots_in(shelf))]
    siblings = [str(Path(spec).parent / path.name) for path in _entries(places[0].parent)]
    hint = did_you_mean(spec, siblings if "/" in spec else [*siblings, *known])
    raise UsageError(f"{spec}: no such bot; a .py file, a folder with bot.yaml, or a name in bots/{hint}")


def _python_file(place: Path, spec: str) -> Path:
    if place.suffix != ".py":
        raise UsageError(f"{spec}: a .py file or a folder with bot.yaml")
    return place


def _bots_in(shelf: Path) -> Iterator[str]:
    for path in _entries(shelf):
        if path.suffix == ".py" or (path / "bot.yaml").is_file():
            yield path.stem if path.suffix == ".py" else path.name


def _entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _constants(body: list[ast.stmt]) -> Iterator[tuple[str, Any]]:
    """`NAME = "…"` and the like at the top of the module; lists are given as tuples."""
    for statement in body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target: ast.expr = statement.targets[0]
        elif isinstance(statement, ast.AnnAssign):
            target = statement.target
        else:
            continue
        value = statement.value
        if not isinstance(target, ast.Name) or target.id not in ("NAME", "AUTHOR", "GAMES"):
            continue
        if isinstance(value, ast.Constant):
            yield target.id, value.value
        elif isinstance(value, ast.List | ast.Tuple):
            yield target.id, tuple(item.value for item in value.elts if isinstance(item, ast.Constant))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _yaml_facts(path: Path) -> Facts:
    """The keys of a bot.yaml, every value a text or a list of texts; UsageError with the place of a fault."""
    try:
        given = yaml.load(path.read_bytes()[:MAX_FACTS], Loader=yaml.BaseLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise UsageError(f"{path}{line}: {getattr(error, 'problem', None) or 'not YAML'}") from None
    if not isinstance(given, dict):
        raise UsageError(f"{path}: keys {', '.join(_YAML_KEYS)}, such as command: [node, bot.js]")
    for key in given:
        if key not in _YAML_KEYS:
            known = did_you_mean(str(key), _YAML_KEYS) or f" (known: {', '.join(_YAML_KEYS)})"
            raise UsageError(f"{path}: {key!s:.60}: no such key{known}")
    if not given.get("command"):
        raise UsageError(f"{path}: command: missing; what starts the bot, such as [node, bot.js]")
    return Facts(
        name=_one_line(path, given, "name"), author=_one_line(path, given, "author"),
        games=_texts(path, given, "games"), command=_texts(path, given, "command"),
        build=_texts(path, given, "build"),
    )  # fmt: skip


def _one_line(path: Path, given: Mapping[str, Any], key: str) -> str:
    value = given.get(key, "")
    if not isinstance(value, str):
        raise UsageError(f"{path}: {key}: one line of text")
    return value


def _texts(path: Path, given: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of texts; a single text is split like a shell's words."""
    value = given.get(key, [])
    try:
        found = shlex.split(value) if isinstance(value, str) else value
    except ValueError as error:
        raise UsageError(f"{path}: {key}: {error}") from None
    if not isinstance(found, list) or not all(isinstance(word, str) and "\0" not in word for word in found):
        raise UsageError(f"{path}: {key}: a list of words, such as [node, bot.js]")
    return tuple(found)
