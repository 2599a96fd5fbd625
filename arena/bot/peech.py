"""Peech for bots: the table and what happened as plain objects.

Cards are text, `"10H"`. Of the rules: `CARDS` (all 52), `RANK` (1 to 13), `WORTH` (points in play), `START`
and `TARGET` by card, and `takes_of(cards by seat, strength)`, which tells who takes which card in a battle.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from arena.games.peech import CARDS, RANK, START, STRENGTH, TARGET, WORTH, takes_of

__all__ = [
    "CARDS", "RANK", "START", "TARGET", "WORTH", "Battle", "Coup", "Deal", "Event", "Hand", "Out", "Round",
    "Scores", "Table", "parse", "takes_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Round:
    """A round begins, with these point cards by seat."""

    round: int
    points: list[str]


@dataclass(frozen=True, slots=True)
class Coup:
    """One's own coup card for the round."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Deal:
    """Each active seat gets `size` cards."""

    deal: int
    size: int
    active: list[int]


@dataclass(frozen=True, slots=True)
class Hand:
    """One's own cards of a deal."""

    seat: int
    cards: list[str]


@dataclass(frozen=True, slots=True)
class Battle:
    """Cards and what is taken, by seat (None: out, or nothing), and the card thrown because of an ace."""

    battle: int
    cards: list[str | None]
    takes: list[str | None]
    thrown: str | None


@dataclass(frozen=True, slots=True)
class Out:
    """Peech! The seat `by` has reached its target of `won` cards and is out of the round."""

    by: int
    won: int


@dataclass(frozen=True, slots=True)
class Scores:
    """A round is over: all lists by seat, but `winners`, the seats that won it."""

    round: int
    points: list[str]
    coups: list[str]
    counts: list[int]
    gained: list[int]
    scores: list[int]
    winners: list[int]


Event = Round | Coup | Deal | Hand | Battle | Out | Scores
_EVENTS: Mapping[str, type[Event]] = {
    "round": Round, "coup": Coup, "deal": Deal, "hand": Hand, "battle": Battle, "peech": Out,
    "scores": Scores,
}  # fmt: skip


def parse(events: Iterable[Mapping[str, Any]]) -> list[Event]:
    """The events of a turn as objects."""
    return [_EVENTS[event["type"]](**{k: v for k, v in event.items() if k != "type"}) for event in events]


@dataclass(frozen=True, slots=True)
class Table:
    """What one seat sees."""

    seat: int
    round: int
    hand: tuple[str, ...]
    coup: str
    """One's own coup card."""
    active: tuple[int, ...]
    """The seats still in this round."""
    won: tuple[tuple[str, ...], ...]
    """By seat, the last card last."""
    start: tuple[int, ...]
    """Starting points, by seat."""
    shown: tuple[str, ...]
    """Cards played since the last deal."""
    unseen: tuple[str, ...]
    """Cards that another seat may hold now, as far as one has seen."""
    strength: Mapping[str, int]
    """By card, under the options of this match."""

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Self:
        """The table of a turn's view."""
        seat, hand = view["seat"], view["hands"][view["seat"]]
        since = sum(deal["size"] for deal in view["deals"][:-1])
        battles: list[dict[str, Any]] = view["battles"][since:]
        shown = tuple(card for battle in battles for card in battle["cards"] if card)
        gone = {*hand, *view["coups"], *shown, *(battle["thrown"] for battle in battles)}.union(*view["won"])
        return cls(
            seat, view["round"], tuple(hand), view["coups"][seat], tuple(view["active"]),
            tuple(map(tuple, view["won"])), tuple(view["start"]), shown,
            tuple(card for card in CARDS if card not in gone), STRENGTH[view["options"]["battle_order"]],
        )  # fmt: skip

    @property
    def missing(self) -> int:
        """Cards one has still to win."""
        return TARGET[self.coup] - len(self.won[self.seat])

    def stronger(self, card: str) -> int:
        """How many unseen cards are at least as strong."""
        return sum(self.strength[other] >= self.strength[card] for other in self.unseen)
