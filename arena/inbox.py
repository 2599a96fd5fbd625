"""An inbox: a folder of submitted bots, each version a snapshot that never changes.

    INBOX/my_bot--ada/0002/submission.json     hash, author, time, games, result of the check
    INBOX/my_bot--ada/0002/my_bot.py           the file, or folder, as it was submitted

The entrant's folder is named after the bot's file and its author; the highest version number counts. A
version comes into being by one rename, so readers never see half of one and two that come at once both stay.
"""

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.errors import ArenaError, UsageError
from arena.model import Bot, Json
from arena.players.bots import files_of, find_bot, slug

FACTS = "submission.json"
_FIRST = 1
_VERSION = re.compile(r"\d{4,}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Submission:
    """One version of one entrant's bot; `bot.source` is its snapshot."""

    entrant: str
    version: int
    bot: Bot
    games: tuple[str, ...]
    """For which it passed the check."""
    time: str
    """When it came, UTC, as `2026-01-31T12:00:00Z`."""
    check: Json

    def as_json(self) -> Json:
        return {
            "entrant": self.entrant, "version": self.version, "name": self.bot.name,
            "author": self.bot.author, "file": self.bot.source.name, "sha256": self.bot.digest,
            "time": self.time, "games": list(self.games), "check": self.check,
        }  # fmt: skip


def is_inbox(folder: Path) -> bool:
    """Whether a folder holds submissions."""
    return next(_all_facts(folder), None) is not None


def newest(inbox: Path) -> tuple[Submission, ...]:
    """The newest version of every entrant, by the name of its folder.

    UsageError for a snapshot that is not what was submitted any more.
    """
    latest: dict[str, tuple[int, Path]] = {}
    for path in _all_facts(inbox):
        entrant, version = path.parent.parent.name, int(path.parent.name)
        if entrant not in latest or latest[entrant][0] < version:
            latest[entrant] = (version, path)
    return tuple(_read(latest[entrant][1]) for entrant in sorted(latest))


def snapshot(bot: Bot, folder: Path) -> Bot:
    """A copy of a bot's file or folder in `folder`; UsageError when it is being changed meanwhile."""
    target = folder / bot.source.name
    for path in files_of(bot.source):
        copy = target if path == bot.source else target / path.relative_to(bot.source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        copy.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    copied = find_bot(str(target))
    if copied.digest != bot.digest:
        raise UsageError(f"{bot.source}: changed while it was read; submit it again")
    return copied


def submit(inbox: Path, bot: Bot, games: tuple[str, ...], check: Json) -> Submission:
    """Put a checked bot into the inbox as a new version of its entrant; the folder is made if needed.

    UsageError for a folder that holds something else, and for a name that another entrant's bot has.
    """
    refuse_other_folder(inbox)
    entrant = entrant_of(bot)
    refuse_taken_name(inbox, bot)
    try:
        (inbox / entrant).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".coming-", dir=inbox) as place:
            whole = Path(place) / "version"
            whole.mkdir()
            kept = snapshot(bot, whole)
            time = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
            return _place(whole, inbox / entrant, Submission(entrant, _FIRST, kept, games, time, check))
    except OSError as error:
        raise ArenaError(f"{error.filename or inbox}: {error.strerror}") from error


def entrant_of(bot: Bot) -> str:
    """The name of the folder that keeps all versions of this bot: of its file, and its author if it tells."""
    name = bot.source.stem if bot.source.is_file() else bot.source.name
    return _plain(name) + (f"--{_plain(bot.author)}" if bot.author else "")


def refuse_other_folder(inbox: Path) -> None:
    """UsageError for a path where no inbox is and none can be made."""
    if inbox.exists() and not inbox.is_dir():
        raise UsageError(f"{inbox}: a folder for submissions, not a file")
    if inbox.is_dir() and not is_inbox(inbox):
        strange = sorted(path.name for path in inbox.iterdir() if not _may_be_ours(path))
        if strange:
            raise UsageError(f"{inbox}: not an inbox: it holds {strange[0]}; name an empty or a new folder")


def refuse_taken_name(inbox: Path, bot: Bot) -> None:
    """UsageError when another entrant's newest bot has this name."""
    entrant = entrant_of(bot)
    for other in newest(inbox) if inbox.is_dir() else ():
        if other.entrant != entrant and other.bot.name.casefold() == bot.name.casefold():
            by = f" by {other.bot.author}" if other.bot.author else ""
            where = f"{by} ({inbox / other.entrant})"
            raise UsageError(f"{bot.name}: the name is taken{where}; set another NAME, or the same file name "
                             "and AUTHOR to replace that bot")  # fmt: skip


def _place(whole: Path, entrant: Path, submission: Submission) -> Submission:
    """Move the finished folder to the first version number that is free."""
    version = 1 + max((int(path.name) for path in entrant.iterdir() if _is_version(path)), default=_FIRST - 1)
    while True:
        facts = {**submission.as_json(), "version": version}
        with (whole / FACTS).open("w", encoding="utf-8") as file:
            file.write(json.dumps(facts, indent=1, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        place = entrant / f"{version:04}"
        try:
            whole.rename(place)
        except OSError:
            if not place.exists():
                raise
            version += 1  # another one came in between
            continue
        return _read(place / FACTS)


def _read(path: Path) -> Submission:
    try:
        facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        bot = find_bot(str(path.parent.absolute() / facts["file"]))
        games, time, check, digest = tuple(facts["games"]), facts["time"], facts["check"], facts["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path}: not what `arena submit` wrote: {error}") from None
    if bot.digest != digest:
        raise UsageError(f"{bot.source}: not what was submitted: its sha256 is {bot.digest[:12]}…, "
                         f"{path.name} says {digest[:12]}…")  # fmt: skip
    return Submission(path.parent.parent.name, int(path.parent.name), bot, games, time, check)


def _all_facts(inbox: Path) -> Iterator[Path]:
    """The facts of all versions of all entrants; what is still coming, and may go, is not looked into."""
    for entrant in inbox.iterdir():
        if not entrant.name.startswith(".") and entrant.is_dir():
            for version in entrant.iterdir():
                if _is_version(version) and (version / FACTS).is_file():
                    yield version / FACTS


def _is_version(path: Path) -> bool:
    return _VERSION.fullmatch(path.name) is not None


def _may_be_ours(path: Path) -> bool:
    """What submissions that come at this moment leave in an inbox."""
    return path.name.startswith(".coming-") or (path.is_dir() and all(map(_is_version, path.iterdir())))


def _plain(text: str) -> str:
    """A part of a folder's name; texts that only differ outside ASCII get different ones."""
    mark = "" if text.isascii() else "-" + hashlib.sha256(text.encode()).hexdigest()[:6]
    return slug(text) + mark
