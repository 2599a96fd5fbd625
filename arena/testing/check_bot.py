"""What a bot must be able to do before it enters a contest: numbered steps, in the jail as the contest will.

for step in check_bot("my_bot.py", "peech", Limits()):
    print(step.number, step.name, step.state, step.detail)
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice

from arena import registry
from arena.errors import UsageError
from arena.executors.bench import JailBench
from arena.model import Bot, Fault, FaultKind, Game, Json, Limits, Player, Request
from arena.options import settle
from arena.players.bots import facts_of, find_bot
from arena.players.built import built
from arena.players.scripted import ScriptedPlayer
from arena.testing import causes
from arena.testing.bot_match import Tried, again, event_for, try_match
from arena.testing.steps import Evidence, State, Step, times

REPEATED = 3  # deals that are played twice
_LOG_LINES = 30


def check_bot(
    spec: str,
    game: str,
    limits: Limits,
    *,
    options: Json | None = None,
    matches: int = 100,
    may_differ: bool = False,
    called: str | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Iterator[Step]:
    """Each step as soon as it is known, up to the first that fails.

    `may_differ`: a bot that looks at the clock need not give the same answers again. `called` is what its
    author calls the bot, where `spec` is a copy. `progress` is told how many of the many matches are played.
    UsageError for a game or an option that is none; JailUnavailable where there is no jail.
    """
    rules: type[Game] = registry.games.get(game)
    settle(rules.options, options or {})
    try:
        bot = find_bot(spec)
        says = facts_of(bot.source).games
    except UsageError as error:
        yield _step(causes.FOUND, State.FAILED, str(error))
        return
    if says and game not in says:
        advice = f"Check it in a game that it plays, or add {game!r} to its GAMES."
        detail = f"{spec}: plays {', '.join(says)}, not {game}"
        yield _step(causes.FOUND, State.FAILED, detail, Evidence(advice=advice))
        return
    by = f" by {bot.author}" if bot.author else ""
    yield _step(causes.FOUND, State.OK, f"{bot.name}{by}, {bot.language}, sha256 {bot.digest[:12]}…")
    with built(bot) as (ready, fault, printed), closing(JailBench(None)) as bench, \
         closing(JailBench(None)) as fresh:  # fmt: skip
        if fault:
            evidence = Evidence(printed=_ends(printed.decode("utf-8", "replace")), advice=causes.BUILD_ADVICE)
            yield _step(causes.IMPORTS, State.FAILED, fault.detail, evidence)
            return
        check = _Check(ready, called or spec, game, rules, limits, options or {}, bench, fresh)
        for step in check.steps(matches, may_differ, progress):
            yield step
            if step.state is State.FAILED:
                return


@dataclass(frozen=True)
class _Check:
    bot: Bot
    called: str
    game: str
    rules: type[Game]
    limits: Limits
    options: Json
    bench: JailBench
    fresh: JailBench
    """Servers of their own, so that nothing that is there by chance stays the same."""

    def steps(self, matches: int, may_differ: bool, progress: Callable[[int], None]) -> Iterator[Step]:
        yield from self._first_match(self.play(min(self.rules.seats), 0, 0))
        yield self._same_answers(may_differ)
        yield self._every_seat()
        yield self._other_fails()
        yield self._many(matches, progress)

    def play(
        self,
        seats: int,
        seat: int,
        seed: int,
        others: Callable[[], Player] | None = None,
        fresh: bool = False,
    ) -> Tried:
        event = event_for(self.bot, self.game, seats, seat, seed, self.options, self.limits)
        return try_match(self.bot, event, seat, self.fresh if fresh else self.bench, others)

    def _first_match(self, tried: Tried) -> Iterator[Step]:
        """The steps that one match answers; each ends where the match's fault, if any, belongs."""
        failed = causes.step_of(tried.fault) if tried.fault else ""
        seen = causes.STEPS[causes.STEPS.index(causes.IMPORTS) : causes.STEPS.index(causes.SAME)]
        for name in seen:
            if name == failed:
                yield self.failure(name, tried)
                return
            if not failed or tried.decisions or causes.STEPS.index(name) < causes.STEPS.index(causes.ANSWERS):
                yield _step(name, State.OK, self._fine(name, tried))

    def _fine(self, name: str, tried: Tried) -> str:
        made, think = len(tried.decisions), sorted(tried.watched.timing.think_ms)
        limit = self.limits
        return {
            causes.IMPORTS: "no error" if not self.bot.command else "it runs",
            causes.STARTS: f"{tried.watched.ready_ms:.0f} ms of {limit.start * 1e3:.0f} ms",
            causes.READY: "act(turn)" if not self.bot.command else "ready",
            causes.ANSWERS: f"{made} of {made} decisions" if not tried.fault else f"the first {made}",
            causes.LEGAL: "all of them",
            causes.MEMORY: f"{limit.memory // 2**20} MiB were enough",
            causes.ALLOWED: "it needs nothing that is refused",
            causes.TIMELY: times(think, limit),
        }[name]

    def _same_answers(self, may_differ: bool) -> Step:
        seats = min(self.rules.seats)
        for seed in range(REPEATED):
            one, two = self.play(seats, 0, seed), self.play(seats, 0, seed, fresh=True)
            for tried in (one, two):
                if tried.fault:
                    return self.failure(causes.SAME, tried)
            if one.decisions != two.decisions:
                return self._differs(one, two, may_differ)
        return _step(causes.SAME, State.OK, f"{REPEATED} matches played twice")

    def _differs(self, one: Tried, two: Tried, may_differ: bool) -> Step:
        pairs = zip(one.decisions, two.decisions, strict=False)
        at = next(i for i, (first, second) in enumerate(pairs) if first != second)
        request = one.watched.requests[at]
        found = "; ".join(islice(causes.unseeded(self.bot.source), 4))
        advice = (
            "Take all chance from random, which is seeded for you, and look at no clock"
            + (f" ({found})" if found else "")
            + ". A bot that must look at the clock is checked with --may-differ."
        )
        evidence = Evidence(
            match=self._where(one),
            sent={"id": at + 1, "kind": request.kind, "legal": list(request.legal), "view": request.view},
            answer=f"{one.decisions[at]}, then {two.decisions[at]}", advice=advice,
            again=again(self.game, self.called, one, self.limits, self.options),
        )  # fmt: skip
        detail = f"decision {at + 1}: {one.decisions[at]!r} the first time, {two.decisions[at]!r} the second"
        return _step(causes.SAME, State.WARNING if may_differ else State.FAILED, detail, evidence)

    def _every_seat(self) -> Step:
        places = [(seats, seat) for seats in self.rules.seats for seat in range(seats)]
        for seed, (seats, seat) in enumerate(places, start=REPEATED):
            tried = self.play(seats, seat, seed)
            if tried.fault:
                return self.failure(causes.SEATS, tried)
        sizes = ", ".join(map(str, self.rules.seats))
        return _step(causes.SEATS, State.OK, f"{len(places)} matches, one in each seat of tables of {sizes}")

    def _other_fails(self) -> Step:
        """Another seat fails before its first decision, then at its first and its second one."""
        crash = Fault(FaultKind.CRASH, 0, "on purpose")
        failing: tuple[Callable[[], Player], ...] = (
            lambda: ScriptedPlayer(start=crash), lambda: ScriptedPlayer([crash]), lambda: _FailsLater(crash),
        )  # fmt: skip
        for seed, others in enumerate(failing):
            tried = self.play(max(self.rules.seats), 0, seed, others)
            if tried.fault:
                return self.failure(causes.OTHERS, tried, repeatable=False)
        return _step(causes.OTHERS, State.OK, f"{len(failing)} matches in which all others fail")

    def _many(self, matches: int, progress: Callable[[int], None]) -> Step:
        places = [(seats, seat) for seats in self.rules.seats for seat in range(seats)]
        think: list[float] = []
        for number in range(matches):
            tried = self.play(*places[number % len(places)], 1000 + number)
            if tried.fault:
                return self.failure(causes.MATCHES, tried, f"match {number + 1} of {matches}: ")
            think += tried.watched.timing.think_ms
            progress(number + 1)
        detail = f"{matches} without a fault; {times(sorted(think), self.limits)}"
        return _step(causes.MATCHES, State.OK, detail)

    def failure(self, name: str, tried: Tried, where: str = "", repeatable: bool = True) -> Step:
        """A failed step with all that its author must see."""
        fault, watched = tried.fault, tried.watched
        assert fault is not None, "a fault failed it"
        answer = watched.answers[-1] if watched.answers else ""
        told = "" if fault.kind is FaultKind.START else f"decision {fault.decision}: "
        evidence = Evidence(
            match=self._where(tried),
            sent=watched.last_message(),
            answer=answer if isinstance(answer, str) else f"none: {fault.kind}",
            printed=_ends(watched.log).replace("/bot/bot.py", self.called),
            advice=causes.advice(fault, self.bot, self.limits, watched.log),
            again=again(self.game, self.called, tried, self.limits, self.options) if repeatable else "",
        )
        return _step(name, State.FAILED, f"{where}{told}{fault.kind}: {fault.detail}", evidence)

    def _where(self, tried: Tried) -> str:
        return f"{self.game}, {len(tried.record.seats)} seats, in seat {tried.seat}, seed {tried.seed}"


class _FailsLater(ScriptedPlayer):
    """Takes the first legal action once, then fails."""

    def __init__(self, fault: Fault) -> None:
        super().__init__()
        self._fault = fault

    def ask(self, request: Request) -> str | Fault:
        answer = super().ask(request)
        return answer if len(self.requests) == 1 else self._fault


def _step(name: str, state: State, detail: str, evidence: Evidence | None = None) -> Step:
    return Step(1 + causes.STEPS.index(name), name, state, detail, evidence)


def _ends(log: str) -> str:
    lines = log.strip().splitlines()
    return "\n".join(["…", *lines[-_LOG_LINES:]] if len(lines) > _LOG_LINES else lines)
