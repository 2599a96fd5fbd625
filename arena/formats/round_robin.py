"""Round robin: everybody meets everybody, at two seats in the order of the Berger tables."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from random import Random
from types import MappingProxyType

from arena.formats.balanced import balanced_tables, meetings_of
from arena.model import Event, Outcome, Pairing, Round
from arena.options import Option, choice, whole
from arena.seeds import derive

Table = tuple[int, ...]


class RoundRobin:
    """Each round holds every possible table, or as many balanced ones as `max_tables` allows.

    A table's number is the colexicographic rank of its bots' places in the list of entrants, so a bot added
    at the end of the list leaves the identity of every earlier table as it was.
    """

    name = "round_robin"
    options: Mapping[str, Option] = MappingProxyType({
        "deals": whole(10, "deals for each table in a round", low=1),
        "seatings": choice("cyclic", ("all", "one"), "cyclic: every bot takes every seat once a deal"),
        "rounds": whole(None, "how often everybody meets everybody; null: once, or until a stop rule", low=1),
        "max_tables": whole(
            250, "three seats and more: with more possible tables than this, a balanced choice of them", low=1
        ),
    })  # fmt: skip

    def check(self, event: Event) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Too few bots are refused; a choice of tables in which some never meet is warned about."""
        bots, seats = len(event.bots), event.seats
        if bots < seats:
            return (f"a table of {seats} takes at least {seats} bots, not {bots}",), ()
        count, needed = _table_count(event), _fewest_tables(bots, seats)
        if count < needed:
            fair = next(number for number in range(needed, needed + bots) if number * seats % bots == 0)
            text = f"{count} tables of {seats} cannot let all {bots} bots meet; that takes {needed} at least"
            equal = f", and {fair} for all to sit equally often" if fair > needed else ""
            return (), (f"{text}{equal} (max_tables)",)
        if count * seats % bots:
            return (), (
                f"with {count} tables of {seats} some of the {bots} bots sit at one table more than others",
            )
        return (), ()

    def next_round(self, event: Event, played: tuple[tuple[Round, tuple[Outcome, ...]], ...]) -> Round | None:
        number = len(played) + 1
        rounds = event.format_options["rounds"]
        if rounds is not None and number > rounds:
            return None
        deals = event.format_options["deals"]
        tables = _tables(event, [round_ for round_, _ in played], number)
        pairings = tuple(
            Pairing(
                table=rank(table), bots=tuple(event.bots[place].id for place in table),
                deals=range((number - 1) * deals, number * deals), seatings=event.format_options["seatings"],
                reason=reason,
            )
            for table, reason in tables
        )  # fmt: skip
        return Round(number, pairings, notes=_notes(event, [table for table, _ in tables]))


round_robin = RoundRobin()


def rank(table: Sequence[int]) -> int:
    """The colexicographic rank of a sorted combination: 01, 02, 12, 03, 13, 23, 04 …"""
    return sum(comb(place, position) for position, place in enumerate(table, 1))


def berger(players: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """All pairs as (leg from 1, pair), each player once a leg, ordered as in FIDE Handbook C.05, annex 1."""
    even = players + players % 2
    turn = even - 1
    for leg in range(turn):
        # The last player stands still, the others turn; with an odd number, whoever meets the last sits out.
        first = leg * (even // 2) % turn
        pairs = [(first, turn)]
        pairs += [((first + step) % turn, (first - step) % turn) for step in range(1, even // 2)]
        for one, other in pairs:
            if max(one, other) < players:
                yield leg + 1, (min(one, other), max(one, other))


def _table_count(event: Event) -> int:
    """How many tables a round has: all, or the most within max_tables at which all sit equally often."""
    bots, seats = len(event.bots), event.seats
    every, budget = comb(bots, seats), event.format_options["max_tables"]
    if seats == 2 or every <= budget:
        return every
    fair = [count for count in range(1, budget + 1) if count * seats % bots == 0]
    return fair[-1] if fair else budget


def _fewest_tables(bots: int, seats: int) -> int:
    """No fewer tables can let all bots meet: each needs (bots - 1) / (seats - 1) of them (Schönheim)."""
    each = -(-(bots - 1) // (seats - 1))
    return -(-bots * each // seats)


def _tables(event: Event, earlier: Sequence[Round], number: int) -> list[tuple[Table, str]]:
    bots, seats = len(event.bots), event.seats
    if seats == 2:
        return [(pair, f"all pairs meet (leg {leg} of the Berger table)") for leg, pair in berger(bots)]
    count = _table_count(event)
    if count == comb(bots, seats):
        return [(table, "all tables are played") for table in combinations(range(bots), seats)]
    places = {bot.id: place for place, bot in enumerate(event.bots)}
    before = [tuple(places[bot] for bot in pairing.bots) for round_ in earlier for pairing in round_.pairings]
    rng = Random(derive(event.seed, "tables", event.index, number))
    chosen = balanced_tables(bots, seats, count, before, rng)
    return [(table, "chosen so that all pairs meet about equally often") for table in chosen]


def _notes(event: Event, tables: Sequence[Table]) -> tuple[str, ...]:
    bots = len(event.bots)
    if len(tables) == comb(bots, event.seats):
        return ()
    met = meetings_of(bots, tables)
    counts = [met[one][other] for one, other in combinations(range(bots), 2)]
    return (
        f"{len(tables)} of {comb(bots, event.seats)} possible tables are played; pairs meet at"
        f" {min(counts)} to {max(counts)} of them",
    )
