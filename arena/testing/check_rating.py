"""What any rating model must hold: `check_rating`, for arena's own and for plug-ins; needs no pytest."""

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from arena.errors import UsageError
from arena.model import Outcome, Rating, RatingModel, Ratings
from arena.standings import placings_of

Results = tuple[Outcome, ...]


def check_rating(model: RatingModel, *, fields: int = 8, seed: int = 0) -> None:
    """Rate simulated and crafted results and check the contract of arena.model.RatingModel.

    AssertionError, in one line that says what does not hold, at the first breach.

    Checked: every entrant has one row, with or without results; all numbers are finite, whatever the
    results; ranks, rank intervals and groups are what the ratings say; the same results in any order, of
    matches and of entrants, and with any names give the same table; equal results give equal ratings;
    stronger bots come out above weaker ones; more blocks make narrower intervals; an anchor is at 0;
    strangers are refused.
    """
    dice = Random(seed)
    for number in range(fields):
        seats = 2 + number % 3
        bots = tuple(f"bot{i}" for i in range(dice.randint(seats, 7)))
        outcomes = _field(dice, bots, seats, dice.randint(1, 4), dice.uniform(0.0, 2.0))
        _check_field(model, dice, outcomes, bots)
    for name, outcomes, bots in _crafted():
        _sound(model(outcomes, bots), bots, name)
        for bot in bots:
            _sound(model(outcomes, bots, bot), bots, f"{name}, anchor {bot}")
    _check_order_of_strength(model, dice)
    _check_equals(model)
    _check_groups(model)
    _check_strangers(model)


def _check_field(model: RatingModel, dice: Random, outcomes: Results, bots: tuple[str, ...]) -> None:
    where = f"{len(outcomes)} matches of {len(bots)} bots"
    ratings = model(outcomes, bots)
    _sound(ratings, bots, where)
    again = model(tuple(dice.sample(outcomes, len(outcomes))), tuple(dice.sample(bots, len(bots))))
    _need(ratings == again, where, "another order of the same results or entrants changes the table")
    new = dict(zip(bots, dice.sample([f"x{i}" for i in range(len(bots))], len(bots)), strict=True))
    renamed = model(
        tuple(replace(o, bots=tuple(new[bot] for bot in o.bots)) for o in outcomes), tuple(new.values())
    )
    by_name = {row.bot: row for row in renamed.rows}
    for row in ratings.rows:
        other = by_name[new[row.bot]]
        _need(
            (row.rating, row.half_width, row.rank) == (other.rating, other.half_width, other.rank),
            where, f"other names change a rating: {_told((row, other))}",
        )  # fmt: skip
    anchor = dice.choice(bots)
    anchored = model(outcomes, bots, anchor)
    _sound(anchored, bots, f"{where}, anchor {anchor}")
    _need(
        _row(anchored, anchor).rating == 0,
        where,
        f"the anchor is not at 0 but {_row(anchored, anchor).rating}",
    )


def _sound(ratings: Ratings, bots: Sequence[str], where: str) -> None:
    """One row a bot, finite numbers, ranks and groups that fit the ratings."""
    rows = ratings.rows
    _need(sorted(row.bot for row in rows) == sorted(bots), where, "not every entrant has exactly one row")
    for row in rows:
        _need(
            all(math.isfinite(x) for x in (row.rating, row.half_width, row.superiority or 0.0)),
            where, f"not finite: {row}",
        )  # fmt: skip
        _need(row.half_width >= 0, where, f"a negative half-width: {row}")
        _need(row.superiority is None or 0 <= row.superiority <= 1, where, f"no likelihood: {row}")
        _need(row.bound in ("", "at least", "at most"), where, f"bound: '', 'at least' or 'at most': {row}")
        group = [other for other in rows if other.group == row.group]
        better = sum(other.rating > row.rating for other in group)
        _need(row.rank == 1 + better, where, f"rank is not 1 + the number of better bots of its group: {row}")
        _need(1 <= row.rank_low <= row.rank <= row.rank_high <= len(group), where, f"no rank interval: {row}")
    order = [(row.group, -row.rating) for row in rows]
    _need(order == sorted(order), where, "rows are not in order: by group, the best first")
    lines = ratings.covariance
    if lines:
        square = len(lines) == len(rows) and all(len(line) == len(rows) for line in lines)
        _need(square, where, "the covariance is not square in table order")
        _need(all(math.isfinite(x) for line in lines for x in line), where, "the covariance is not finite")


def _check_order_of_strength(model: RatingModel, dice: Random) -> None:
    for seats in (2, 3, 4):
        bots = tuple(f"bot{i}" for i in dice.sample(range(5), 5))
        short, long = (_field(dice, bots, seats, deals, 3.0) for deals in (3, 40))
        order = [row.bot for row in model(long, bots).rows]
        strongest_first = sorted(bots, reverse=True)
        _need(
            order == strongest_first, f"{seats} seats", f"{strongest_first} by strength came out as {order}"
        )
        wide = max(row.half_width for row in model(short, bots).rows)
        narrow = max(row.half_width for row in model(long, bots).rows)
        _need(
            narrow < wide,
            f"{seats} seats",
            f"more blocks did not narrow the interval: {wide}, {narrow}",
        )


def _check_equals(model: RatingModel) -> None:
    ring = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]
    rows = model(_duels(ring * 7), ("rock", "paper", "scissors")).rows
    _need(len({row.rating for row in rows}) == 1, "rock, paper, scissors", f"unequal ratings: {_told(rows)}")
    draws = tuple(Outcome(f"m{i}", f"b{i}", ("a", "b", "c"), (1, 1, 1)) for i in range(9))
    rows = model(draws, ("a", "b", "c")).rows
    _need({(row.rating, row.rank) for row in rows} == {(0.0, 1)}, "all draws", f"not level: {_told(rows)}")


def _check_groups(model: RatingModel) -> None:
    bots = ("a", "b", "x", "y", "idle")
    ratings = model(_duels([("a", "b"), ("b", "a"), ("x", "y"), ("x", "y"), ("y", "x")]), bots)
    group = {row.bot: row.group for row in ratings.rows}
    apart = group["a"] == group["b"] != group["x"] == group["y"]
    alone = list(group.values()).count(group["idle"]) == 1
    _need(apart and alone, "two groups that never met", f"groups {group}")
    last = {row.group: row for row in ratings.rows}
    _need(all(row.superiority is None for row in last.values()), "two groups that never met",
          "the last of a group is compared with the first of the next")  # fmt: skip


def _check_strangers(model: RatingModel) -> None:
    for outcomes, anchor in ((_duels([("a", "stranger")]), None), (_duels([("a", "b")]), "stranger")):
        try:
            model(outcomes, ("a", "b"), anchor)
        except UsageError:
            continue
        raise AssertionError("a result or an anchor that names no entrant is no UsageError")


def _crafted() -> list[tuple[str, Results, tuple[str, ...]]]:
    return [
        ("no entrants", (), ()),
        ("no match", (), ("a", "b")),
        ("one match", _duels([("a", "b")]), ("a", "b")),
        ("one draw", (Outcome("m", "b", ("a", "b"), (1, 1)),), ("a", "b")),
        ("all won", _duels([("a", "b"), ("a", "c"), ("b", "c")] * 50), ("a", "b", "c")),
        ("all in one block", tuple(replace(o, block="b") for o in _duels([("a", "b")] * 9)), ("a", "b")),
        ("a thousand to nothing", _duels([("a", "b")] * 1000), ("a", "b")),
        ("a table of one", (Outcome("m", "b", ("a",), (1,)),), ("a", "b")),
        ("never met", _duels([("a", "b"), ("c", "d")]), ("a", "b", "c", "d")),
    ]


def _field(dice: Random, bots: Sequence[str], seats: int, deals: int, spread: float) -> Results:
    """Blocks of random tables; the higher a name's number, the stronger the bot; whole scores tie."""
    outcomes = []
    tables = [dice.sample(list(bots), seats) for _ in range(2 * len(bots))]
    for block in range(len(tables) * deals):
        table = tables[block % len(tables)]
        gift = [dice.gauss(0, 1) for _ in table]
        for turn in range(seats):
            seating = table[turn:] + table[:turn]
            scores = [
                float(round(spread * int(bot[3:]) / 2 + luck + dice.gauss(0, 1)))
                for bot, luck in zip(seating, gift, strict=True)
            ]
            outcomes.append(
                Outcome(f"b{block}-s{turn}", f"b{block}", tuple(seating), placings_of(scores), tuple(scores))
            )
    return tuple(outcomes)


def _duels(pairs: Sequence[tuple[str, str]]) -> Results:
    return tuple(Outcome(f"m{i}", f"b{i}", pair, (1, 2)) for i, pair in enumerate(pairs))


def _row(ratings: Ratings, bot: str) -> Rating:
    return next(row for row in ratings.rows if row.bot == bot)


def _told(rows: Sequence[Rating]) -> str:
    return ", ".join(f"{row.bot} {row.rating} ± {row.half_width} rank {row.rank}" for row in rows)


def _need(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise AssertionError(f"{where}: {what}")
