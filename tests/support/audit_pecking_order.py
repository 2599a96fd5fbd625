"""An auditor of Pecking Order: a record replayed from its chance and decisions by the written rules alone.

It shares nothing with the rules that arena plays by, so that a slip in one of the two shows.
"""

from typing import Any

VALUES = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8a": 8, "8b": 8, "9": 9, "10": 10}
JAGUAR = "J"


def replay(record: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Scores and placings by seat; AssertionError, in words, for anything that the rules do not allow."""
    scores, _ = _replay(record)
    return scores, [1 + (scores[1] > scores[0]), 1 + (scores[0] > scores[1])]


def moments(record: dict[str, Any]) -> list[list[int]]:
    """For each decision of each seat its number in the order of play."""
    order = _replay(record)[1]
    return [[at for at, seat in enumerate(order) if seat == mine] for mine in (0, 1)]


def _replay(record: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Scores, and the seats in the order in which they decided."""
    options = record.get("options", {})
    rounds, starter = options.get("rounds", 1), options.get("first_player", 0)
    jaguar_counts = options.get("jaguar_holds_tiebreak", True)
    assert len(record["decisions"]) == 2, "Pecking Order has two seats"
    assert list(record["chance"]) == ["decks"], "chance is a pair of decks for each round, and nothing else"
    pairs = record["chance"]["decks"]
    assert len(pairs) == rounds, f"{len(pairs)} pairs of decks for {rounds} rounds"
    answers = [list(reversed(decisions)) for decisions in record["decisions"]]
    scores = [0, 0]
    order: list[int] = []
    for number, decks in enumerate(pairs):
        _check_decks(decks)
        table = Table(answers, jaguar_counts)
        for turn in range(26):
            seat = (starter + number + turn) % 2
            table.take_turn(seat, decks[seat][turn // 2])
        order += table.order
        for seat in (0, 1):
            scores[seat] += table.score(seat)
    for seat, left in enumerate(answers):
        assert not left, f"seat {seat} has {len(left)} decisions too many"
    return scores, order


def _check_decks(decks: Any) -> None:
    assert len(decks) == 2, "a deck for each of two seats"
    for seat, deck in enumerate(decks):
        birds = [card for card in deck if card != JAGUAR]
        assert all(type(bird) is int for bird in birds), f"the birds of seat {seat} are whole numbers"
        assert sorted(birds) == list(range(1, 13)), f"the deck of seat {seat} holds the birds 1 to 12"
        assert len(deck) == 13, f"the deck of seat {seat} holds one jaguar"


class Table:
    """One round: for each perch nothing, or whose card stands there, which one, and whether it is face up."""

    def __init__(self, answers: list[list[str]], jaguar_counts: bool) -> None:
        self.answers = answers
        self.jaguar_counts = jaguar_counts
        self.owner: dict[str, int] = {}
        self.card: dict[str, int | str] = {}
        self.face_up: set[str] = set()
        self.order: list[int] = []

    def answer(self, seat: int, wanted: str) -> str:
        assert self.answers[seat], f"seat {seat} has no decision left where a {wanted} is due"
        self.order.append(seat)
        return self.answers[seat].pop()

    def take_turn(self, seat: int, card: int | str) -> None:
        free = [perch for perch in VALUES if self.owner.get(perch) != seat]
        if not free:
            return
        perch = self.answer(seat, "placement")
        assert perch in VALUES, f"seat {seat} plays on {perch!r}, which is no perch"
        assert perch in free, f"seat {seat} plays on {perch}, where it has a card already"
        stays = "attacker" if perch not in self.owner else self.fight(seat, card, perch)
        if stays == "attacker":
            self.owner[perch], self.card[perch] = seat, card
            self.face_up.discard(perch)
            if perch == "3" and card != JAGUAR:
                self.look(seat)
        elif stays == "defender":
            self.face_up.add(perch)
        else:
            del self.owner[perch], self.card[perch]
            self.face_up.discard(perch)

    def fight(self, seat: int, attacker: int | str, perch: str) -> str:
        defender = self.card[perch]
        if JAGUAR in (attacker, defender):
            return "nobody"
        if attacker != defender:
            return "attacker" if int(attacker) > int(defender) else "defender"
        holder = self.owner.get("1")
        if holder is not None and self.card["1"] == JAGUAR and not self.jaguar_counts:
            holder = None
        return "attacker" if holder in (None, seat) else "defender"

    def look(self, seat: int) -> None:
        hidden = [perch for perch, owner in self.owner.items() if owner != seat and perch not in self.face_up]
        if hidden:
            answer = self.answer(seat, "look")
            assert answer == "none" or answer in hidden, (
                f"seat {seat} looks at {answer!r}, where no card of the other seat lies face down"
            )

    def score(self, seat: int) -> int:
        mine = [perch for perch, owner in self.owner.items() if owner == seat and self.card[perch] != JAGUAR]
        return sum(VALUES[perch] for perch in mine) + 3 * ("8a" in mine and "8b" in mine)
