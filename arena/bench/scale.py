"""How large a contest may be: ratings of a thousand bots, the report of two hundred thousand matches.

Each is done by a process of its own, whose time and largest memory are told.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from random import Random
from time import perf_counter

from arena.bench.games import Mindless, event_of
from arena.blocks import blocks_of
from arena.errors import ArenaError
from arena.match import play_match
from arena.model import BlockResult, Bot, Event, MatchId, Outcome, Pairing, Record, Round
from arena.ratings.bradley_terry import bradley_terry
from arena.store import Store

SEED = 2026


def measured(*words: str) -> dict[str, float]:
    """Seconds and largest memory (MB) of a Python process with these words, from its start to its end."""
    begun = perf_counter()
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise ArenaError(f"a process of the benchmark ended with status {process.returncode}")
    return {"seconds": perf_counter() - begun, "megabytes": usage.ru_maxrss / 1024}


def ratings_scale(bots: int = 1000, matches: int = 1_000_000) -> dict[str, float]:
    """Rating them, the making of the outcomes taken off the time."""
    words = ("-m", __name__, str(bots), str(matches))
    empty, whole = measured(*words, "no"), measured(*words, "yes")
    return {**whole, "seconds": whole["seconds"] - empty["seconds"]}


def report_scale(bots: int = 500, matches: int = 200_000) -> dict[str, float]:
    """`arena report` on a generated run."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        folder = Path(name) / "run"
        large_run(folder, bots, matches)
        found = measured("-m", "arena", "report", str(folder))
        return {**found, "first_page_mb": (folder / "site" / "index.html").stat().st_size / 1e6}


def outcomes(bots: int, matches: int) -> Iterator[Outcome]:
    """Two-seat matches in blocks of two between bots whose strengths are spread over some 600 Elo."""
    rng = Random(SEED)
    strengths = [rng.gauss(0, 0.8) for _ in range(bots)]
    for number in range(matches // 2):
        first, second = rng.sample(range(bots), 2)
        for seating, pair in enumerate(((first, second), (second, first))):
            chance = 1 / (1 + 2.718281828 ** (strengths[pair[1]] - strengths[pair[0]]))
            won = rng.random() < chance
            yield Outcome(
                f"e0-r1-t{number}-d0-s{seating}", f"e0-r1-t{number}-d0", (f"bot{pair[0]}", f"bot{pair[1]}"),
                (2 - won, 1 + won), (won, 1 - won), (float(won), 1.0 - won),
            )  # fmt: skip


def large_run(folder: Path, bots: int, matches: int) -> None:
    """A finished run of so many bots and matches: real records, each used again and again by other bots."""
    entrants = [Bot(f"bot{number}", f"Bot {number}", "", folder / "bot.py") for number in range(bots)]
    event = replace(event_of("rat_deau", *entrants), seats=2, format="round_robin")
    tables = list(combinations([bot.id for bot in entrants], 2))
    Random(SEED).shuffle(tables)
    pairings = [Pairing(table, pair, range(1)) for table, pair in enumerate(islice(tables, matches // 2))]
    if len(pairings) < matches // 2:
        raise ArenaError(f"{bots} bots make {len(tables)} tables, too few for {matches} matches")
    samples, rng = _samples(event, 200), Random(SEED)
    with Store.create(folder, {"name": "A large run", "seed": SEED, "finished": True}, [event]) as store:
        store.add_round(0, round_ := Round(1, tuple(pairings)))
        for block in blocks_of(event, round_):
            records = tuple(
                replace(rng.choice(samples), match=block.id.match(seating), seats=seats)
                for seating, seats in enumerate(block.seatings)
            )
            store.commit(BlockResult(block, records))


def _samples(event: Event, count: int) -> list[Record]:
    seats = tuple(bot.id for bot in event.bots[:2])
    return [
        play_match(event, MatchId(0, 1, 0, deal, 0), seats, [Mindless(deal), Mindless(2 * deal)])
        for deal in range(count)
    ]


if __name__ == "__main__":
    count, played = int(sys.argv[1]), tuple(outcomes(int(sys.argv[1]), int(sys.argv[2])))
    if sys.argv[3] == "yes":
        bradley_terry(played, tuple(f"bot{number}" for number in range(count)))
