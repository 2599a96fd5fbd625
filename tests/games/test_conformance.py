"""Every registered game holds the contract, and the check catches games that do not."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.broken_games import BROKEN, drawing_always_the_same, showing_everything
from support.kuhn import Kuhn

from arena.registry import games
from arena.testing.check_game import check_game

TABLES = [(name, seats) for name in games for seats in games.get(name).seats]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_game_holds_the_contract(name: str, seats: int) -> None:
    check_game(games.get(name), seats=seats, games=20, seed=1)


@pytest.mark.parametrize(("name", "seats"), TABLES)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**64))
def test_every_game_holds_the_contract_on_any_seed(name: str, seats: int, seed: int) -> None:
    check_game(games.get(name), seats=seats, games=1, seed=seed, looks=5)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_game_holds_the_contract_for_long(name: str, seats: int) -> None:
    check_game(games.get(name), seats=seats, games=40, seed=10**6)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pecking_order", {"rounds": 2, "jaguar_holds_tiebreak": False, "first_player": 1}),
        ("peech", {"rounds": 2, "redraw": "once", "battle_order": "rank", "max_battles": 20}),
        ("rat_deau", {"pack": [1, 1, 5, 5, 9, 9], "offers_return_on_anger": True}),
        ("rat_deau", {"pack": [0] * 7, "raft_factor": 0, "raft_worth": 0}),
        ("rat_deau", {"pack": [*range(901, 1001)], "raft_factor": 1000}),
    ],
)
def test_games_hold_the_contract_under_other_options(name: str, options: dict[str, Any]) -> None:
    check_game(games.get(name), games=3, looks=6, options=options)


def test_the_worked_example_holds_the_contract() -> None:
    check_game(Kuhn, games=60)
    check_game(Kuhn, games=20, options={"bet": 3})


@pytest.mark.parametrize("game", BROKEN, ids=lambda game: game.__name__)
@pytest.mark.parametrize("seed", [0, 1000])
def test_a_broken_game_is_caught(game: type[Any], seed: int) -> None:
    with pytest.raises(AssertionError, match=BROKEN[game]) as caught:
        check_game(game, games=60, seed=seed, longest=500)
    line = str(caught.value)
    assert line.startswith(f"{game.name}, ")
    assert ", 2 seats, seed " in line
    assert "\n" not in line


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_game_that_shows_everything_is_caught(name: str, seats: int) -> None:
    with pytest.raises(AssertionError, match=r"what seat \d is not told|what it may not|was told the same"):
        check_game(showing_everything(games.get(name)), seats=seats, games=3)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_game_that_imagines_always_the_same_is_caught(name: str, seats: int) -> None:
    with pytest.raises(AssertionError, match="imagine does not draw evenly"):
        check_game(drawing_always_the_same(games.get(name)), seats=seats, games=30)
