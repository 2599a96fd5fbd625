"""Looks for another bot that runs beside it: its source, its process, a way to signal or to trace it."""

import ctypes
import os
import platform
from contextlib import suppress
from typing import Any

PTRACE_SEIZE = 0x4206


def _sources(top: str, mark: bytes) -> list[str]:
    found = []
    for folder, _, names in os.walk(top):
        for name in names:
            with suppress(OSError, ValueError), open(os.path.join(folder, name), "rb") as file:
                if name.endswith(".py") and mark in file.read(4096):
                    found.append(f"read {folder}/{name}")
    return found


def act(turn: Any) -> str:
    host = turn.options
    got = _sources(host["top"], host["mark"].encode()[::-1])
    with suppress(OSError):
        os.close(os.open(host["other_source"], os.O_RDONLY))
        got.append(f"read {host['other_source']}")
    with suppress(OSError):
        got += [f"saw process {name}" for name in os.listdir("/proc") if name == str(host["other_process"])]
    with suppress(OSError):
        os.kill(host["other_process"], 0)
        got.append("may signal its process")
    ptrace = ctypes.c_long(101 if platform.machine() == "x86_64" else 117)
    process = ctypes.c_long(host["other_process"])
    if ctypes.CDLL(None).syscall(ptrace, ctypes.c_long(PTRACE_SEIZE), process, None, None) >= 0:
        got.append("may trace its process")
    return "; ".join(got) or "nothing"
