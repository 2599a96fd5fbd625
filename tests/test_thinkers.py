"""The sample bots that teach: short, explained, reproducible, in time, and as strong as the docs say."""

import re
from pathlib import Path
from random import Random
from runpy import run_path
from time import thread_time
from typing import Any

import pytest
from support.turns import setup_of, turn_of

from arena import registry
from arena.config import read_config
from arena.jail import BotServer
from arena.match import play_match
from arena.model import Bot, Event, Fault, Limits, MatchId, Outcome, Record
from arena.options import settle
from arena.players.bots import facts_of, find_bot
from arena.players.in_process import InProcessPlayer
from arena.players.jailed import JailedPlayer
from arena.standings.columns import Columns
from arena.standings.head_to_head import HeadToHead

ROOT = Path(__file__).parents[1]
KINDS = ("memory", "thinker")
BOTS = [f"{game}_{kind}" for game in ("pecking_order", "peech", "rat_deau") for kind in KINDS]
SIMPLE = {
    "pecking_order": ["hunter"],
    "peech": ["careful", "strongest"],
    "rat_deau": ["greedy", "planner"],
}
GUIDE = (ROOT / "docs" / "write-a-bot.md").read_text(encoding="utf-8")


def game_of(bot: str) -> str:
    return bot.rpartition("_")[0]


def source(bot: str) -> Path:
    return ROOT / "bots" / f"{bot}.py"


def event_of(game: str, bots: list[str], seed: int = 5, **options: Any) -> Event:
    settled = settle(registry.games.get(game).options, options)
    found = tuple(find_bot(str(source(bot))) for bot in bots)
    return Event(0, "Test", game, len(bots), settled, found, "round_robin", {}, Limits(), seed)


def play(event: Event, seats: tuple[Bot, ...], deal: int = 0, seating: int = 0) -> Record:
    ids = tuple(bot.id for bot in seats)
    return play_match(event, MatchId(0, 1, 0, deal, seating), ids, [InProcessPlayer(bot) for bot in seats])


@pytest.mark.parametrize("bot", BOTS)
def test_a_sample_is_short_names_its_game_and_is_explained(bot: str) -> None:
    text = source(bot).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 100
    assert text.startswith('"""')
    assert facts_of(source(bot)).games == (game_of(bot),)
    assert f"bots/{bot}.py" in GUIDE


@pytest.mark.parametrize("game", SIMPLE)
def test_the_same_seed_gives_the_same_match(game: str) -> None:
    """Once more in this process, and in the jail, where the rules and the SDK are all there is."""
    simple = [f"{game}_{name}" for name in SIMPLE[game]]
    event = event_of(game, [f"{game}_thinker", f"{game}_memory", *simple][: 4 if game == "peech" else 2])
    record = play(event, event.bots)
    assert record.faults == (None,) * event.seats
    assert play(event, event.bots).decisions == record.decisions
    servers = [BotServer(bot, event.limits) for bot in event.bots]
    try:
        jailed = play_match(event, record.match, record.seats, [JailedPlayer(server) for server in servers])
    finally:
        for server in servers:
            server.close()
    assert (jailed.decisions, jailed.faults) == (record.decisions, record.faults)


@pytest.mark.parametrize(
    ("bot", "options"),
    [
        ("pecking_order_thinker", {"rounds": 10, "first_player": 1}),
        ("pecking_order_memory", {"rounds": 3, "jaguar_holds_tiebreak": False}),
        ("peech_thinker", {"rounds": 50, "max_battles": 300}),
        ("peech_thinker", {"rounds": 1, "redraw": "once", "battle_order": "rank"}),
        ("peech_memory", {"rounds": 1, "battle_order": "rank"}),
        ("rat_deau_thinker", {"pack": list(range(40)), "raft_factor": 0}),
        ("rat_deau_memory", {"pack": [0] * 6, "offers_return_on_anger": True}),
    ],
)
def test_any_options_leave_it_time_enough(bot: str, options: dict[str, Any]) -> None:
    """Its first decisions, the longest, are legal and take half the move limit at most."""
    rng, rules = Random(3), registry.games.get(game_of(bot))
    seats = rules.seats[-1]
    position, space, acts = rules.start(seats, rng, options), run_path(str(source(bot))), {}
    since = [0] * seats
    for _ in range(4 * seats):
        turn = turn_of(position, seats, since[position.turn])
        since[turn.seat] += len(turn.events)
        if turn.seat not in acts:
            made = space.get("Bot")
            acts[turn.seat] = made(setup_of(position, turn.seat, seats)).act if made else space["act"]
        began = thread_time()
        action = acts[turn.seat](turn)
        assert thread_time() - began < Limits().move / 2
        assert action in turn.legal
        position = position.play(action)
        if position.turn is None:
            break


def test_the_config_seats_the_thinkers_among_the_best_simple_bots() -> None:
    events = read_config(ROOT / "configs" / "thinkers.yaml").events
    assert {(event.game, event.seats) for event in events} == {
        ("pecking_order", 2), ("peech", 4), ("rat_deau", 2), ("rat_deau", 3), ("rat_deau", 4),
    }  # fmt: skip
    for event in events:
        names = {bot.source.stem for bot in event.bots}
        assert names == {f"{event.game}_{name}" for name in (*KINDS, *SIMPLE[event.game])}
        assert (event.limits.move, event.limits.bank) == (1.0, 10.0)


DEALS = {"pecking_order": 7, "peech": 8, "rat_deau": 8}


@pytest.mark.slow
@pytest.mark.parametrize(
    "event", read_config(ROOT / "configs" / "thinkers.yaml").events, ids=lambda e: e.name
)
def test_the_thinkers_beat_the_best_simple_bots(event: Event) -> None:
    """A short version of the config: of what thinker and simple bot win from each other, the thinker gets
    more than half, and the 95 % interval says so. The whole of it is in docs/write-a-bot.md.
    """
    thinker, *others = sorted(event.bots, key=lambda bot: not bot.source.stem.endswith("thinker"))
    simple = [bot for bot in others if not bot.source.stem.endswith("memory")]
    table = (thinker, *simple, *[bot for bot in others if bot not in simple])[: event.seats]
    tables = [(thinker, rival) for rival in simple] if event.seats == 2 else [table]
    outcomes = []
    for number, seats in enumerate(tables):
        for deal in range(DEALS[event.game]):
            for turn in range(len(seats)):
                record = play(event, (*seats[turn:], *seats[:turn]), 100 * number + deal, turn)
                assert not any(isinstance(fault, Fault) for fault in record.faults)
                outcomes.append(
                    Outcome(str(record.match), str(record.block), record.seats, record.placings,
                            tuple(map(float, record.scores)), record.points)
                )  # fmt: skip
    results = HeadToHead(Columns.of(outcomes, [bot.id for bot in event.bots]))
    beats, certain = results.leads()
    at = {bot: number for number, bot in enumerate(results.bots)}
    for rival in simple:
        assert beats[at[thinker.id], at[rival.id]]
        assert certain[at[thinker.id], at[rival.id]], results[thinker.id, rival.id]


def test_the_guide_s_table_of_results_is_complete() -> None:
    for game, names in SIMPLE.items():
        for name in ("thinker", *names):
            assert re.search(rf"^\| .*{name}", GUIDE, re.MULTILINE | re.IGNORECASE), (game, name)
