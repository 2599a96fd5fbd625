"""Games of Pecking Order written down in short, and what is to be seen of them."""

from random import Random
from typing import Any

import pytest

from arena.errors import IllegalAction
from arena.games.pecking_order import WORTH, PeckingOrder


def dealt(text: str, **options: Any) -> PeckingOrder:
    """The start of a game in which these cards are drawn, `card@perch` by `card@perch`, rounds split by `|`.

    The seats alternate; a token without `@` is the answer to a look.
    """
    rounds = []
    for number, moves in enumerate(text.split("|")):
        cards = [int(m.split("@")[0]) if m[0] != "J" else "J" for m in moves.split() if "@" in m]
        starter = (options.get("first_player", 0) + number) % 2
        rounds.append([cards[starter::2], cards[1 - starter :: 2]])
    return PeckingOrder.from_chance(2, {"decks": rounds}, {"rounds": len(rounds), **options})


def played(text: str, **options: Any) -> PeckingOrder:
    position = dealt(text, **options)
    for move in text.replace("|", " ").split():
        position = position.play(move.split("@")[-1])
    return position


def random_game(seed: int, **options: Any) -> list[PeckingOrder]:
    rng = Random(seed)
    positions = [PeckingOrder.start(2, rng, options)]
    while positions[-1].turn is not None:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal())))
    return positions


def stands(position: PeckingOrder, viewer: int | None, perch: str) -> tuple[Any, ...] | None:
    """Seat, card and face up as this viewer sees them."""
    stand = position.view(viewer)["board"][perch]
    return stand and (stand["seat"], stand["card"], stand["up"])


def told(position: PeckingOrder, viewer: int | None, kind: str) -> list[dict[str, Any]]:
    return [event for event in position.events(viewer) if event["type"] == kind]


def refuses(position: PeckingOrder, actions: list[str]) -> None:
    before = repr(position)
    for action in actions:
        with pytest.raises(IllegalAction):
            position.play(action)
    assert repr(position) == before


def no_perch_left() -> PeckingOrder:
    """The end of a game in which seat 0 holds all perches while seat 1 throws its cards against a 12."""
    first = [12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, "J"]
    second = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "J"]
    position = PeckingOrder.from_chance(2, {"decks": [[first, second]]}, {})
    perches = iter(["10", *[perch for perch in WORTH if perch != "10"]])
    while position.turn is not None:
        if position.turn == 0:
            position = position.play("none" if position.kind == "look" else next(perches))
        else:
            position = position.play("10")
    return position
