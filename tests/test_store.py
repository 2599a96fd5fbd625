"""The run's file: what is committed is there whole, once, in identity order, and only there."""

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.contests import make_event, make_record

from arena.errors import ArenaError, UsageError
from arena.model import Block, BlockId, BlockResult, Fault, FaultKind, MatchId, Pairing, Round
from arena.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "run", {"name": "Cup", "seed": 7}, [make_event(), make_event(1)]) as made:
        yield made


def block(event: int = 0, round_: int = 1, table: int = 0, deal: int = 0) -> BlockResult:
    block_id = BlockId(event, round_, table, deal)
    made = Block(block_id, (("ann", "bob"), ("bob", "ann")))
    return BlockResult(
        made, tuple(make_record(block_id.match(s), seats) for s, seats in enumerate(made.seatings))
    )


def test_a_run_is_read_back_as_it_was_written(store: Store, tmp_path: Path) -> None:
    round_ = Round(1, (Pairing(3, ("ann", "bob"), range(5, 9), "all", "they must"),), ("cy",), ("one bye",))
    store.add_round(1, round_)
    store.set_preflight(1, {"bob": Fault(FaultKind.START, 0, "no such file"), "ann": None})
    store.note("stopped by hand", 1)
    store.note("stopped by hand", 1)
    store.note("a fact")
    store.set_meta("finished", True)
    store.close()
    with Store.open(tmp_path / "run") as again:
        assert again.meta == {"finished": True, "name": "Cup", "seed": 7}
        assert again.events() == (make_event(), make_event(1))
        assert again.rounds(1) == (round_,)
        assert again.rounds(0) == ()
        assert again.preflight(1) == {"ann": None, "bob": Fault(FaultKind.START, 0, "no such file")}
        assert again.notes() == ((1, "stopped by hand"), (None, "a fact"))


def test_records_come_back_whole_and_in_numeric_identity_order(store: Store) -> None:
    blocks = [block(e, r, t, d) for e in (0, 1) for r in (1, 2) for t in (2, 10) for d in (0, 9, 11)]
    for result in random.Random(1).sample(blocks, len(blocks)):
        store.commit(result)
    wanted = [record for result in blocks for record in result.records]
    assert list(store.records()) == wanted
    assert list(store.records(1)) == wanted[len(wanted) // 2 :]
    assert store.record(wanted[5].match) == wanted[5]
    assert store.done() == {result.block.id for result in blocks}
    assert [outcome.match for outcome in store.outcomes(0)] == [
        str(r.match) for r in wanted if r.match.event == 0
    ]
    assert store.round_outcomes(0, 2) == tuple(o for o in store.outcomes(0) if o.match.startswith("e0-r2-"))


def test_scores_of_a_match_with_a_fault_are_unknown_to_its_outcome(store: Store) -> None:
    result = block()
    fault = Fault(FaultKind.TIMEOUT, 4, "no answer \udcff")
    faulty = replace(result.records[0], faults=(None, fault))
    store.commit(replace(result, records=(faulty, result.records[1])))
    first, second = store.outcomes(0)
    assert (first.scores, second.scores) == (None, (3, 1))
    assert (first.bots, first.block, first.points) == (("ann", "bob"), "e0-r1-t0-d0", (1.0, 0.0))
    assert store.record(faulty.match).faults == (None, fault)
    assert list(store.faults(0)) == [(faulty.match, ("ann", "bob"), (None, fault))]


def test_a_block_counts_once_and_a_void_one_may_be_played_later(store: Store) -> None:
    result = block()
    store.commit(replace(result, records=(), void="the fork server died"))
    assert store.done() == set()
    assert store.voids() == {result.block.id: "the fork server died"}
    store.commit(result)
    assert (store.done(), store.voids()) == ({result.block.id}, {})
    with pytest.raises(ArenaError, match="e0-r1-t0-d0 was committed already"):
        store.commit(result)
    assert len(list(store.records())) == 2


def test_a_commit_that_fails_leaves_nothing_of_its_block(store: Store) -> None:
    result = block()
    broken = replace(result, records=(*result.records, result.records[0]))
    with pytest.raises(sqlite3.IntegrityError):
        store.commit(broken)
    assert store.done() == set()
    assert list(store.records()) == []


def test_a_match_that_was_not_played_is_no_record(store: Store) -> None:
    with pytest.raises(KeyError, match="e0-r1-t1-d1-s1"):
        store.record(MatchId(0, 1, 1, 1, 1))


def test_bots_move_with_their_run(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    event = make_event()
    inside = replace(event.bots[0], source=folder / "private" / "bots" / "x" / "ann.py")
    Store.create(folder, {}, [replace(event, bots=(inside, *event.bots[1:]))]).close()
    folder.rename(tmp_path / "moved")
    with Store.open(tmp_path / "moved") as moved:
        assert moved.events()[0].bots[0].source == tmp_path / "moved/private/bots/x/ann.py"


def not_there(folder: Path) -> None:
    folder.rmdir()


def no_file(folder: Path) -> None:
    (folder / "other.txt").write_text("x")


def no_database(folder: Path) -> None:
    (folder / "run.sqlite").write_text("hello, this is a text and no database")


def other_database(folder: Path) -> None:
    other = sqlite3.connect(folder / "run.sqlite")
    other.execute("CREATE TABLE x (y)")
    other.close()


def newer(folder: Path) -> None:
    Store.create(folder, {}, []).close()
    other = sqlite3.connect(folder / "run.sqlite")
    other.execute("PRAGMA user_version = 99")
    other.close()


@pytest.mark.parametrize(
    ("make", "said", "kind"),
    [
        (not_there, r"not a run folder \(no run.sqlite in it\)", UsageError),
        (no_file, r"not a run folder \(no run.sqlite in it\)", UsageError),
        (no_database, r"not a run of arena", UsageError),
        (other_database, r"not a run of arena", UsageError),
        (newer, r"written by a newer arena \(schema 99; this one reads up to 1\)", ArenaError),
    ],
)
def test_what_is_no_run_is_refused_in_one_line(
    tmp_path: Path, make: Callable[[Path], None], said: str, kind: type[ArenaError]
) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    make(folder)
    with pytest.raises(kind, match=said) as caught:
        Store.open(folder)
    assert "\n" not in str(caught.value)


def test_a_run_is_not_made_over_another(store: Store) -> None:
    with pytest.raises(ArenaError, match="holds a run already"):
        Store.create(store.folder, {}, [])


KILLED = """
import os, signal, sys
from pathlib import Path
from test_store import block
from support.contests import make_event
from arena.store import Store
store = Store.create(Path(sys.argv[1]), {}, [make_event()])
for deal in range(50):
    store.commit(block(deal=deal))
store._database.execute("BEGIN IMMEDIATE")
store._insert("block", [(0, 1, 0, 99, None)])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_writer_loses_nothing_it_committed(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "run")], check=False, env=env)
    with Store.open(tmp_path / "run") as store:
        assert sorted(key.deal for key in store.done()) == list(range(50))
        assert len(list(store.records())) == 100


READER = """
import resource, sys
from pathlib import Path
from arena.store import Store
store = Store.open(Path(sys.argv[1]))
peak_kib = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
next(store.records())
before = peak_kib()
assert sum(1 for _ in store.records()) == 200_000
assert sum(1 for _ in store.outcomes(0)) == 200_000
assert peak_kib() - before < 20_000, peak_kib() - before
"""


@pytest.mark.slow
def test_two_hundred_thousand_matches_are_streamed_in_bounded_memory(tmp_path: Path) -> None:
    """Reading them raises the reader's peak by a few MiB, and outcomes leave chance and decisions alone."""
    folder = tmp_path / "run"
    with Store.create(folder, {}, [make_event()]) as store:
        store._database.execute("PRAGMA synchronous = OFF")
        for deal in range(100_000):
            store.commit(block(deal=deal))
    subprocess.run([sys.executable, "-c", READER, str(folder)], check=True)
