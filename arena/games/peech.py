"""Peech: win exactly as many cards as the secret coup card says; the fewest points win.

A card is its rank and suit, `"10H"`. Numbers like PE-3 name the rulings, listed in docs/games/peech.md.
Lists inside a position are shared by the positions after it and by their views: nothing changes them.
"""

import hashlib
import struct
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any, ClassVar, Self

from arena.errors import IllegalAction, UsageError
from arena.model.game import Json
from arena.options import Option, choice, settle, whole

Cards = list[str]
Logs = tuple[tuple[Json, ...], ...]

SEATS = 4  # PE-19
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CARDS = tuple(rank + suit for rank in RANKS for suit in "SHDC")  # PE-2
PLACE = {card: place for place, card in enumerate(CARDS)}  # in a hand
RANK = {card: 1 + RANKS.index(card[:-1]) for card in CARDS}
WORTH = {card: (2, 2, 0, 0, 1, 4, 5, 3, 3, 3, 2, 1, 1)[rank - 1] for card, rank in RANK.items()}
START = {card: (12, 14, 15, 16, 16, 18, 21)[rank - 7] for card, rank in RANK.items() if rank >= 7}
"""Starting points of the 28 point cards (PE-4)."""
TARGET = {card: rank for card, rank in RANK.items() if 4 <= rank <= 10}  # PE-4: cards to win
STRENGTH = {"points": WORTH, "rank": RANK}  # PE-5: points in play, or rank
COUP_POINTS = {"table": WORTH, "face": TARGET}  # PE-14


def takes_of(cards: Sequence[str | None], strength: Mapping[str, int]) -> tuple[list[str | None], bool]:
    """Who takes which card, by seat (None: out, or nothing), and whether an ace as the only lowest card."""
    by_seat = {seat: strength[card] for seat, card in enumerate(cards) if card is not None}
    high, low = max(by_seat.values()), min(by_seat.values())
    if high == low:  # PE-8
        return list(cards), False
    highest = [seat for seat, value in by_seat.items() if value == high]
    lowest = [seat for seat, value in by_seat.items() if value == low]
    takes: list[str | None] = [None] * SEATS
    if not (len(highest) == 1 or len(highest) == len(lowest) == 2):  # PE-7, PE-9
        return takes, False
    for seat in highest:
        giver = min(lowest, key=lambda other: (other - seat) % SEATS)  # clockwise, PE-6
        lowest.remove(giver)
        takes[seat] = cards[giver]
    return takes, not lowest and len(highest) == 1 and takes[highest[0]] in CARDS[:4]  # PE-10


def shuffled(*key: int | str) -> Cards:
    """All 52 cards in an order hashed from the key: uniform, short of two equal 64-bit keys (p < 2**-53)."""
    keys = struct.unpack(">52Q", hashlib.shake_256(repr(key).encode()).digest(8 * len(CARDS)))
    return [card for _, card in sorted(zip(keys, CARDS, strict=True))]


def serve(order: Cards, free: Collection[str], active: Sequence[int], size: int) -> list[Cards]:
    """`size` free cards for each active seat: those of its lane, every fourth of the order, then spares.

    So the hands of one order stay much the same when a few cards are free or not. They are exactly uniform
    over a uniform order: renaming free cards in the order renames them in the hands.
    """
    lanes = ([card for card in order[seat::SEATS] if card in free] for seat in range(SEATS))
    hands = [lane[:size] if seat in active else [] for seat, lane in enumerate(lanes)]
    served = {card for hand in hands for card in hand}
    spares = (card for card in order if card in free and card not in served)
    for seat in active:
        hands[seat] = sorted([*hands[seat], *islice(spares, size - len(hands[seat]))], key=PLACE.__getitem__)
    return hands


def _checked(what: str, cards: Cards, allowed: Collection[str], count: int) -> Cards:
    """The cards, if they are `count` different ones of those allowed; else UsageError."""
    if len(cards) != count or len({*allowed}.intersection(cards)) != count:
        raise UsageError(f"{what}: {count} different cards of those that may be here, not {cards!r:.200}")
    return cards


@dataclass(frozen=True, slots=True)
class _Chance:
    """Chance outcomes by round (from 1) as far as they are given, else hashed from a seed if there is one."""

    seed: int | None
    given: Mapping[int, Json]

    def cards(self, number: int, kind: str, allowed: Collection[str]) -> Cards:
        """The `points` or the `coups` of a round, by seat: four of those allowed (PE-4)."""
        if number in self.given:
            return _checked(f"{kind} of round {number}", self.given[number][kind], allowed, SEATS)
        if self.seed is None:
            raise UsageError(f"the given chance ends before round {number}")
        return [card for card in shuffled(self.seed, kind, number) if card in allowed][:SEATS]

    def deal(self, number: int, deal: int, free: set[str], active: list[int], size: int) -> list[Cards]:
        """The hands of a round's deal (from 1), each in order."""
        given, what = self.given.get(number, {}).get("deals", ()), f"deal {deal} of round {number}"
        if deal <= len(given):
            hands, left = given[deal - 1], set(free)
            if len(hands) != SEATS:
                raise UsageError(f"{what}: {SEATS} hands, not {len(hands)}")
            for seat, hand in enumerate(hands):
                _checked(f"{what}, seat {seat}", hand, left, size if seat in active else 0)
                left.difference_update(hand)
            return [sorted(hand, key=PLACE.__getitem__) for hand in hands]
        if self.seed is None:
            raise UsageError(f"the given chance ends before {what}")
        return serve(shuffled(self.seed, "deal", number, deal), free, active, size)


@dataclass(frozen=True, slots=True)
class _Table:
    """Everything but the choices of the battle that is on; `active` is empty when the game is over."""

    options: Json
    chance: _Chance
    number: int  # of the round, from 1
    points: Cards
    coups: Cards
    results: list[Json]  # the `scores` events of past rounds
    past: list[Json]  # the chance outcomes of past rounds
    logs: Logs  # what each seat has seen, and last what the judge has
    active: list[int]
    hands: list[Cards]
    won: list[Cards]
    battles: list[Json]  # the `battle` events of this round
    deals: list[Json]  # of this round, with all hands

    @classmethod
    def begin(cls, options: Json, chance: _Chance, results: list[Json], past: list[Json], logs: Logs) -> Self:
        """The next round, dealt; with `redraw: once` its cards are those of the first (PE-3)."""
        number = len(past) + 1
        points, coups = chance.cards(number, "points", START), chance.cards(number, "coups", TARGET)
        if past and options["redraw"] == "once":
            first = (past[0]["points"], past[0]["coups"])
            if number in chance.given and first != (points, coups):
                raise UsageError(f"cards of round {number}: those of round 1, which are drawn once")
            points, coups = first
        events: list[Json] = [{"type": "round", "round": number, "points": points}]
        events += [{"type": "coup", "seat": seat, "card": card} for seat, card in enumerate(coups)]
        return cls(
            options, chance, number, points, coups, results, past, _noted(logs, events),
            list(range(SEATS)), [[]] * SEATS, [[]] * SEATS, [], [],
        ).dealt()  # fmt: skip

    def dealt(self) -> Self:
        """The same after a deal, as many cards as the free ones allow (PE-11)."""
        free = set(CARDS).difference(self.coups, *self.won)
        size = min(8, len(free) // len(self.active))
        number = len(self.deals) + 1
        hands = self.chance.deal(self.number, number, free, self.active, size)
        events: list[Json] = [{"type": "deal", "deal": number, "size": size, "active": self.active}]
        events += [{"type": "hand", "seat": seat, "cards": hands[seat]} for seat in self.active]
        deals = [*self.deals, {"size": size, "hands": hands}]
        return replace(self, hands=hands, deals=deals, logs=_noted(self.logs, events))

    def fought(self, chosen: Iterable[str]) -> Self:
        """The same after a battle with these cards, in the order of `active`, and what follows from it."""
        by_seat = dict(zip(self.active, chosen, strict=True))
        cards = [by_seat.get(seat) for seat in range(SEATS)]
        takes, lone_ace = takes_of(cards, STRENGTH[self.options["battle_order"]])
        won, thrown = list(self.won), None
        for seat, taken in enumerate(takes):
            if lone_ace and taken and won[seat]:  # PE-10
                *won[seat], thrown = won[seat]
            if taken:
                won[seat] = [*won[seat], taken]
        done = [seat for seat in self.active if len(won[seat]) == TARGET[self.coups[seat]]]  # PE-17, PE-21
        active = [seat for seat in self.active if seat not in done]
        left = [[card for card in hand if card not in cards] for hand in self.hands]
        hands = [hand if seat in active else [] for seat, hand in enumerate(left)]
        battle = {"type": "battle", "battle": len(self.battles) + 1, "cards": cards, "takes": takes}
        battles = [*self.battles, battle | {"thrown": thrown}]
        peeches = [{"type": "peech", "by": seat, "won": len(won[seat])} for seat in done]
        logs = _noted(self.logs, [battles[-1], *peeches])
        after = replace(self, active=active, hands=hands, won=won, battles=battles, logs=logs)
        if len(active) <= SEATS - 2 or len(battles) == self.options["max_battles"]:  # PE-12
            return after.scored()
        return after if hands[active[0]] else after.dealt()

    def result(self) -> Json:
        """The round as it stands, as its `scores` event tells it (PE-13, PE-14, PE-15)."""
        coup_points = COUP_POINTS[self.options["coup_card_points"]]
        gained = [sum(WORTH[card] for card in pile) for pile in self.won]
        counts, scores = [len(pile) for pile in self.won], []
        for seat, coup in enumerate(self.coups):
            missing = max(0, TARGET[coup] - counts[seat])
            gained[seat] += 0 if missing else coup_points[coup]
            scores.append(max(0, START[self.points[seat]] - gained[seat]) + missing)
        return {
            "type": "scores", "round": self.number, "points": self.points, "coups": self.coups,
            "counts": counts, "gained": gained, "scores": scores,
            "winners": [seat for seat in range(SEATS) if scores[seat] == min(scores)],  # PE-16
        }  # fmt: skip

    def scored(self) -> Self:
        """The same after the end of the round: in the next one, or over."""
        result = self.result()
        results, logs = [*self.results, result], _noted(self.logs, [result])
        if self.number == self.options["rounds"]:  # PE-1
            return replace(self, results=results, logs=logs, active=[], hands=[[]] * SEATS)
        return self.begin(self.options, self.chance, results, [*self.past, self.outcomes()], logs)

    def outcomes(self) -> Json:
        """The chance of this round so far, in the record's form."""
        return {"points": self.points, "coups": self.coups, "deals": [deal["hands"] for deal in self.deals]}


def _noted(logs: Logs, events: list[Json]) -> Logs:
    """The logs with these events, a private one only in its seat's and in the judge's."""
    return tuple(
        log + tuple([event for event in events if viewer in (event.get("seat", viewer), SEATS)])
        for viewer, log in enumerate(logs)
    )


def _by_seat(values: list[Any], verb: str = " ") -> str:
    return ", ".join(f"seat {seat}{verb}{value}" for seat, value in enumerate(values) if value is not None)


_TELL: Mapping[str, Callable[[Json], str]] = {
    "round": lambda e: f"Round {e['round']}, point cards: {_by_seat(e['points'])}",
    "coup": lambda e: f"seat {e['seat']} draws the coup card {e['card']}",
    "deal": lambda e: f"deal {e['deal']}: {e['size']} cards for each of {len(e['active'])} seats",
    "hand": lambda e: f"seat {e['seat']} holds {' '.join(e['cards'])}",
    "battle": lambda e: (
        f"battle {e['battle']}: {_by_seat(e['cards'])}; "
        + (_by_seat(e["takes"], " takes ") or "nobody takes a card")
        + (f" and throws {e['thrown']}" if e["thrown"] else "")
    ),
    "peech": lambda e: f"seat {e['by']} has won its {e['won']} cards: Peech!",
    "scores": lambda e: (
        f"round {e['round']} scores: {_by_seat(e['scores'])}; won by {' and '.join(map(str, e['winners']))}"
    ),
}


def _seen_by(viewer: int, values: list[Any]) -> list[Any]:
    """What the viewer sees of something that each seat has for itself."""
    hidden = [None] * SEATS
    return values if viewer == SEATS else [*hidden[:viewer], values[viewer], *hidden[viewer + 1 :]]


@dataclass(frozen=True, slots=True)
class Peech:
    """One position: the table, and the cards already chosen in this battle, hidden till the last (PE-18)."""

    name: ClassVar[str] = "peech"
    seats: ClassVar[range] = range(SEATS, SEATS + 1)
    higher_wins: ClassVar[bool] = False
    options: ClassVar[Mapping[str, Option]] = {
        "rounds": whole(3, "rounds of a game (PE-1)", low=1, high=50),
        "redraw": choice("each_round", ("once",), "when point and coup cards are drawn (PE-3)"),
        "battle_order": choice("points", ("rank",), "what makes a card strong (PE-5)"),
        "max_battles": whole(200, "battles after which a round is scored (PE-12)", low=1, high=300),
        "coup_card_points": choice("table", ("face",), "what a reached coup card is worth (PE-14)"),
    }

    table: _Table
    chosen: tuple[str, ...] = ()  # in the order of the active seats

    @classmethod
    def start(cls, seats: int, rng: Random, options: Mapping[str, Any]) -> Self:
        return cls._begin(seats, options, _Chance(rng.getrandbits(256), {}))

    @classmethod
    def from_chance(cls, seats: int, chance: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        try:
            rounds: list[Json] = [
                {kind: [*map(str, each[kind])] for kind in ("points", "coups")}
                | {"deals": [[[*map(str, hand)] for hand in deal] for deal in each["deals"]]}
                for each in chance["rounds"]
            ]
        except (KeyError, TypeError):
            raise UsageError("chance: a list of `rounds`, each with points, coups and deals") from None
        return cls._begin(seats, options, _Chance(None, dict(enumerate(rounds, start=1))))

    @classmethod
    def _begin(cls, seats: int, options: Mapping[str, Any], chance: _Chance) -> Self:
        if seats != SEATS:
            raise UsageError(f"peech is played by {SEATS} seats, not {seats}")
        settings = settle(cls.options, options)
        if len(chance.given) > settings["rounds"]:
            raise UsageError(f"chance: {len(chance.given)} rounds, where {settings['rounds']} are played")
        return cls(_Table.begin(settings, chance, [], [], ((),) * (SEATS + 1)))

    @property
    def turn(self) -> int | None:
        active = self.table.active
        return active[len(self.chosen)] if active else None

    @property
    def kind(self) -> str:
        return "play" if self.table.active else ""

    def legal(self) -> tuple[str, ...]:
        return () if self.turn is None else tuple(self.table.hands[self.turn])

    def play(self, action: str) -> Self:
        legal = self.legal()
        if action not in legal:
            allowed = f"one of {' '.join(legal)}" if legal else "nothing, the game is over"
            raise IllegalAction(f"play: {allowed}, not {action!r:.80}")
        table, chosen = self.table, (*self.chosen, action)
        complete = len(chosen) == len(table.active)
        return type(self)(table.fought(chosen)) if complete else type(self)(table, chosen)

    def view(self, seat: int | None) -> Json:
        """As `docs/games/peech.md` tells; a choice shows in the judge's view only, until the last is in."""
        table, viewer = self.table, SEATS if seat is None else seat
        shown = not table.active or (table.options["redraw"] == "once" and table.results)
        chosen = dict(zip(table.active, self.chosen if seat is None else (), strict=False))
        return {
            "seat": seat, "options": table.options, "round": table.number,
            "points": table.points, "start": [START[card] for card in table.points],
            "coups": table.coups if shown else _seen_by(viewer, table.coups),
            "active": table.active, "hands": _seen_by(viewer, table.hands),
            "hand_size": max(map(len, table.hands)), "won": table.won, "battles_played": len(table.battles),
            "chosen": [chosen.get(other) for other in range(SEATS)], "battles": table.battles,
            "deals": [{**deal, "hands": _seen_by(viewer, deal["hands"])} for deal in table.deals],
            "results": table.results,
        }  # fmt: skip

    def events(self, seat: int | None, since: int = 0) -> tuple[Json, ...]:
        return self.table.logs[SEATS if seat is None else seat][since:]

    @staticmethod
    def tell(event: Json) -> str:
        return _TELL[event["type"]](event)

    def scores(self) -> tuple[int, ...]:
        """A round that is on counts as it stands (PE-12); each round won takes one point off (PE-16)."""
        rounds = [*self.table.results, *([self.table.result()] if self.table.active else [])]
        return tuple(sum(r["scores"][seat] - (seat in r["winners"]) for r in rounds) for seat in range(SEATS))

    def placings(self) -> tuple[int, ...]:
        scores = self.scores()
        return tuple(1 + sum(other < mine for other in scores) for mine in scores)  # PE-20

    def chance(self) -> Json:
        """Of an imagined position, the deals of earlier rounds are unknown and left out."""
        return {"rounds": [*self.table.past, self.table.outcomes()]}

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        """For the view of a seat that is asked; its history is the battles and scores that the view tells.

        Uniform, because each way to draw the coup cards leaves equally many unseen cards in every deal, and
        so equally many hands. Deals and rounds to come are drawn anew.
        """
        coups = _imagined_coups(view, rng)
        deals, hands = _imagined_deals(view, coups, rng)
        number, results, battles, active = (view[key] for key in ("round", "results", "battles", "active"))
        before, after = results[: number - 1], results[number - 1 :]
        past = [{"points": each["points"], "coups": each["coups"], "deals": []} for each in before]
        table = _Table(
            view["options"], _Chance(rng.getrandbits(256), {}), number, view["points"], coups, results, past,
            ((*before, *battles, *after),) * (SEATS + 1), active, hands, view["won"], battles, deals,
        )  # fmt: skip
        return cls(table, tuple(rng.choice(hands[seat]) for seat in active if seat < view["seat"] in active))


def _imagined_coups(view: Mapping[str, Any], rng: Random) -> Cards:
    """Uniform over what fits: cards unseen in this round, a target not reached, or just reached if out."""
    dealt = (deal["hands"][view["seat"]] for deal in view["deals"])
    seen = {*view["coups"]}.union(*(battle["cards"] for battle in view["battles"]), *dealt)
    fitting = []
    for seat, (known, pile) in enumerate(zip(view["coups"], view["won"], strict=True)):
        targets = range(len(pile) + 1, 11) if seat in view["active"] else (len(pile),)
        fits = [card for card, target in TARGET.items() if target in targets and card not in seen]
        fitting.append([known] if known else fits)
    for _ in range(1000 if all(fitting) else 0):  # different ones in a sixth of all tries or more, if at all
        coups = [rng.choice(fits) for fits in fitting]
        if len(set(coups)) == SEATS:
            return coups
    raise UsageError("no position fits this view")


def _imagined_deals(view: Mapping[str, Any], coups: Cards, rng: Random) -> tuple[list[Json], list[Cards]]:
    """The round's deals (own hands, what others played, else unseen cards) and what is left of the last."""
    battles, gone = view["battles"], {*coups}
    deals: list[Json] = []
    for size, dealt in ((deal["size"], deal["hands"]) for deal in view["deals"]):
        fought, battles = battles[:size], battles[size:]
        played = [[b["cards"][seat] for b in fought if b["cards"][seat]] for seat in range(SEATS)]
        hands = [own or cards for own, cards in zip(dealt, played, strict=True)]
        known = gone.union(*hands)
        unseen = [card for card in CARDS if card not in known]
        drawn = iter(rng.sample(unseen, len(unseen)))
        for seat in (seat for seat in range(SEATS) if played[seat]) if fought else view["active"]:
            hands[seat] = [*hands[seat], *islice(drawn, size - len(hands[seat]))]
        hands = [sorted(hand, key=PLACE.__getitem__) for hand in hands]
        deals.append({"size": size, "hands": hands})
        for battle in fought:
            gone.update(card for card in battle["takes"] if card)
            gone.discard(battle["thrown"])
        left = [[card for card in hand if card not in played[seat]] for seat, hand in enumerate(hands)]
    return deals, [hand if seat in view["active"] else [] for seat, hand in enumerate(left)]
