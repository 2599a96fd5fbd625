"""An auditor of Rat d'eau: a record replayed from its chance and decisions by the written rules alone.

It shares nothing with the rules that arena plays by, so that a slip in one of the two shows.
"""

from typing import Any

ROUNDS = 3


def replay(record: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Scores and placings by seat; AssertionError, in words, for anything that the rules do not allow."""
    options = record.get("options", {})
    pack = options.get("pack", [1, 2, 3, 4, 5, 6, 7, 8, 9])
    factor, worth = options.get("raft_factor", 5), options.get("raft_worth", 5)
    seats = range(len(record["decisions"]))
    assert 2 <= len(seats) <= 4, f"{len(seats)} seats at a table for 2 to 4"
    assert len(pack) >= 6, f"a pack of {len(pack)} cards is too small"
    hands = [sorted(pack) for _ in seats]
    loots: list[list[int]] = [[] for _ in seats]
    rafts = [0 for _ in seats]
    answers = [list(decisions) for decisions in record["decisions"]]
    for black, red in _dice(record["chance"]):
        for seat in seats:
            loots[seat].append(_play(seat, answers, hands))
        demand = factor * len(seats)
        if black > red:
            demand += black
        if red > black:
            demand -= red
        offers = [_play(seat, answers, hands) for seat in seats]
        if sum(offers) >= demand:
            captor = _captor(offers)
            if captor is not None:
                rafts[captor] += 1
            continue
        for seat in seats:
            loots[seat].remove(max(loots[seat]))
            if options.get("offers_return_on_anger", False):
                hands[seat].append(offers[seat])
    for seat in seats:
        assert not answers[seat], f"seat {seat} has {len(answers[seat])} decisions too many"
    scores = [sum(loots[seat]) + worth * rafts[seat] for seat in seats]
    return scores, [1 + sum(score > mine for score in scores) for mine in scores]


def moments(record: dict[str, Any]) -> list[list[int]]:
    """For each decision of each seat the number of the common choice: all seats make all of them."""
    return [list(range(len(decisions))) for decisions in record["decisions"]]


def _dice(chance: dict[str, Any]) -> list[list[int]]:
    assert list(chance) == ["dice"], "chance is the dice of each round, and nothing else"
    dice: list[list[int]] = chance["dice"]
    assert len(dice) == ROUNDS, f"{len(dice)} rolls for {ROUNDS} rounds"
    for roll in dice:
        assert len(roll) == 2, f"a roll of {len(roll)} dice"
        assert all(type(face) is int and 1 <= face <= 6 for face in roll), f"dice that show {roll}"
    return dice


def _play(seat: int, answers: list[list[str]], hands: list[list[int]]) -> int:
    """The next card of this seat leaves its hand."""
    assert answers[seat], f"seat {seat} has no decision left where a card is due"
    answer = answers[seat].pop(0)
    held = [card for card in hands[seat] if str(card) == answer]
    assert held, f"seat {seat} plays {answer!r}, which is not in its hand {sorted(hands[seat])}"
    hands[seat].remove(held[0])
    return held[0]


def _captor(offers: list[int]) -> int | None:
    """Equal values eliminate each other, and the highest that is left wins."""
    for value in sorted(offers, reverse=True):
        if offers.count(value) == 1:
            return offers.index(value)
    return None
