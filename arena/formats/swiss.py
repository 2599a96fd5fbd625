"""Swiss: equals meet, nobody twice. Two seats by FIDE's Dutch system, three and four by pods."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

import numpy as np

from arena.errors import UsageError
from arena.formats.dutch import NoPairing, dutch_pairs
from arena.formats.history import Played, bye_counts, meetings, total_points
from arena.formats.pods import pods, table_sizes
from arena.formats.trf import WORTH, Game, games_of, trf
from arena.model import Event, Format, Pairing, Round
from arena.options import Option, choice, choices, whole
from arena.registry import games
from arena.seeds import derive
from arena.standings.tie_breaks import DIRECT, PODS, SWISS, TIE_BREAKS

POD_BYE, DUTCH_BYE = 0.5, 1.0


class Swiss:
    """The format `swiss`."""

    name = "swiss"
    options: Mapping[str, Option] = {
        "rounds": whole(5, "rounds to play", low=1),
        "deals": whole(10, "deals of each table in a round", low=1),
        "seatings": choice("cyclic", ("all", "one"), "which seatings of a table are played on each deal"),
        "order": choice("random", ("listed",), "seeding of round one: drawn from the seed, or as listed"),
        "remainder": choice("bye", ("short",), "what becomes of those left over: a bye, or tables one short"),
        "tie_breaks": choices((*TIE_BREAKS, DIRECT), "which, in this order; null: the usual ones"),
    }
    needs_every_table = True

    def check(self, event: Event) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """A field below one table is refused; more rounds than can avoid repeats are refused at two seats,
        a warning at pods."""
        n, k, rounds = len(event.bots), event.seats, event.format_options["rounds"]
        if n < k:
            return (f"a Swiss at {k} seats needs at least {k} bots, not {n}",), ()
        if k == 2:
            most = n - 1 if n % 2 == 0 else n
            if rounds > most:
                s = "s" * (most > 1)
                return (
                    f"{n} bots can play at most {most} Swiss round{s} without a repeat, not {rounds}",
                ), ()
            return (), ()
        problems = (*_unfit_tie_breaks(event), *_unfit_short_tables(event))
        most = (n - 1) // (k - 1)
        warning = f"{n} bots at {k} seats: repeats cannot be avoided after round {most}"
        return problems, (warning,) if rounds > most else ()

    def bye_points(self, event: Event) -> float:
        """What sitting out one round is worth, in a table's mean points."""
        return DUTCH_BYE if event.seats == 2 else POD_BYE

    def next_round(self, event: Event, played: Played) -> Round | None:
        """The next round by the results so far; None after the last."""
        number = len(played) + 1
        if number > event.format_options["rounds"]:
            return None
        if event.seats > 2:
            return _pod_round(event, played, number, total_points(played, seeding(event), POD_BYE))
        history = games_of(played, seeding(event))
        points = {bot: sum(WORTH[game.result] for game in history[bot]) for bot in history}
        try:
            return _dutch_round(event, number, history, points)
        except NoPairing:
            note = "the rules leave no pairing without a repeat: paired with as few as can be"
            return _pod_round(event, played, number, points, (note,))


def tie_breaks_of(event: Event) -> tuple[str, ...]:
    """What breaks ties of this event, in order: as chosen, else as usual for its table size."""
    chosen = event.format_options.get("tie_breaks")
    return tuple(chosen) if chosen is not None else SWISS if event.seats == 2 else PODS


def _unfit_tie_breaks(event: Event) -> Iterator[str]:
    fit = (*PODS, "wins")
    unfit = [name for name in tie_breaks_of(event) if name not in fit]
    if unfit:
        yield f"tie_breaks: {', '.join(unfit)}: for two seats only; at {event.seats} seats: {', '.join(fit)}"


def _unfit_short_tables(event: Event) -> Iterator[str]:
    """Why the game cannot be played at the short tables that this field asks for."""
    short = event.seats - 1
    sizes = table_sizes(len(event.bots), event.seats, event.format_options["remainder"] == "short")
    rules = games.get(event.game)
    if short not in sizes:
        return
    if short not in rules.seats:
        yield f"remainder: short makes tables of {short}, for which {event.game} has no rules"
        return
    try:
        rules.start(short, Random(0), event.options)
    except UsageError as error:
        yield f"remainder: short makes tables of {short}: {error}"


def seeding(event: Event) -> list[str]:
    """The bots from the strongest seed down: as listed, or shuffled by the tournament's seed."""
    order = [bot.id for bot in event.bots]
    if event.format_options.get("order", "random") == "random":
        order.sort()
        Random(derive(event.seed, "seeding", event.index)).shuffle(order)
    return order


def event_trf(event: Event, played: Played) -> str:
    """A two-seat Swiss event so far as a Tournament Report File."""
    order = seeding(event)
    return trf(event.name, order, games_of(played, order), event.format_options["rounds"])


def _dutch_round(
    event: Event, number: int, history: Mapping[str, Sequence[Game]], points: Mapping[str, float]
) -> Round:
    order = seeding(event)
    pairs = dutch_pairs(trf(event.name, order, history, event.format_options["rounds"]))
    tables = [(order[white - 1], order[black - 1]) for white, black in pairs if black]
    byes = tuple(order[white - 1] for white, black in pairs if not black)
    pairings = tuple(_pairing(event, number, i, pair, points) for i, pair in enumerate(tables))
    return Round(number, pairings, byes)


def _pod_round(
    event: Event, played: Played, number: int, points: Mapping[str, float], notes: tuple[str, ...] = ()
) -> Round:
    order = seeding(event)
    sizes = table_sizes(len(order), event.seats, event.format_options["remainder"] == "short")
    byes = _byes(event, played, order, points, len(order) - sum(sizes))
    field = sorted(
        (bot for bot in order if bot not in byes), key=lambda bot: (-points[bot], order.index(bot))
    )
    met = meetings(played)
    matrix = np.array([[met.get(frozenset((a, b)), 0) if a != b else 0 for b in field] for a in field])
    scores = np.array([points[bot] for bot in field])
    seed = derive(event.seed, "pods", event.index, number, bits=64)
    tables = [tuple(field[i] for i in table) for table in pods(sizes, scores, matrix, seed)]
    tables.sort(key=lambda table: (-sum(points[bot] for bot in table) / len(table), field.index(table[0])))
    pairings = tuple(
        _pairing(event, number, i, table, points, _repeats(table, met)) for i, table in enumerate(tables)
    )
    return Round(number, pairings, byes, notes)


def _byes(
    event: Event, played: Played, order: Sequence[str], points: Mapping[str, float], count: int
) -> tuple[str, ...]:
    """The lowest of those with the fewest byes; among equals the lowest seed."""
    sat_out = bye_counts(played, order)
    ranked = sorted(order, key=lambda bot: (sat_out[bot], points[bot], -order.index(bot)))
    return tuple(ranked[:count])


def _repeats(table: Sequence[str], met: Mapping[frozenset[str], int]) -> int:
    pairs = [frozenset((a, b)) for i, a in enumerate(table) for b in table[i + 1 :]]
    return sum(1 for pair in pairs if met.get(pair, 0))


def _pairing(
    event: Event,
    number: int,
    table: int,
    bots: tuple[str, ...],
    scores: Mapping[str, float],
    repeats: int = 0,
) -> Pairing:
    deals: int = event.format_options["deals"]
    reason = _reason([scores[bot] for bot in bots], repeats)
    return Pairing(
        table, bots, range((number - 1) * deals, number * deals), event.format_options["seatings"], reason
    )


def _reason(scores: Sequence[float], repeats: int) -> str:
    low, high = min(scores), max(scores)
    level = f"all on {_short(high)}" if high - low < 1e-9 else f"{_short(high)} to {_short(low)}"
    met = f"{repeats} of its pairs met before" if repeats else "none of them met before"
    return f"points so far: {level}; {met}"


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


swiss: Format = Swiss()
