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
from support.jail_runs import attacks_of
from support.jail_user import ordinary_user

pytestmark = pytest.mark.jail

USERS = ("root", "ordinary") if os.getuid() == 0 else ("ordinary",)
# Tiers C and D take the user's rights away from root; its interpreter may then be out of reach.
RUNS = [(user, tier) for tier in "AB" for user in USERS] + [("ordinary", "C"), ("ordinary", "D")]
ATTACKS = [(*run, name) for run in RUNS for name in attacks_of(run[1])]
Outcomes = dict[tuple[str, str], dict[str, Any]]


def _start(python: list[str], environ: dict[str, str], tier: str) -> subprocess.Popen[str]:
    command = [*python, "-m", "support.jail_runs", tier]
    return subprocess.Popen(command, env=environ, cwd="/", stdout=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def outcomes() -> Iterator[Outcomes]:
    """By user and tier: name of the attack -> what became of it. All attack at once."""
    tests = Path(__file__).resolve().parents[1]
    root = [sys.executable], {**os.environ, "PYTHONPATH": f"{tests.parent}:{tests}"}
    with ordinary_user() as ordinary:
        ways = {"root": root, "ordinary": ordinary}
        runs = {(user, tier): _start(*ways[user], tier) for user, tier in RUNS}
        yield {run: json.loads(process.communicate(timeout=240)[0]) for run, process in runs.items()}


@pytest.mark.parametrize(("user", "tier", "name"), [each for each in ATTACKS if each[2] in PROBES])
def test_gets_nothing_and_plays_on(outcomes: Outcomes, user: str, tier: str, name: str) -> None:
    found = outcomes[user, tier][name]
    assert found["faults"] == [None, None]
    _assert_nothing_left(found)


@pytest.mark.parametrize(("user", "tier", "name"), [each for each in ATTACKS if each[2] in ENDS])
def test_ends_as_it_must(outcomes: Outcomes, user: str, tier: str, name: str) -> None:
    found, expected = outcomes[user, tier][name], ENDS[name]
    first, second = found["faults"]
    assert first == second, "the next match of the same bot is a fresh one"
    if expected.kind:
        assert first is not None, "played on"
        assert first[0] == expected.kind, first
        assert tier == "D" or expected.detail in first[1]
        assert first[1].isprintable()
        assert len(first[1]) < 1000
    else:
        assert first is None
    _assert_nothing_left(found)


@pytest.mark.parametrize(("user", "tier"), RUNS)
def test_nothing_is_left_of_all_attacks(outcomes: Outcomes, user: str, tier: str) -> None:
    found: dict[str, Any] = outcomes[user, tier]
    assert found["canary"], "a file of the host was changed"
    assert found["processes"] == []
    assert found["memory"] < 24, "the runner grew (MiB)"


def _assert_nothing_left(found: dict[str, Any]) -> None:
    assert found["neighbour"] is None, "an innocent bot beside it lost"
    assert max(found["logs"]) <= 65536
    assert found["descriptors"] == 0
    assert found["processes"] == 5, "two servers with their stubs, and the victim: no child of a match"
