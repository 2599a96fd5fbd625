"""Pecking Order: two decks of twelve birds and a jaguar, eleven perches, and fights over them.

A seat draws its top card and puts it face down on a perch, an empty one or one that the other seat holds:
there the cards fight. Numbers like PO-7 name the rulings, listed in docs/games/pecking_order.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Self

from arena.errors import IllegalAction, UsageError
from arena.games import assignments
from arena.model.game import Json
from arena.options import Option, flag, settle, whole
from arena.seeds import derive

Card = int | str
Deck = tuple[Card, ...]
Decks = tuple[Deck, Deck]
Drawn = tuple[int, int]
Stand = dict[str, Any]
"""A card on a perch: `seat`, `card` (None where unknown), `up`."""
Board = dict[str, Stand | None]

JAGUAR = "J"
CARDS: Deck = (*range(1, 13), JAGUAR)
WORTH = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8a": 8, "8b": 8, "9": 9, "10": 10}
"""The perches, in the order of the board, and their values (PO-1)."""
BARE: Board = dict.fromkeys(WORTH)
TIE_BREAK, PROMONTORY, DOUBLE = "1", "3", ("8a", "8b")
DOUBLE_BONUS = 3
NONE = "none"
JUDGE = 2
"""The judge's place, after the two seats, among those who see a game."""

TOLD = {
    "draw": "Seat {seat} draws {card}.",
    "place": "Seat {seat} takes perch {perch}.",
    "fight": "Seat {seat} attacks {defender} on perch {perch}: {end}.",
    "look": "Seat {seat} looks at the card on perch {perch}.",
    "see": "Seat {seat} sees {card} on perch {perch}.",
    "decline": "Seat {seat} does not look.",
    "no_perch": "Seat {seat} has no free perch and discards a card.",
    "round": "Round {round} ends {scores[0]} to {scores[1]}.",
}

BIT = {card: 1 << at for at, card in enumerate(CARDS)}
ALL = (1 << len(CARDS)) - 1
BIRDS = ALL & ~BIT[JAGUAR]


@dataclass(slots=True)
class Seen:
    """What seat 0, seat 1 and the judge see: the board, and all that happened.

    A move changes a copy of its own; the objects inside are shared by all later positions and their views.
    """

    boards: tuple[Board, Board, Board]
    logs: tuple[list[Json], list[Json], list[Json]]

    def copy(self) -> "Seen":
        (a, b, judge), (log_a, log_b, log) = self.boards, self.logs
        return Seen((a.copy(), b.copy(), judge.copy()), (log_a.copy(), log_b.copy(), log.copy()))

    def public(self, event: Json) -> None:
        for log in self.logs:
            log.append(event)

    def private(self, seat: int, event: Json) -> None:
        self.logs[seat].append(event)
        self.logs[JUDGE].append(event)

    def hide(self, perch: str, seat: int, card: Card) -> None:
        """A card face down."""
        self.boards[seat][perch] = self.boards[JUDGE][perch] = {"seat": seat, "card": card, "up": False}
        self.boards[1 - seat][perch] = {"seat": seat, "card": None, "up": False}


@dataclass(frozen=True, slots=True)
class PeckingOrder:
    """A position."""

    name: ClassVar[str] = "pecking_order"
    seats: ClassVar[range] = range(2, 3)
    higher_wins: ClassVar[bool] = True
    options: ClassVar[Mapping[str, Option]] = {
        "jaguar_holds_tiebreak": flag(True, "a face-down jaguar on perch 1 wins ties for its seat"),  # PO-7
        "rounds": whole(1, "rounds; their scores are added", low=1, high=10),  # PO-11
        "first_player": whole(0, "the seat that starts the first round", high=1),  # PO-12
    }

    settings: Json
    decks: tuple[Decks, ...]
    """One pair a round, top card first."""
    round: int
    results: list[list[int]]
    """The scores of the rounds that are over."""
    drawn: Drawn
    """Cards drawn from the decks of this round, by seat."""
    turn: int | None
    kind: str
    actions: tuple[str, ...]
    seen: Seen

    @classmethod
    def start(cls, seats: int, rng: Random, options: Mapping[str, Any]) -> Self:
        """The first draw. Each deck is a function of one seed, its round and its seat."""
        settings = settle(cls.options, options)
        seed = rng.getrandbits(256)
        rounds = range(1, settings["rounds"] + 1)
        return cls._deal(seats, tuple((_deck(seed, r, 0), _deck(seed, r, 1)) for r in rounds), settings)

    @classmethod
    def from_chance(cls, seats: int, chance: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        """The same with given decks, `{"decks": [[deck of seat 0, deck of seat 1], …]}`, top card first.

        At most one pair a round. The decks of a pair may be short, both alike: the round ends when they are
        empty.
        """
        settings = settle(cls.options, options)
        return cls._deal(seats, _read_decks(chance, settings["rounds"]), settings)

    @classmethod
    def _deal(cls, seats: int, decks: tuple[Decks, ...], settings: Json) -> Self:
        if seats not in cls.seats:
            raise UsageError(f"a table of 2 seats, not {seats}")
        seen = Seen((BARE, BARE, BARE), ([], [], []))
        return cls(settings, decks, 1, [], (0, 0), None, "", (), seen)._draw(settings["first_player"], seen)

    def legal(self) -> tuple[str, ...]:
        """Perches in the order of the board; last, where a seat may look, `none`."""
        return self.actions

    def play(self, action: str) -> Self:
        me = self.turn
        if me is None or action not in self.actions:
            allowed = f"{self.kind}: one of {', '.join(self.actions)}" if self.actions else "the game is over"
            raise IllegalAction(f"{allowed}, not {action!r:.80}")
        seen = self.seen.copy()
        if self.kind == "look":
            _look(me, action, seen)
        elif self._place(me, action, seen) and (targets := _face_down(seen.boards[JUDGE], 1 - me)):
            return self._asks(me, "look", (*targets, NONE), self.drawn, seen)
        return self._draw(1 - me, seen)

    def _asks(self, seat: int | None, kind: str, legal: tuple[str, ...], drawn: Drawn, seen: Seen) -> Self:
        """Like `dataclasses.replace`, which would take as long as all the rest of a move."""
        return type(self)(self.settings, self.decks, self.round, self.results, drawn, seat, kind, legal, seen)

    def _place(self, me: int, perch: str, seen: Seen) -> bool:
        """Put the drawn card there and fight if need be; whether a bird has now taken the promontory."""
        card = self.decks[self.round - 1][me][self.drawn[me] - 1]
        defender = self.seen.boards[JUDGE][perch]
        if defender is None:
            stays = "attacker"
            seen.public({"type": "place", "seat": me, "perch": perch})
        else:
            stays, known = self._fight(me, card, defender), defender["card"]
            seen.public({"type": "fight", "seat": me, "perch": perch, "defender": known, "stays": stays})
        if stays == "attacker":
            seen.hide(perch, me, card)
            return perch == PROMONTORY and card != JAGUAR
        shown = {**defender, "up": True} if defender and stays == "defender" else None  # PO-4, PO-10
        for board in seen.boards:
            board[perch] = shown
        return False

    def _fight(self, me: int, card: Card, defender: Stand) -> str:
        other = defender["card"]
        if isinstance(card, str) or isinstance(other, str):
            return "nobody"  # PO-5, PO-6
        if card != other:
            return "attacker" if card > other else "defender"
        holder = self.seen.boards[JUDGE][TIE_BREAK]  # PO-8: before this fight; on perch 1 it is the defender
        if holder is None or holder["seat"] == me:
            return "attacker"
        holds = holder["card"] != JAGUAR or self.settings["jaguar_holds_tiebreak"]  # PO-7
        return "defender" if holds else "attacker"

    def _draw(self, seat: int, seen: Seen) -> Self:
        """The next seat draws. A card that finds no perch is gone, and the other seat draws (PO-3)."""
        drawn, decks, board = self.drawn, self.decks[self.round - 1], seen.boards[JUDGE]
        while (at := drawn[seat]) < len(decks[seat]):
            drawn = (drawn[0], at + 1) if seat else (at + 1, drawn[1])
            seen.private(seat, {"type": "draw", "seat": seat, "card": decks[seat][at]})
            free = tuple([perch for perch, stand in board.items() if not stand or stand["seat"] != seat])
            if free:  # PO-2
                return self._asks(seat, "place", free, drawn, seen)
            seen.public({"type": "no_perch", "seat": seat})
            seat = 1 - seat
        return self._end_round(drawn, seen)

    def _end_round(self, drawn: Drawn, seen: Seen) -> Self:
        scores = [_score(seen.boards[JUDGE], seat) for seat in (0, 1)]
        seen.public({"type": "round", "round": self.round, "scores": scores})
        end = replace(self._asks(None, "", (), drawn, seen), results=[*self.results, scores])
        if self.round == self.settings["rounds"]:
            return end
        if self.round == len(self.decks):
            raise UsageError(f"the given decks are used up: {self.round} pairs, and there is another round")
        starter = self.settings["first_player"] ^ (self.round & 1)  # PO-12
        fresh = Seen((BARE, BARE, BARE), seen.logs)
        return replace(end, round=self.round + 1, drawn=(0, 0))._draw(starter, fresh)

    def view(self, seat: int | None) -> Json:
        """The board and history of this seat; `kind` and `card` only where this seat is asked."""
        at, turn, decks = JUDGE if seat is None else seat, self.turn, self.decks[self.round - 1]
        kind = self.kind if seat in (turn, None) else ""
        card = decks[turn][self.drawn[turn] - 1] if turn is not None and kind == "place" else None
        return {
            "seat": seat,
            "options": self.settings,
            "round": self.round,
            "turn": turn,
            "kind": kind,
            "card": card,
            "board": self.seen.boards[at],
            "left": [len(decks[s]) - self.drawn[s] for s in (0, 1)],
            "results": self.results,
            "history": self.seen.logs[at],
        }

    def events(self, seat: int | None, since: int = 0) -> tuple[Json, ...]:
        return tuple(self.seen.logs[JUDGE if seat is None else seat][since:])

    @staticmethod
    def tell(event: Json) -> str:
        words = {key: _named(card) for key in ("card", "defender") if (card := event.get(key)) is not None}
        end = "both go" if event.get("stays") == "nobody" else f"the {event.get('stays')} stays"
        return TOLD[event["type"]].format_map({**event, **words, "end": end})

    def scores(self) -> tuple[int, ...]:
        """The sum over the rounds."""
        board = self.seen.boards[JUDGE]
        running = [[_score(board, 0), _score(board, 1)]] if self.turn is not None else []
        return tuple(map(sum, zip(*self.results, *running, strict=True)))

    def placings(self) -> tuple[int, ...]:
        """Equal scores share the place (PO-13)."""
        first, second = self.scores()
        return 1 + (second > first), 1 + (first > second)

    def chance(self) -> Json:
        return {"decks": [[list(deck) for deck in pair] for pair in self.decks[: self.round]]}

    @classmethod
    def imagine(cls, view: Mapping[str, Any], rng: Random) -> Self:
        """Decks drawn uniformly from those that agree with all this seat has seen, played up to here."""
        seat, options, history = view["seat"], view["options"], view["history"]
        if seat is None:
            raise UsageError("imagine: the view of a seat, not the judge's")
        known = [Known(seat, options["jaguar_holds_tiebreak"]) for _ in range(options["rounds"])]
        at = 0
        for event in history:
            known[at].learn(event)
            at += event["type"] == "round"
        now = known[view["round"] - 1]
        last = history[-1].get("seat", seat) if history else seat
        if (
            view["turn"] == last != seat
        ):  # the other seat has placed its card and is on turn still: it may look
            now.bound(PROMONTORY, BIRDS)
        size = len(now.own) + view["left"][seat]
        decks = tuple(facts.draw(facts.size or size, rng) for facts in known)
        position = cls._deal(2, decks, options)
        for event in history:
            kind = event["type"]
            if position.kind == "look" and kind not in ("look", "decline"):
                position = position.play(NONE)  # the other seat, in silence
            if kind in ("place", "fight", "look"):
                position = position.play(event["perch"])
            elif kind == "decline":
                position = position.play(NONE)
        return position


class Known:
    """What one seat knows of the decks of one round: its own cards, and for each of the other's a bound.

    All that a seat learns bounds single cards: who wins ties is public, or hangs on a hidden jaguar (PO-7)
    that its own attack then gives away.
    """

    def __init__(self, seat: int, jaguar_holds: bool) -> None:
        self.seat = seat
        self.own: list[Card] = []
        self.size: int | None = None  # of the decks, once the round is over
        self._bounds: list[int] = []
        self._holders = ALL if jaguar_holds else BIRDS
        self._stands: dict[str, tuple[int, int]] = {}
        """By perch the seat, and which of the cards that it drew."""
        self._jaguar_at: list[int] = []
        """The jaguar is one of these cards of the other seat."""

    def bound(self, perch: str, cards: int) -> None:
        """The other seat's card on this perch is one of these."""
        self._bounds[self._stands[perch][1]] &= cards

    def learn(self, event: Json) -> None:
        seat = event.get("seat")
        match event["type"]:
            case "draw":
                self.own.append(event["card"])
            case "place":
                self._moved(event["seat"], event["perch"], ALL, "attacker")
            case "fight":
                self._fought(event["seat"], event["perch"], event["defender"], event["stays"])
            case "no_perch" if seat != self.seat:
                self._bounds.append(ALL)
            case "look" if seat != self.seat:
                self.bound(PROMONTORY, BIRDS)  # PO-9
            case "see":
                self.bound(event["perch"], BIT[event["card"]])
            case "round":
                self._counts(event["scores"][1 - self.seat])

    def _moved(self, seat: int, perch: str, bound: int, stays: str) -> None:
        if seat != self.seat:
            self._bounds.append(bound)
        if stays == "attacker":
            self._stands[perch] = (seat, len(self.own if seat == self.seat else self._bounds) - 1)
        elif stays == "nobody":
            del self._stands[perch]

    def _fought(self, attacker: int, perch: str, defender: Card, stays: str) -> None:
        holder, card = self._stands.get(TIE_BREAK, (None, 0))
        bound = ALL
        if attacker == self.seat:
            self.bound(perch, BIT[defender])
            if self.own[-1] == defender != JAGUAR and holder == 1 - self.seat:  # PO-8
                self.bound(TIE_BREAK, self._holders if stays == "defender" else ALL & ~self._holders)
        elif defender != JAGUAR:  # PO-6 tells nothing
            tie_is_mine = holder == self.seat and bool(BIT[self.own[card]] & self._holders)  # PO-8
            losers = (BIT[defender] << tie_is_mine) - 1
            bound = {"attacker": BIRDS & ~losers, "defender": losers, "nobody": BIT[JAGUAR]}[stays]  # PO-5
        self._moved(attacker, perch, bound, stays)

    def _counts(self, score: int) -> None:
        """The other seat's score tells where its jaguar stood at the end, if it did."""
        self.size = len(self.own)
        other = 1 - self.seat
        theirs = {at: card for at, (seat, card) in self._stands.items() if seat == other}
        board: Board = {at: {"seat": other, "card": 1} for at in theirs}
        self._jaguar_at = [theirs[at] for at in theirs if _score({**board, at: None}, other) == score]
        if not self._jaguar_at:
            for perch in theirs:
                self.bound(perch, BIRDS)

    def draw(self, size: int, rng: Random) -> Decks:
        """Two decks of this size, uniform over all that agree with what is known."""
        bounds = [*self._bounds, *[ALL] * (size - len(self._bounds))]
        cases = [[*bounds[:at], bounds[at] & BIT[JAGUAR], *bounds[at + 1 :]] for at in self._jaguar_at]
        theirs = tuple(CARDS[at] for at in assignments.draw(cases or [bounds], len(CARDS), rng))
        unseen = [card for card in CARDS if card not in self.own]
        mine = (*self.own, *rng.sample(unseen, size - len(self.own)))
        return (theirs, mine) if self.seat else (mine, theirs)


def _look(me: int, perch: str, seen: Seen) -> None:
    """That a seat looks is public; what it sees, and that it declines, is not (PO-9)."""
    if perch == NONE:
        seen.private(me, {"type": "decline", "seat": me})
        return
    seen.public({"type": "look", "seat": me, "perch": perch})
    seen.boards[me][perch] = stand = seen.boards[JUDGE][perch]
    seen.private(me, {"type": "see", "seat": me, "perch": perch, "card": stand and stand["card"]})


def _face_down(board: Board, seat: int) -> tuple[str, ...]:
    return tuple(at for at, stand in board.items() if stand and stand["seat"] == seat and not stand["up"])


def _score(board: Board, seat: int) -> int:
    """The perches on which this seat has a bird, and the bonus for both of the double perch."""
    held = [at for at, stand in board.items() if stand and stand["seat"] == seat and stand["card"] != JAGUAR]
    return sum(WORTH[at] for at in held) + DOUBLE_BONUS * all(at in held for at in DOUBLE)


def _named(card: Card) -> str:
    return "the jaguar" if card == JAGUAR else f"bird {card}"


def _deck(seed: int, round_: int, seat: int) -> Deck:
    return tuple(Random(derive(seed, "deck", round_, seat)).sample(CARDS, len(CARDS)))


def _read_decks(chance: Mapping[str, Any], rounds: int) -> tuple[Decks, ...]:
    try:
        decks = tuple((tuple(first), tuple(second)) for first, second in chance["decks"])
    except (KeyError, TypeError, ValueError):
        decks = ()
    typed = all(type(c) in (int, str) and c in CARDS for pair in decks for deck in pair for c in deck)
    fits = typed and set(chance) == {"decks"} and 1 <= len(decks) <= rounds
    if not fits or not all(0 < len(set(a)) == len(a) == len(b) == len(set(b)) for a, b in decks):
        words = f'two equally long decks a round ({rounds} at most), different cards out of 1 to 12 and "J"'
        raise UsageError(f'chance: {{"decks": [[deck, deck], …]}}, {words}, not {chance!r:.80}')
    return decks
