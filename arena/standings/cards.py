"""From rounds and their outcomes to what each bot got out of each round."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from statistics import fmean

from arena.model import BlockId, MatchId, Outcome, Round
from arena.standings.points import points_of
from arena.standings.tie_breaks import DRAW, WIN, Cards, RoundCard


def cards_of(
    played: Iterable[tuple[Round, Sequence[Outcome]]],
    bots: Sequence[str],
    seats: int,
    higher_wins: bool = True,
) -> Cards:
    """For each bot one card a round, in an event of so many `seats`.

    A table's points are the mean over its blocks; at two seats above, at or below one half they are a win,
    a draw, a loss. A table that is wholly void counts one half for all. A bye is worth a win at two seats,
    else one half; a bot that is neither paired nor has a bye was absent. Who is in no match of its table
    has lost it by forfeit.
    """
    cards: dict[str, list[RoundCard]] = {bot: [] for bot in bots}
    for round_, outcomes in played:
        tables = _by_table(outcomes)
        bye = WIN if seats == 2 else DRAW
        here = {bot: RoundCard(round_.number, (), bye, played=False) for bot in round_.byes}
        for pairing in round_.pairings:
            missing = _missing(tables[pairing.table].values(), pairing.bots)
            points, margin = _table(tables[pairing.table], pairing.bots, higher_wins)
            forfeit = missing
            if seats == 2:
                points = {bot: 0.0 if bot in missing else _game(share) for bot, share in points.items()}
                forfeit = set(pairing.bots) if missing else missing
            for bot in pairing.bots:
                here[bot] = RoundCard(
                    round_.number, tuple(rival for rival in pairing.bots if rival != bot), points[bot],
                    bot not in forfeit, bot in missing, margin[bot],
                )  # fmt: skip
        for bot in bots:
            absent = RoundCard(round_.number, (), 0.0, played=False, voluntary=True)
            cards[bot].append(here.get(bot, absent))
    return cards


def _by_table(outcomes: Iterable[Outcome]) -> dict[int, dict[BlockId, list[Outcome]]]:
    tables: dict[int, dict[BlockId, list[Outcome]]] = defaultdict(lambda: defaultdict(list))
    for outcome in outcomes:
        match = MatchId.parse(outcome.match)
        tables[match.table][BlockId(*match[:4])].append(outcome)
    return tables


def _missing(blocks: Collection[list[Outcome]], bots: Sequence[str]) -> set[str]:
    """Who of a table is in none of its matches; nobody where all of it is void."""
    there = {bot for block in blocks for match in block for bot in match.bots if bot not in match.absent}
    return set(bots) - there if blocks else set()


def _table(
    blocks: dict[BlockId, list[Outcome]], bots: Sequence[str], higher_wins: bool
) -> tuple[dict[str, float], dict[str, float]]:
    """Each bot's points of the table, and its margin: own score over the table's mean."""
    points: dict[str, list[float]] = {bot: [] for bot in bots}
    margin: dict[str, list[float]] = {bot: [] for bot in bots}
    for block in sorted(blocks):
        matches = sorted(blocks[block], key=lambda outcome: outcome.match)
        shares = [dict(zip(match.bots, points_of(match.placings), strict=True)) for match in matches]
        scored = [
            dict(zip(match.bots, match.scores, strict=True)) for match in matches if match.scores is not None
        ]
        for bot in bots:
            points[bot].append(fmean(share[bot] for share in shares))
            if scored:
                over = fmean(score[bot] - fmean(score.values()) for score in scored)
                margin[bot].append(over if higher_wins else -over)
    share = {bot: round(fmean(values), 9) if values else DRAW for bot, values in points.items()}
    return share, {bot: fmean(values) if values else 0.0 for bot, values in margin.items()}


def _game(share: float) -> float:
    """All blocks of a pairing as one game: a win, a draw or a loss."""
    return WIN if share > DRAW else DRAW if share == DRAW else 0.0
