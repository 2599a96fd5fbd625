"""The registry: which games, formats, rating models and executors there are, ours and installed plug-ins.

A plug-in is one line here, or an entry point of another distribution in the group `arena.games`,
`arena.formats`, `arena.ratings` or `arena.executors`.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from arena.errors import ArenaError, UsageError, did_you_mean

BUILT_IN: Mapping[str, Mapping[str, str]] = {
    "games": {
        "pecking_order": "arena.games.pecking_order:PeckingOrder",
        "peech": "arena.games.peech:Peech",
        "rat_deau": "arena.games.rat_deau:RatDeau",
    },
    "formats": {
        "gauntlet": "arena.formats.gauntlet:gauntlet",
        "knockout": "arena.formats.knockout:knockout",
        "round_robin": "arena.formats.round_robin:round_robin",
        "swiss": "arena.formats.swiss:swiss",
    },
    "ratings": {
        "bradley_terry": "arena.ratings.bradley_terry:bradley_terry",
        "davidson_luce": "arena.ratings.davidson_luce:davidson_luce",
    },
    "executors": {
        "local": "arena.executors.local:LocalExecutor",
    },
}


@cache
def _installed(kind: str) -> tuple[tuple[str, str], ...]:
    """Plug-ins of other distributions; looked for once, as that costs as much as a short match."""
    return tuple((point.name, point.value) for point in entry_points(group=f"arena.{kind}"))


class Kind:
    """All plug-ins of one kind: a sorted set of names, each loaded when first asked for."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def _targets(self) -> dict[str, str]:
        found = dict(BUILT_IN[self._kind])
        for name, value in _installed(self._kind):
            if name in found and found[name] != value:
                raise ArenaError(f"two {self._kind} are called {name!r}: {found[name]} and {value}")
            found[name] = value
        return found

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._targets()))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __contains__(self, name: object) -> bool:
        return name in self._targets()

    def get(self, name: str) -> Any:
        """The plug-in of that name; UsageError with the list and a guess when there is none."""
        targets = self._targets()
        if name not in targets:
            hint = did_you_mean(name, targets)
            raise UsageError(f"one of {', '.join(sorted(targets))}, not {name!r}{hint}")
        module, _, attribute = targets[name].partition(":")
        return getattr(import_module(module), attribute)


games = Kind("games")
formats = Kind("formats")
ratings = Kind("ratings")
executors = Kind("executors")
