"""What is said of Pythons is the same everywhere, and an untried one is told once."""

import tomllib
from pathlib import Path

import pytest

from arena.cli._python import NEWEST, OLDEST, untried

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]


def test_the_project_asks_for_the_pythons_that_it_names() -> None:
    assert PROJECT["requires-python"] == f">=3.{OLDEST[1]},<3.{NEWEST[1] + 1}"
    named = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if "Python :: 3." in line]
    assert named == [f"3.{minor}" for minor in range(OLDEST[1], NEWEST[1] + 1)]


def test_an_untried_python_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    newer = (3, NEWEST[1] + 1)
    assert f"not on 3.{newer[1]};" in untried(newer)
    assert untried(newer) == ""
    assert untried((3, NEWEST[1] + 2)) != ""
    assert untried(NEWEST) == untried(OLDEST) == ""


def test_where_nothing_can_be_kept_it_is_told_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert untried((4, 0)) == untried((4, 0)) != ""
