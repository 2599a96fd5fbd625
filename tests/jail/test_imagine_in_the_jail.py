"""A searching bot has in the jail what it needs: the rules of every game, and `imagine` on its own view."""

from pathlib import Path

import pytest
from support.matches import GAMES, event_of, play

from arena.jail import BotServer
from arena.model import Bot, Limits
from arena.players.jailed import JailedPlayer
from arena.players.scripted import ScriptedPlayer

pytestmark = pytest.mark.jail

SEARCHER = """
from importlib import import_module
from random import Random

RULES = {"pecking_order": "PeckingOrder", "peech": "Peech", "rat_deau": "RatDeau"}


class Bot:
    def __init__(self, setup):
        self.rules = getattr(import_module(f"arena.games.{setup.game}"), RULES[setup.game])
        self.rng = Random(setup.seed)

    def act(self, turn):
        position = self.rules.imagine(turn.view, self.rng)
        assert list(position.legal()) == list(turn.legal)
        while position.turn is not None:
            position = position.play(self.rng.choice(position.legal()))
        return turn.legal[sum(position.scores()) % len(turn.legal)]
"""


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_searching_bot_plays_a_whole_match(game: str, seats: int, tmp_path: Path) -> None:
    source = tmp_path / "searcher.py"
    source.write_text(SEARCHER)
    limits = Limits(move=20.0, start=20.0)
    with BotServer(Bot("searcher", "Searcher", "", source), limits) as server:
        players = [JailedPlayer(server), *[ScriptedPlayer() for _ in range(seats - 1)]]
        record = play(event_of(game, seats), players)
    assert record.faults == (None,) * seats
