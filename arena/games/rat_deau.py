"""Le rat d'eau douce de la mer de ta mort: loot, dice, offers and rafts, three rounds.

Every round all seats lay one card as loot, the dice fix what the water rat demands of them together, and all
seats offer one card. If the demand is met, the highest offer that stands alone wins the raft; if not, the rat
takes the best card of every loot. Numbers like RD-3 name the rulings, listed in docs/games/rat_deau.md.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Self

from arena.errors import IllegalAction, UsageError
from arena.model.game import Json
from arena.options import Option, flag, settle, whole, whole_list
from arena.seeds import derive

ROUNDS = 3
Cards = tuple[int, ...]
Roll = tuple[int, int]


def demand_of(seats: int, roll: Roll, raft_factor: int = 5) -> int:
    """So much a seat, plus the black die if that is the higher, minus the red one if that is (RD-8)."""
    black, red = roll
    return raft_factor * seats + (black > red) * black - (red > black) * red


def captor_of(offers: Sequence[int]) -> int | None:
    """The seat of the highest value that exactly one seat offered (RD-5); None if there is none."""
    alone = [value for value, times in Counter(offers).items() if times == 1]
    return offers.index(max(alone)) if alone else None


@dataclass(frozen=True, slots=True)
class RatDeau:
    """A position. A card laid face down stays in its owner's hand until all are revealed."""

    name: ClassVar[str] = "rat_deau"
    seats: ClassVar[range] = range(2, 5)  # RD-12
    higher_wins: ClassVar[bool] = True
    options: ClassVar[Mapping[str, Option]] = {
        "pack": whole_list(  # RD-1
            (1, 2, 3, 4, 5, 6, 7, 8, 9), "the cards that every seat starts with", least=6, most=100, high=1000
        ),
        "raft_factor": whole(5, "demand a seat, before the dice", high=1000),  # RD-7
        "raft_worth": whole(5, "points of a raft", high=1000),  # RD-7
        "offers_return_on_anger": flag(
            False, "offers go back to the hands when the demand is missed"
        ),  # RD-4
    }

    settings: Json
    hands: tuple[Cards, ...]
    """By seat, in rising order."""
    loots: tuple[Cards, ...]
    """By seat, in the order laid, without what was taken."""
    rafts: tuple[int, ...]
    dice: tuple[Roll, ...]
    """The rolls that are given, by round; a round beyond them is rolled from the seed."""
    seed: int | None
    round: int = 1
    kind: str = "loot"
    demand: int | None = None
    """What the rat demands in this round, once the dice have fallen."""
    chosen: Cards = ()
    """The cards laid face down so far, by seat."""
    history: tuple[Json, ...] = ()
    """All events; every one is public, for nothing is told before a choice is complete (RD-2)."""

    @classmethod
    def start(cls, seats: int, rng: Random, options: Mapping[str, Any]) -> Self:
        """The first loot. The dice of round r are a function of one seed and r, whatever the seats do."""
        return cls._deal(seats, options, (), rng.getrandbits(256))

    @classmethod
    def from_chance(cls, seats: int, chance: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        """The same with given dice, `{"dice": [[black, red], …]}`, at most one pair a round."""
        return cls._deal(seats, options, _read_dice(chance), None)

    @classmethod
    def _deal(cls, seats: int, options: Mapping[str, Any], dice: tuple[Roll, ...], seed: int | None) -> Self:
        if seats not in cls.seats:
            raise UsageError(f"a table of 2 to 4 seats, not {seats}")
        settings = settle(cls.options, options)
        hand = tuple(sorted(settings["pack"]))
        return cls(settings, (hand,) * seats, ((),) * seats, (0,) * seats, dice, seed)

    @property
    def turn(self) -> int | None:
        return len(self.chosen) if self.kind else None

    def legal(self) -> tuple[str, ...]:
        """The values in the hand, rising, each once."""
        if not self.kind:
            return ()
        return tuple(map(str, dict.fromkeys(self.hands[len(self.chosen)])))

    def play(self, action: str) -> Self:
        legal = self.legal()
        if action not in legal:
            allowed = f"one of {', '.join(legal)}" if legal else "nothing, the game is over"
            raise IllegalAction(f"{self.kind or 'action'}: {allowed}, not {action!r:.80}")
        cards = (*self.chosen, int(action))
        if len(cards) < len(self.hands):
            return self._with_chosen(cards)
        return self._lay_loot(cards) if self.kind == "loot" else self._make_offers(cards)

    def _with_chosen(self, cards: Cards) -> Self:
        """Like `dataclasses.replace`, which would take as long as all the rest of most moves."""
        return type(self)(
            self.settings, self.hands, self.loots, self.rafts, self.dice, self.seed, self.round, self.kind,
            self.demand, cards, self.history,
        )  # fmt: skip

    def _lay_loot(self, cards: Cards) -> Self:
        """All loot is revealed (RD-2), and the dice fall."""
        roll = self._roll(self.round)
        demand = demand_of(len(cards), roll, self.settings["raft_factor"])
        return replace(
            self,
            hands=_without(self.hands, cards),
            loots=tuple((*loot, card) for loot, card in zip(self.loots, cards, strict=True)),
            kind="offer",
            demand=demand,
            chosen=(),
            history=(
                *self.history,
                {"type": "loot", "round": self.round, "cards": list(cards)},
                {"type": "dice", "round": self.round, "dice": list(roll), "demand": demand},
            ),
        )

    def _make_offers(self, cards: Cards) -> Self:
        """All offers are revealed and their sum decides (RD-9); each round has a new raft (RD-6)."""
        hands, loots, rafts = _without(self.hands, cards), self.loots, self.rafts
        offer = {"type": "offer", "round": self.round, "cards": list(cards), "sum": sum(cards)}
        if self.demand is not None and sum(cards) >= self.demand:
            captor = captor_of(cards)
            rafts = tuple(count + (seat == captor) for seat, count in enumerate(rafts))
            outcome = {"type": "raft", "round": self.round, "captor": captor}
        else:
            stolen = tuple(map(max, loots))  # RD-3: every seat has loot, this round's at least
            loots = _without(loots, stolen)
            returned = self.settings["offers_return_on_anger"]  # RD-4
            hands = self.hands if returned else hands
            outcome = {"type": "anger", "round": self.round, "stolen": list(stolen), "returned": returned}
        over = self.round == ROUNDS
        return replace(
            self,
            hands=hands,
            loots=loots,
            rafts=rafts,
            round=self.round if over else self.round + 1,
            kind="" if over else "loot",
            demand=None,
            chosen=(),
            history=(*self.history, offer, outcome),
        )

    def _roll(self, round_: int) -> Roll:
        if round_ <= len(self.dice):
            return self.dice[round_ - 1]
        if self.seed is None:
            raise UsageError(
                f"the given dice are used up: {len(self.dice)} rolls, and round {round_} needs one"
            )
        black, red = divmod(derive(self.seed, "dice", round_) % 36, 6)
        return black + 1, red + 1

    def view(self, seat: int | None) -> Json:
        """Hands and face-down cards of other seats are null; all else is public."""
        seats = range(len(self.hands))
        laid = self.chosen + (None,) * (len(self.hands) - len(self.chosen))
        return {
            "seat": seat,
            "seats": len(self.hands),
            "options": self.settings,
            "round": self.round,
            "kind": self.kind,
            "turn": self.turn,
            "hands": [list(self.hands[s]) if seat in (s, None) else None for s in seats],
            "hand_sizes": [len(hand) for hand in self.hands],
            "chosen": [laid[s] if seat in (s, None) else None for s in seats],
            "loots": [list(loot) for loot in self.loots],
            "rafts": list(self.rafts),
            "demand": self.demand,
            "history": list(self.history),
        }

    def events(self, seat: int | None, since: int = 0) -> tuple[Json, ...]:
        return self.history[since:]

    @staticmethod
    def tell(event: Json) -> str:
        start = f"Round {event['round']}: "
        match event["type"]:
            case "loot":
                return f"{start}the seats lay {_listed(event['cards'])} as loot."
            case "dice":
                black, red = event["dice"]
                return f"{start}black {black}, red {red}: the water rat demands {event['demand']}."
            case "offer":
                return f"{start}the seats offer {_listed(event['cards'])}, {event['sum']} together."
            case "raft" if event["captor"] is None:
                return f"{start}the demand is met, but no offer stands alone: nobody gets the raft."
            case "raft":
                return f"{start}the demand is met, and seat {event['captor']} gets the raft."
        back = ", and the offers go back" if event["returned"] else ""
        return f"{start}the demand is missed: the rat takes {_listed(event['stolen'])} from the loots{back}."

    def scores(self) -> tuple[int, ...]:
        """The loot and so much a raft; a hand counts nothing (RD-11)."""
        worth = self.settings["raft_worth"]
        return tuple(sum(loot) + worth * rafts for loot, rafts in zip(self.loots, self.rafts, strict=True))

    def placings(self) -> tuple[int, ...]:
        """Equal scores share the place (RD-10)."""
        scores = self.scores()
        return tuple(1 + sum(other > mine for other in scores) for mine in scores)

    def chance(self) -> Json:
        return {"dice": [event["dice"] for event in self.history if event["type"] == "dice"]}

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        """Only the others' face-down cards and later dice are unknown: hands follow from the public plays."""
        history = tuple(view["history"])
        hands = _hands_after(view["options"], history, view["seats"])
        laid = view["chosen"][: view["turn"] or 0]
        return cls(
            settings=view["options"],
            hands=hands,
            loots=tuple(map(tuple, view["loots"])),
            rafts=tuple(view["rafts"]),
            dice=tuple((event["dice"][0], event["dice"][1]) for event in history if event["type"] == "dice"),
            seed=rng.getrandbits(256),
            round=view["round"],
            kind=view["kind"],
            demand=view["demand"],
            chosen=tuple(
                rng.choice(list(dict.fromkeys(hand))) if card is None else card
                for card, hand in zip(laid, hands, strict=False)
            ),
            history=history,
        )


def _without(piles: Sequence[Cards], cards: Sequence[int]) -> tuple[Cards, ...]:
    """Each pile without one copy of its card."""
    rest = []
    for pile, card in zip(piles, cards, strict=True):
        at = pile.index(card)
        rest.append(pile[:at] + pile[at + 1 :])
    return tuple(rest)


def _hands_after(settings: Mapping[str, Any], history: Sequence[Json], seats: int) -> tuple[Cards, ...]:
    """The pack without all that a seat laid; offers that the rat refused may have come back (RD-4)."""
    hands: tuple[Cards, ...] = (tuple(sorted(settings["pack"])),) * seats
    before = hands
    for event in history:
        if event["type"] in ("loot", "offer"):
            before, hands = hands, _without(hands, event["cards"])
        elif event["type"] == "anger" and event["returned"]:
            hands = before
    return hands


def _listed(cards: Sequence[int]) -> str:
    return ", ".join(map(str, cards[:-1])) + f" and {cards[-1]}"


def _read_dice(chance: Mapping[str, Any]) -> tuple[Roll, ...]:
    """UsageError for anything but a list of at most three pairs of faces 1 to 6."""
    dice = chance.get("dice")
    if (
        set(chance) != {"dice"}
        or not isinstance(dice, Sequence)
        or isinstance(dice, str)
        or len(dice) > ROUNDS
    ):
        raise UsageError(
            f'chance: {{"dice": [[black, red], …]}} with at most {ROUNDS} rolls, not {chance!r:.80}'
        )
    for roll in dice:
        pair = isinstance(roll, Sequence) and not isinstance(roll, str) and len(roll) == 2
        if not pair or not all(type(face) is int and 1 <= face <= 6 for face in roll):
            raise UsageError(f"chance.dice: each roll two faces from 1 to 6, not {roll!r:.80}")
    return tuple((roll[0], roll[1]) for roll in dice)
