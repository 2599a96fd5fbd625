"""The overall table: most events first, then points, then ratings."""

from types import SimpleNamespace
from typing import Any

from arena.report.overall import overall


def _event(*table: tuple[str, float, float]) -> Any:
    """An event's standings as (bot, share of points, rating), best first."""
    return SimpleNamespace(
        table=[
            SimpleNamespace(
                bot=SimpleNamespace(id=bot, digest=bot, name=bot.title()),
                row=SimpleNamespace(share=SimpleNamespace(value=share)),
                rating=SimpleNamespace(rating=rating),
                rank=place,
            )
            for place, (bot, share, rating) in enumerate(table, 1)
        ]
    )


def test_nobody_wins_by_staying_away() -> None:
    first = _event(("guest", 0.9, 200.0), ("ann", 0.6, 50.0), ("bob", 0.3, -250.0))
    second = _event(("bob", 0.7, 100.0), ("ann", 0.3, -100.0))
    table = overall([first, second])
    assert [(row.rank, row.bot) for row in table] == [(1, "bob"), (2, "ann"), (3, "guest")]
    assert [row.ranks for row in table] == [(3, 1), (2, 2), (1, None)]


def test_equal_points_are_told_apart_by_ratings_and_else_shared() -> None:
    one = _event(("ann", 0.5, 10.0), ("bob", 0.5, -10.0), ("cy", 0.5, -10.0))
    table = overall([one, one])
    assert [(row.rank, row.bot) for row in table] == [(1, "ann"), (2, "bob"), (2, "cy")]


def test_there_is_none_where_no_two_bots_share_two_events() -> None:
    assert overall([_event(("ann", 0.5, 0.0)), _event(("ann", 0.5, 0.0), ("bob", 0.5, 0.0))]) == ()
