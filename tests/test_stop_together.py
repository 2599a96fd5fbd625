"""Stop rules in the whole loop, with real workers: they decide the same however many there are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from support.contests import make_record
from support.runs import Chooser, by_chance

from arena.blocks import blocks_of
from arena.config import Settings, read_config
from arena.executors.local import LocalExecutor
from arena.model import Block, BlockResult, Bot, Event, Fault, Outcome, Player
from arena.ratings.bradley_terry import bradley_terry
from arena.registry import formats
from arena.stopping import eliminate
from arena.store import Store
from arena.tournament import open_run, run

BOTS = 12


@dataclass
class Chance:
    """A bench of bots in the worker's own process that play by chance."""

    core: int | None

    def player(self, event: Event, bot: Bot) -> Player:
        return Chooser(by_chance)

    def forget(self) -> None: ...

    def close(self) -> None: ...


def settings_of(folder: Path, bots: int, **keys: str) -> Settings:
    for number in range(bots):
        (folder / f"b{number:02}.py").write_text(f"# {number}\ndef act(turn):\n    return turn.legal[0]\n")
    names = ", ".join(f"b{number:02}.py" for number in range(bots))
    config = folder / "cup.yaml"
    keys = {"name": "Cup", "game": "{name: rat_deau, seats: 2}", "bots": f"[{names}]", "seed": "4"} | keys
    config.write_text("".join(f"{key}: {value}\n" for key, value in keys.items()))
    return read_config(config)


@pytest.mark.parametrize("seats", [2, 3])
def test_half_width_stops_at_the_same_block_with_any_number_of_workers(tmp_path: Path, seats: int) -> None:
    settings = settings_of(
        tmp_path, 4, game=f"{{name: rat_deau, seats: {seats}}}", until="{half_width: 40}",
        format="{kind: round_robin, deals: 7}",
    )  # fmt: skip
    found = []
    for workers in (1, 2, 4):
        folder = tmp_path / f"run{workers}"
        store, _ = open_run(settings, folder, {"tier": "A"})
        executor = LocalExecutor(store.events(), workers, None, Chance)
        executor.start()
        try:
            run(settings, store, executor)
        finally:
            executor.close()
        found.append((sorted(store.done()), store.notes(), list(store.outcomes(0))))
        store.close()
    assert found[0] == found[1] == found[2]
    blocks, ((_, note),), outcomes = found[0]
    assert note == "half_width: every 95 % interval is within ± 40 Elo"
    bots = [bot.id for bot in settings.events[0].bots]
    assert max(row.half_width for row in bradley_terry(outcomes, bots).rows) <= 40
    last = max(block.deal for block in blocks)
    before = [outcome for outcome in outcomes if int(outcome.block.rsplit("-d", 1)[1]) < last]
    assert max(row.half_width for row in bradley_terry(before, bots).rows) > 40


def scores(block: Block, seating: int) -> tuple[int, ...]:
    """By strength and luck: each bot is a little better than the one before it."""
    luck = Random(f"{block.id} {seating}")
    return tuple(round(10 * (int(bot[1:]) / 5 + luck.gauss(0, 1.5))) for bot in block.seatings[seating])


class Canned:
    """An executor that makes results up."""

    workers = 1
    slots = 1

    def __init__(self) -> None:
        self._block: Block | None = None

    def start(self) -> None: ...

    def try_bots(self, entries: Sequence[tuple[Event, Bot]]) -> Iterator[tuple[Event, Bot, Fault | None]]:
        yield from ((event, bot, None) for event, bot in entries)

    def submit(self, event: Event, block: Block, absent: Mapping[str, Fault]) -> None:
        self._block = block

    def wait(self) -> BlockResult:
        block = self._block
        assert block is not None
        records = (
            make_record(block.id.match(seating), seats, scores(block, seating))
            for seating, seats in enumerate(block.seatings)
        )
        return BlockResult(block, tuple(records))

    def close(self) -> None: ...


@pytest.mark.slow
def test_looking_for_the_winner_takes_a_third_of_playing_all_on(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, BOTS, until="{winner: true}", format="{kind: round_robin, deals: 5}")
    store, _ = open_run(settings, tmp_path / "run", {"tier": "A"})
    with store:
        run(settings, store, Canned())
    with Store.open(tmp_path / "run") as store:
        ((_, note),) = store.notes()
        needed = len(list(store.outcomes(0)))
    assert note == "winner: b11 is more than 3 standard errors ahead of every other bot"
    assert 3 * needed <= playing_all_on(settings.events[0])


def playing_all_on(event: Event) -> int:
    """Matches until the leader is as far ahead of every other bot, when nobody is dropped."""
    bots = tuple(bot.id for bot in event.bots)
    round_robin, played, outcomes = formats.get("round_robin"), [], []
    while True:
        round_ = round_robin.next_round(event, tuple(played))
        played.append((round_, ()))
        for block in blocks_of(event, round_):
            for seating, seats in enumerate(block.seatings):
                record = make_record(block.id.match(seating), seats, scores(block, seating))
                outcomes.append(Outcome(str(record.match), str(block.id), seats, record.placings))
        if eliminate(bradley_terry(outcomes, bots), 2, ()).stop:
            return len(outcomes)
