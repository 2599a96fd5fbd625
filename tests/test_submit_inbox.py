"""The inbox: versions that stay, one rename each, and what a config makes of it."""

import multiprocessing
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import inbox
from arena.config import read_config
from arena.errors import ConfigError, UsageError
from arena.model import Bot
from arena.players.bots import digest_of, find_bot

CHECK = {"passed": True}


@pytest.fixture
def bot(tmp_path: Path) -> Callable[..., Bot]:
    def make(name: str, text: str = "", **facts: str) -> Bot:
        path = tmp_path / "work" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        said = "".join(f"{key} = {value!r}\n" for key, value in facts.items())
        path.write_text(f"{said}{text}def act(turn):\n    return turn.legal[0]\n", encoding="utf-8")
        return find_bot(str(path))

    return make


def submit(folder: Path, entry: Bot, *games: str) -> inbox.Submission:
    return inbox.submit(folder, entry, games or ("rat_deau",), CHECK)


def test_a_new_version_counts_and_older_ones_stay(tmp_path: Path, bot: Callable[..., Bot]) -> None:
    box = tmp_path / "inbox"
    first = submit(box, bot("ann", AUTHOR="Ada"))
    second = submit(box, bot("ann", "# better\n", AUTHOR="Ada"))
    assert (first.version, second.version) == (1, 2)
    assert first.entrant == second.entrant == "ann--ada"
    assert first.bot.digest != second.bot.digest
    assert inbox.newest(box) == (second,)
    assert digest_of(first.bot.source) == first.bot.digest
    assert first.time.endswith("Z")
    assert not list(box.glob(".*"))


def test_ten_versions_count_as_numbers_do(tmp_path: Path, bot: Callable[..., Bot]) -> None:
    for version in range(1, 12):
        assert submit(tmp_path / "inbox", bot("ann", f"# {version}\n")).version == version
    assert inbox.newest(tmp_path / "inbox")[0].version == 11


def test_a_folder_is_kept_whole_and_may_still_be_run(tmp_path: Path) -> None:
    folder = tmp_path / "heron"
    (folder / "lib").mkdir(parents=True)
    (folder / "bot.yaml").write_text("command: [./run]\nauthor: Bo\n")
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    (folder / "lib" / "x.js").write_text("//")
    kept = submit(tmp_path / "inbox", find_bot(str(folder))).bot
    assert kept.command == ("./run",)
    assert (kept.source / "run").stat().st_mode & 0o100
    assert (kept.source / "lib" / "x.js").read_text() == "//"
    assert kept.digest == find_bot(str(folder)).digest


def _submits(box: Path, source: Path, ready: "multiprocessing.synchronize.Barrier") -> None:
    entry = find_bot(str(source))
    ready.wait()
    for _ in range(5):
        submit(box, entry)


def test_submissions_at_the_same_time_all_survive(tmp_path: Path, bot: Callable[..., Bot]) -> None:
    box, entries = tmp_path / "inbox", [bot("ann"), bot("ann"), bot("bob"), bot("cy")]
    fork = multiprocessing.get_context("spawn")
    ready = fork.Barrier(len(entries))
    jobs = [fork.Process(target=_submits, args=(box, entry.source, ready)) for entry in entries]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join(60)
    assert [job.exitcode for job in jobs] == [0] * len(jobs)
    versions = {
        entry: sorted(path.name for path in (box / entry).iterdir()) for entry in ("ann", "bob", "cy")
    }
    assert versions["ann"] == [f"{version:04}" for version in range(1, 11)]
    assert versions["bob"] == versions["cy"] == [f"{version:04}" for version in range(1, 6)]
    assert [entry.version for entry in inbox.newest(box)] == [10, 5, 5]
    assert not list(box.glob(".*"))


@pytest.mark.parametrize(("one", "other"), [("Zoë", "Zoé"), ("王", "李"), ("A B", "AB")])
def test_authors_whose_names_look_alike_are_two(
    tmp_path: Path, bot: Callable[..., Bot], one: str, other: str
) -> None:
    box = tmp_path / "inbox"
    submit(box, bot("ann", AUTHOR=one, NAME="One"))
    submit(box, bot("ann", AUTHOR=other, NAME="Other"))
    assert [(entry.version, entry.bot.name) for entry in inbox.newest(box)].count((1, "One")) == 1
    assert len(inbox.newest(box)) == 2


def test_a_name_that_is_taken_is_refused_and_nothing_changes(tmp_path: Path, bot: Callable[..., Bot]) -> None:
    box = tmp_path / "inbox"
    submit(box, bot("ann", NAME="Heron", AUTHOR="Ada"))
    before = sorted(box.rglob("*"))
    with pytest.raises(UsageError, match="heron: the name is taken by Ada"):
        submit(box, bot("bob", NAME="heron", AUTHOR="Bo"))
    assert sorted(box.rglob("*")) == before


def test_a_folder_of_other_things_is_no_inbox(tmp_path: Path, bot: Callable[..., Bot]) -> None:
    entry = bot("ann")
    with pytest.raises(UsageError, match=r"not an inbox: it holds ann\.py"):
        submit(entry.source.parent, entry)
    with pytest.raises(UsageError, match="a folder for submissions, not a file"):
        submit(entry.source, entry)


def config(folder: Path, game: str = "rat_deau") -> Path:
    path = folder / "cup.yaml"
    path.write_text(f"name: Cup\nbots: [inbox, random]\ngame: {{name: {game}}}\n")
    return path


def test_a_config_takes_the_newest_of_those_that_were_checked_for_its_game(
    tmp_path: Path, bot: Callable[..., Bot]
) -> None:
    box = tmp_path / "inbox"
    submit(box, bot("ann"))
    newest = submit(box, bot("ann", "# better\n"))
    submit(box, bot("bob"), "peech")
    submit(box, bot("cy"), "peech", "rat_deau")
    path = config(tmp_path)
    path.write_text(path.read_text().replace("rat_deau", "rat_deau, seats: 3"))
    event = read_config(path).events[0]
    assert [entry.id for entry in event.bots] == ["ann", "cy", "random"]
    assert event.bots[0].digest == newest.bot.digest


def test_a_snapshot_that_was_changed_is_refused_with_its_place(
    tmp_path: Path, bot: Callable[..., Bot]
) -> None:
    kept = submit(tmp_path / "inbox", bot("ann"))
    kept.bot.source.write_text("def act(turn):\n    return 'mine'\n")
    with pytest.raises(ConfigError, match=r"ann/0001/ann\.py: not what was submitted"):
        read_config(config(tmp_path))


def test_an_inbox_without_a_bot_for_the_game_is_named(tmp_path: Path, bot: Callable[..., Bot]) -> None:
    submit(tmp_path / "inbox", bot("ann"), "peech")
    with pytest.raises(
        ConfigError, match=r"cup\.yaml:2: .*an inbox without a bot that was checked for rat_deau"
    ):
        read_config(config(tmp_path))
