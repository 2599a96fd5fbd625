"""The local executor: blocks in, results out, whatever happens to a worker."""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from support.benches import FirstLegal
from support.contests import make_event

from arena.blocks import blocks_of
from arena.errors import InfrastructureError, JailUnavailable
from arena.executors.local import LocalExecutor
from arena.formats.round_robin import round_robin
from arena.model import Block, BlockResult, Event, Fault, FaultKind

OPTIONS = {"deals": 3, "seatings": "cyclic", "rounds": 1, "max_tables": 9}


def event_of(*bots: str) -> Event:
    return make_event(bots=bots, options={"rounds": 1}, format_options=OPTIONS)


def blocks(event: Event) -> list[Block]:
    round_ = round_robin.next_round(event, ())
    assert round_ is not None
    return list(blocks_of(event, round_))


@contextmanager
def executor(event: Event, folder: Path, workers: int = 2) -> Iterator[LocalExecutor]:
    made = LocalExecutor([event], workers, folder / "logs", partial(FirstLegal, folder=folder))
    made.start()
    try:
        yield made
    finally:
        made.close()


def play(
    event: Event, folder: Path, workers: int = 2, absent: dict[str, Fault] | None = None
) -> list[BlockResult]:
    with executor(event, folder, workers) as running:
        for block in blocks(event):
            running.submit(event, block, absent or {})
        return sorted((running.wait() for _ in blocks(event)), key=lambda result: result.block.id)


def plain(results: list[BlockResult]) -> list[object]:
    return [(result.block, result.void, [replace(record, timings=()) for record in result.records])
            for result in results]  # fmt: skip


def test_results_are_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    event = event_of("ann", "bob", "crash")
    one, three = (plain(play(event, tmp_path, workers)) for workers in (1, 3))
    assert one == three
    assert len(one) == 9


def test_arenas_own_fault_voids_a_block_after_three_replays_and_no_other(tmp_path: Path) -> None:
    results = play(event_of("ann", "bob", "broken", "bug"), tmp_path)
    voids = {result.block.bots: result.void for result in results if result.void}
    assert voids[("ann", "broken")] == "the fork server died"
    assert voids[("ann", "bug")] == "ZeroDivisionError: division by zero"
    assert {result.block.bots for result in results if not result.void} == {("ann", "bob")}
    assert all(bool(result.void) != bool(result.records) for result in results)


def test_a_dead_worker_is_replaced_and_its_block_played_again(tmp_path: Path) -> None:
    event = event_of("ann", "bob", "killer1", "killer2")
    results = play(event, tmp_path)
    assert (tmp_path / "killer1").exists()
    assert len(results) == 18
    assert not any(result.void for result in results)


def test_a_block_that_kills_every_worker_is_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FirstLegal, "_first", lambda self, name: True)
    voids = [result for result in play(event_of("ann", "bob", "killer"), tmp_path) if result.void]
    assert len(voids) == 6
    assert {result.void for result in voids} == {"the worker died"}


def test_bots_are_tried_and_those_that_fail_are_told(tmp_path: Path) -> None:
    event = event_of("ann", "start", "bob")
    with executor(event, tmp_path) as running:
        tried = {bot.id: fault for _, bot, fault in running.try_bots([(event, bot) for bot in event.bots])}
    assert tried == {"ann": None, "bob": None, "start": Fault(FaultKind.START, 0, "there is no such thing")}


def test_a_bot_that_cannot_be_tried_is_arenas_fault(tmp_path: Path) -> None:
    event = event_of("ann", "broken")
    with (
        executor(event, tmp_path) as running,
        pytest.raises(InfrastructureError, match="Broken could not be tried"),
    ):
        list(running.try_bots([(event, bot) for bot in event.bots]))


def test_an_absent_bot_has_its_fault_without_being_started(tmp_path: Path) -> None:
    fault = Fault(FaultKind.START, 0, "it never came")
    results = play(event_of("ann", "broken"), tmp_path, absent={"broken": fault})
    records = [record for result in results for record in result.records]
    assert len(records) == 6
    assert all(record.faults[record.seats.index("broken")] == fault for record in records)
    assert all(record.points[record.seats.index("ann")] == 1.0 for record in records)


def test_without_a_jail_there_is_no_tournament(tmp_path: Path) -> None:
    with pytest.raises(JailUnavailable, match="no user namespaces"):
        play(event_of("ann", "nojail"), tmp_path)


def children() -> set[int]:
    folder = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return set(map(int, folder.read_text().split()))


def test_closing_in_the_middle_ends_every_worker(tmp_path: Path) -> None:
    before = children()
    event = event_of("ann", "slow1", "slow2")
    with executor(event, tmp_path) as running:
        for block in blocks(event):
            running.submit(event, block, {})
        running.wait()
        assert len(children() - before) >= 2
        begun = time.monotonic()
    assert time.monotonic() - begun < 2
    assert children() == before


def test_workers_are_pinned_to_their_cores(tmp_path: Path) -> None:
    allowed = sorted(os.sched_getaffinity(0))
    wanted = sorted([[allowed[0]], [allowed[1 % len(allowed)]]])
    before, until = children(), time.monotonic() + 10
    with executor(event_of("ann", "bob"), tmp_path, workers=2):
        while (
            cores := sorted(sorted(os.sched_getaffinity(child)) for child in children() - before)
        ) != wanted:
            assert time.monotonic() < until, cores


def test_no_thread_is_there_when_workers_are_forked() -> None:
    code = "import arena.cli, arena.cli.run; print(open('/proc/self/status').read())"
    status = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "Threads:\t1\n" in status


def test_what_workers_log_reaches_the_runs_log(tmp_path: Path) -> None:
    logger = logging.getLogger("arena")
    handlers = [
        logging.FileHandler(tmp_path / name, encoding="utf-8") for name in ("arena.log", "second.log")
    ]
    for handler in handlers:
        logger.addHandler(handler)
    there = list(logger.handlers)
    try:
        play(event_of("ann", "bug"), tmp_path)
        assert logger.handlers == there
    finally:
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()
    text = (tmp_path / "arena.log").read_text(encoding="utf-8")
    assert text == (tmp_path / "second.log").read_text(encoding="utf-8")
    assert text.count("ZeroDivisionError: division by zero") >= 12
    assert "Traceback" in text
    assert "is played again (3 of 3)" in text
