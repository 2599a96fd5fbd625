"""`arena plan`: what it says beforehand is what a run then plays; its intervals are those of the ratings."""

import json
import math
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from support.executors import Shuffled

from arena import registry
from arena.blocks import blocks_of, by_luck
from arena.cli.plan import plan_command
from arena.config import read_config
from arena.match import play_match
from arena.model import Event, Fault, FaultKind, Outcome
from arena.players.scripted import ScriptedPlayer
from arena.ratings.bradley_terry import bradley_terry
from arena.ratings.expected import Design, Tables
from arena.standings import placings_of
from arena.store import Store
from arena.tournament import open_run, run
from arena.tournament.plan import course, plan

GAMES = {2: "{name: rat_deau, seats: 2}", 3: "{name: rat_deau, seats: 3}", 4: "{name: rat_deau, seats: 4}"}


def config(folder: Path, bots: int, format_: str, seats: int = 2, **more: str) -> Path:
    for number in range(bots):
        (folder / f"b{number:02}.py").write_text(f"# {number}\ndef act(turn):\n    return turn.legal[0]\n")
    names = ", ".join(f"b{number:02}.py" for number in range(bots))
    keys = {"name": "Cup", "game": GAMES[seats], "bots": f"[{names}]", "format": format_, "seed": "1", **more}
    path = folder / "cup.yaml"
    path.write_text("".join(f"{key}: {value}\n" for key, value in keys.items()))
    return path


def arena_plan(*arguments: str | Path) -> Result:
    return CliRunner().invoke(plan_command, list(map(str, arguments)))


@pytest.mark.parametrize(
    ("bots", "seats", "format_"),
    [
        (5, 2, "{kind: round_robin, deals: 3, rounds: 2}"),
        (7, 4, "{kind: round_robin, deals: 2, max_tables: 7}"),
        (6, 2, "{kind: swiss, rounds: 3, deals: 2}"),
        (7, 3, "{kind: swiss, rounds: 3, deals: 2, remainder: short}"),
        (5, 3, "{kind: gauntlet, heroes: 2, deals: 2, seatings: all}"),
    ],
)
def test_what_is_planned_is_what_is_played(tmp_path: Path, bots: int, seats: int, format_: str) -> None:
    path = config(tmp_path, bots, format_, seats)
    settings = read_config(path)
    store, _ = open_run(settings, tmp_path / "run", {"tier": "A"})
    with store:
        run(settings, store, Shuffled())
    with Store.open(tmp_path / "run") as store:
        records = list(store.records())
        rounds = store.rounds(0)
    done = arena_plan(path, "--json", "--workers", "2")
    assert done.exit_code == 0, done.output
    (planned,) = json.loads(done.output)["events"]
    assert planned["matches"] == len(records)
    assert planned["blocks"] == len({record.block for record in records})
    assert planned["rounds"] == len(rounds)
    assert planned["tables"] == sum(len(round_.pairings) for round_ in rounds)
    if "swiss" not in format_:  # there who meets whom depends on the results
        names = [f"b{number:02}" for number in range(bots)]
        tables = [pairing.bots for round_ in rounds for pairing in round_.pairings]
        met = [sum({a, b} <= set(table) for table in tables) for a, b in combinations(names, 2)]
        assert planned["meetings"] == [min(met), max(met)]


def by_chance(event: Event) -> tuple[Outcome, ...]:
    """The whole plan played between equals that move by chance."""
    absent, outcomes = Fault(FaultKind.START, 0, ""), []
    higher_wins = registry.games.get(event.game).higher_wins
    for round_ in course(event):
        for block in blocks_of(event, round_):
            for seating, seats in enumerate(block.seatings):
                players = [ScriptedPlayer(start=absent) for _ in seats]
                scores = play_match(event, block.id.match(seating), seats, players).scores
                placings = placings_of(scores, higher_wins)
                outcomes.append(Outcome(str(block.id.match(seating)), str(block.id), seats, placings))
    return tuple(outcomes)


@pytest.mark.parametrize(
    ("bots", "seats", "format_", "common"),
    [
        (4, 2, "{kind: round_robin, deals: 40}", "false"),
        (5, 3, "{kind: round_robin, deals: 10, seatings: one}", "false"),
        (7, 4, "{kind: swiss, rounds: 5, deals: 8, remainder: short}", "false"),
        (6, 2, "{kind: gauntlet, deals: 40}", "false"),
        (8, 2, "{kind: knockout, deals: 20}", "false"),
        (4, 2, "{kind: round_robin, deals: 60}", "true"),
    ],
)
def test_the_intervals_to_expect_are_those_that_come(
    tmp_path: Path, bots: int, seats: int, format_: str, common: str
) -> None:
    made = read_config(config(tmp_path, bots, format_, seats, common_deals=common)).events[0]
    played = by_luck(made, by_chance(made))
    widths = [row.half_width for row in bradley_terry(played, [bot.id for bot in made.bots]).rows]
    assert (min(widths), max(widths)) == pytest.approx(plan(made).half_width, rel=0.25)


def pairs(*tables: tuple[int, int], deals: int = 50, variance: float = 0.125) -> Tables:
    return Tables(np.array(tables), np.full(len(tables), deals), 2, variance)


def test_the_formula_for_two_bots() -> None:
    """N blocks of two independent matches: the log-odds vary by 4 / (2 N), each rating by a quarter of it."""
    (one, other) = Design.of(2, [pairs((0, 1), deals=10_000)]).half_widths()
    sd = math.sqrt(4 / 20_000) / 2 * 400 / math.log(10)
    assert one == pytest.approx(1.96 * sd, rel=0.01)
    assert other == pytest.approx(one)


def test_a_bot_that_meets_nobody_is_as_uncertain_as_the_prior() -> None:
    apart = Design.of(5, [pairs((0, 1), (2, 3), deals=100)]).half_widths()
    assert apart[4] == pytest.approx(1.96 * 2 * 400 / math.log(10), rel=0.001)
    assert apart[:4] == pytest.approx([apart[0]] * 4)
    assert apart[0] < 40


@pytest.mark.parametrize("target", [5.0, 20.0, 80.0])
def test_how_often_it_must_be_played_for_a_width(target: float) -> None:
    design = Design.of(4, [pairs((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), deals=30)])
    times = design.times_for(target)
    assert max(design.half_widths(times)) == pytest.approx(target, rel=0.01)
    assert Design.of(3, [pairs((0, 1))]).times_for(target) == math.inf


def test_it_is_said_in_words(tmp_path: Path) -> None:
    format_ = "{kind: swiss, rounds: 3, deals: 10}"
    path = config(
        tmp_path, 7, format_, 4, limits="{move: 1s, bank: 10s, start: 5s}", until="{half_width: 30}"
    )
    done = arena_plan(path, "--workers", "4")
    assert done.exit_code == 0, done.output
    said = done.output.splitlines()
    assert said[0] == "Cup: rat_deau at 4 seats, swiss, 7 bots"
    assert said[1] == "  tables    3 in 3 rounds"
    assert re.fullmatch(r"  meetings  each pair at 0 to [12] tables?, on 0 to [12]0 deals", said[2])
    assert said[3] == "  blocks    30; 120 matches"
    assert re.fullmatch(
        r"  time      about \d+ s on 4 workers if all bots answer at once, \d+ min if all use all their time",
        said[4],
    )
    assert re.fullmatch(r"  ratings   95 % intervals of about ± \d+ to \d+ Elo, between equals", said[5])
    assert re.fullmatch(
        r"  until     ± 30 Elo would take about \d+ blocks: more deals are needed for it", said[6]
    )
    assert said[8].startswith("All in all 30 blocks and 120 matches, about ")
    assert said[9].endswith("cup.yaml:4: Cup: 7 bots at 4 seats: repeats cannot be avoided after round 2")


def test_a_schedule_without_end_is_told_by_the_round(tmp_path: Path) -> None:
    done = arena_plan(config(tmp_path, 3, "round_robin", until="{half_width: 30, max_blocks: 500}"))
    assert "  tables    3 a round, again and again until a rule stops it\n" in done.output
    assert re.search(
        r"  until     ± 30 Elo after about \d+ blocks\n  until     500 blocks at the most\n", done.output
    )
    done = arena_plan(config(tmp_path, 2, "round_robin", gate="{}"))
    assert "  until     the gate decides\n" in done.output


def test_a_config_that_cannot_be_played_is_not_planned(tmp_path: Path) -> None:
    done = arena_plan(config(tmp_path, 1, "round_robin"))
    assert "a table of 2 takes at least 2 bots, not 1" in str(done.exception)
