"""Trusted benches for tests of executors and tournaments: real matches, players without a jail."""

import os
import signal
import time
from pathlib import Path

from arena.errors import InfrastructureError, JailUnavailable
from arena.model import Bot, Event, Fault, FaultKind, Player
from arena.players.scripted import ScriptedPlayer


class FirstLegal:
    """Every bot plays the first legal action, but for those whose name says otherwise."""

    def __init__(self, core: int | None, folder: Path | None = None) -> None:
        self.core = core
        self.folder = folder

    def player(self, event: Event, bot: Bot) -> Player:
        if bot.id.startswith("start"):
            return ScriptedPlayer(start=Fault(FaultKind.START, 0, "there is no such thing"))
        if bot.id.startswith("crash"):
            return ScriptedPlayer([Fault(FaultKind.CRASH, 0, "ValueError: no")])
        if bot.id.startswith("broken"):
            raise InfrastructureError("the fork server died")
        if bot.id.startswith("bug"):
            raise ZeroDivisionError("division by zero")
        if bot.id.startswith("nojail"):
            raise JailUnavailable("no user namespaces")
        if bot.id.startswith("killer") and self._first(bot.id):
            os.kill(os.getpid(), signal.SIGKILL)
        if bot.id.startswith("slow"):
            time.sleep(0.05)
        return ScriptedPlayer()

    def _first(self, name: str) -> bool:
        """Whether this is the first time in any worker."""
        assert self.folder is not None
        try:
            (self.folder / name).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def forget(self) -> None: ...

    def close(self) -> None: ...
