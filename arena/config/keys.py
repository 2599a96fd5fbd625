"""Every key of a config: the sections, what each key takes, and one line on it.

Options of games and formats are their own (`Game.options`, `Format.options`) and are not repeated here.
"""

from collections.abc import Mapping
from typing import Any

from arena import registry
from arena.model import Limits
from arena.options import Option, choice, duration, flag, number, size, text, whole

EVENT = {
    "name": "what the event is called in tables; by default the game's name",
    "game": "a game's name, or {name, seats, options}",
    "bots": "who takes part: files, folders, globs, inboxes or {path, name, command, anchor}",
    "format": "a format's name, or {kind, …} with the format's own options",
    "limits": "what a bot may use",
    "common_deals": "true: all tables of a round play the same deals",
}
"""The keys of an event; at the top of a config they are defaults for each event."""

TOP = EVENT | {
    "name": "what the tournament is called; also names its run folder",
    "events": "several events in one tournament, each a mapping of the keys above",
    "faults": "what happens to bots that fail again and again",
    "until": "stop when the answer is known",
    "gate": "stop when one of two bots is shown to be better, or not to be",
    "ratings": "which model, and what ranks",
    "jail": "which sandbox",
    "executor": "where matches are played, and how many at once",
    "seed": "from which all chance of the tournament comes",
    "report": "what the pages show",
}

GAME = {"name": "the game", "seats": "table size", "options": "the game's own options"}
FORMAT_KIND = "kind"
BOT = {
    "path": "file or folder",
    "name": "overrides the name the bot gives itself",
    "command": "how the program is started, as a list of words; it speaks the protocol on stdin and stdout",
    "anchor": "true: ratings are counted from this bot",
}
ANCHOR = flag(False, BOT["anchor"])
COMMON_DEALS = flag(False, EVENT["common_deals"])
NAME = text("", TOP["name"])

_LIMITS = Limits()


def _plug_in(kind: registry.Kind, default: str, words: str) -> Option:
    """A name of the registry; which ones there are is only known when plug-ins are loaded."""
    return choice(default, tuple(name for name in kind if name != default), words)


def _workers(given: Any) -> int | None:
    if given in ("auto", None):
        return None
    return int(whole(1, low=1).read(given))


def sections() -> Mapping[str, Mapping[str, Option]]:
    """The sections with plain options, by name; "" holds the single keys of the top."""
    return {
        "": {"seed": whole(0, TOP["seed"], high=2**64 - 1)},
        "limits": {
            "move": duration(_LIMITS.move, "time for one decision; 0s: the bank pays for everything"),
            "bank": duration(_LIMITS.bank, "time in reserve for a match, used by decisions over `move`"),
            "start": duration(_LIMITS.start, "time to get ready before a match"),
            "memory": size(_LIMITS.memory, "memory of a bot"),
            "processes": whole(
                _LIMITS.processes, "of a bot: one, in which a program may have threads", low=1, high=1
            ),
            "python": text(None, "an interpreter or virtual environment whose packages bots may import"),
        },
        "faults": {
            "disqualify_after": whole(None, "a bot is out after so many faulty blocks in a row", low=1),
            "strict": flag(False, "true: stop before the first match when a bot does not start"),
        },
        "until": {
            "half_width": _maybe(number(1.0, low=0.1), "stop when every interval is this narrow, in Elo"),
            "winner": flag(False, "true: drop bots that cannot win any more, stop when one is left"),
            "max_blocks": whole(None, "stop after so many blocks", low=1),
            "max_time": _maybe(duration(0.0), "stop after so long; the one rule that depends on the machine"),
        },
        "gate": {
            "elo0": number(0.0, "not better: no more than this", low=-1000, high=1000),
            "elo1": number(20.0, "better: at least this", low=-1000, high=1000),
            "alpha": number(0.05, "chance to call a bot better that is not", low=1e-6, high=0.5),
            "beta": number(0.05, "chance to call a bot not better that is", low=1e-6, high=0.5),
        },
        "ratings": {
            "model": _plug_in(registry.ratings, "bradley_terry", "the rating model"),
            "anchor": text(None, "name of the bot from which ratings are counted; null: the field's mean"),
            "rank_by": _maybe(choice("rating", ("points",)), "null: as the format does"),
        },
        "jail": {"tier": choice("A", ("B", "C", "D"), "A: everything; weaker ones must be named")},
        "executor": {
            "kind": _plug_in(registry.executors, "local", "how blocks are played"),
            "workers": Option(None, _workers, "auto or a whole number from 1", "auto: one a core"),
        },
        "report": {
            "title": text(None, "heading of the pages; null: the tournament's name"),
            "logs": choice("private", ("public",), "public: pages show bots' logs and tracebacks"),
            "replays": choice("all", ("faults", "sample", "none"), "which matches get a page"),
        },
    }  # fmt: skip


def _maybe(option: Option, words: str) -> Option:
    """The same option, or null, which is its default."""

    def read(given: Any) -> Any:
        return None if given is None else option.read(given)

    return Option(None, read, f"{option.allowed} or null", words)
