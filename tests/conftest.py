"""Options of the suite: `--full` for full-size figures, `--update` to rewrite goldens."""

import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the full-size figures only")
    parser.addoption("--update", action="store_true", help="rewrite golden files")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--full"):
        config.option.markexpr = "full"


@pytest.fixture
def scratch_folder(monkeypatch: pytest.MonkeyPatch) -> Generator[Path, None, None]:
    """The test's own place for temporary files, its subprocesses' too: what is left there is its own."""
    with tempfile.TemporaryDirectory(prefix="scratch-") as folder:
        Path(folder).chmod(0o1777)
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """True when goldens are to be rewritten."""
    return bool(request.config.getoption("--update"))


def _no_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if os.environ.get("ARENA_NO_SKIPS") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, where a skip counts as a failure: {report.longrepr}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where `ARENA_NO_SKIPS` is set, a skipped test is a failed one: a skip must not hide a hole."""
    report = yield
    _no_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a module that skips itself."""
    report = yield
    _no_skip(report)
    return report
