"""Who met whom, asked of the format again."""

from collections.abc import Iterator

from arena import registry
from arena.model import Event, Format, Outcome, Round
from arena.store import Store
from arena.verify.words import difference, one_line


def round_mismatches(store: Store, event: Event) -> Iterator[str]:
    """Every round against the one for which the format asks on the outcomes of those before it."""
    format_: Format = registry.formats.get(event.format)
    played: list[tuple[Round, tuple[Outcome, ...]]] = []
    for number, round_ in enumerate(store.rounds(event.index), start=1):
        where = f"e{event.index}-r{number}"
        try:
            again = format_.next_round(event, tuple(played))
            played.append((round_, store.round_outcomes(event.index, round_.number)))
        except Exception as error:  # outcomes may hold anything; which one it is, their matches tell
            yield f"{where}: {event.format} cannot pair on these outcomes: {one_line(error)}"
            return
        if again is None:
            yield f"{where}: {event.format} asks for no such round"
        elif again != round_:
            yield f"{where}: {difference(_plain(round_), _plain(again))}"


def _plain(round_: Round) -> dict[str, object]:
    tables = [
        {"table": p.table, "bots": p.bots, "deals": (p.deals.start, p.deals.stop), "seatings": p.seatings,
         "reason": p.reason}
        for p in round_.pairings
    ]  # fmt: skip
    return {"round": round_.number, "pairings": tables, "byes": round_.byes, "notes": round_.notes}
