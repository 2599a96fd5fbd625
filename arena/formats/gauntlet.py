"""Gauntlet: a few heroes against the field; the others do not meet without a hero."""

from collections.abc import Mapping
from random import Random

from arena.formats.history import Played
from arena.model import Event, Format, Pairing, Round
from arena.options import Option, choice, whole
from arena.seeds import derive


class Gauntlet:
    """The format `gauntlet`: one round in which each hero meets every rival equally often."""

    name = "gauntlet"
    options: Mapping[str, Option] = {
        "heroes": whole(1, "how many bots, from the top of the list, run the gauntlet", low=1),
        "deals": whole(10, "deals of each table", low=1),
        "seatings": choice("cyclic", ("all", "one"), "which seatings of a table are played on each deal"),
    }
    needs_every_table = True

    def check(self, event: Event) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """There must be enough rivals to fill a table around one hero."""
        heroes, rivals = _sides(event)
        if len(rivals) < event.seats - 1:
            most, some = event.seats - 1, len(heroes)
            return (
                f"a gauntlet at {event.seats} seats needs at least {most} bot{'s' * (most > 1)} beside its "
                f"{some} hero{'es' * (some > 1)}, not {len(rivals)}",
            ), ()
        return (), ()

    def next_round(self, event: Event, played: Played) -> Round | None:
        """The only round: each hero meets every rival, all of them equally often."""
        if played:
            return None
        heroes, rivals = _sides(event)
        deals = range(event.format_options["deals"])
        pairings: list[Pairing] = []
        for hero in heroes:
            for group in _groups(event, hero, rivals):
                reason = f"{hero} against the field"
                pairings.append(
                    Pairing(len(pairings), (hero, *group), deals, event.format_options["seatings"], reason)
                )
        return Round(1, tuple(pairings))


def _sides(event: Event) -> tuple[list[str], list[str]]:
    bots = [bot.id for bot in event.bots]
    count = event.format_options["heroes"]
    return bots[:count], bots[count:]


def _groups(event: Event, hero: str, rivals: list[str]) -> list[tuple[str, ...]]:
    """Groups of `seats - 1` rivals, wrapped round a shuffled circle until everybody has sat equally often."""
    size, count = event.seats - 1, len(rivals)
    circle = sorted(rivals)
    Random(derive(event.seed, "gauntlet", event.index, hero)).shuffle(circle)
    tables = count if count % size else count // size
    return [tuple(circle[(i * size + j) % count] for j in range(size)) for i in range(tables)]


gauntlet: Format = Gauntlet()
