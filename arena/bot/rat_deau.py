"""Rat d'eau for bots: the table and what happened as plain objects.

`demand_of(seats, roll, raft_factor)` and `captor_of(offers)` are the rules' own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from arena.games.rat_deau import ROUNDS, captor_of, demand_of

__all__ = ["Anger", "Dice", "Event", "Loot", "Offer", "Raft", "Table", "captor_of", "demand_of", "parse"]

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Loot:
    """All loot of a round, by seat."""

    round: int
    cards: list[int]


@dataclass(frozen=True, slots=True)
class Dice:
    """The black and the red die, and what the rat demands."""

    round: int
    dice: list[int]
    demand: int


@dataclass(frozen=True, slots=True)
class Offer:
    """All offers of a round, by seat."""

    round: int
    cards: list[int]
    sum: int


@dataclass(frozen=True, slots=True)
class Raft:
    """The demand was met; `captor` is the seat that got the raft, or None."""

    round: int
    captor: int | None


@dataclass(frozen=True, slots=True)
class Anger:
    """The demand was missed; what each loot lost, and whether offers go back to the hands."""

    round: int
    stolen: list[int]
    returned: bool


Event = Loot | Dice | Offer | Raft | Anger
_EVENTS: Mapping[str, type[Event]] = {
    "loot": Loot, "dice": Dice, "offer": Offer, "raft": Raft, "anger": Anger,
}  # fmt: skip


def parse(events: Iterable[Mapping[str, Any]]) -> list[Event]:
    """The events of a turn, or the history of a view, as objects."""
    return [_EVENTS[event["type"]](**{k: v for k, v in event.items() if k != "type"}) for event in events]


@dataclass(frozen=True, slots=True)
class Table:
    """What one seat sees; cards in rising order."""

    seat: int
    round: int
    rounds_left: int
    """After this one."""
    demand: int | None
    """What the rat demands in this round; None before the dice."""
    hands: tuple[Cards, ...]
    """By seat; those of others follow from the pack and what was played."""
    loots: tuple[Cards, ...]
    """By seat, in the order laid, without what was taken."""
    rafts: Cards
    """By seat, how many."""
    raft_worth: int

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Self:
        """The table of a turn's view."""
        options, seats = view["options"], view["seats"]
        hands = [sorted(options["pack"]) for _ in range(seats)]
        offered: list[int] = []
        for event in parse(view["history"]):
            match event:
                case Loot(cards=cards) | Offer(cards=cards):
                    for hand, card in zip(hands, cards, strict=True):
                        hand.remove(card)
                    offered = cards
                case Anger(returned=True):
                    hands = [sorted([*hand, card]) for hand, card in zip(hands, offered, strict=True)]
        return cls(
            view["seat"], view["round"], ROUNDS - view["round"], view["demand"], tuple(map(tuple, hands)),
            tuple(map(tuple, view["loots"])), tuple(view["rafts"]), options["raft_worth"],
        )  # fmt: skip

    @property
    def hand(self) -> Cards:
        """One's own."""
        return self.hands[self.seat]

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats."""
        return tuple(seat for seat in range(len(self.hands)) if seat != self.seat)

    @property
    def scores(self) -> tuple[int, ...]:
        """By seat, if the game ended now."""
        return tuple(
            sum(loot) + self.raft_worth * rafts for loot, rafts in zip(self.loots, self.rafts, strict=True)
        )
