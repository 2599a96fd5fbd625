"""Knockout: the better half of each table goes on, until one table is left.

Seeds keep the usual bracket (first against last, byes to the top in the first stage); a table's winner
inherits its best slot. A tie at the edge is played on with fresh deals, then decided by score margin, then by
seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.formats.history import Played, table_results
from arena.formats.swiss import seeding
from arena.model import Event, Format, Outcome, Pairing, Round
from arena.options import Option, choice, whole
from arena.registry import games

ADVANCE = {2: 1, 3: 1, 4: 2}
"""How many of a table go on, by its seats."""


class Knockout:
    """The format `knockout`."""

    name = "knockout"
    options: Mapping[str, Option] = {
        "deals": whole(10, "deals of each table in a round", low=1),
        "replays": whole(2, "how often a tied table is played on with fresh deals", low=0),
        "seatings": choice("cyclic", ("all", "one"), "which seatings of a table are played on each deal"),
        "order": choice("random", ("listed",), "seeding: drawn from the seed, or as listed"),
    }
    needs_every_table = True

    def check(self, event: Event) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The field must fill one table, of a size for which it is known how many go on."""
        if event.seats not in ADVANCE:
            return (
                f"a knockout is for tables of {', '.join(map(str, ADVANCE))} seats, not {event.seats}",
            ), ()
        if len(event.bots) < event.seats:
            return (
                f"a knockout at {event.seats} seats needs at least {event.seats} bots, not {len(event.bots)}",
            ), ()
        return (), ()

    def next_round(self, event: Event, played: Played) -> Round | None:
        """The next stage, or its tied tables once more; None when the last table is decided."""
        stage = first_stage(event)
        for round_, outcomes in played:
            stage.add(event, round_, outcomes)
            if stage.open_tables():
                continue
            if stage.is_final:
                return None
            stage = stage.next()
        number, deals = len(played) + 1, event.format_options["deals"]
        pairings = tuple(
            Pairing(
                i,
                tuple(stage.tables[i]),
                range((number - 1) * deals, number * deals),
                event.format_options["seatings"],
                stage.reason(i),
            )
            for i in stage.open_tables()
        )
        byes = tuple(stage.byes) if not stage.tries else ()
        return Round(number, pairings, byes)


@dataclass(slots=True)
class Stage:
    """One stage of the bracket. `slots` holds the bots still in, best slot first."""

    seats: int
    slots: list[str]
    seeds: Mapping[str, int]
    name: str = ""
    byes: list[str] = field(default_factory=list)
    tables: list[list[str]] = field(default_factory=list)
    advance: list[int] = field(default_factory=list)
    winners: dict[int, list[str]] = field(default_factory=dict)
    points: dict[str, float] = field(default_factory=dict)
    margins: dict[str, float] = field(default_factory=dict)
    tries: int = 0

    def __post_init__(self) -> None:
        here, advance = len(self.slots), ADVANCE[self.seats]
        self.name = "final" if self.is_final else f"last {here}"
        leave = self.seats - advance
        goal = _survivors(here, self.seats)
        count = 1 if self.is_final else min(-(-(here - goal) // leave), here // self.seats)
        self.byes = self.slots[: here - count * self.seats]
        playing = self.slots[len(self.byes) :]
        self.tables = [_snake(playing, i, count) for i in range(count)]
        self.advance = [advance] * count
        if self.is_final:
            self.advance = [1]  # one winner, whatever the table's size
        else:
            self.advance[-1] += max(0, goal - (here - count * leave))
        self.points = dict.fromkeys(playing, 0.0)
        self.margins = dict.fromkeys(playing, 0.0)

    @property
    def is_final(self) -> bool:
        return len(self.slots) == self.seats

    def open_tables(self) -> list[int]:
        return [i for i in range(len(self.tables)) if i not in self.winners]

    def add(self, event: Event, round_: Round, outcomes: Sequence[Outcome]) -> None:
        """Count one round of this stage and decide every table that can be decided."""
        last = self.tries >= event.format_options["replays"]
        higher_wins = games.get(event.game).higher_wins
        for result in table_results(round_, outcomes, higher_wins):
            for bot, points in result.points.items():
                self.points[bot] += points
                self.margins[bot] += result.margins.get(bot, 0.0)
            self._decide(result.pairing.table, last)
        self.tries += 1

    def _decide(self, table: int, last: bool) -> None:
        bots = sorted(
            self.tables[table],
            key=lambda bot: (-round(self.points[bot], 9), -round(self.margins[bot], 9), self.seeds[bot]),
        )
        edge = self.advance[table]
        inside, outside = bots[edge - 1], bots[edge]
        if last or abs(self.points[inside] - self.points[outside]) > 1e-9:
            self.winners[table] = bots[:edge] if not self.is_final else bots

    def next(self) -> "Stage":
        """The stage after this one: each table's winners inherit its best slots."""
        slot = {bot: i for i, bot in enumerate(self.slots)}
        placed = {slot[bot]: bot for bot in self.byes}
        for table, winners in self.winners.items():
            for place, bot in zip(sorted(slot[b] for b in self.tables[table]), winners, strict=False):
                placed[place] = bot
        return Stage(self.seats, [placed[i] for i in sorted(placed)], self.seeds)

    def reason(self, table: int) -> str:
        seeds = ", ".join(str(self.seeds[bot] + 1) for bot in self.tables[table])
        again = f"; tied, played on ({self.tries})" if self.tries else ""
        on = self.advance[table]
        who = "one wins" if self.is_final else f"{on} {'goes' if on == 1 else 'go'} on"
        return f"{self.name}: seeds {seeds}, {who}{again}"


def first_stage(event: Event) -> Stage:
    """The bracket's first stage, by seeding."""
    order = seeding(event)
    return Stage(event.seats, order, {bot: i for i, bot in enumerate(order)})


def _survivors(players: int, seats: int) -> int:
    """The size of the next stage: the largest of seats · r^j (r = seats / advance) below `players`."""
    size, ratio = seats, seats // ADVANCE[seats]
    while size * ratio < players:
        size *= ratio
    return size


def _snake(playing: Sequence[str], table: int, count: int) -> list[str]:
    """First with last: slot i, then back and forth through the rest."""
    rows = len(playing) // count
    return [playing[row * count + (table if row % 2 == 0 else count - 1 - table)] for row in range(rows)]


knockout: Format = Knockout()
