"""Peech's `imagine`: positions that fit the view, each as likely as any other."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from math import comb, prod, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.peech import played, random_game

from arena.errors import IllegalAction, UsageError
from arena.games.peech import CARDS, TARGET, Peech

Key = tuple[tuple[str, ...], tuple[tuple[str, ...], ...], tuple[str, ...]]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(0, 250),
    st.sampled_from([{}, {"redraw": "once"}, {"battle_order": "rank"}, {"max_battles": 30}]),
)
def test_what_is_imagined_looks_the_same(seed: int, decisions: int, options: dict[str, Any]) -> None:
    position = random_game(seed, decisions, **options)[-1]
    for seat in range(4):
        sent = json.loads(json.dumps(position.view(seat)))
        imagined = Peech.imagine(sent, Random(seed))
        assert sent == position.view(seat) == imagined.view(seat)
        assert imagined == Peech.imagine(sent, Random(seed))
        history = list(imagined.events(seat))
        scored = [event for event in position.events(seat) if event["type"] == "scores"]
        assert [event for event in history if event["type"] == "scores"] == scored
        assert [event for event in history if event["type"] == "battle"] == sent["battles"]
        if seat == position.turn:
            assert (imagined.turn, imagined.legal()) == (seat, position.legal())
            assert len(imagined.chosen) == len(position.chosen)


def test_an_imagined_position_can_be_played_to_its_end() -> None:
    rng = Random(8)
    for seed in range(20):
        position = random_game(seed, 40)[-1]
        imagined = Peech.imagine(position.view(position.turn), rng)
        while imagined.turn is not None:
            imagined = imagined.play(rng.choice(imagined.legal()))
        assert len(imagined.view(None)["results"]) == 3


def test_imagined_targets_are_still_to_be_reached_or_just_reached() -> None:
    rng = Random(4)
    for seed in range(60):
        position = random_game(seed, 88, rounds=1)[-1]
        for _ in range(5 if position.turn is not None else 0):
            view = Peech.imagine(position.view(position.turn), rng).view(None)
            for seat, (coup, pile) in enumerate(zip(view["coups"], view["won"], strict=True)):
                missing = TARGET[coup] - len(pile)
                assert missing > 0 if seat in view["active"] else missing == 0


def test_later_deals_and_rounds_are_imagined_anew() -> None:
    position = random_game(3, 20)[-1]
    view = position.view(position.turn)
    futures = set()
    for seed in range(4):
        rng = Random(seed)
        imagined = Peech.imagine(view, rng)
        while imagined.turn is not None:
            imagined = imagined.play(imagined.legal()[0])
        second = imagined.chance()["rounds"][1]
        futures.add((tuple(second["points"]), tuple(second["coups"]), tuple(second["deals"][0][0])))
    assert len(futures) == 4


def test_a_view_that_no_position_gives_is_refused() -> None:
    position = random_game(1, 30)[-1]
    view = position.view(position.turn)
    won = [["7S"] * 10 if seat != position.turn else pile for seat, pile in enumerate(view["won"])]
    with pytest.raises(UsageError, match="no position fits this view"):
        Peech.imagine({**view, "won": won}, Random(1))


def own_deals(view: dict[str, Any]) -> Iterator[tuple[list[dict[str, Any]], set[str], list[str]]]:
    """For each deal of the round its battles, the cards won before it, and the own hand."""
    won: set[str] = set()
    battles = view["battles"]
    for deal in view["deals"]:
        fought, battles = battles[: deal["size"]], battles[deal["size"] :]
        yield fought, set(won), deal["hands"][view["seat"]]
        for battle in fought:
            won |= {card for card in battle["takes"] if card}
            won -= {battle["thrown"]}


def unseen(
    coups: Sequence[str], won: set[str], fought: Sequence[dict[str, Any]], own: Sequence[str]
) -> list[str]:
    shown = {card for battle in fought for card in battle["cards"]}
    return [card for card in CARDS if card not in {*coups, *won, *shown, *own}]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(30, 90))
def test_all_coup_cards_leave_equally_many_hands(seed: int, decisions: int) -> None:
    """Why coup cards may be drawn first and uniformly: the unseen cards of each deal are as many for all."""
    position = random_game(seed, decisions, rounds=1)[-1]
    if position.turn is None:
        return
    view = position.view(position.turn)
    rng = Random(seed)
    counts = set()
    for _ in range(5):
        coups = Peech.imagine(view, rng).view(None)["coups"]
        counts.add(tuple(len(unseen(coups, won, fought, own)) for fought, won, own in own_deals(view)))
    assert len(counts) == 1


def handed_out(cards: Sequence[str], seats: int, size: int) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every way to give so many seats so many of these cards."""
    if not seats:
        yield ()
        return
    for hand in combinations(cards, size):
        rest = [card for card in cards if card not in hand]
        for others in handed_out(rest, seats - 1, size):
            yield (hand, *others)


def all_positions(position: Peech) -> set[Key]:
    """Every (coup cards, hands, hidden choices) whose position gives this seat the same view, by trying all.

    Only the last deal may hold hands of a seat that is out: then all earlier hands were played and are known.
    """
    me = position.turn
    view = position.view(me)
    record = position.chance()["rounds"][0]
    done = [card for battle in view["battles"] for card in battle["cards"] if card]
    *_, (fought, won, own) = own_deals(view)
    others = [seat for seat in view["active"] if seat != me]
    out = [seat for seat in range(4) if seat not in view["active"]]
    candidates = [card for card in TARGET if card not in {*done, *own, view["coups"][me]}]
    found: set[Key] = set()
    for drawn in permutations(candidates, 3):
        coups = [*drawn[:me], view["coups"][me], *drawn[me:]]
        cards = unseen(coups, won, fought, own)
        for hands in handed_out(cards, len(others), view["hand_size"]):
            rest = [card for card in cards if not any(card in hand for hand in hands)]
            last: list[list[str]] = [
                [b["cards"][seat] for b in fought if b["cards"][seat]] for seat in range(4)
            ]
            last[me] = own
            for seat, hand in zip(others, hands, strict=True):
                last[seat] = [*last[seat], *hand]
            for seat in out:
                last[seat] += [rest.pop() for _ in range(view["deals"][-1]["size"] - len(last[seat]))]
            chance = {"rounds": [{**record, "coups": coups, "deals": [*record["deals"][:-1], last]}]}
            try:
                candidate = played(Peech.from_chance(4, chance, {"rounds": 1}), done)
            except (UsageError, IllegalAction):  # somebody would have been out sooner or later
                continue
            if candidate.view(me) != view:
                continue
            for chosen in product(*(candidate.view(None)["hands"][seat] for seat in others if seat < me)):
                found.add(key_of(played(candidate, chosen)))
    return found


def key_of(position: Peech) -> Key:
    view = position.view(None)
    return (tuple(view["coups"]), tuple(map(tuple, view["hands"])), position.chosen)


@pytest.mark.parametrize(
    ("seed", "decisions", "count"),
    [
        (2567, 95, 144),  # 24 ways to draw the coup cards, four seats with a card each, three choices hidden
        (723, 93, 72),  # 6 ways, a seat is out since this deal
        (9, 112, 72),  # the coup cards are known for certain
        pytest.param(404, 94, 576, marks=pytest.mark.slow),
        (2, 89, 180),  # two cards in each hand, one choice hidden
        pytest.param(111, 121, 360, marks=pytest.mark.slow),
    ],
)
def test_imagine_is_uniform_over_all_positions_that_fit(seed: int, decisions: int, count: int) -> None:
    """Against every position that the rules allow: none is missed, none is wrong, all are as likely."""
    position = random_game(seed, decisions, rounds=1)[-1]
    possible = all_positions(position)
    assert len(possible) == count
    assert key_of(position) in possible
    view, rng, draws = position.view(position.turn), Random(seed), 25
    met = Counter(key_of(Peech.imagine(view, rng)) for _ in range(draws * count))
    assert set(met) == possible
    chi = sum((times - draws) ** 2 / draws for times in met.values())
    assert chi < count - 1 + 5 * sqrt(2 * (count - 1))


def test_the_first_view_leaves_all_open() -> None:
    """At the start every other card is as likely a coup card, and every unseen card as likely in a hand."""
    position = Peech.start(4, Random(12), {})
    view, rng, draws = position.view(0), Random(1), 6000
    coups: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for _ in range(draws):
        judge = Peech.imagine(view, rng).view(None)
        coups[judge["coups"][2]] += 1
        held.update(judge["hands"][3])
    mine = {view["coups"][0], *view["hands"][0]}
    fitting = [card for card in TARGET if card not in mine]
    assert set(coups) == set(fitting)
    mean = draws / len(fitting)
    assert sum((n - mean) ** 2 / mean for n in coups.values()) < len(fitting) - 1 + 5 * sqrt(2 * len(fitting))
    for card in CARDS:
        free = 1 - 3 / len(fitting) if card in fitting else 1.0
        share = 0.0 if card in mine else free * 8 / (52 - 4 - 8)
        assert abs(held[card] / draws - share) < 5 * sqrt(0.25 / draws)


def test_counting_positions_agrees_with_a_formula() -> None:
    """The brute force above against combinatorics, for a view whose coup cards are certain."""
    position = random_game(9, 112, rounds=1)[-1]
    view = position.view(position.turn)
    *_, (fought, won, own) = own_deals(view)
    cards = len(unseen(position.view(None)["coups"], won, fought, own))
    others, size = len(view["active"]) - 1, view["hand_size"]
    assert prod(comb(cards - size * other, size) for other in range(others)) == len(all_positions(position))
