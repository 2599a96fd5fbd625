"""The bots that a list of files, folders, globs, inboxes and mappings names."""

from collections.abc import Iterator
from dataclasses import replace
from glob import glob, has_magic
from pathlib import Path

from arena.config import keys
from arena.config.document import Node, Problems
from arena.config.values import choose, fold, known_keys
from arena.errors import UsageError
from arena.inbox import is_inbox, newest
from arena.model import Bot
from arena.options import text, word_list
from arena.players.bots import clean_name, digest_of, facts_of, find_bot, free_id, slug

_OPTIONS = {
    "path": text("", keys.BOT["path"]),
    "name": text(None, keys.BOT["name"]),
    "command": word_list((), keys.BOT["command"]),
}


def read_bots(node: Node, game: str | None, problems: Problems) -> tuple[Bot, ...]:
    """All bots of a `bots:` list, in its order, those of a glob or folder by file name.

    Two names that people would take for one are a problem that tells both places. Ids are unique: of two
    files of one name the second's ends in `-2`. None at all where one is wrong: their number would lead to
    problems that are none.
    """
    if not isinstance(node.value, list) or not node.value:
        problems.add(node, f"a list of files, folders, globs or {{path, name}}, not {node.said()}")
        return ()
    bots: list[Bot] = []
    places: dict[str, str] = {}
    found = Problems(problems.path)
    for item in node.value:
        for bot in _entry(item, game, found):
            here = f"{problems.path}:{item.line} ({bot.source})"
            if fold(bot.name) in places:
                found.add(item, f"a second bot called {bot.name!r}, {bot.source}; "
                          f"the first is {places[fold(bot.name)]}")  # fmt: skip
                continue
            places[fold(bot.name)] = here
            bots.append(replace(bot, id=free_id(bot.id, {other.id for other in bots})))
    for line, problem in found.found:
        problems.at(line, problem)
    return () if found.found else tuple(bots)


def _entry(item: Node, game: str | None, problems: Problems) -> Iterator[Bot]:
    """The bots of one item of the list; what is wrong with it goes to the problems."""
    try:
        if isinstance(item.value, dict):
            yield from _mapping(item, problems)
        elif isinstance(item.value, str):
            yield from _listed(item.value, game, problems.path.parent)
        else:
            problems.add(item, f"a file, folder, glob or {{path, name}}, not {item.said()}")
    except (UsageError, OSError) as error:
        problems.add(item, str(error))


def _listed(spec: str, game: str | None, base: Path) -> Iterator[Bot]:
    if has_magic(spec):
        found = sorted(glob(spec, root_dir=base))
        if not found:
            raise UsageError(f"{spec}: no file matches")
        yield from _playing(found, game, base)
        return
    folder = base / spec
    if folder.is_dir() and is_inbox(folder):
        yield from _submitted(folder, spec, game)
        return
    if folder.is_dir() and not (folder / "bot.yaml").is_file():
        found = [f"{spec.rstrip('/')}/{path.name}" for path in sorted(folder.iterdir()) if _is_bot(path)]
        if not found:
            raise UsageError(f"{spec}: a folder without bots (.py files, or folders with a bot.yaml)")
        yield from _playing(found, game, base)
        return
    bot = find_bot(spec, base)
    games = facts_of(bot.source).games
    if game and games and game not in games:
        raise UsageError(f"{spec}: plays {', '.join(games)}, not {game}")
    yield bot


def _submitted(inbox: Path, spec: str, game: str | None) -> Iterator[Bot]:
    """The newest version of each bot of an inbox that passed the check for this game."""
    bots = [entry.bot for entry in newest(inbox) if game is None or game in entry.games]
    if not bots:
        raise UsageError(f"{spec}: an inbox without a bot that was checked for {game}")
    yield from bots


def _playing(found: list[str], game: str | None, base: Path) -> Iterator[Bot]:
    """Of many bots those that play this game, or do not say what they play."""
    bots = [find_bot(spec, base) for spec in found]
    playing = [bot for bot in bots if game is None or game in (facts_of(bot.source).games or (game,))]
    if not playing:
        raise UsageError(f"{', '.join(found)}: none of them plays {game}")
    yield from playing


def _is_bot(path: Path) -> bool:
    visible = not path.name.startswith((".", "_"))
    return visible and (path.suffix == ".py" or (path / "bot.yaml").is_file())


def _mapping(item: Node, problems: Problems) -> Iterator[Bot]:
    found = known_keys(item, keys.BOT, problems)
    if "path" not in found:
        raise UsageError("path: missing; a bot's file or folder")
    path, name, command = (choose(found.get(key), option, problems) for key, option in _OPTIONS.items())
    bot = (
        _started_by(command, problems.path.parent / path) if command else find_bot(path, problems.path.parent)
    )
    if name:
        bot = replace(bot, name=clean_name(name), id=slug(name))
    yield replace(bot, anchor=choose(found.get("anchor"), keys.ANCHOR, problems))


def _started_by(command: list[str], folder: Path) -> Bot:
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; with a command, path is the folder it is started in")
    source = folder.absolute()
    return Bot(slug(source.name), clean_name(source.name), digest_of(source), source, command=tuple(command))
