"""One run measures everything, each on one core but where it says otherwise.

What is compared is measured in turn, a slice of each at a time, so that whatever else the machine does meets
all alike.
"""

import os
import platform
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter

from arena import registry
from arena.bench.figures import summary
from arena.bench.games import Matches, Mindless, event_of, worker_rate
from arena.bench.jailed import Jail, instant_bot
from arena.bench.pipes import Limit, bare_match, bare_start, json_rate
from arena.bench.talk import repeat
from arena.errors import ArenaError
from arena.jail import BotServer
from arena.model import Json, Limits
from arena.players.bots import find_bot
from arena.players.in_process import InProcessPlayer
from arena.players.jailed import JailedPlayer

DECISIONS = 25
SLICES = 5
_PATIENCE = 60  # seconds


def bench(runs: int, seconds: float, say: Callable[[str], None] = lambda line: None) -> Json:
    """Measure so many times, `seconds` for each rate; see `figures.summary` for what comes out.

    JailUnavailable where there is no jail. With a single core, what needs two is left out.
    """
    cores, load = sorted(os.sched_getaffinity(0)), os.getloadavg()[0]
    found: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        folder = Path(name)
        limit = Limit(folder)
        for number in range(1, runs + 1):
            say(f"run {number} of {runs}")
            figures = dict(_one_core(limit, folder, cores[-1], seconds))
            if len(cores) > 1:
                figures |= _two_cores(folder, cores[:2], seconds)
            found.append(figures)
    machine = {
        "processor": _processor(), "cores": len(cores), "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(), "load": round(load, 2), "runs": runs, "limit": limit.made_by,
    }  # fmt: skip
    return summary(found, machine)


def _one_core(limit: Limit, folder: Path, core: int, seconds: float) -> Iterator[tuple[str, float]]:
    slice_, times = seconds / SLICES, max(SLICES, int(60 * seconds))
    events = {game: event_of(game, find_bot("random")) for game in registry.games}
    with _pinned(core), Jail(folder, core) as jail:
        yield from _in_turn(
            {
                "limit": lambda: limit.rate(slice_),
                "decisions": lambda: jail.decision_rate(slice_),
                "json": lambda: json_rate(slice_),
                **{f"rules.{game}": partial(Matches(event, Mindless).decision, slice_)
                   for game, event in events.items()},
            }
        )  # fmt: skip
        bare, jailed = partial(bare_match, DECISIONS), partial(jail.match, DECISIONS)
        yield from _in_turn(
            {
                "bare_start": partial(_median, _timed(bare_start), times // SLICES),
                "fresh_start": partial(_median, jail.fresh_start, 2 * times // SLICES),
                "bare_match": partial(_median, _timed(bare), times // SLICES),
                "match": partial(_median, _timed(jailed), 2 * times // SLICES),
            }
        )
        for game, event in events.items():
            with BotServer(event.bots[0], Limits(), core) as server:
                inside = Matches(event, partial(JailedPlayer, server))
                outside = Matches(event, partial(InProcessPlayer, event.bots[0]))
                rates = {f"in_process.{game}": outside.rate, f"jailed.{game}": inside.rate}
                yield from _in_turn({key: partial(rate, slice_) for key, rate in rates.items()})


def _two_cores(folder: Path, cores: list[int], seconds: float) -> dict[str, float]:
    bot = instant_bot(folder)
    event = event_of("rat_deau", *[bot] * 4)
    blocks = int(100 * seconds)
    figures = _in_turn(
        {
            "decisions_2": lambda: _together(cores, folder, lambda jail: jail.decision_rate(seconds)),
            "matches_2": lambda: _together(cores, folder, lambda jail: _match_rate(jail, seconds)),
            "workers_1": lambda: worker_rate(event, 1, blocks),
            "workers_2": lambda: worker_rate(event, 2, 2 * blocks),
        },
        3,
    )
    return dict(figures)


def _in_turn(measures: Mapping[str, Callable[[], float]], times: int = SLICES) -> Iterator[tuple[str, float]]:
    """The median of each over so many rounds through all of them."""
    found: dict[str, list[float]] = {key: [] for key in measures}
    for _ in range(times):
        for key, measure in measures.items():
            found[key].append(measure())
    for key, values in found.items():
        yield key, median(values)


def _timed(once: Callable[[], object]) -> Callable[[], float]:
    """The same, giving the milliseconds that it takes."""

    def measure() -> float:
        begun = perf_counter()
        once()
        return 1e3 * (perf_counter() - begun)

    return measure


def _median(measure: Callable[[], float], times: int) -> float:
    """Of so many in a row, as a worker has them."""
    return median(measure() for _ in range(times))


def _match_rate(jail: Jail, seconds: float) -> float:
    return repeat(lambda: jail.match(DECISIONS), seconds)


def _together(cores: list[int], folder: Path, rate: Callable[[Jail], float]) -> float:
    """The sum of this rate over processes that measure at the same time, each on its core."""
    context = get_context("fork")
    ready, rates = context.Barrier(len(cores)), context.SimpleQueue()

    def measure(core: int) -> None:
        os.sched_setaffinity(0, {core})
        own = folder / str(core)
        own.mkdir(exist_ok=True)
        with Jail(own, core) as jail:
            ready.wait(_PATIENCE)
            rates.put(rate(jail))

    processes = [context.Process(target=measure, args=(core,), daemon=True) for core in cores]
    try:
        for process in processes:
            process.start()
        for process in processes:
            process.join(_PATIENCE)
            if process.exitcode != 0:
                raise ArenaError(f"a process of the benchmark ended with {process.exitcode}")
        return float(sum(rates.get() for _ in cores))
    finally:
        for process in processes:
            process.kill()
            process.join()


@contextmanager
def _pinned(core: int) -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _processor() -> str:
    with open("/proc/cpuinfo") as file:
        names = [line.partition(":")[2] for line in file if line.startswith("model name")]
    return " ".join(names[0].split()) if names else platform.machine()
