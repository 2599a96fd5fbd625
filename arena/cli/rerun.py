"""`arena replay --rerun`: the turns of a recorded match put to a bot again, and where it differs."""

import pdb
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from types import FrameType

import click

from arena.blocks import bot_seed
from arena.errors import UsageError
from arena.jail import BotServer
from arena.model import Bot, Event, Fault, Player, Record, Request, Setup
from arena.players.built import built
from arena.players.in_process import InProcessPlayer
from arena.players.jailed import JailedPlayer
from arena.report.replay import start_of
from arena.report.text import safe


@dataclass(frozen=True)
class Answered:
    """One decision put to a bot again; decision 0 is its start, asked nothing."""

    decision: int
    request: Request | None
    then: str
    now: str
    fault: Fault | None = None
    """What ended it here; nothing was asked after that."""

    @property
    def differs(self) -> bool:
        return self.fault is not None or self.then != self.now


def turns_of(record: Record, seat: int) -> Iterator[tuple[Request, str]]:
    """What this seat was asked, in order, and what was played for it."""
    position, made, seen = start_of(record), [0] * len(record.seats), 0
    while (turn := position.turn) is not None:
        action = record.decisions[turn][made[turn]]
        if turn == seat:
            events = position.events(seat, seen)
            seen += len(events)
            yield Request(position.kind, position.legal(), position.view(seat), events), action
        made[turn] += 1
        position = position.play(action)


def setup_of(event: Event, record: Record, seat: int) -> Setup:
    """What the seat was told before its first turn, its own seed included."""
    seed = bot_seed(event, record.match, seat)
    return Setup(record.game, seat, len(record.seats), record.options, seed, event.limits)


def rerun(event: Event, record: Record, seat: int, player: Player) -> Iterator[Answered]:
    """Each turn as it was, whatever was answered before, up to the first fault."""
    if fault := player.start(setup_of(event, record, seat)):
        yield Answered(0, None, "ready", f"{fault.kind}: {fault.detail}", fault)
        return
    for decision, (request, then) in enumerate(turns_of(record, seat), start=1):
        answer = player.ask(request)
        if isinstance(answer, Fault):
            yield Answered(decision, request, then, f"{answer.kind}: {answer.detail}", answer)
            return
        yield Answered(decision, request, then, answer)


def show_rerun(event: Event, record: Record, seat: int, bot: Bot, called: str, tier: str = "A") -> int | None:
    """Put the turns to the bot in the jail and print where it differs; the first such decision, if any."""
    differing: list[int] = []
    asked = 0
    with built(bot) as (ready, broken, _), BotServer(ready, event.limits, tier=tier) as server:
        server.broken = broken.detail if broken else server.broken
        player = JailedPlayer(server)
        with closing(player):
            for answered in rerun(event, record, seat, player):
                asked = answered.decision
                if answered.differs or _failed_here(record, seat, asked):
                    differing.append(asked)
                    for line in _lines(record, seat, answered):
                        click.echo(safe(line))
    for line in player.log().decode("utf-8", "replace").splitlines():
        click.echo("  log  " + safe(line.replace("/bot/bot.py", called)))
    count = (
        f"{len(differing)} of {asked} answers differ" if differing else f"all {asked} answers are the same"
    )
    click.echo(f"{called} in seat {seat} of {record.match}: {count}")
    return differing[0] if differing else None


def debug(event: Event, record: Record, seat: int, bot: Bot, called: str, decision: int) -> None:
    """Run the bot in this process up to this decision, and there in the debugger; 0 is its start.

    UsageError for a bot that is no Python file, and for a decision that the match does not have.
    """
    player = InProcessPlayer(bot)
    turns = list(turns_of(record, seat))
    if decision > len(turns):
        raise UsageError(f"--decision: a whole number from 0 to {len(turns)}, not {decision}")
    click.echo(
        f"No jail: {called} now runs in this process, with all your rights and without limits.", err=True
    )
    setup = setup_of(event, record, seat)
    if decision == 0:
        _say(_Debugger(bot).runcall(player.start, setup) or "ready", "ready")
        return
    if fault := player.start(setup):
        _say(fault, "ready")
        return
    for request, _ in turns[: decision - 1]:
        answer = player.ask(request)
        if isinstance(answer, Fault):
            _say(answer, "an answer")
            return
    request, then = turns[decision - 1]
    click.echo(f"Decision {decision}: {request.kind} of {' '.join(request.legal)}; played then: {then}")
    _say(_Debugger(bot).runcall(player.ask, request), then)


class _Debugger(pdb.Pdb):
    """Stops for the first time in the bot's own file, never in what calls it."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(skip=["arena.*"], nosigint=True)
        self._file = str(bot.source)
        self._reached = False

    def stop_here(self, frame: FrameType) -> bool:
        self._reached = self._reached or frame.f_code.co_filename == self._file
        return self._reached and super().stop_here(frame)


def _say(answer: str | Fault | None, then: str) -> None:
    now = f"{answer.kind}: {answer.detail}" if isinstance(answer, Fault) else answer
    click.echo(safe(f"answer: {now}; then: {then}"))


def _failed_here(record: Record, seat: int, decision: int) -> bool:
    fault = record.faults[seat]
    return fault is not None and fault.decision == decision


def _lines(record: Record, seat: int, answered: Answered) -> Iterator[str]:
    """One differing answer, with what was asked."""
    then, fault = answered.then, record.faults[seat]
    if fault and fault.decision == answered.decision:
        then = f"{fault.kind}: {fault.detail}"
    elif fault and fault.decision < answered.decision:
        then += ", by the stand-in"
    where = f"decision {answered.decision}" if answered.decision else "start"
    asked = f" ({answered.request.kind} of {' '.join(answered.request.legal)})" if answered.request else ""
    illegal = answered.request and not answered.fault and answered.now not in answered.request.legal
    yield f"{where}{asked}: {answered.now}{' (not legal)' if illegal else ''} now, {then} then"
