"""What every tournament format must hold: `check_format`, for arena's own and for plug-ins."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from arena.blocks import blocks_of
from arena.formats.history import Played
from arena.model import Bot, Event, Format, Limits, Outcome, Round
from arena.options import settle
from arena.standings import placings_of, points_of


def check_format(
    format_: Format, bots: int, seats: int, game: str, seed: int = 0, given: Mapping[str, Any] | None = None
) -> Played:
    """Play a whole event of this format, results by hidden strengths, and check every round.

    Returns what was played; AssertionError with one line that says what does not hold.

    Checked: the event ends; all entrants appear; nobody sits twice at a table, or sits and has the bye; no
    table meets a deal again; any order of the results, and any stop in between, give the same next round.
    """
    event = make_event(format_, bots, seats, game, seed, given)
    problems, _ = format_.check(event)
    _demand(not problems, f"check refuses the event: {'; '.join(problems)}")
    strength = {bot.id: Random(f"{seed}/{bot.id}").gauss(0, 1) for bot in event.bots}
    played: Played = ()
    seen: Counter[str] = Counter()
    deals: set[tuple[tuple[str, ...], int]] = set()
    while (round_ := format_.next_round(event, played)) is not None:
        _demand(len(played) < 1000, "the event does not end after 1,000 rounds")
        _check_round(event, round_, len(played) + 1, seen, deals)
        outcomes = play_round(event, round_, strength, seed)
        shuffled = list(outcomes)
        Random(seed).shuffle(shuffled)
        after = (*played, (round_, tuple(shuffled)))
        played = (*played, (round_, outcomes))
        same = format_.next_round(event, after) == format_.next_round(event, played)
        _demand(same, f"after round {round_.number} the next round depends on the order of results")
    missing = [bot.id for bot in event.bots if not seen[bot.id]]
    _demand(not missing, f"never seated: {', '.join(missing)}")
    for stop in range(len(played)):
        again = format_.next_round(event, played[:stop])
        _demand(again == played[stop][0], f"round {stop + 1} differs when it is asked for again")
    return played


def make_event(
    format_: Format, bots: int, seats: int, game: str, seed: int = 0, given: Mapping[str, Any] | None = None
) -> Event:
    """An event of made-up bots a0, a1, … under this format."""
    entrants = tuple(Bot(f"a{i}", f"A {i}", f"{i:064x}", Path("none.py")) for i in range(bots))
    options = settle(format_.options, given or {})
    return Event(0, "Check", game, seats, {}, entrants, format_.name, options, Limits(), seed)


def play_round(event: Event, round_: Round, strength: Mapping[str, float], seed: int) -> tuple[Outcome, ...]:
    """Outcomes of a round in identity order: strength plus luck, rounded so that ties occur."""
    outcomes = []
    for block in sorted(blocks_of(event, round_), key=lambda block: block.id):
        for i, seats in enumerate(block.seatings):
            luck = Random(f"{seed}/{block.id}/{i}")
            scores = tuple(float(round(2 * (strength[bot] + luck.gauss(0, 1)))) for bot in seats)
            placings = placings_of(scores)
            match = str(block.id.match(i))
            outcomes.append(Outcome(match, str(block.id), seats, placings, scores, points_of(placings)))
    return tuple(outcomes)


def _check_round(
    event: Event, round_: Round, number: int, seen: Counter[str], deals: set[tuple[tuple[str, ...], int]]
) -> None:
    known = {bot.id for bot in event.bots}
    _demand(round_.number == number, f"round {number} calls itself {round_.number}")
    _demand(bool(round_.pairings), f"round {number} has no table")
    tables = [pairing.table for pairing in round_.pairings]
    _demand(len(set(tables)) == len(tables), f"round {number} has two tables of one number")
    for pairing in round_.pairings:
        where = f"round {number} table {pairing.table}"
        _demand(set(pairing.bots) <= known, f"{where} seats a stranger")
        _demand(len(set(pairing.bots)) == len(pairing.bots), f"{where} seats a bot twice")
        _demand(len(pairing.deals) > 0, f"{where} has no deal")
        for deal in pairing.deals:
            key = (tuple(sorted(pairing.bots)), deal)
            _demand(key not in deals, f"{where} meets deal {deal} again")
            deals.add(key)
        seen.update(pairing.bots)
    byes = [bot for bot in round_.byes if any(bot in pairing.bots for pairing in round_.pairings)]
    _demand(not byes, f"round {number}: {', '.join(byes)} has the bye and sits at a table")
    _demand(len(set(round_.byes)) == len(round_.byes), f"round {number} gives a bye twice")
    seen.update(round_.byes)


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise AssertionError(otherwise)
