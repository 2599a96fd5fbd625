"""Pecking Order for bots: the board, what happened, and a perfect memory, as plain objects.

`WORTH` of the rules has the perches and their values.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from arena.games import assignments
from arena.games.pecking_order import BIT, CARDS, JAGUAR, WORTH, Card, Known

if TYPE_CHECKING:
    from arena.bot import Setup, Turn

__all__ = [
    "JAGUAR", "WORTH", "Card", "Decline", "Draw", "Event", "Fight", "Look", "Memory", "NoPerch", "Perch",
    "Place", "Round", "See", "Table", "parse",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draw:
    """One's own card."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Place:
    """A seat takes an empty perch."""

    seat: int
    perch: str


@dataclass(frozen=True, slots=True)
class Fight:
    """A seat attacks; `stays` is attacker, defender or nobody."""

    seat: int
    perch: str
    defender: Card
    stays: str


@dataclass(frozen=True, slots=True)
class Look:
    """A seat looks at a card."""

    seat: int
    perch: str


@dataclass(frozen=True, slots=True)
class See:
    """What one saw by it."""

    seat: int
    perch: str
    card: Card


@dataclass(frozen=True, slots=True)
class Decline:
    """One did not look."""

    seat: int


@dataclass(frozen=True, slots=True)
class NoPerch:
    """A seat had no free perch for its card."""

    seat: int


@dataclass(frozen=True, slots=True)
class Round:
    """A round is over, with these scores by seat."""

    round: int
    scores: list[int]


Event = Draw | Place | Fight | Look | See | Decline | NoPerch | Round
_EVENTS: Mapping[str, type[Event]] = {
    "draw": Draw, "place": Place, "fight": Fight, "look": Look, "see": See, "decline": Decline,
    "no_perch": NoPerch, "round": Round,
}  # fmt: skip


def parse(events: Iterable[Mapping[str, Any]]) -> list[Event]:
    """The events of a turn, or the history of a view, as objects."""
    return [_EVENTS[event["type"]](**{k: v for k, v in event.items() if k != "type"}) for event in events]


@dataclass(frozen=True, slots=True)
class Perch:
    """One perch; `owner` is a seat, or None where it is empty, `card` None where it is not known."""

    name: str
    worth: int
    owner: int | None
    card: Card | None
    up: bool


@dataclass(frozen=True, slots=True)
class Table:
    """What one seat sees; perches in the order of the board, lowest first."""

    seat: int
    card: Card | None
    """The card to be placed; None when a look is asked."""
    mine: tuple[Perch, ...]
    theirs: tuple[Perch, ...]
    empty: tuple[Perch, ...]
    left: tuple[int, int]
    """Cards in one's own deck and in theirs."""

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Self:
        """The table of a turn's view."""
        seat: int = view["seat"]
        stands = {
            at: stand or {"seat": None, "card": None, "up": False} for at, stand in view["board"].items()
        }
        perches = [
            Perch(at, WORTH[at], stand["seat"], stand["card"], stand["up"]) for at, stand in stands.items()
        ]
        mine, theirs, empty = (
            tuple(perch for perch in perches if perch.owner == owner) for owner in (seat, 1 - seat, None)
        )
        return cls(seat, view["card"], mine, theirs, empty, (view["left"][seat], view["left"][1 - seat]))


class Memory(Known):
    """All that can be known of the other seat's cards in this round: exact chances, each deal as likely.

    Make it in `Bot.__init__` and let it `see` every turn first; or make one at any turn, and let it see
    the events in `turn.view["history"]`.
    """

    def __init__(self, setup: "Setup | Turn") -> None:
        self._jaguar_holds: bool = setup.options["jaguar_holds_tiebreak"]
        super().__init__(setup.seat, self._jaguar_holds)

    def see(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Learn from these events, all since the last ones seen. A new round begins with new decks."""
        for event in events:
            if event["type"] == "round":
                super().__init__(self.seat, self._jaguar_holds)
            else:
                self.learn(dict(event))

    def odds(self, perch: str) -> dict[Card, float]:
        """For the other seat's card on this perch: the cards it may be, and the chance of each.

        KeyError where the other seat has no card.
        """
        owner, at = self._stands[perch]
        if owner == self.seat:
            raise KeyError(perch)
        return self._odds(at)

    def to_come(self) -> dict[Card, float]:
        """The cards that may still be in the other seat's deck, and the chance of each to be there."""
        drawn = [self._odds(at) for at in range(len(self._bounds))]
        chances = {card: 1 - sum(odds.get(card, 0.0) for odds in drawn) for card in CARDS}
        return {card: chance for card, chance in chances.items() if chance > 1e-9}

    def _odds(self, at: int) -> dict[Card, float]:
        """Of the other seat's card number `at`, in the order drawn."""
        bounds = list(self._bounds)
        total = assignments.count(bounds, len(CARDS))
        found = {}
        for card in CARDS:
            if ways := assignments.count(
                [*bounds[:at], bounds[at] & BIT[card], *bounds[at + 1 :]], len(CARDS)
            ):
                found[card] = ways / total
        return found
