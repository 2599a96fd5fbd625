"""Each guarantee, tried by a bot in the real jail: what it got, and what to do where that is not nothing."""

import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from time import monotonic

from arena.doctor.advice import advice_for
from arena.doctor.host import Host, host
from arena.errors import InfrastructureError, JailUnavailable
from arena.jail import BotServer, landlock
from arena.jail.programs import program_runtime
from arena.jail.runtime import python_runtime
from arena.jail.tiers import BUILT, TIERS, Guarantee, guarantees, probe
from arena.model import Bot, Fault, FaultKind, Json, Limits, Request, Setup
from arena.players.jailed import JailedPlayer

DEFAULT = "A"
NOTHING = "nothing"
LIMITS = Limits(move=5.0, bank=5.0, start=10.0, memory=128 * 2**20)
SHORT = Limits(move=0.1, bank=0.1, start=10.0, memory=128 * 2**20)
LANGUAGES = ("node", "deno", "bun", "java", "lua", "perl", "php", "ruby")
"""Programs that run bots, where they are on PATH."""
PROBES = Path(__file__).with_name("probes")
_REQUEST = Request("probe", (NOTHING,), {}, ())


@dataclass(frozen=True, slots=True)
class Finding:
    """One guarantee: `got` is what a bot that tried to break it got; empty when it holds."""

    name: str
    promise: str
    got: str
    advice: str = ""

    @property
    def holds(self) -> bool:
        return not self.got


@dataclass(frozen=True, slots=True)
class Examination:
    """Everything that is found; `missing` says why the default tier cannot be had, one line each."""

    facts: Mapping[str, str]
    tiers: Mapping[str, tuple[str, ...]]
    """What each tier that arena can make lacks here."""
    findings: tuple[Finding, ...]
    reads: Mapping[str, tuple[tuple[str, str], ...]]
    """By language what its bots may read, with what Python's may: (path of the host, where they see it)."""

    @property
    def missing(self) -> tuple[str, ...]:
        return self.tiers[DEFAULT]

    @property
    def sound(self) -> bool:
        return not self.missing and all(finding.holds for finding in self.findings)

    def as_json(self) -> Json:
        return {
            "sound": self.sound, "default_tier": DEFAULT, "facts": dict(self.facts),
            "tiers": {tier: {"layers": TIERS[tier], "available": not lacks, "missing": list(lacks)}
                      for tier, lacks in self.tiers.items()},
            "guarantees": {
                finding.name: {"promise": finding.promise, "holds": finding.holds, "got": finding.got,
                               "advice": finding.advice}
                for finding in self.findings
            },
            "reads": {language: [list(pair) for pair in pairs] for language, pairs in self.reads.items()},
        }  # fmt: skip


def examine() -> Examination:
    """Try everything, in some two seconds; nothing stays behind."""
    tiers = {tier: tuple(probe(tier)) for tier in BUILT}
    findings: tuple[Finding, ...] = ()
    if not tiers[DEFAULT]:
        with host() as around:
            findings = tuple(_finding(guarantee, around) for guarantee in guarantees(DEFAULT))
    return Examination(_facts(), tiers, findings, _reads())


def _finding(guarantee: Guarantee, around: Host) -> Finding:
    name = guarantee.name
    own: Callable[[Host], str] | None = {"clean state": _two_matches, "clock": _clock}.get(name)
    try:
        got = own(around) if own else _one_match(name, around.options)
    except (JailUnavailable, InfrastructureError) as error:
        got = f"could not be tried: {error}"
    got = "; ".join(part for part in (got, *around.touched()) if part)
    return Finding(name, guarantee.how, got, advice_for(name) if got else "")


def _one_match(name: str, options: Json) -> str:
    """What the probe of this name says that it got in one match."""
    with _server(name, LIMITS) as server:
        return _got(_played(server, options)[0])


def _two_matches(around: Host) -> str:
    with _server("clean state", LIMITS) as server:
        answers = [_played(server, around.options)[0] for _ in range(2)]
    return "; ".join(filter(None, map(_got, answers)))


def _clock(around: Host) -> str:
    """Each way to take too long must end as a timeout, soon; and the wait for the core must be known."""
    got = []
    limit = SHORT.move + SHORT.bank
    with _server("clock", SHORT) as server:
        for way in ("asleep", "at work", "in one long call"):
            answer, taken = _played(server, {**around.options, "way": way})
            if not (isinstance(answer, Fault) and answer.kind is FaultKind.TIMEOUT):
                got.append(f"{way}: not stopped")
            elif taken > 10 * limit:
                got.append(f"{way}: stopped after {taken:.1f} s, and the limit is {limit:g} s")
    if not os.path.exists("/proc/self/schedstat"):
        got.append("the kernel does not tell how long a process waits for the core")
    return "; ".join(got)


def _server(name: str, limits: Limits) -> BotServer:
    return BotServer(Bot(name, name, "", PROBES / f"{name.replace(' ', '_')}.py"), limits)


def _played(server: BotServer, options: Json) -> tuple[str | Fault, float]:
    """The probe's answer, or how it ended, and the seconds that the answer took."""
    player = JailedPlayer(server)
    options = {**options, "memory": server.limits.memory}
    try:
        fault = player.start(Setup("probe", 0, 2, options, 0, server.limits))
        begun = monotonic()
        return fault or player.ask(_REQUEST), monotonic() - begun
    finally:
        player.close()


def _got(answer: str | Fault) -> str:
    if isinstance(answer, Fault):
        return f"the probe ended with a {answer.kind} fault: {answer.detail}"
    return "" if answer == NOTHING else answer


def _facts() -> dict[str, str]:
    try:
        abi = str(landlock.version())
    except OSError:
        abi = "none"
    return {
        "system": f"{platform.system()} {platform.release()} on {platform.machine()}",
        "user": "root" if os.geteuid() == 0 else f"ordinary (uid {os.geteuid()})",
        "Landlock": abi,
    }


def _reads() -> dict[str, tuple[tuple[str, str], ...]]:
    """For every language here; a program's own folder, and what Python bots have, are not said again."""
    try:
        python = python_runtime().binds
    except JailUnavailable:
        return {}
    reads = {"python": python}
    for program in filter(which, LANGUAGES):
        _, binds = program_runtime((program,), Path())
        reads[program] = tuple(bind for bind in binds if bind not in python)
    return reads
