"""The SDK: tables, events, memory and looking ahead agree with the rules, in any position of any game."""

from dataclasses import asdict
from importlib import import_module
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.matches import GAMES
from support.turns import LIMITS, case, setup_of, turn_of

from arena import registry
from arena.bot import (
    Clock,
    Limits,
    clock,
    imagine,
    pecking_order,
    peech,
    play_out,
    rat_deau,
    rules_of,
)
from arena.games.peech import TARGET


@pytest.mark.parametrize(("game", "seats"), GAMES)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_every_event_is_an_object_with_the_same_fields(game: str, seats: int, seed: int) -> None:
    *_, end = case(game, seats, seed)
    parse = import_module(f"arena.bot.{game}").parse
    for seat in (*range(seats), None):
        events = end.events(seat)
        assert [asdict(event) for event in parse(events)] == [
            {key: value for key, value in event.items() if key != "type"} for event in events
        ]


def test_every_kind_of_event_comes_up_in_those_games() -> None:
    for game, seats in GAMES:
        module = import_module(f"arena.bot.{game}")
        seen = {
            type(event)
            for seed in range(40)
            for event in module.parse([*case(game, seats, seed)][-1].events(None))
        }
        rare = {pecking_order.NoPerch} if game == "pecking_order" else set()
        assert seen | rare == set(module.Event.__args__)


@pytest.mark.parametrize("seats", [2, 3, 4])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_the_table_of_rat_deau_knows_all_hands_and_scores(seats: int, seed: int) -> None:
    for position in case("rat_deau", seats, seed):
        for seat in range(seats):
            table = rat_deau.Table.of(position.view(seat))
            assert table.hands == position.hands
            assert table.hand == position.hands[seat]
            assert table.scores == position.scores()
            assert (table.demand, table.rounds_left) == (position.demand, 3 - table.round)
            assert {table.seat, *table.others} == set(range(seats))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_the_table_of_peech_loses_no_card(seed: int) -> None:
    """What another seat holds is unseen; what lies open, or is one's own, is not."""
    for position in case("peech", 4, seed):
        if (seat := position.turn) is None:
            continue
        judge, table = position.view(None), peech.Table.of(position.view(seat))
        others = {card for other, hand in enumerate(judge["hands"]) if other != seat for card in hand}
        open_cards = {*table.hand, *table.shown, table.coup}.union(*table.won)
        assert others <= set(table.unseen)
        assert not open_cards & set(table.unseen)
        assert table.missing == TARGET[table.coup] - len(judge["won"][seat]) > 0
        for card in table.hand:
            assert table.stronger(card) == len(
                [c for c in table.unseen if table.strength[c] >= table.strength[card]]
            )


def test_the_table_of_peech_lists_no_card_that_cannot_be_held() -> None:
    """But for those that must be coup cards of seats that are out, which takes more than having seen."""
    rng, asked = Random(4), 0
    for number, position in enumerate(case("peech", 4, 4)):
        if position.turn is None or number % 23:
            continue
        view, asked = position.view(position.turn), asked + 1
        worlds = [type(position).imagine(view, rng).view(None) for _ in range(300)]
        others = [seat for seat in range(4) if seat != view["seat"]]
        held = {card for world in worlds for seat in others for card in world["hands"][seat]}
        for card in {*peech.Table.of(view).unseen} ^ held:
            assert all(card in world["coups"] for world in worlds)
    assert asked > 5


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_the_table_of_pecking_order_is_the_board(seed: int) -> None:
    for position in case("pecking_order", 2, seed):
        for seat in (0, 1):
            view = position.view(seat)
            table = pecking_order.Table.of(view)
            assert len(table.mine) + len(table.theirs) + len(table.empty) == 11
            for owner, perches in ((seat, table.mine), (1 - seat, table.theirs), (None, table.empty)):
                for perch in perches:
                    stand = view["board"][perch.name] or {"seat": None, "card": None, "up": False}
                    assert (perch.owner, perch.card, perch.up) == (owner, stand["card"], stand["up"])
                    assert stand["seat"] == owner
                    assert perch.worth == int(perch.name.rstrip("ab"))
            assert (table.card, table.left) == (view["card"], (view["left"][seat], view["left"][1 - seat]))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_memory_never_rules_out_the_truth_and_sums_to_one(seed: int) -> None:
    """Fed turn by turn or from the whole history, over rounds."""
    memories, since = {}, [0, 0]
    for position in case("pecking_order", 2, seed):
        if (seat := position.turn) is None:
            continue
        turn = turn_of(position, 2, since[seat])
        since[seat] += len(turn.events)
        memory = memories.setdefault(seat, pecking_order.Memory(turn))
        memory.see(turn.events)
        again = pecking_order.Memory(turn)
        again.see(turn.view["history"])
        truth = position.view(None)["board"]
        assert memory.to_come() == again.to_come()
        assert sum(memory.to_come().values()) == pytest.approx(turn.view["left"][1 - seat])
        for perch in pecking_order.Table.of(turn.view).theirs:
            odds = memory.odds(perch.name)
            assert odds == again.odds(perch.name)
            assert sum(odds.values()) == pytest.approx(1)
            assert odds[truth[perch.name]["card"]] > 0
            assert perch.card is None or odds == {perch.card: 1}
        for perch in pecking_order.Table.of(turn.view).mine:
            with pytest.raises(KeyError):
                memory.odds(perch.name)


def test_memory_s_odds_are_how_often_the_cards_are_imagined() -> None:
    rng, worlds, checked = Random(1), 3000, 0
    for number, position in enumerate(case("pecking_order", 2, 2)):
        if position.turn is None or number % 9 != 8:
            continue
        turn = turn_of(position, 2)
        memory = pecking_order.Memory(turn)
        memory.see(turn.view["history"])
        boards = [imagine(turn, rng).view(None)["board"] for _ in range(worlds)]
        for perch in pecking_order.Table.of(turn.view).theirs:
            for card, chance in memory.odds(perch.name).items():
                found = sum(board[perch.name]["card"] == card for board in boards) / worlds
                assert abs(found - chance) < 5 * (chance * (1 - chance) / worlds) ** 0.5 + 1e-9
                checked += 1
    assert checked > 50


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_what_is_imagined_is_one_s_own_turn(game: str, seats: int) -> None:
    rng = Random(5)
    assert rules_of(game) is registry.games.get(game)
    for position in case(game, seats, 6):
        if position.turn is not None and rng.random() < 0.2:
            turn = turn_of(position, seats)
            world = imagine(turn, rng)
            assert (world.turn, list(world.legal()), world.view(turn.seat)) == (
                turn.seat,
                turn.legal,
                turn.view,
            )
            assert play_out(world, rng).turn is None


def test_a_game_is_played_out_by_a_policy_by_chance_or_until_something_holds() -> None:
    start = rules_of("rat_deau").start(2, Random(1), {})
    best = play_out(start, lambda position: position.legal()[-1])
    assert [event["cards"] for event in best.events(None) if event["type"] == "loot"] == [
        [9, 9],
        [7, 7],
        [5, 5],
    ]
    assert play_out(start, Random(3)) == play_out(start, Random(3)) != play_out(start, Random(4))
    offer = play_out(start, Random(3), until=lambda position: position.kind == "offer")
    assert (offer.kind, offer.turn) == ("offer", 0)
    assert play_out(offer, Random(3), until=lambda position: position.kind == "offer") is offer


def test_an_unknown_game_has_no_rules() -> None:
    with pytest.raises(ModuleNotFoundError, match="kuhn"):
        rules_of("kuhn")


def test_a_clock_counts_the_move_first_and_then_the_bank(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(clock, "monotonic", lambda: now)
    turn: Any = SimpleNamespace(limits=Limits(**{**LIMITS, "move": 2.0}), bank=6.0)
    watch = Clock(turn)
    assert (watch.spent, watch.free, watch.left) == (0, 2, 8)
    assert watch.allows()
    now += 1.75
    assert (watch.spent, watch.free, watch.left) == (1.75, 0.25, 6.25)
    assert not watch.allows()
    assert watch.allows(share=0.5)
    now += 2.25
    assert (watch.spent, watch.free, watch.left) == (4, -2, 4)
    assert not watch.allows(share=0.5)
    assert watch.allows(share=1)


def test_a_turn_has_what_its_annotations_promise() -> None:
    turn = turn_of(rules_of("peech").start(4, Random(1), {}), 4)
    for thing in (turn, setup_of(rules_of("peech").start(4, Random(1), {}), 0, 4)):
        assert set(type(thing).__annotations__) == set(type(thing).__slots__)
        assert all(hasattr(thing, name) for name in type(thing).__slots__)
        assert repr(thing).startswith(f"{type(thing).__name__}(game='peech', seat=0")
    assert set(Limits.__annotations__) == set(LIMITS) == set(turn.limits)
