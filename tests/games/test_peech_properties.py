"""What holds in every game of Peech: cards, ends, secrets, chance; and that a turn always fits a line."""

from itertools import chain, combinations
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.peech import NOBODYS, NOBODYS_CARDS, crafted, played, random_game

from arena.games.peech import CARDS, START, TARGET, Peech, serve, shuffled
from arena.model import Request
from arena.protocol import MAX_LINE, turn_message

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "rounds": st.integers(1, 3),
        "redraw": st.sampled_from(["each_round", "once"]),
        "battle_order": st.sampled_from(["points", "rank"]),
        "max_battles": st.integers(1, 40),
        "coup_card_points": st.sampled_from(["table", "face"]),
    },
)
SEEDS = st.integers(0, 10**6)


@settings(max_examples=40, deadline=None)
@given(SEEDS, OPTIONS)
def test_no_card_is_lost_or_doubled(seed: int, options: dict[str, Any]) -> None:
    for position in random_game(seed, **options):
        view = position.view(None)
        table = [*view["coups"], *chain(*view["hands"], *view["won"])]
        assert len(table) == len(set(table))
        assert set(table) <= set(CARDS)
        held = [len(hand) for seat, hand in enumerate(view["hands"]) if seat in view["active"]]
        assert set(held) <= {view["hand_size"]}
        for battle in view["battles"]:
            cards, taken = ([c for c in battle[key] if c] for key in ("cards", "takes"))
            assert len(set(taken)) == len(taken)
            assert set(taken) <= set(cards)
            assert not set(cards) & set(view["coups"])


@settings(max_examples=40, deadline=None)
@given(SEEDS, OPTIONS)
def test_a_game_ends_and_its_deals_are_as_large_as_they_can_be(seed: int, options: dict[str, Any]) -> None:
    over = random_game(seed, **options)[-1]
    results, limit = over.view(None)["results"], over.view(None)["options"]["max_battles"]
    assert over.turn is None
    assert over.legal() == ()
    assert len(results) == over.view(None)["options"]["rounds"]
    battles, done = 0, 0
    for event in over.events(None):
        if event["type"] == "round":
            battles, done, won = 0, 0, [0] * 4
        elif event["type"] == "deal":
            assert event["size"] == min(8, (48 - sum(won)) // (4 - done)) >= 3
        elif event["type"] == "battle":
            battles += 1
            won = [count + (card is not None) for count, card in zip(won, event["takes"], strict=True)]
            won = [
                c - (event["thrown"] is not None and event["takes"][s] is not None) for s, c in enumerate(won)
            ]
        elif event["type"] == "peech":
            done += 1
        elif event["type"] == "scores":
            assert battles == limit or (done >= 2 and battles < limit)
            assert event["counts"] == won


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(0, 200), st.randoms(use_true_random=False))
def test_a_choice_is_hidden_until_the_last_is_in(seed: int, decisions: int, rng: Random) -> None:
    position = random_game(seed, decisions)[-1]
    while position.chosen:
        position = position.play(position.legal()[0])
    if position.turn is None:
        return
    seats = position.view(None)["active"]
    views = [position.view(seat) for seat in range(4)]
    told = [position.events(viewer) for viewer in (0, 1, 2, 3, None)]
    for index, seat in enumerate(seats):
        assert position.turn == seat
        assert [position.view(other) for other in range(4)] == views
        assert [position.events(viewer) for viewer in (0, 1, 2, 3, None)] == told
        assert position.legal() == tuple(views[seat]["hands"][seat])
        shown = [card for card in position.view(None)["chosen"] if card]
        assert shown == list(position.chosen)
        assert len(shown) == index
        position = position.play(rng.choice(position.legal()))
    last = [event for event in position.events(None) if event["type"] == "battle"][-1]
    assert len([card for card in last["cards"] if card]) == len(seats)


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(0, 250))
def test_a_view_shows_no_hidden_card(seed: int, decisions: int) -> None:
    """All cards in a view are public, of this seat, or of scored rounds."""
    position = random_game(seed, decisions)[-1]
    for seat in range(4):
        view = position.view(seat)
        for key in ("coups", "hands"):
            shown = [value is not None for value in view[key]]
            assert shown == [
                other == seat or (key == "coups" and position.turn is None) for other in range(4)
            ]
        assert view["chosen"] == [None] * 4
        assert all([hand is not None for hand in deal["hands"]] == [s == seat for s in range(4)]
                   for deal in view["deals"])  # fmt: skip
        private = [event for event in position.events(seat) if "seat" in event]
        assert {event["seat"] for event in private} == {seat}
        assert all(event in position.events(None) for event in position.events(seat))
        public = {"round", "deal", "battle", "peech", "scores"}
        assert {e["type"] for e in position.events(seat) if "seat" not in e} <= public


@settings(max_examples=25, deadline=None)
@given(SEEDS, OPTIONS, st.integers(0, 300))
def test_chance_given_back_replays_the_game(seed: int, options: dict[str, Any], decisions: int) -> None:
    positions = random_game(seed, decisions, **options)
    cards = [card for event in positions[-1].events(None) if event["type"] == "battle"
             for card in event["cards"] if card]  # fmt: skip
    again = played(Peech.from_chance(4, positions[-1].chance(), options), [*cards, *positions[-1].chosen])
    for viewer in (None, 0, 1, 2, 3):
        assert again.view(viewer) == positions[-1].view(viewer)
        assert again.events(viewer) == positions[-1].events(viewer)
    assert again.scores() == positions[-1].scores()
    assert again.chance() == positions[-1].chance()


@settings(max_examples=200, deadline=None)
@given(st.permutations(CARDS), st.data())
def test_deals_are_uniform_because_renaming_free_cards_renames_them_in_the_hands(
    order: list[str], data: st.DataObject
) -> None:
    """An exact argument: any two ways to hand out the free cards come from equally many of the 52! orders."""
    active = data.draw(st.sampled_from([*combinations(range(4), 3), (0, 1, 2, 3)]))
    bound = data.draw(st.integers(4, 52 - 3 * len(active)))
    free = sorted(data.draw(st.permutations(CARDS))[bound:])
    size = min(8, len(free) // len(active))
    renamed = dict(zip(free, data.draw(st.permutations(free)), strict=True))
    hands = serve(order, free, active, size)
    others = serve([renamed.get(card, card) for card in order], free, active, size)
    assert [len(hand) for hand in hands] == [size if seat in active else 0 for seat in range(4)]
    assert [{renamed[card] for card in hand} for hand in hands] == [set(hand) for hand in others]
    assert len(set().union(*hands)) == size * len(active)
    assert set().union(*hands) <= set(free)


def test_orders_are_uniform() -> None:
    """Chi-square of card by place over 2,600 orders: 51 x 51 degrees of freedom, five deviations wide."""
    counts = {(card, place): 0 for card in CARDS for place in range(52)}
    for deal in range(2600):
        for place, card in enumerate(shuffled(20, "deal", 1, deal)):
            counts[card, place] += 1
    chi = sum((count - 50) ** 2 / 50 for count in counts.values())
    assert abs(chi - 51 * 52) < 5 * 74


def test_point_and_coup_cards_are_uniform_and_independent_of_each_other() -> None:
    points, coups, both = dict.fromkeys(START, 0), dict.fromkeys(TARGET, 0), 0
    for seed in range(4200):
        view = Peech.start(4, Random(seed), {"rounds": 1}).view(None)
        points[view["points"][seed % 4]] += 1
        coups[view["coups"][seed % 4]] += 1
        both += view["points"][0] == view["coups"][0]
    for counts in (points, coups):
        assert sum((count - 150) ** 2 / 150 for count in counts.values()) < 27 + 5 * 54**0.5
    assert abs(both - 4200 * 16 / 28 / 28) < 5 * (4200 * 16 / 28 / 28) ** 0.5


def test_the_deals_of_one_seed_stay_alike_whatever_was_won() -> None:
    """With twelve other cards out, a seat still gets most of its hand; by chance it would get a fifth."""
    rng, alike = Random(3), 0
    for deal in range(300):
        order = shuffled(1, "deal", 1, deal)
        one, two = (serve(order, rng.sample(CARDS, 40), range(4), 8) for _ in range(2))
        alike += sum(len({*a} & {*b}) for a, b in zip(one, two, strict=True))
    assert alike / (300 * 32) > 0.55
    for deal in range(300):
        order, free = shuffled(1, "deal", 2, deal), rng.sample(CARDS, 48)
        one, two = serve(order, free, range(4), 8), serve(order, free[1:], range(4), 8)
        assert sum(len({*a} - {*b}) for a, b in zip(one, two, strict=True)) <= 1


def test_a_decision_that_changes_nothing_leaves_later_chance_alone() -> None:
    """Two games on one seed that fall apart in the first round still meet the same cards in the second."""
    one, two = (random_game(4, battle_order=order)[-1].chance()["rounds"] for order in ("points", "rank"))
    assert one[0]["deals"] != two[0]["deals"]
    for first, second in zip(one, two, strict=True):
        assert first["points"] == second["points"]
        assert first["coups"] == second["coups"]
        assert first["deals"][0] == second["deals"][0]


def test_the_longest_turn_fits_a_line() -> None:
    battles = (NOBODYS * 38)[:299]
    position = crafted(*battles, **NOBODYS_CARDS, max_battles=300, rounds=50)
    request = Request("play", position.legal(), position.view(0), position.events(0)[-8:])
    real = len(turn_message(300, request, 10.0))
    tens = ["10S", "10H", "10D", "10C"]
    battle = {"type": "battle", "battle": 299, "cards": tens, "takes": tens, "thrown": "10S"}
    deal = {"size": 8, "hands": [tens * 2, None, None, None]}
    scores = {"type": "scores", "round": 50, "points": tens, "coups": tens, "counts": [10] * 4,
              "gained": [50] * 4, "scores": [31] * 4, "winners": [0, 1, 2, 3]}  # fmt: skip
    hand = {"type": "hand", "seat": 0, "cards": tens * 2}
    view = position.view(0)
    late = {**view, "battles": [battle] * 299, "deals": [deal] * 100, "results": [scores] * 49}
    next_round = {**view, "battles": [], "deals": [deal], "results": [scores] * 49}
    news = (*[battle] * 300, *[hand] * 3, scores)
    late_length = len(
        turn_message(10**5, Request("play", tuple(tens * 2), late, (battle, hand, hand)), 1e3 / 7)
    )
    news_length = len(turn_message(10**5, Request("play", tuple(tens * 2), next_round, news), 1e3 / 7))
    assert real < late_length < MAX_LINE
    assert news_length < MAX_LINE
