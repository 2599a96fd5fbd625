"""Turns of real positions, for whatever a bot does with them."""

from collections.abc import Iterator
from random import Random
from typing import Any

from arena import registry
from arena.bot import Setup, Turn
from arena.model import Limits

LIMITS = Limits().as_json()
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "pecking_order": [{}, {"rounds": 3, "jaguar_holds_tiebreak": False}],
    "peech": [{"rounds": 2}, {"rounds": 2, "redraw": "once", "battle_order": "rank", "max_battles": 20}],
    "rat_deau": [{}, {"pack": [0, 0, 5, 5, 9, 9, 9], "offers_return_on_anger": True, "raft_worth": 2}],
}


def setup_of(position: Any, seat: int, seats: int) -> Setup:
    return Setup(
        {"game": position.name, "seat": seat, "seats": seats, "options": position.view(seat)["options"],
         "seed": 7, "limits": LIMITS}
    )  # fmt: skip


def turn_of(position: Any, seats: int, since: int = 0) -> Turn:
    seat = position.turn
    return Turn(
        setup_of(position, seat, seats),
        {"kind": position.kind, "legal": list(position.legal()), "view": position.view(seat),
         "events": list(position.events(seat, since)), "bank": 10.0},
    )  # fmt: skip


def walk(game: str, seats: int, seed: int, options: dict[str, Any]) -> Iterator[Any]:
    """All positions of a random game, the last one too."""
    rng = Random(seed)
    position = registry.games.get(game).start(seats, rng, options)
    yield position
    while position.turn is not None:
        position = position.play(rng.choice(position.legal()))
        yield position


def case(game: str, seats: int, seed: int) -> Iterator[Any]:
    return walk(game, seats, seed, OPTIONS[game][seed % 2])
