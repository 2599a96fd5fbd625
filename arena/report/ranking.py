"""How an event's table is ranked: by rating, by points and tie-breaks (Swiss), by stage (knockout)."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from arena.formats.history import TableResult, table_results
from arena.formats.knockout import Stage, first_stage
from arena.formats.swiss import tie_breaks_of
from arena.model import BlockId, Event, Outcome, Ratings, Round
from arena.standings.cards import cards_of
from arena.standings.columns import Columns
from arena.standings.rows import StandingsRow, standings
from arena.standings.tie_breaks import earned, tie_breaks

Played = tuple[tuple[Round, tuple[Outcome, ...]], ...]

WORDS = {
    "buchholz_cut_1": "Buchholz cut 1",
    "buchholz": "Buchholz",
    "sonneborn_berger": "Sonneborn-Berger",
    "wins": "Wins",
    "direct_encounter": "Direct encounter",
    "opponents_points": "Opponents’ points",
    "score_margin": "Score margin",
}


@dataclass(frozen=True, slots=True)
class Ranking:
    """An event's rows, by what they are ranked, the names of the tie-breaks, and the results by round."""

    rank_by: str
    rows: tuple[StandingsRow, ...]
    tie_breaks: tuple[str, ...]
    rounds: tuple[tuple[Round, tuple[TableResult, ...]], ...]


def rank(
    event: Event,
    played: Played,
    whole: Played,
    columns: Columns,
    ratings: Ratings,
    higher_wins: bool,
    rank_by: str | None,
) -> Ranking:
    """The event's table. `rank_by` "rating" or "points"; None leaves it to the format.

    `whole` are the rounds that are through: those alone count in a Swiss or a knockout.
    """
    rank_by = rank_by or ("points" if event.format in ("swiss", "knockout") else "rating")
    total: Mapping[str, float] | None = None
    names: tuple[str, ...] = ()
    values: Mapping[str, tuple[float, ...]] = {}
    if event.format == "swiss":
        cards = cards_of(whole, columns.bots, event.seats, higher_wins)
        names = tie_breaks_of(event)
        total, values = earned(cards), tie_breaks(cards, names)
    elif event.format == "knockout":
        total = stages_won(event, whole)
    results = tuple((round_, tuple(table_results(round_, of, higher_wins))) for round_, of in played)
    return Ranking(rank_by, standings(columns, ratings, rank_by, total, values), names, results)


def stages(event: Event, played: Played) -> list[Stage]:
    """A knockout's stages so far, the open one last."""
    found = [first_stage(event)]
    for round_, outcomes in played:
        if not found[-1].open_tables():
            if found[-1].is_final:
                break
            found.append(found[-1].next())
        found[-1].add(event, round_, outcomes)
    return found


def stages_won(event: Event, played: Played) -> dict[str, float]:
    """How many stages each bot survived; in the final each place below the first is a fraction less."""
    won = {bot.id: 0.0 for bot in event.bots}
    if len(event.bots) < event.seats:
        return won
    for stage in stages(event, played):
        for bot in stage.byes:
            won[bot] += 1
        for through in stage.winners.values():
            for place, bot in enumerate(through):
                won[bot] += 1 - place / len(through) if stage.is_final else 1
    return won


def by_round(rounds: Sequence[Round], outcomes: Mapping[int, list[Outcome]]) -> Played:
    """Every round asked for with its outcomes."""
    return tuple((round_, tuple(outcomes.get(round_.number, ()))) for round_ in rounds)


def whole_rounds(played: Played, voids: Collection[BlockId]) -> Played:
    """The rounds up to the first of which a block is neither played nor void."""
    void = Counter(block.round for block in voids)
    through = []
    for round_, outcomes in played:
        done = len({outcome.block for outcome in outcomes}) + void[round_.number]
        if done < sum(len(pairing.deals) for pairing in round_.pairings):
            break
        through.append((round_, outcomes))
    return tuple(through)
