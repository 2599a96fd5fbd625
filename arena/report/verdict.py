"""Who won and whether the lead is real, in words."""

from dataclasses import dataclass
from math import sqrt

from arena.report import words
from arena.report.summary import EventSummary, Standing
from arena.standings.intervals import Z95, normal_cdf


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text; a name is set apart from the words around it."""

    text: str
    name: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """`real`: the 95 % interval of the lead leaves out zero; None: there is nothing to compare."""

    headline: tuple[Piece, ...]
    detail: tuple[Piece, ...]
    real: bool | None


def verdict(event: EventSummary, running: bool) -> Verdict:
    """The event's verdict from its table."""
    if not event.tally.matches:
        return Verdict((Piece("No match has been played yet."),), (), None)
    table = [standing for standing in event.table if standing.tally.matches]
    firsts = [standing for standing in table if standing.rank == 1]
    if len(table) == 1:
        return Verdict((_name(table[0]), Piece(" played alone.")), (), None)
    if len(firsts) > 1:
        return _shared(event, firsts, running)
    first, second = firsts[0], next(standing for standing in table if standing.rank > 1)
    verb = " leads" if running else " won"
    level = event.ranking.rank_by == "points" and first.row.points == second.row.points
    verb += " on tie-breaks." if level and event.ranking.tie_breaks else "."
    if first.rating.group != second.rating.group:
        apart = Piece("The field fell into groups that never met; each has a table of its own.")
        return Verdict((_name(first), Piece(" is the first of its group.")), (apart,), None)
    return Verdict((_name(first), Piece(verb)), *_lead(event, first, second))


def difference(event: EventSummary, first: Standing, second: Standing) -> tuple[float, float]:
    """The difference of two ratings and the half-width of its 95 % interval, in Elo."""
    order = [rating.bot for rating in event.ratings.rows]
    i, j = order.index(first.bot.id), order.index(second.bot.id)
    covariance = event.ratings.covariance
    if covariance:
        half = Z95 * sqrt(max(0.0, covariance[i][i] + covariance[j][j] - 2 * covariance[i][j]))
    else:
        half = sqrt(first.rating.half_width**2 + second.rating.half_width**2)
    return first.rating.rating - second.rating.rating, half


def _lead(event: EventSummary, first: Standing, second: Standing) -> tuple[tuple[Piece, ...], bool]:
    lead, half = difference(event, first, second)
    real = lead - half > 0
    likely = normal_cdf(lead / (half / Z95)) if half > 0 else float(lead > 0)
    by = f"{words.signed(lead)} ± {words.number(half)} Elo"
    chance = words.likelihood(likely).replace("> ", "over ")
    if real:
        rest = f": {by}, so it is the stronger of the two with a likelihood of {chance}."
        return (Piece("Its lead over "), _name(second), Piece(" is real"), Piece(rest)), True
    if lead < 0:
        rest = f" in rating ({by}), but placed first by points; their order is not settled."
        return (Piece("It is behind "), _name(second), Piece(rest)), False
    rest = f": {by} leaves room for the reverse. It is the stronger of the two with a likelihood of {chance}."
    return (Piece("Its lead over "), _name(second), Piece(" is not settled"), Piece(rest)), False


def _shared(event: EventSummary, firsts: list[Standing], running: bool) -> Verdict:
    shown = firsts[:3]
    names: list[Piece] = []
    for at, standing in enumerate(shown):
        last = at == len(shown) - 1 and len(firsts) == len(shown)
        names += [Piece("" if at == 0 else " and " if last else ", "), _name(standing)]
    if len(firsts) > len(shown):
        names.append(Piece(f" and {len(firsts) - len(shown)} more"))
    share = " share the lead." if running else " share first place."
    even = Piece("Nothing in their results tells them apart.")
    return Verdict((*names, Piece(share)), (even,), False)


def _name(standing: Standing) -> Piece:
    return Piece(words.plain(standing.bot.name), name=True)
