"""What can go wrong, by whose fault.

    ArenaError            one line for a person; the command line prints it and exits 1
    ├── UsageError        the caller's or organiser's input; exits 2
    │   └── ConfigError   several such lines at once, each with file, line and key
    ├── IllegalAction     a game refuses an action; nothing has changed
    ├── JailUnavailable   this machine cannot give the sandbox that was asked for
    ├── InfrastructureError   arena's own fault in a block: void and played again, never a loss
    └── Unforeseen        a bug of arena's or of a plug-in's, whose traceback is kept in a file; exits 70

A bot's fault is none of these: it is a value, `arena.model.Fault`.
"""

import difflib
from collections.abc import Iterable, Sequence


class ArenaError(Exception):
    """Base of all errors whose text is meant for a person."""


class UsageError(ArenaError):
    """Input that a person can mend; the text says what is allowed."""


class ConfigError(UsageError):
    """All the faults of a config at once, one line each: `path:line: key: what is allowed`."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class IllegalAction(ArenaError):  # noqa: N818 - the rules' own word
    """A game refuses an action that is not in `legal()`; the position is unchanged."""


class JailUnavailable(ArenaError):  # noqa: N818 - a state of the machine
    """The sandbox asked for cannot be had on this machine; the text says what is missing."""


class InfrastructureError(ArenaError):
    """Something of arena's own broke while a block was played; the block is void and played again."""


class Unforeseen(ArenaError):  # noqa: N818 - what is wrong is not known
    """What nobody foresaw, in one line that says where its traceback is."""

    def __init__(self, error: BaseException, log: object) -> None:
        what = " ".join(f"{type(error).__name__}: {error}".split())[:300].rstrip(": ")
        super().__init__(f"this is arena's own fault: {what}; the traceback is in {log}")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` for a near miss among `known`, else an empty string."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""
