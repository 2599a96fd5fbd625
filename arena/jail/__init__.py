"""The jail: how a process is shut in. What it holds, and on which tier, is told in docs/jail.md.

Names are looked up when first used: the stub, a bare process, imports two small modules of this package only.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.jail.building import build as build
    from arena.jail.child import Child as Child
    from arena.jail.child import Exit as Exit
    from arena.jail.server import BotServer as BotServer
    from arena.jail.tiers import Guarantee as Guarantee
    from arena.jail.tiers import guarantees as guarantees
    from arena.jail.tiers import probe as probe
    from arena.jail.tiers import require as require

_HOMES = {"build": "building", "BotServer": "server", "Child": "child", "Exit": "child", "Guarantee": "tiers",
          "guarantees": "tiers", "probe": "tiers", "require": "tiers"}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
