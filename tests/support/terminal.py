"""The command line as a person sees it, without the cost of a new process."""

import sys
from typing import NamedTuple

import pytest

from arena.cli import main


class Shown(NamedTuple):
    status: int
    out: str
    err: str


class Terminal:
    """Types commands: `terminal("play", "--game", …)` gives exit status, standard output and error."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *words: str) -> Shown:
        self._monkeypatch.setattr(sys, "argv", ["arena", *words])
        self._capsys.readouterr()
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 1
        return Shown(status, *self._capsys.readouterr())
