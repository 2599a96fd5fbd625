"""Every attack against the real jail, as root and as an ordinary user, each with its expected outcome."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.jail_ends import ENDS
from support.jail_probes import PROBES
from support.jail_user import ordinary_user

pytestmark = pytest.mark.jail

USERS = ("root", "ordinary") if os.getuid() == 0 else ("ordinary",)
Outcomes = dict[str, dict[str, Any]]


def _start(python: list[str], environ: dict[str, str]) -> subprocess.Popen[str]:
    command = [*python, "-m", "support.jail_runs"]
    return subprocess.Popen(command, env=environ, cwd="/", stdout=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def outcomes() -> Iterator[Outcomes]:
    """By user: name of the attack -> what became of it. Both users attack at once."""
    tests = Path(__file__).resolve().parents[1]
    root = [sys.executable], {**os.environ, "PYTHONPATH": f"{tests.parent}:{tests}"}
    with ordinary_user() as ordinary:
        ways = {"root": root, "ordinary": ordinary}
        runs = {user: _start(*ways[user]) for user in USERS}
        yield {user: json.loads(run.communicate(timeout=240)[0]) for user, run in runs.items()}


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("name", PROBES)
def test_gets_nothing_and_plays_on(outcomes: Outcomes, user: str, name: str) -> None:
    found = outcomes[user][name]
    assert found["faults"] == [None, None]
    _assert_nothing_left(found)


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("name", ENDS)
def test_ends_as_it_must(outcomes: Outcomes, user: str, name: str) -> None:
    found, expected = outcomes[user][name], ENDS[name]
    first, second = found["faults"]
    assert first == second, "the next match of the same bot is a fresh one"
    if expected.kind:
        assert first is not None, "played on"
        assert first[0] == expected.kind, first
        assert expected.detail in first[1]
        assert first[1].isprintable()
        assert len(first[1]) < 1000
    else:
        assert first is None
    _assert_nothing_left(found)


@pytest.mark.parametrize("user", USERS)
def test_nothing_is_left_of_all_attacks(outcomes: Outcomes, user: str) -> None:
    found: dict[str, Any] = outcomes[user]
    assert found["canary"], "a file of the host was changed"
    assert found["processes"] == []
    assert found["memory"] < 24, "the runner grew (MiB)"


def _assert_nothing_left(found: dict[str, Any]) -> None:
    assert found["neighbour"] is None, "an innocent bot beside it lost"
    assert max(found["logs"]) <= 65536
    assert found["descriptors"] == 0
    assert found["processes"] == 5, "two servers with their stubs, and the victim: no child of a match"
