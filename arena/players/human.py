"""A person who sits at the table and chooses by typing."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase
from time import perf_counter

from arena.errors import ArenaError
from arena.model import Bot, Fault, Request, Setup, Timing

NAME = "human"
"""Who sits in a seat that a person plays."""


def human() -> Bot:
    """A person as an entrant: there is nothing to run."""
    return Bot(id=NAME, name=NAME, digest="", source=Path())


class HumanPlayer:
    """Asks with the legal actions numbered until one is chosen; no clock runs.

    Where actions are numbers themselves they get letters. `read` is given the question's last line and
    returns what was typed (EOFError when nobody is there any more: then ArenaError); `say` prints a line.
    """

    def __init__(self, read: Callable[[str], str], say: Callable[[str], None]) -> None:
        self._read, self._say = read, say
        self._think: list[float] = []

    def start(self, setup: Setup) -> Fault | None:
        return None

    def ask(self, request: Request) -> str | Fault:
        begun, labels = perf_counter(), labels_of(request.legal)
        wide = max(map(len, labels))
        self._say(f"Your choice: {request.kind}")
        for label, action in labels.items():
            self._say(f"  {label:>{wide}}) {action}")
        answer = None
        while answer is None:
            answer = self._typed(labels)
        self._think.append((perf_counter() - begun) * 1e3)
        return answer

    def end(self, scores: tuple[int, ...], placings: tuple[int, ...]) -> None:
        """A person sees it."""

    def close(self) -> Timing:
        return Timing(wall_ms=sum(self._think), think_ms=tuple(self._think))

    def _typed(self, labels: Mapping[str, str]) -> str | None:
        """What was chosen; None, after a word of help, when it is no answer."""
        span = " to ".join(dict.fromkeys((*[*labels][:1], *[*labels][-1:])))
        try:
            said = self._read(f"{span}: ").strip()
        except EOFError:
            raise ArenaError("nobody answers for the human's seat any more") from None
        if said in labels:
            return labels[said]
        if said in labels.values():
            return said
        self._say(f"{span}, or the action itself, not {said!r:.40}")
        return None


def labels_of(legal: Sequence[str]) -> dict[str, str]:
    """What to type for each action: a number, or a letter where an action could be taken for a number."""
    if len(legal) <= len(ascii_lowercase) and any(map(str.isdecimal, legal)):
        return dict(zip(ascii_lowercase, legal, strict=False))
    return {str(number): action for number, action in enumerate(legal, start=1)}
