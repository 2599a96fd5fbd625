"""Formats that break one promise each; `check_format` must catch them all, with what it says."""

from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

from arena.model import Event, Pairing, Round

_calls = count()


class _OneRound:
    name = "broken"
    options: ClassVar[dict[str, Any]] = {}

    def check(self, event: Event) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (), ()

    def pairings(self, bots: list[str]) -> tuple[Pairing, ...]:
        return tuple(Pairing(i, (bots[2 * i], bots[2 * i + 1]), range(2)) for i in range(len(bots) // 2))

    def round(self, event: Event, number: int) -> Round:
        return Round(number, self.pairings([bot.id for bot in event.bots]))

    def next_round(self, event: Event, played: Any) -> Round | None:
        return None if played else self.round(event, 1)


class _SeatsOneTwice(_OneRound):
    def pairings(self, bots: list[str]) -> tuple[Pairing, ...]:
        return (Pairing(0, (bots[0], bots[0]), range(1)),)


class _ForgetsOne(_OneRound):
    def pairings(self, bots: list[str]) -> tuple[Pairing, ...]:
        return super().pairings(bots)[:-1]


class _SameDealsAgain(_OneRound):
    def next_round(self, event: Event, played: Any) -> Round | None:
        return None if len(played) > 1 else self.round(event, len(played) + 1)


class _ByeAtTable(_OneRound):
    def round(self, event: Event, number: int) -> Round:
        return replace(super().round(event, number), byes=(event.bots[0].id,))


class _NeverEnds(_OneRound):
    def next_round(self, event: Event, played: Any) -> Round | None:
        n = len(played) + 1
        made = super().pairings([bot.id for bot in event.bots])
        return Round(n, tuple(replace(pairing, deals=range(n, n + 1)) for pairing in made[:1]))


class _ByOrderOfResults(_OneRound):
    def next_round(self, event: Event, played: Any) -> Round | None:
        if len(played) > 1:
            return None
        made = super().pairings([bot.id for bot in event.bots])
        if played:
            first = played[0][1][0].bots
            made = (Pairing(0, first, range(5, 6)),)
        return Round(len(played) + 1, made)


class _Moody(_OneRound):
    def next_round(self, event: Event, played: Any) -> Round | None:
        round_ = super().next_round(event, played)
        return round_ and replace(round_, notes=(str(next(_calls)),))


BROKEN: dict[str, tuple[Any, str]] = {
    "seats one twice": (_SeatsOneTwice(), "seats a bot twice"),
    "forgets one": (_ForgetsOne(), "never seated: a6, a7"),
    "same deals again": (_SameDealsAgain(), "meets deal 0 again"),
    "bye at a table": (_ByeAtTable(), "has the bye and sits"),
    "never ends": (_NeverEnds(), "does not end"),
    "order of results": (_ByOrderOfResults(), "depends on the order of results"),
    "moody": (_Moody(), "differs when it is asked for again"),
}
