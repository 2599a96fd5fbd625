"""One match of a game as an AEC environment: seats are agents, actions and observations are arrays."""

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arena import registry
from arena.bot.encodings import encoding
from arena.model import Game
from arena.options import settle
from arena.standings import points_of

Observation = dict[str, np.ndarray]


def env(game: str, seats: int | None = None, options: Mapping[str, Any] | None = None) -> Any:
    """The environment as most libraries want it: an illegal action ends the game with -1 for who took it.

    `seats` is by default the smallest table that the game allows, `options` the game's own. UsageError for
    what the game does not know.
    """
    made: Any = wrappers.TerminateIllegalWrapper(Environment(game, seats, options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class Environment(AECEnv, EzPickle):  # type: ignore[misc] # PettingZoo's classes have no types
    """The same without wrappers. Agents `player_0` … are the seats.

    Choices made at the same time are asked one after another and stay hidden until the last one is in. All
    rewards come at the end: twice the share of opponents beaten (a tie counts one half), less one, so
    they sum to zero. `infos` then has each agent's `score` and `placing`.
    """

    def __init__(self, game: str, seats: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        EzPickle.__init__(self, game, seats, options)
        self.rules: type[Game] = registry.games.get(game)
        self.game_options = settle(self.rules.options, options or {})
        size = seats or self.rules.seats[0]
        self.rules.start(size, Random(0), self.game_options)  # refuses a wrong table size
        self.encoding = encoding(game, size, self.game_options)
        self.metadata = {"name": f"{game}_v1", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self.possible_agents = [f"player_{seat}" for seat in range(size)]
        count = len(self.encoding.actions)
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-1.0, 1.0, (self.encoding.size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._index = {action: index for index, action in enumerate(self.encoding.actions)}
        self._rng = Random()
        self.position: Game

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """A new deal; with a seed always the same one. The game's options are those of the environment."""
        if seed is not None:
            self._rng = Random(seed)
        self.position = self.rules.start(len(self.possible_agents), self._rng, self.game_options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.position.turn or 0]

    def observe(self, agent: str) -> Observation:
        """What this seat sees, its own place first; no action is allowed to a seat that is not asked."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(len(self.encoding.actions), np.int8)
        if self.position.turn == seat:
            mask[[self._index[action] for action in self.position.legal()]] = 1
        found = np.array(self.encoding.encode(self.position.view(seat)), np.float32)
        return {"observation": found, "action_mask": mask}

    def step(self, action: Any) -> None:
        """IllegalAction, and nothing changed, for an action that the mask forbids."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(self.encoding.actions[int(action)])
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.position.turn is None:
            self._finish()
        seat = self.possible_agents.index(agent) + 1 if self.position.turn is None else self.position.turn
        self.agent_selection = self.possible_agents[seat % len(self.possible_agents)]
        self._accumulate_rewards()

    def _finish(self) -> None:
        scores, placings = self.position.scores(), self.position.placings()
        points = points_of(placings)
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = 2 * points[seat] - 1
            self.terminations[agent] = True
            self.infos[agent] = {"score": scores[seat], "placing": placings[seat]}

    def render(self) -> str:
        """All that has happened, as the judge sees it, a line for each event."""
        return "\n".join(self.rules.tell(event) for event in self.position.events(None))

    def close(self) -> None:
        """Nothing is held."""
