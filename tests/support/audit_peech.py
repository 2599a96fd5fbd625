"""An auditor of Peech: a record replayed from its chance and decisions by the written rules alone.

It shares nothing with the rules that arena plays by, so that a slip in one of the two shows.
"""

from typing import Any

SEATS = range(4)
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
PACK = {rank + suit for rank in RANKS for suit in "SHDC"}
POINTS = {"A": 2, "2": 2, "3": 0, "4": 0, "5": 1, "6": 4, "7": 5,
          "8": 3, "9": 3, "10": 3, "J": 2, "Q": 1, "K": 1}  # fmt: skip
STARTS = {"7": 12, "8": 14, "9": 15, "10": 16, "J": 16, "Q": 18, "K": 21}
TARGETS = {"4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "10": 10}


def rank(card: str) -> str:
    return card[:-1]


def replay(record: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Scores and placings by seat; AssertionError, in words, for anything that the rules do not allow."""
    scores, _ = _replay(record)
    return scores, [1 + sum(score < mine for score in scores) for mine in scores]


def moments(record: dict[str, Any]) -> list[list[int]]:
    """For each decision of each seat the number of its battle, counted through the whole match."""
    return _replay(record)[1]


def _replay(record: dict[str, Any]) -> tuple[list[int], list[list[int]]]:
    options, chance = record.get("options", {}), record["chance"]
    assert len(record["decisions"]) == len(SEATS), "Peech has four seats"
    assert list(chance) == ["rounds"], "chance is a list of rounds, and nothing else"
    rounds = options.get("rounds", 3)
    assert len(chance["rounds"]) == rounds, f"chance of {len(chance['rounds'])} rounds for {rounds}"
    answers = Answers(record["decisions"])
    totals = [0 for _ in SEATS]
    for given in chance["rounds"]:
        _check_drawn(given)
        if options.get("redraw", "each_round") == "once":
            first = chance["rounds"][0]
            assert given["points"] == first["points"], "point cards drawn anew, where they are drawn once"
            assert given["coups"] == first["coups"], "coup cards drawn anew, where they are drawn once"
        round_ = Round(given, options)
        round_.play(answers)
        scores = [round_.score(seat) for seat in SEATS]
        for seat in SEATS:
            totals[seat] += scores[seat] - (scores[seat] == min(scores))
    for seat, left in enumerate(answers.left):
        assert not left, f"seat {seat} has {len(left)} decisions too many"
    return totals, answers.moments


def _check_drawn(given: dict[str, Any]) -> None:
    assert sorted(given) == ["coups", "deals", "points"], "a round's chance is its points, coups and deals"
    for key, ranks in (("points", STARTS), ("coups", TARGETS)):
        cards = given[key]
        assert len(cards) == len(SEATS), f"{len(cards)} {key} for four seats"
        assert len(set(cards)) == len(cards), f"{key} drawn twice: {cards}"
        for card in cards:
            assert card in PACK, f"{card!r} among the {key} is no card"
            assert rank(card) in ranks, f"{card} among the {key}"


class Answers:
    """The decisions not yet made, and the battle of each that is."""

    def __init__(self, decisions: list[list[str]]) -> None:
        self.left = [list(each) for each in decisions]
        self.moments: list[list[int]] = [[] for _ in decisions]
        self.battle = 0

    def next(self, seat: int) -> str:
        assert self.left[seat], f"seat {seat} has no decision left where a card is due"
        self.moments[seat].append(self.battle)
        return self.left[seat].pop(0)


class Round:
    """One round: who is still in, the hands, and the won cards, the last one won at the end."""

    def __init__(self, given: dict[str, Any], options: dict[str, Any]) -> None:
        self.points, self.coups, self.deals = given["points"], given["coups"], list(given["deals"])
        self.options = options
        self.active = list(SEATS)
        self.hands: list[list[str]] = [[] for _ in SEATS]
        self.won: list[list[str]] = [[] for _ in SEATS]

    def target(self, seat: int) -> int:
        return TARGETS[rank(self.coups[seat])]

    def strength(self, card: str) -> int:
        if self.options.get("battle_order", "points") == "rank":
            return RANKS.index(rank(card))
        return POINTS[rank(card)]

    def play(self, answers: Answers) -> None:
        for _ in range(self.options.get("max_battles", 200)):
            if not any(self.hands[seat] for seat in self.active):
                self.deal()
            answers.battle += 1
            self.battle({seat: self.lay(seat, answers.next(seat)) for seat in self.active})
            self.active = [seat for seat in self.active if len(self.won[seat]) != self.target(seat)]
            if len(self.active) <= 2:
                break
        assert not self.deals, f"{len(self.deals)} deals too many in a round"

    def deal(self) -> None:
        assert self.deals, "a deal is missing"
        hands = self.deals.pop(0)
        assert len(hands) == len(SEATS), f"a deal of {len(hands)} hands"
        out = {*self.coups, *(card for pile in self.won for card in pile)}
        free = PACK - out
        size = min(8, len(free) // len(self.active))
        dealt: set[str] = set()
        for seat, hand in enumerate(hands):
            due = size if seat in self.active else 0
            assert len(hand) == due, f"{len(hand)} cards dealt to seat {seat} where {due} are due"
            for card in hand:
                assert card in free, f"{card!r} is dealt, which is no free card"
                assert card not in dealt, f"{card} is dealt twice"
                dealt.add(card)
        self.hands = [list(hand) for hand in hands]

    def lay(self, seat: int, card: str) -> str:
        assert card in self.hands[seat], f"seat {seat} plays {card!r}, which is not in its hand"
        self.hands[seat].remove(card)
        return card

    def battle(self, cards: dict[int, str]) -> None:
        power = {seat: self.strength(card) for seat, card in cards.items()}
        most, least = max(power.values()), min(power.values())
        high = [seat for seat in power if power[seat] == most]
        low = [seat for seat in power if power[seat] == least]
        if most == least:
            for seat in high:
                self.won[seat].append(cards[seat])
        elif len(high) == 1:
            winner = high[0]
            taken = cards[self.clockwise(winner, low)]
            if rank(taken) == "A" and len(low) == 1 and self.won[winner]:
                self.won[winner].pop()
            self.won[winner].append(taken)
        elif len(high) == 2 and len(low) == 2:
            for winner in high:
                giver = self.clockwise(winner, low)
                low.remove(giver)
                self.won[winner].append(cards[giver])

    @staticmethod
    def clockwise(seat: int, others: list[int]) -> int:
        """The first of the others clockwise from this seat."""
        return next((seat + step) % 4 for step in (1, 2, 3) if (seat + step) % 4 in others)

    def score(self, seat: int) -> int:
        pile, target, coup = self.won[seat], self.target(seat), rank(self.coups[seat])
        gained = sum(POINTS[rank(card)] for card in pile)
        if len(pile) >= target:
            face = self.options.get("coup_card_points", "table") == "face"
            gained += TARGETS[coup] if face else POINTS[coup]
        return max(0, STARTS[rank(self.points[seat])] - gained) + max(0, target - len(pile))
