"""Pecking Order: eleven perches, cards face down and face up, decks, and the fight or look just seen."""

from collections.abc import Sequence

from arena.model import Json


def board(view: Json, events: Sequence[Json]) -> Json:
    """The board after a step; a card that the viewer does not know is null, an empty perch too."""
    kept = [event for event in events if event["type"] in ("fight", "place", "look")]
    return {
        "round": view["round"],
        "perches": [
            [perch, stand and [stand["seat"], stand["card"], stand["up"]]]
            for perch, stand in view["board"].items()
        ],
        "card": view["card"],
        "turn": view["turn"] if view["card"] is not None else None,
        "left": view["left"],
        "results": view["results"],
        "last": kept[-1] if kept else None,
    }
