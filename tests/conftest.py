"""Options of the suite: `--full` for full-size figures, `--update` to rewrite goldens."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the full-size figures only")
    parser.addoption("--update", action="store_true", help="rewrite golden files")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--full"):
        config.option.markexpr = "full"


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """True when goldens are to be rewritten."""
    return bool(request.config.getoption("--update"))
