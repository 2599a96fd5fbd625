"""The loop: everything asked for is played once, in any order, with any stops in between."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.executors import Shuffled

from arena.config import read_config
from arena.errors import ArenaError, UsageError
from arena.model import Block, Record
from arena.store import Store
from arena.tournament import Progress, choose_folder, locked, open_run, run

SANDBOX = {"tier": "A", "guarantees": {"tests": True}}
BASE = {
    "name": "Cup", "game": "{name: rat_deau, seats: 2}", "bots": "[ann.py, bob.py, cy.py]",
    "format": "{kind: round_robin, deals: 4}", "seed": "3",
}  # fmt: skip


class Cup:
    """A config in a folder with bots, and runs of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[str] = []

    def bot(self, name: str, text: str = "") -> None:
        (self.folder / f"{name}.py").write_text(f"# {name}\n{text}def act(turn):\n    return turn.legal[0]\n")

    def config(self, **changed: str) -> Path:
        path = self.folder / "cup.yaml"
        path.write_text("".join(f"{key}: {value}\n" for key, value in (BASE | changed).items() if value))
        return path

    def run(self, executor: Shuffled, where: str = "run", **changed: str) -> Progress:
        self.lines = []
        settings = read_config(self.config(**changed))
        store, lines = open_run(settings, self.folder / where, SANDBOX)
        self.lines += lines
        with store:
            return run(settings, store, executor, say=self.lines.append)

    def records(self, where: str = "run") -> list[Record]:
        with Store.open(self.folder / where) as store:
            return list(store.records())


@pytest.fixture
def cup(tmp_path: Path) -> Cup:
    made = Cup(tmp_path)
    for name in ("ann", "bob", "cy", "dan", "start", "crash"):
        made.bot(name)
    return made


def test_everything_is_played_once_and_said_to_be_finished(cup: Cup) -> None:
    executor = Shuffled()
    assert cup.run(executor) == Progress(blocks=12, blocks_done=12, faults=0, voids=0)
    assert len(set(executor.played)) == len(executor.played) == 12
    assert executor.tried == ["ann", "bob", "cy"]
    assert len(cup.records()) == 24
    with Store.open(cup.folder / "run") as store:
        assert store.meta["finished"] is True
        assert store.meta["sandbox"] == SANDBOX


@pytest.mark.parametrize(("seed", "slots"), [(1, 1), (2, 7), (3, 100)])
def test_the_order_in_which_blocks_finish_does_not_matter(cup: Cup, seed: int, slots: int) -> None:
    changes = {"bots": "[ann.py, bob.py, crash.py]", "faults": "{disqualify_after: 2}"}
    cup.run(Shuffled(seed, slots), "one", **changes)
    cup.run(Shuffled(0, 4), "other", **changes)
    assert cup.records("one") == cup.records("other")


@pytest.mark.parametrize("stops", [(0,), (5,), (3, 4), (1, 1, 1, 1)])
def test_a_run_that_was_stopped_goes_on_to_the_same_results(cup: Cup, stops: tuple[int, ...]) -> None:
    done, given = 0, []
    for stop in stops:
        executor = Shuffled(stop_after=stop)
        with pytest.raises(KeyboardInterrupt):
            cup.run(executor)
        done += stop
        given += executor.played
    last = Shuffled()
    cup.run(last)
    assert (f"resuming: {done} of 12 blocks done, {12 - done} to play" in cup.lines) == (done > 0)
    assert len(last.played) == 12 - done
    assert last.tried == []
    cup.run(Shuffled(), "fresh")
    assert cup.records() == cup.records("fresh")


def test_a_resumed_run_counts_the_events_whose_turn_has_not_come(cup: Cup) -> None:
    events = {"events": "[{name: One}, {name: Two}, {name: Three}]"}
    with pytest.raises(KeyboardInterrupt):
        cup.run(Shuffled(slots=1, stop_after=2), **events)
    cup.run(Shuffled(slots=1), **events)
    assert "resuming: 2 of 36 blocks done, 34 to play" in cup.lines


def test_a_finished_run_plays_nothing_more(cup: Cup) -> None:
    cup.run(Shuffled())
    again = Shuffled()
    cup.run(again)
    assert (again.played, again.tried, cup.lines) == ([], [], [])


@pytest.mark.parametrize(
    "grown",
    [
        {"bots": "[ann.py, bob.py, cy.py, dan.py]"},
        {"format": "{kind: round_robin, deals: 6}"},
        {"format": "{kind: round_robin, deals: 4, rounds: 2}"},
    ],
)
def test_what_is_added_is_all_that_is_played(cup: Cup, grown: dict[str, str]) -> None:
    cup.run(Shuffled())
    before = cup.records()
    more = Shuffled()
    cup.run(more, **grown)
    assert any("only what is new is played" in line for line in cup.lines)
    assert not {str(record.block) for record in before} & set(more.played)
    cup.run(Shuffled(), "fresh", **grown)
    assert cup.records() == cup.records("fresh")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seed": "4"}, "seed: 3 then, 4 now"),
        ({"limits": "{move: 3s}"}, "Cup: limits: Limits"),
        ({"game": "{name: rat_deau, seats: 2, options: {raft_worth: 6}}"}, "Cup: options: "),
        ({"bots": "[ann.py, bob.py]"}, "Cup: cy played then, and is not in the list now"),
        ({"bots": "[dan.py, ann.py, bob.py, cy.py]"}, "Cup: dan was added; "),
        ({"format": "{kind: round_robin, deals: 2}"}, "Cup: format.deals was 4 and is 2; "),
        (
            {"format": "{kind: round_robin, deals: 4, seatings: one}"},
            "Cup: format.seatings was cyclic and is one; ",
        ),
        ({"faults": "{disqualify_after: 2}"}, "rules: "),
    ],
)
def test_another_tournament_in_the_folder_is_refused_with_what_differs(
    cup: Cup, changed: dict[str, str], said: str
) -> None:
    cup.run(Shuffled())
    before = cup.records()
    with pytest.raises(UsageError, match=r"holds a run of something else \(--new starts another\)") as caught:
        cup.run(Shuffled(), **changed)
    assert f"\n  {said}" in str(caught.value)
    assert cup.records() == before
    cup.run(Shuffled())


def test_a_bot_that_has_changed_is_refused_by_its_hash(cup: Cup) -> None:
    cup.run(Shuffled())
    cup.bot("bob", "# better\n")
    with pytest.raises(UsageError, match=r"Cup: bob has changed \(sha256 \w{8} then, \w{8} now\)"):
        cup.run(Shuffled())


def test_bots_are_played_as_they_were_when_the_run_began(cup: Cup) -> None:
    cup.run(Shuffled())
    with Store.open(cup.folder / "run") as store:
        source = store.events()[0].bots[0].source
    assert source.is_relative_to(cup.folder / "run" / "private" / "bots")
    assert source.read_bytes() == (cup.folder / "ann.py").read_bytes()


def test_the_kept_config_plays_the_same_again_without_the_bots_files(cup: Cup) -> None:
    cup.bot("cy", 'NAME = "Cy the second"\n')
    bots = "[{path: ann.py, name: First, anchor: true}, more/bob.py, bob.py, random, cy.py]"
    (cup.folder / "more").mkdir()
    (cup.folder / "bob.py").rename(cup.folder / "more" / "bob.py")
    cup.bot("bob", 'NAME = "The other"\n')
    cup.run(Shuffled(), bots=bots)
    for path in cup.folder.rglob("*.py"):
        if "private" not in path.parts:
            path.unlink()
    settings = read_config(cup.folder / "run" / "config.yaml")
    store, _ = open_run(settings, cup.folder / "again", SANDBOX)
    with store:
        run(settings, store, Shuffled())
        assert [bot.id for bot in store.events()[0].bots] == ["first", "bob", "bob-2", "random", "cy"]
        assert [bot.name for bot in store.events()[0].bots if bot.anchor] == ["First"]
    assert cup.records("again") == cup.records()


def test_twins_in_two_files_are_both_kept(cup: Cup) -> None:
    (cup.folder / "bob.py").write_bytes((cup.folder / "ann.py").read_bytes())
    cup.run(Shuffled())
    with Store.open(cup.folder / "run") as store:
        ann, bob, _ = store.events()[0].bots
    assert (ann.digest, ann.source.name, bob.source.name) == (bob.digest, "ann.py", "bob.py")
    assert ann.source.read_bytes() == bob.source.read_bytes()


def test_rounds_of_one_event_do_not_wait_for_another(cup: Cup) -> None:
    first = "e0-r1-t0-d0"
    executor = Shuffled(slots=3)
    waiting = executor.wait

    def wait() -> object:
        """The first block of event 0 ends last of all."""
        held = [entry for entry in executor._in_hand if str(entry[1].id) == first]
        if held and len(executor._in_hand) > 1:
            executor._in_hand.remove(held[0])
            result = waiting()
            executor._in_hand.append(held[0])
            return result
        return waiting()

    executor.wait = wait  # type: ignore[method-assign, assignment]
    events = "[{name: One}, {name: Two, format: {kind: round_robin, deals: 2, rounds: 5}}]"
    cup.run(executor, events=events)
    assert executor.played.index("e1-r5-t0-d8") < executor.played.index("e0-r1-t2-d3") + 40
    numbers = [int(block[4]) for block in executor.played if block.startswith("e1")]
    assert numbers == sorted(numbers)
    assert max(numbers) == 5


def test_bots_that_do_not_start_lose_by_a_start_fault(cup: Cup) -> None:
    cup.run(Shuffled(), bots="[ann.py, bob.py, start.py]")
    assert cup.lines == [
        "Cup: start cannot be started: there is no such thing; its blocks are lost by a start fault"
    ]
    faulty = [record for record in cup.records() if "start" in record.seats]
    assert len(faulty) == 16
    assert {str(record.faults[record.seats.index("start")].kind) for record in faulty} == {"start"}  # type: ignore[union-attr]
    assert {record.points[record.seats.index("start")] for record in faulty} == {0.0}


def test_strict_stops_before_the_first_match(cup: Cup) -> None:
    executor = Shuffled()
    with pytest.raises(
        UsageError, match=r"start cannot be started: there is no such thing\nfaults\.strict is set"
    ):
        cup.run(executor, bots="[ann.py, start.py]", faults="{strict: true}")
    assert executor.played == []
    cup.bot("start2")
    assert cup.records() == []


def test_a_failing_bot_is_taken_out_and_its_blocks_are_forfeits(cup: Cup) -> None:
    changes = {"bots": "[ann.py, bob.py, crash.py]", "faults": "{disqualify_after: 2}"}
    with pytest.raises(KeyboardInterrupt):
        cup.run(Shuffled(stop_after=5), **changes)
    cup.run(Shuffled(9), **changes)
    kinds = [(str(r.block), str(fault.kind)) for r in cup.records() for fault in r.faults if fault]
    assert {kind for block, kind in kinds if block.endswith(("d0",))} == {"crash"}
    assert {kind for block, kind in kinds if not block.endswith(("d0",))} == {"start"}
    with Store.open(cup.folder / "run") as store:
        said = "crash is out of the event after 2 faulty blocks in a row; its other blocks are forfeits"
        assert store.notes() == ((0, said),)


@pytest.mark.parametrize("stop_after", [None, 2, 5])
def test_a_stop_rule_ends_an_event_at_a_checkpoint(cup: Cup, stop_after: int | None) -> None:
    rule = {"until": "{max_blocks: 40}"}
    if stop_after is not None:
        with pytest.raises(KeyboardInterrupt):
            cup.run(Shuffled(stop_after=stop_after), **rule)
    cup.run(Shuffled(7), **rule)
    # Without `rounds` the format goes on for ever: four rounds of four deals at three tables are 48 blocks.
    wanted = {(table, deal) for table in range(3) for deal in range(14)}
    assert {(record.match.table, record.match.deal) for record in cup.records()} == wanted
    with Store.open(cup.folder / "run") as store:
        assert store.notes() == ((0, "max_blocks: 42 blocks were played"),)
        assert store.meta["elapsed_ms"] >= 0
        assert len(store.rounds(0)) == 4


def test_bots_that_a_rule_drops_play_no_more_whatever_finishes_first(cup: Cup) -> None:
    rule = {"until": "{winner: true, max_blocks: 150}", "bots": "[ann.py, bob.py, crash.py]"}
    cup.run(Shuffled(1, 9), "one", **rule)
    with pytest.raises(KeyboardInterrupt):
        cup.run(Shuffled(2, 3, stop_after=50), "other", **rule)
    cup.run(Shuffled(3, 1), "other", **rule)
    assert cup.records("one") == cup.records("other")
    crashed = [record.match.deal for record in cup.records("one") if "crash" in record.seats]
    assert max(crashed) < max(record.match.deal for record in cup.records("one"))


def test_void_blocks_are_tried_again_when_the_run_goes_on(cup: Cup) -> None:
    def void(block: Block) -> str | None:
        return "the disk is full" if block.id.table == 1 else None

    progress = cup.run(Shuffled(void=void))
    assert (progress.blocks_done, progress.voids) == (8, 4)
    with Store.open(cup.folder / "run") as store:
        assert set(store.voids().values()) == {"the disk is full"}
    again = Shuffled()
    assert cup.run(again).blocks_done == 12
    assert sorted(again.played) == [f"e0-r1-t1-d{deal}" for deal in range(4)]
    cup.run(Shuffled(), "fresh")
    assert cup.records() == cup.records("fresh")


def test_one_runner_at_a_time(cup: Cup, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from arena.tournament import locked\n"
        "with locked(Path(sys.argv[1])): pass"
    )
    with locked(tmp_path / "run"):
        assert (tmp_path / "run" / "private").stat().st_mode & 0o077 == 0
        other = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "run")], capture_output=True, text=True
        )
    assert "another arena run is writing to it" in other.stderr
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path / "run")]).returncode == 0


def test_the_run_folder_is_named_after_the_tournament(tmp_path: Path) -> None:
    assert choose_folder("Coupe d'été 2026", None, False) == Path("reports/coupe-d-ete-2026")
    out = tmp_path / "cup"
    assert choose_folder("x", out, True) == out
    for number in ("", "-2"):
        Store.create(tmp_path / f"cup{number}", {}, []).close()
    assert choose_folder("x", out, False) == out
    assert choose_folder("x", out, True) == tmp_path / "cup-3"
    with pytest.raises(ArenaError):
        Store.create(out, {}, [])
