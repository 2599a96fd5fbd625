"""Kuhn poker, the smallest game with a bluff: one card each of three, one bet, two seats."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import Any, ClassVar, Self

from arena.errors import IllegalAction, UsageError
from arena.model import Json
from arena.options import Option, settle, whole

DECK = (1, 2, 3)
ENDS = ("pass pass", "bet pass", "bet bet", "pass bet pass", "pass bet bet")


@dataclass(frozen=True, slots=True)
class Kuhn:
    """Each seat pays one chip. A pass after a bet gives up; two bets or two passes show the cards."""

    name: ClassVar[str] = "kuhn"
    seats: ClassVar[range] = range(2, 3)
    higher_wins: ClassVar[bool] = True
    options: ClassVar[Mapping[str, Option]] = {"bet": whole(1, "chips of a bet", low=1, high=100)}

    settings: Json
    cards: tuple[int, ...]
    moves: tuple[str, ...] = ()

    @classmethod
    def start(cls, seats: int, rng: Random, options: Mapping[str, Any]) -> Self:
        return cls.from_chance(seats, {"cards": rng.sample(DECK, 2)}, options)

    @classmethod
    def from_chance(cls, seats: int, chance: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        if seats not in cls.seats:
            raise UsageError(f"kuhn is played by 2 seats, not {seats}")
        cards = chance.get("cards")
        if cards not in [list(pair) for pair in permutations(DECK, 2)]:
            raise UsageError(f"chance.cards: two different cards of 1, 2, 3, not {cards!r:.60}")
        return cls(settle(cls.options, options), tuple(cards))

    @property
    def turn(self) -> int | None:
        return len(self.moves) % 2 if self.kind else None

    @property
    def kind(self) -> str:
        return "" if " ".join(self.moves) in ENDS else "move"

    def legal(self) -> tuple[str, ...]:
        return ("pass", "bet") if self.kind else ()

    def play(self, action: str) -> Self:
        if action not in self.legal():
            raise IllegalAction(f"one of {', '.join(self.legal()) or 'nothing'}, not {action!r:.60}")
        return replace(self, moves=(*self.moves, action))

    def _shown(self) -> bool:
        return not self.kind and self.moves[-2:] in (("pass", "pass"), ("bet", "bet"))

    def view(self, seat: int | None) -> Json:
        """`cards` by seat, null where hidden."""
        all_seen = seat is None or self._shown()
        return {
            "seat": seat,
            "options": self.settings,
            "kind": self.kind,
            "cards": [card if all_seen or owner == seat else None for owner, card in enumerate(self.cards)],
            "moves": list(self.moves),
        }

    def events(self, seat: int | None, since: int = 0) -> tuple[Json, ...]:
        dealt = [{"type": "card", "seat": owner, "card": card} for owner, card in enumerate(self.cards)]
        told: list[Json] = [event for event in dealt if seat in (None, event["seat"])]
        told += [{"type": "move", "by": number % 2, "move": move} for number, move in enumerate(self.moves)]
        if self._shown():
            told.append({"type": "show", "cards": list(self.cards)})
        return tuple(told[since:])

    @staticmethod
    def tell(event: Json) -> str:
        match event["type"]:
            case "card":
                return f"Seat {event['seat']} draws the {event['card']}."
            case "move":
                return f"Seat {event['by']}: {event['move']}."
        return "Shown are {} and {}.".format(*event["cards"])

    def scores(self) -> tuple[int, ...]:
        """Chips won; before the end, as if the cards were shown now."""
        bets = tuple(self.moves[seat::2].count("bet") * self.settings["bet"] for seat in (0, 1))
        stakes = bets if bets[0] != bets[1] else self.cards  # who leaves a bet unanswered gives up
        winner, won = int(stakes[1] > stakes[0]), 1 + min(bets)
        return (won, -won) if winner == 0 else (-won, won)

    def placings(self) -> tuple[int, ...]:
        return (1, 2) if self.scores()[0] > 0 else (2, 1)

    def chance(self) -> Json:
        return {"cards": list(self.cards)}

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        """The other card is one of the two that are left, with equal chance."""
        left = [card for card in DECK if card not in view["cards"]]
        rng.shuffle(left)
        cards = tuple(left.pop() if card is None else card for card in view["cards"])
        return cls(dict(view["options"]), cards, tuple(view["moves"]))
