"""Bots in C and JavaScript play whole tournaments against Python bots, from the command line."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.store import Store

pytestmark = [
    pytest.mark.jail,
    pytest.mark.skipif(
        not (shutil.which("cc") and shutil.which("node")), reason="needs cc and node; CI has both"
    ),
]
BOTS = Path(__file__).resolve().parents[1] / "bots"
UNIFORM = [str(BOTS / "uniform_c"), str(BOTS / "uniform_node"), "random"]


def arena(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "arena", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)


def config(folder: Path, more: str = "", bots: list[str] | None = None) -> None:
    (folder / "cup.yaml").write_text(
        f"name: Cup\nseed: 3\nbots: {json.dumps((bots or UNIFORM) + [str(BOTS / 'rat_deau_miser.py')])}\n"
        f"game: {{name: rat_deau, seats: 2}}\nformat: {{kind: round_robin, deals: 5}}\n{more}"
        "limits: {start: 20s, move: 10s}\n"
    )


def test_c_and_node_play_a_round_robin_against_python(tmp_path: Path) -> None:
    config(tmp_path)
    done = arena("run", "cup.yaml", "--out", "run", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with Store.open(tmp_path / "run") as store:
        records = list(store.records())
        bots = {bot.id: bot for bot in store.events()[0].bots}
    assert len(records) == 6 * 5 * 2
    assert [record.match for record in records if any(record.faults)] == []
    assert {seat for record in records for seat in record.seats} == set(bots)
    assert (bots["uniform_c"].source / "bot").is_file()
    assert not (BOTS / "uniform_c" / "bot").exists(), "it was built in the run's folder, not in the bot's"
    match = next(str(record.match) for record in records if "uniform_c" in record.seats)
    again = arena("replay", "run", match, "--rerun", UNIFORM[0], cwd=tmp_path)
    assert "answers are the same" in again.stdout, again.stderr
    verified = arena("verify", "run", "--rerun", cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    kept = arena("run", "run/config.yaml", "--out", "again", "--quiet", cwd=tmp_path)
    assert kept.returncode == 0, kept.stderr


def test_play_and_check_build_a_bot_too(tmp_path: Path) -> None:
    played = arena(
        "play", "--game", "peech", *UNIFORM, UNIFORM[0], "--seed", "1", "--limit", "start=20s", cwd=tmp_path
    )
    assert played.returncode == 0, played.stderr
    assert "fault" not in played.stdout
    checked = arena("check", UNIFORM[0], "--game", "pecking_order", "--matches", "5", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("yaml", "detail"),
    [
        ("build: [cc, -o, bot, bot.c]\ncommand: [./bot]\n", r"build: cc -o bot bot.c: exit status 1"),
        ("command: [no_such_program]\n", r"command: no_such_program: no such program on this machine"),
        ("command: [./bot]\n", r"command: ./bot: no such file in the bot's folder"),
    ],
)
def test_what_cannot_be_built_or_started_is_listed_and_loses(tmp_path: Path, yaml: str, detail: str) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "bot.c").write_text("int main(void) { return no_such_thing; }\n")
    (broken / "bot.yaml").write_text(yaml)
    config(tmp_path, bots=[str(broken)])
    done = arena("run", "cup.yaml", "--out", "run", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    said = f"broken cannot be started: {detail}; its blocks are lost by a start fault"
    assert re.search(said, done.stderr), done.stderr
    with Store.open(tmp_path / "run") as store:
        faults = [fault for record in store.records() for fault in record.faults if fault]
    assert {str(fault.kind) for fault in faults} == {"start"}
    assert len(faults) == 10
    if "build" in yaml:
        assert "no_such_thing" in (tmp_path / "run" / "private" / "logs" / "broken" / "build.log").read_text()
    played = arena("play", "--game", "rat_deau", str(broken), "random", cwd=tmp_path)
    assert re.search(f"start: {detail}", played.stdout), played.stdout + played.stderr
    checked = arena("check", str(broken), "--game", "rat_deau", cwd=tmp_path)
    assert checked.returncode == 1
    assert re.search(detail, checked.stdout), checked.stdout
    config(tmp_path, "faults: {strict: true}\n", [str(broken)])
    strict = arena("run", "cup.yaml", "--out", "strict", "--quiet", cwd=tmp_path)
    assert strict.returncode == 2
    assert re.search(f"broken cannot be started: {detail}\nfaults.strict is set", strict.stderr), (
        strict.stderr
    )
