"""Looking ahead: positions that fit what one sees, and games played on from them."""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from arena.bot import Turn
    from arena.model import Game

Position = TypeVar("Position", bound="Game")


def rules_of(game: str) -> "type[Game]":
    """The class of this game's positions, from `arena.games`; ModuleNotFoundError if it is not there."""
    rules: type[Game] = getattr(import_module(f"arena.games.{game}"), game.title().replace("_", ""))
    return rules


def imagine(turn: "Turn", rng: Random) -> "Game":
    """A position that one could be in, uniform over all that fit the view.

    Cards of others, cards to come and the others' face-down choices are drawn. It is oneself to move, and
    `legal()` is `turn.legal`.
    """
    return rules_of(turn.game).imagine(turn.view, rng)


def play_out(
    position: Position,
    policy: Callable[[Position], str] | Random,
    until: Callable[[Position], bool] | None = None,
) -> Position:
    """The position at the end of the game, or the first one for which `until` holds.

    `policy` gives the action of whoever is on turn, and may look at the whole position; a `Random` in its
    place plays any legal action.
    """
    choose = _uniform(policy) if isinstance(policy, Random) else policy
    while position.turn is not None and not (until and until(position)):
        position = position.play(choose(position))
    return position


def _uniform(rng: Random) -> "Callable[[Game], str]":
    return lambda position: rng.choice(position.legal())
