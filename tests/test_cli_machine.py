"""What the machine refuses is told in one line: no trace, and no file in the place of a closed stream."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.store import Store

CONFIG = "name: Cup\ngame: {name: rat_deau, seats: 2}\nbots: [bob.py, random]\nformat: {deals: 1}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bob.py").write_text("def act(turn):\n    return turn.legal[0]\n")
    (tmp_path / "cup.yaml").write_text(CONFIG)
    return tmp_path


def shell(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """A shell's line in which `arena` is this one."""
    return subprocess.run(
        ["sh", "-c", text.replace("arena ", f"{sys.executable} -m arena ", 1)],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.jail
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("touch out; arena run cup.yaml --out out", "out/private: Not a directory\n"),
        ("touch out; arena run cup.yaml --out out/cup", "out/cup/private: Not a directory\n"),
        ("arena run cup.yaml --quiet --out /dev/full", "/dev/full/private: Not a directory\n"),
        ("arena games >/dev/full", "No space left on device\n"),
    ],
)
def test_a_refusal_is_one_line(folder: Path, line: str, told: str) -> None:
    done = shell(folder, line)
    assert (done.returncode, done.stderr) == (1, told)


@pytest.mark.jail
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_run_needs_no_standard_streams(folder: Path, closed: str) -> None:
    done = shell(folder, f"arena run cup.yaml --out out {closed}")
    assert done.returncode == 0, done.stderr
    assert (folder / "out/site/index.html").exists()
    with Store.open(folder / "out") as store:
        assert len(store.done()) == 1


def test_a_full_disk_is_told_and_leaves_the_run_as_it_was(tmp_path: Path) -> None:
    store = Store.create(tmp_path, {"name": "Cup"}, ())
    store._database.execute("PRAGMA max_page_count = 1")
    with pytest.raises(ArenaError, match=r"run\.sqlite: database or disk is full"):
        store.set_meta("text", "x" * 10**6)
    assert store.meta == {"name": "Cup"}
    store.close()
