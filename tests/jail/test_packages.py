"""What a Python bot may import: the standard library, the SDK, the rules, and the organiser's packages."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.jail_runs import make_bot, play

import arena
from arena.errors import JailUnavailable
from arena.jail import BotServer
from arena.model import Limits

pytestmark = pytest.mark.jail

_IMPORTS = """
import json, random, re, sqlite3, ssl, hashlib, decimal, bz2, lzma, zoneinfo, unittest, ctypes
from arena.bot import Setup, Turn
import arena.games, arena.model, arena.errors
class Bot:
    def __init__(self, setup):
        assert isinstance(setup, Setup), setup
        self.setup = setup
    def act(self, turn):
        assert isinstance(turn, Turn)
        assert turn.seats == 2 and turn.view and turn.events and turn.bank > 0 and turn.kind == "play"
        return random.choice(turn.legal) and turn.legal[0]
"""
_NUMPY = """
import numpy as np
def act(turn):
    return turn.legal[int(np.linalg.det(np.eye(50))) - 1]
"""


@pytest.mark.parametrize("tier", ["A", "B"])
def test_the_standard_library_and_the_sdk_are_there(tmp_path: Path, tier: str) -> None:
    with BotServer(make_bot(tmp_path, _IMPORTS), Limits(), tier=tier) as server:
        assert play(server)[2] is None


def test_the_same_seed_gives_the_same_chance(tmp_path: Path) -> None:
    source = "import random\nprint(random.random(), {'a', 'b'}, hash('x'))\ndef act(turn): return '7S'\n"
    logs = set()
    for _ in range(2):
        with BotServer(make_bot(tmp_path, source), Limits()) as server:
            logs |= {play(server)[0].log() for _ in range(2)}
    assert len(logs) == 1


def test_packages_of_an_environment_are_there_when_it_is_named(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, _NUMPY)
    with BotServer(bot, Limits()) as server:
        fault = play(server)[2]
        assert fault is not None
        assert fault.detail == "ModuleNotFoundError: No module named 'numpy' (line 2)"
    for tier in "AB":
        with BotServer(bot, Limits(memory=2**30, python=sys.prefix), tier=tier) as server:
            for _ in range(2):
                assert play(server)[2] is None


def test_an_interpreter_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JailUnavailable, match="/nowhere/python does not run"):
        BotServer(make_bot(tmp_path, _NUMPY), Limits(python="/nowhere/python"))


@pytest.mark.skipif(os.getuid() != 0, reason="only root installs for root alone")
def test_arena_installed_for_root_alone_is_read_in_the_jail(tmp_path: Path) -> None:
    shutil.copytree(
        Path(arena.__file__).parent, tmp_path / "arena", ignore=shutil.ignore_patterns("__pycache__")
    )
    for path in [tmp_path / "arena", *(tmp_path / "arena").rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o600)
    probe = "import arena\nfrom arena.jail import probe\nprint(arena.__file__, probe())"
    done = subprocess.run(
        [sys.executable, "-B", "-c", probe], capture_output=True, text=True, check=True, umask=0o077,
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout == f"{tmp_path}/arena/__init__.py []\n"
