"""Rings of bots that beat each other."""

from arena.model import Outcome
from arena.ratings.cycles import cycles


def duels(*results: tuple[str, str], times: int = 1) -> list[Outcome]:
    return [Outcome(f"m{i}", f"b{i}", pair, (1, 2)) for i, pair in enumerate(results * times)]


RING = (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))


def test_a_certain_ring_is_named() -> None:
    found = cycles(duels(*RING, times=20), ("rock", "paper", "scissors"))
    assert found.words() == (
        "The field is not transitive: one number a bot cannot say who beats whom.",
        "paper beats rock beats scissors beats paper.",
    )
    assert found.share == 1.0


def test_a_ring_that_may_be_chance() -> None:
    upsets = tuple((loser, winner) for winner, loser in RING)
    found = cycles(duels(*RING, *RING, *upsets), ("rock", "paper", "scissors"))
    assert not found.found[0].certain
    assert found.words()[1] == "paper beats rock beats scissors beats paper (may be chance)."


def test_two_wins_each_are_no_proof() -> None:
    assert not cycles(duels(*RING, times=2), ("rock", "paper", "scissors")).found[0].certain


def test_no_ring_no_words() -> None:
    found = cycles(duels(("a", "b"), ("b", "c"), ("a", "c"), times=5), ("a", "b", "c"))
    assert (found.found, found.share, found.words()) == ((), 0.0, ())
    assert cycles((), ("a", "b")).share is None
    draws = [Outcome(f"m{i}", f"b{i}", ("a", "b"), (1, 1)) for i in range(5)]
    assert cycles(draws, ("a", "b")).found == ()


def test_a_ring_of_four_and_bots_outside_it() -> None:
    ring = (("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"))
    found = cycles(duels(*ring, ("top", "a"), ("c", "low"), times=9), ("low", "a", "b", "c", "d", "top"))
    assert [str(ring) for ring in found.found] == ["a beats b beats c beats d beats a"]
    assert found.found[0].certain


def test_two_rings_and_how_many_are_named() -> None:
    other = tuple((f"{winner}2", f"{loser}2") for winner, loser in RING)
    bots = ("rock", "paper", "scissors", "rock2", "paper2", "scissors2")
    found = cycles(duels(*RING, *other, times=9), bots)
    assert len(found.found) == 2
    assert found.words(most=1)[-1] == "And 1 more."
    assert cycles(duels(*RING, *other, times=9)[::-1], bots[::-1]) == found
