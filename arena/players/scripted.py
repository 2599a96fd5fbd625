"""A player that answers from a list: for tests, and to feed a recorded match to the referee again."""

from collections.abc import Iterable

from arena.model import Fault, Request, Setup, Timing


class ScriptedPlayer:
    """Gives the answers of `script` in order, then the first legal action; an exception in it is raised.

    What it was told is kept: `setup`, `requests`, `ended` (scores, placings), how often it was `closed`.
    """

    def __init__(
        self, script: Iterable[str | Fault | Exception] = (), start: Fault | Exception | None = None
    ) -> None:
        self._script = iter(script)
        self._start = start
        self.setup: Setup | None = None
        self.requests: list[Request] = []
        self.ended: tuple[tuple[int, ...], tuple[int, ...]] | None = None
        self.closed = 0

    def start(self, setup: Setup) -> Fault | None:
        self.setup = setup
        if isinstance(self._start, Exception):
            raise self._start
        return self._start

    def ask(self, request: Request) -> str | Fault:
        self.requests.append(request)
        answer = next(self._script, request.legal[0])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self, scores: tuple[int, ...], placings: tuple[int, ...]) -> None:
        self.ended = (scores, placings)

    def close(self) -> Timing:
        self.closed += 1
        return Timing()
