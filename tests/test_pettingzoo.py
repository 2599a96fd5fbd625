"""PettingZoo's own tests hold, its agents play by arena's rules, and they see what a bot sees and no more."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, seed_test
from support.matches import GAMES

from arena import pettingzoo, registry
from arena.errors import IllegalAction, UsageError

# PettingZoo wants boxes, and knows by name which of its own environments have masks beside them.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]
OPTIONS = [
    ("pecking_order", 2, {"rounds": 2, "first_player": 1}),
    ("peech", 4, {"rounds": 1, "max_battles": 9, "redraw": "once"}),
    ("rat_deau", 3, {"pack": [0, 0, 5, 5, 1000, 7], "raft_factor": 0, "offers_return_on_anger": True}),
]
CASES = [(game, seats, {}) for game, seats in GAMES] + OPTIONS


@pytest.mark.parametrize(("game", "seats", "options"), CASES)
def test_pettingzoo_s_api_test(game: str, seats: int, options: dict[str, Any]) -> None:
    api_test(pettingzoo.env(game, seats, options), num_cycles=300)


@pytest.mark.parametrize(("game", "seats", "options"), CASES)
def test_pettingzoo_s_seed_test(game: str, seats: int, options: dict[str, Any]) -> None:
    seed_test(lambda: pettingzoo.env(game, seats, options), num_cycles=100)


def walk(env: Any, seed: int) -> Iterator[tuple[str, str]]:
    """Random play: who is asked, and what he answers."""
    env.reset(seed=seed)
    rng = Random(seed)
    while env.position.turn is not None:
        agent = env.agent_selection
        mask = env.observe(agent)["action_mask"]
        number = rng.choice(np.flatnonzero(mask))
        yield agent, env.encoding.actions[number]
        env.step(number)


@pytest.mark.parametrize(("game", "seats", "options"), CASES)
def test_a_match_is_one_by_the_rules(game: str, seats: int, options: dict[str, Any]) -> None:
    env = pettingzoo.Environment(game, seats, options)
    rules = registry.games.get(game)
    for seed in range(3):
        position = rules.start(seats, Random(seed), options)
        for agent, action in walk(env, seed):
            assert agent == f"player_{position.turn}"
            mask = env.observe(agent)["action_mask"]
            allowed = {env.encoding.actions[number] for number in np.flatnonzero(mask)}
            assert allowed == set(position.legal())
            for other in env.agents:
                seen = env.observe(other)
                assert env.observation_space(other).contains(seen)
                assert other == agent or not seen["action_mask"].any()
            position = position.play(action)
        assert env.position == position
        assert [env.infos[agent]["score"] for agent in env.agents] == list(position.scores())
        assert [env.infos[agent]["placing"] for agent in env.agents] == list(position.placings())
        assert sum(env.rewards.values()) == pytest.approx(0)
        assert all(env.terminations.values())
        assert env.render().splitlines()[-1] == rules.tell(position.events(None)[-1])


@pytest.mark.parametrize(("game", "seats"), GAMES)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_an_observation_hangs_on_the_view_alone(game: str, seats: int, seed: int) -> None:
    """Another position that the seat cannot tell from this one looks the same."""
    env = pettingzoo.Environment(game, seats)
    rng = Random(seed)
    for agent, _ in walk(env, seed):
        if rng.random() < 0.1:
            real, seen = env.position, env.observe(agent)
            env.position = env.rules.imagine(real.view(real.turn), rng)
            again = env.observe(agent)
            env.position = real
            assert np.array_equal(seen["observation"], again["observation"])
            assert np.array_equal(seen["action_mask"], again["action_mask"])


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_different_views_look_different_wherever_a_card_differs(game: str, seats: int) -> None:
    """As many different observations as deals, at the first decision that shows any chance."""
    env = pettingzoo.Environment(game, seats)
    first = set()
    for seed in range(40):
        for count, (agent, _) in enumerate(walk(env, seed)):
            if count == (seats if game == "rat_deau" else 0):
                observation = env.observe(agent)["observation"]
                first.add(observation.tobytes())
    assert len(first) >= {"pecking_order": 10, "peech": 40, "rat_deau": 25}[game]


def test_the_winner_gets_one_and_the_last_minus_one() -> None:
    env = pettingzoo.Environment("peech")
    for seed in range(5):
        for _ in walk(env, seed):
            assert not any(env.rewards.values())
        by_placing = sorted((env.infos[agent]["placing"], env.rewards[agent]) for agent in env.agents)
        assert [reward for _, reward in by_placing] == sorted((r for _, r in by_placing), reverse=True)
        if [placing for placing, _ in by_placing] == [1, 2, 3, 4]:
            assert by_placing == [(1, 1), (2, pytest.approx(1 / 3)), (3, pytest.approx(-1 / 3)), (4, -1)]


def test_an_illegal_action_ends_the_game_for_learners_and_is_refused_without_wrappers() -> None:
    env = pettingzoo.env("rat_deau", 2)
    env.reset(seed=1)
    env.step(8)  # the 9
    env.step(0)
    env.step(8)  # again
    assert env.terminations == {"player_0": True, "player_1": True}
    assert (env.rewards["player_0"], env.rewards["player_1"]) == (-1, 0)
    bare = pettingzoo.Environment("rat_deau", 2)
    bare.reset(seed=1)
    for number in (8, 0):
        bare.step(number)
    before = bare.position
    with pytest.raises(IllegalAction):
        bare.step(8)
    assert bare.position is before


def test_every_deal_is_another_and_a_seed_gives_the_same_again() -> None:
    env = pettingzoo.Environment("pecking_order")
    env.reset(seed=3)
    one = env.position
    env.reset()
    assert env.position != one
    env.reset(seed=3)
    assert env.position == one


def test_what_cannot_be_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="2 to 4 seats, not 5"):
        pettingzoo.env("rat_deau", 5)
    with pytest.raises(UsageError, match="did you mean 'peech'"):
        pettingzoo.env("peach")
    with pytest.raises(UsageError, match="rounds"):
        pettingzoo.env("peech", options={"rounds": 0})
