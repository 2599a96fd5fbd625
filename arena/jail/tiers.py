"""The tiers of the sandbox: what each guarantees, and whether it can be had here, found out by making it."""

import os
import platform
import sys
from pathlib import Path
from typing import NamedTuple

import arena.bot
from arena.errors import ArenaError, JailUnavailable, UsageError, did_you_mean
from arena.jail import syscalls
from arena.jail.server import BotServer
from arena.model import Bot, Limits

TIERS = {
    "A": "user namespaces, Landlock, system call filter, resource limits",
    "B": "Landlock, system call filter, resource limits",
    "C": "system call filter, resource limits",
    "D": "resource limits",
}
BUILT = tuple(TIERS)
"""Tiers that arena can make."""
_START = b'{"game":"","seat":0,"seats":2,"options":{},"seed":0,"limits":{}}\n'


class Guarantee(NamedTuple):
    """What a bot cannot do; `holds` on the tier asked about, and `how`, or what is open."""

    name: str
    holds: bool
    how: str


# name, the tiers that hold it, how they do, what is open on the others
_GUARANTEES = (
    ("network", "ABC", "no socket can be made", "the network can be reached"),
    ("host files", "AB", "none can be opened but the run-time's", "files of the host can be read"),
    ("names and sizes of host files", "A", "a root file system of its own", "they can be seen"),
    (
        "writing",
        "AB",
        "no writable place; on tier A a program has 16 MiB that go with the match",
        "files can be written",
    ),
    (
        "processes",
        "AB",
        "fork, exec and signals to others are refused",
        "those of the same user can be reached",
    ),
    (
        "memory",
        "AB",
        "one limit on the one process",
        "a process has its limit, and what it writes to memory files has none",
    ),
    ("system calls", "ABC", "an allowlist, narrowed again in each match's process", "all calls are open"),
    ("other bots", "AB", "nothing of theirs can be opened or signalled", "their sources can be read"),
    (
        "clean state",
        "AB",
        "a fresh process each match; nothing to leave anything in",
        "files stay, and on tier D processes may",
    ),
    ("clock", "ABCD", "killed from outside when its time is spent", ""),
)


def guarantees(tier: str = "A") -> list[Guarantee]:
    """What a tier holds and what it does not. UsageError for a tier that does not exist."""
    _check(tier)
    return [
        Guarantee(name, tier in tiers, how if tier in tiers else gap) for name, tiers, how, gap in _GUARANTEES
    ]


def probe(tier: str = "A") -> list[str]:
    """What is missing here for this tier, one line each; empty when it can be had.

    Makes a whole jail, with a process in it, in some 100 ms. UsageError for a tier that does not exist.
    """
    _check(tier)
    if sys.platform != "linux":
        return [f"Linux: this is {platform.system()}"]
    if syscalls.MACHINE not in syscalls.AUDIT_ARCH:
        return [f"a machine of type {' or '.join(syscalls.AUDIT_ARCH)}: this is {syscalls.MACHINE}"]
    try:
        with BotServer(_nobody(), Limits(), tier=tier) as server:
            child = server.spawn()
            try:
                os.write(child.requests, _START)
                return [] if os.read(child.answers, 4096) else [f"a process in the jail: {child.end()}"]
            finally:
                child.end()
                child.let_go()
    except ArenaError as error:
        return [str(error)]


def require(tier: str = "A") -> None:
    """JailUnavailable, with all that is missing in one line and what could be had, unless this tier can."""
    if missing := probe(tier):
        weaker = next((other for other in TIERS if other > tier and not probe(other)), "")
        offer = f"; `jail: {{tier: {weaker}}}` asks for less ({TIERS[weaker]})" if weaker else ""
        raise JailUnavailable(f"tier {tier} of the sandbox cannot be had here: {'; '.join(missing)}{offer}")


def _check(tier: str) -> None:
    if tier not in TIERS:
        raise UsageError(f"jail.tier: one of {', '.join(TIERS)}, not {tier!r}{did_you_mean(tier, TIERS)}")


def _nobody() -> Bot:
    """The built-in bot: a source that is there wherever arena is."""
    return Bot("random", "random", "", Path(arena.bot.__file__).with_name("random_bot.py"))
