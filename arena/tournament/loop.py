"""The loop: try the bots, ask the formats for blocks, play what is missing, commit, stop."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from arena import registry
from arena.config import Settings
from arena.errors import UsageError
from arena.model import Executor, Fault, RatingModel
from arena.stopping import decide
from arena.store import Store
from arena.tournament.builds import cannot_start
from arena.tournament.checkpoints import StopRule
from arena.tournament.event_run import EventRun
from arena.tournament.folder import STRICT


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is; totals count the rounds that are known by now."""

    blocks: int
    blocks_done: int
    faults: int
    """Matches with a fault, of those played since the run was started or resumed."""
    voids: int


def run(
    settings: Settings,
    store: Store,
    executor: Executor,
    *,
    say: Callable[[str], None] = lambda line: None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_commit: Callable[[], None] = lambda: None,
) -> Progress:
    """Play everything that the store does not hold yet, and say so in the store when it is finished.

    `say` gets lines for the organiser, `on_progress` the state after each block, `on_commit` a moment to
    rewrite pages. UsageError when `faults: {strict: true}` is set and a bot cannot be started. The executor
    has been started, and is left open.
    """
    events = store.events()
    _preflight(settings.strict, store, executor, say)
    clock = _Clock(store)
    rule = _rule(settings)
    runs = {
        event.index: EventRun(event, store, settings.disqualify_after, rule, clock.seconds)
        for event in events
    }
    tally = _Tally(store, runs)
    in_hand = _hand_out(runs, executor, 0)
    if tally.done and in_hand:
        blocks = tally.progress().blocks
        say(f"resuming: {tally.done} of {blocks} blocks done, {blocks - tally.done} to play")
    on_progress(tally.progress())
    while in_hand:
        result = executor.wait()
        store.commit(result)
        clock.tick()
        runs[result.block.id.event].came_in(result)
        tally.count(result.void is not None, sum(any(record.faults) for record in result.records))
        in_hand = _hand_out(runs, executor, in_hand - 1)
        on_progress(tally.progress())
        on_commit()
    clock.keep()
    store.set_meta("finished", True)
    return tally.progress()


def _rule(settings: Settings) -> StopRule | None:
    if not settings.until:
        return None
    model: RatingModel = registry.ratings.get(settings.rating_model)
    return lambda standing: decide(settings.until, standing, model)


class _Clock:
    """How long the tournament has been played over all starts; kept now and then, for it may be killed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._before: float = store.meta.get("elapsed_ms", 0) / 1000
        self._begun = self._kept = time.monotonic()

    def seconds(self) -> float:
        return self._before + time.monotonic() - self._begun

    def tick(self) -> None:
        if time.monotonic() - self._kept > 5:
            self.keep()

    def keep(self) -> None:
        self._kept = time.monotonic()
        self._store.set_meta("elapsed_ms", round(self.seconds() * 1000))


class _Tally:
    def __init__(self, store: Store, runs: dict[int, EventRun]) -> None:
        self._runs = runs
        self.done = len(store.done())
        self._voids = self._faults = 0

    def count(self, void: bool, faults: int) -> None:
        self.done += not void
        self._voids += void
        self._faults += faults

    def progress(self) -> Progress:
        runs = self._runs.values()
        return Progress(sum(run.blocks for run in runs), self.done, self._faults, self._voids)


def _hand_out(runs: dict[int, EventRun], executor: Executor, in_hand: int) -> int:
    """Fill the executor from all events in turn; how many blocks it then has in hand."""
    turn = deque(runs.values())
    while turn and in_hand < executor.slots:
        event_run = turn.popleft()
        block = event_run.take()
        if block is not None:
            executor.submit(event_run.event, block, event_run.absent)
            in_hand += 1
            turn.append(event_run)
    return in_hand


def _preflight(strict: bool, store: Store, executor: Executor, say: Callable[[str], None]) -> None:
    """Start every bot once that was not tried before, and tell of all that fail."""
    entries = []
    for event in store.events():
        tried = store.preflight(event.index)
        entries += [(event, bot) for bot in event.bots if bot.id not in tried]
    found: dict[int, dict[str, Fault | None]] = {}
    for event, bot, fault in executor.try_bots(entries):
        found.setdefault(event.index, {})[bot.id] = fault
    failed = [
        cannot_start(event, bot, fault) for event, bot in entries if (fault := found[event.index][bot.id])
    ]
    if failed and strict:
        raise UsageError("\n".join([*failed, STRICT]))
    for index, faults in found.items():
        store.set_preflight(index, faults)
    for line in failed:
        say(f"{line}; its blocks are lost by a start fault")
