"""Rat d'eau: the raft, the dice and the demand, every seat's loot, offers and rafts."""

from collections.abc import Sequence

from arena.model import Json


def board(view: Json, events: Sequence[Json]) -> Json:
    """The table after a step; `offers` and how they ended stand as long as no new loot is laid.

    `hands` are null where the viewer does not see them.
    """
    last = {event["type"]: event for event in view["history"]}
    dice, offer = last.get("dice"), last.get("offer")
    done = next((event for event in reversed(events) if event["type"] in ("raft", "anger")), None)
    return {
        "round": (done or view)["round"],
        "hands": view["hands"],
        "sizes": view["hand_sizes"],
        "loots": view["loots"],
        "rafts": view["rafts"],
        "dice": dice["dice"] if dice and (done or view["kind"] == "offer") else None,
        "demand": dice["demand"] if dice and (done or view["kind"] == "offer") else None,
        "offers": offer["cards"] if done and offer else None,
        "met": done and done["type"] == "raft",
        "captor": done.get("captor") if done else None,
        "stolen": done.get("stolen") if done else None,
    }
