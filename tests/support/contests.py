"""Small events, bots and records for tests of what stands above the games."""

from pathlib import Path

from arena.model import Bot, Event, Limits, MatchId, Record, Timing
from arena.standings import placings_of, points_of


def make_bot(bot_id: str) -> Bot:
    """A bot of that id and name; there is no file behind it."""
    return Bot(bot_id, bot_id.title(), f"{bot_id}-digest", Path("/nowhere") / f"{bot_id}.py")


def make_event(index: int = 0, bots: tuple[str, ...] = ("ann", "bob", "cy"), **settings: object) -> Event:
    """An event of Pecking Order at two seats, round robin; `settings` replace single fields."""
    fields: dict[str, object] = {
        "index": index, "name": f"Event {index}", "game": "pecking_order", "seats": 2,
        "options": {"rounds": 3}, "bots": tuple(map(make_bot, bots)), "format": "round_robin",
        "format_options": {"deals": 2}, "limits": Limits(), "seed": 2**70 + 1,
    }  # fmt: skip
    return Event(**{**fields, **settings})  # type: ignore[arg-type]


def make_record(match: MatchId, seats: tuple[str, ...], scores: tuple[int, ...] = ()) -> Record:
    """A record of a match in which seat 0 did best; times are exact in 32 bits."""
    scores = scores or tuple(2 * (len(seats) - seat) - 1 for seat in range(len(seats)))
    placings = placings_of(scores)
    return Record(
        match, "pecking_order", {"rounds": 3}, seats, {"decks": [[["J", 1], [2, 3]]]},
        tuple(("p1", "p2")[: seat + 1] for seat in range(len(seats))), scores, placings, points_of(placings),
        (None,) * len(seats), tuple(Timing(1.5, 2.25, (0.5, 0.25), 0.125) for _ in seats),
    )  # fmt: skip
