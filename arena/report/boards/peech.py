"""Peech: the cards of the battle, hands, won piles, targets, and who has said "Peech!"."""

from collections.abc import Sequence

from arena.model import Json


def board(view: Json, events: Sequence[Json]) -> Json:
    """The table after a step. When the step ended a round, the table as that round left it is kept beside.

    `hands` and `coups` are null where the viewer does not know them; `battle` is the one just fought, if any.
    """
    by_type = {event["type"]: event for event in events}
    battle, scored = by_type.get("battle"), by_type.get("scores")
    return {
        "round": view["round"],
        "points": view["points"],
        "start": view["start"],
        "coups": view["coups"],
        "hands": view["hands"],
        "size": view["hand_size"],
        "active": view["active"],
        "won": view["won"],
        "battle": battle and {key: battle[key] for key in ("battle", "cards", "takes", "thrown")},
        "peech": [event["by"] for event in events if event["type"] == "peech"],
        "scored": scored
        and {key: scored[key] for key in ("round", "coups", "counts", "gained", "scores", "winners")},
        "totals": [
            sum(result["scores"][seat] - (seat in result["winners"]) for result in view["results"])
            for seat in range(len(view["won"]))
        ],
    }
