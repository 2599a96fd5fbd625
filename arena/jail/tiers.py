"""Can the jail be had here? Found out by making one, never by reading settings."""

import os
import platform
import sys
from pathlib import Path

from arena.errors import InfrastructureError, JailUnavailable, UsageError, did_you_mean
from arena.jail import syscalls
from arena.jail.server import BotServer
from arena.model import Bot, Limits

TIERS = {
    "A": "user namespaces, Landlock, system call filter, resource limits",
    "B": "Landlock, system call filter, resource limits",
    "C": "system call filter, resource limits",
    "D": "resource limits",
}
_START = b'{"game":"","seat":0,"seats":2,"options":{},"seed":0,"limits":{}}\n'


def probe(tier: str = "A") -> list[str]:
    """What is missing here for this tier, one line each; empty when it can be had.

    Makes a whole jail, with a process in it, in some 100 ms. UsageError for a tier that does not exist.
    """
    if tier not in TIERS:
        raise UsageError(f"jail.tier: one of {', '.join(TIERS)}, not {tier!r}{did_you_mean(tier, TIERS)}")
    if sys.platform != "linux":
        return [f"Linux: this is {platform.system()}"]
    if syscalls.MACHINE not in syscalls.AUDIT_ARCH:
        return [f"a machine of type {' or '.join(syscalls.AUDIT_ARCH)}: this is {syscalls.MACHINE}"]
    try:
        with BotServer(_nobody(), Limits()) as server:
            child = server.spawn()
            try:
                os.write(child.requests, _START)
                return [] if os.read(child.answers, 4096) else [f"a process in the jail: {child.end()}"]
            finally:
                child.end()
                child.let_go()
    except (JailUnavailable, InfrastructureError) as error:
        return [str(error)]


def _nobody() -> Bot:
    """The built-in bot: a source that is there wherever arena is."""
    import arena.bot

    return Bot("random", "random", "", Path(arena.bot.__file__).with_name("random_bot.py"))


def require(tier: str = "A") -> None:
    """JailUnavailable, with all that is missing in one line, unless this tier can be had."""
    if missing := probe(tier):
        raise JailUnavailable(f"tier {tier} of the sandbox cannot be had here: {'; '.join(missing)}")
