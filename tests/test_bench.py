"""`arena bench`: it measures what it says, gives ratios of one run, and leaves nothing behind."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from arena.bench import figures, pipes, scale, talk
from arena.bench.figures import MEASURES, RATIOS, Ratio
from arena.bench.games import Matches, Mindless, event_of
from arena.bench.jailed import Jail
from arena.bench.pipes import Limit, bare_match, json_rate
from arena.errors import ArenaError
from arena.model import Limits
from arena.players.bots import find_bot
from arena.store import Store


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the measured bench keeps its temporary files."""
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def measured(scratch: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "arena", "bench", "--quick", "--json"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment)


def test_every_figure_and_ratio_is_there_and_sane(measured: subprocess.CompletedProcess[str]) -> None:
    found = json.loads(measured.stdout)
    two = len(os.sched_getaffinity(0)) > 1
    keys = [measure.key for measure in MEASURES if two or not measure.key.endswith(("_2", "_1"))]
    assert sorted(found["measures"]) == sorted(keys)
    assert all(figure["median"] > 0 and len(figure["runs"]) == 1 for figure in found["measures"].values())
    if two:
        assert list(found["ratios"]) == [ratio.key for ratio in RATIOS]
    compiler = any(map(shutil.which, ("cc", "gcc", "clang")))
    assert found["machine"]["limit"].startswith("C" if compiler else "Python")
    assert found["machine"]["runs"] == 1


def test_it_leaves_nothing_behind(measured: subprocess.CompletedProcess[str], scratch: Path) -> None:
    assert not list(scratch.iterdir())
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            assert str(scratch).encode() not in (process / "cmdline").read_bytes()


def test_a_ratio_is_of_one_run_and_its_median_is_judged() -> None:
    runs = [
        {"decisions": 90.0, "limit": 100.0},
        {"decisions": 40.0, "limit": 200.0},
        {"decisions": 5.0, "limit": 10.0},
    ]
    found = figures.summary(runs, {"limit": "C"})
    assert found["ratios"]["decisions"] == {
        "median": 0.5, "target": "at least 0.45", "met": True, "runs": [0.9, 0.2, 0.5]
    }  # fmt: skip
    assert found["measures"]["decisions"]["median"] == 40.0
    assert "fresh_start" not in found["ratios"]


@pytest.mark.parametrize(
    ("ratio", "value", "met"),
    [
        (Ratio("a", "", "x", "y", at_least=7), 7.0, True),
        (Ratio("a", "", "x", "y", at_least=7), 6.99, False),
        (Ratio("a", "", "x", "y", at_most=0.15), 0.15, True),
        (Ratio("a", "", "x", "y", at_most=0.15), 0.151, False),
    ],
)
def test_a_target_is_met_at_its_bound(ratio: Ratio, value: float, met: bool) -> None:
    assert ratio.met(value) is met


def test_the_text_says_what_is_not_met() -> None:
    run = {"decisions": 44.0, "limit": 100.0, "bare_start": 8.0, "fresh_start": 1.0}
    machine = {
        "processor": "P",
        "cores": 1,
        "system": "S",
        "python": "3",
        "load": 0.0,
        "runs": 1,
        "limit": "C",
    }
    text = "\n".join(figures.lines(figures.summary([run], machine)))
    assert "0.44  jailed decisions to round trips in C: at least 0.45: NOT MET" in text
    assert "0.125  fresh jailed bot to bare interpreter: at most 0.15: met" in text
    assert "600 bytes and 30 (C)" in text


def test_without_a_compiler_python_sets_the_limit_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes.shutil, "which", lambda name: None)
    limit = Limit(tmp_path)
    assert limit.made_by.startswith("Python, as there is no C compiler")
    assert limit.rate(0.01) > 100


def test_a_compiler_that_fails_is_no_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    false = shutil.which("false")
    monkeypatch.setattr(pipes.shutil, "which", lambda name: false)
    assert "does not compile here" in Limit(tmp_path).made_by


def test_the_talk_has_the_size_it_says() -> None:
    assert (len(talk.LINE), len(talk.ANSWER)) == (600, 30)
    assert json.loads(talk.LINE)["legal"][0] == json.loads(talk.ANSWER)["action"] == talk.ACTION


def test_both_sides_of_each_comparison_do_the_work(tmp_path: Path) -> None:
    assert json_rate(0.01) > 100
    bare_match(3)
    with Jail(tmp_path, None) as jail:
        assert jail.decision_rate(0.01) > 100
        assert 0 < jail.fresh_start() < 5000
        jail.match(3)


@pytest.mark.parametrize("game", ["pecking_order", "peech", "rat_deau"])
def test_a_games_match_is_played_to_its_end(game: str) -> None:
    event = event_of(game, find_bot("random"))
    assert event.limits == Limits()
    assert Matches(event, Mindless).rate(0.001) > 0
    assert Matches(event, Mindless).decision(0.001) > 0


def test_a_large_contest_is_measured_whole(tmp_path: Path) -> None:
    assert scale.ratings_scale(5, 200)["megabytes"] > 10
    found = scale.report_scale(6, 30)
    assert found["seconds"] > 0
    assert 0 < found["first_page_mb"] < 2
    scale.large_run(tmp_path / "run", 6, 30)
    with Store.open(tmp_path / "run") as store:
        assert len(list(store.records())) == 30
    assert figures.scale_line("report", found).endswith(": met")
    assert figures.scale_line("report", {**found, "seconds": 61.0}).endswith("NOT MET")


def test_large_contests_are_what_they_say() -> None:
    played = list(scale.outcomes(10, 400))
    assert len(played) == 400
    assert len({outcome.block for outcome in played}) == 200
    assert {bot for outcome in played for bot in outcome.bots} == {f"bot{number}" for number in range(10)}
    assert {outcome.placings for outcome in played} == {(1, 2), (2, 1)}
    with pytest.raises(ArenaError, match="a process of the benchmark ended with status 1"):
        scale.measured("-c", "raise SystemExit(1)")
    with pytest.raises(ArenaError, match="6 bots make 15 tables, too few for 40 matches"):
        scale.large_run(Path("/nowhere"), 6, 40)
