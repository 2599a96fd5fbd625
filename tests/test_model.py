"""Identities, seeds, options, blocks and points: the ground floor."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.model import MatchId
from arena.options import choice, duration, flag, settle, size, text, whole, whole_list
from arena.seeds import derive
from arena.standings import placings_of, points_of

OPTIONS = {
    "rounds": whole(3, low=1),
    "redraw": choice("each_round", ("once",)),
    "fast": flag(False),
    "pack": whole_list((1, 2), least=2),
    "move": duration(1.0),
    "memory": size(2**20),
    "title": text(None),
}


@given(st.tuples(*[st.integers(0, 10**6)] * 5))
def test_a_match_identity_is_read_back(fields: tuple[int, int, int, int, int]) -> None:
    assert MatchId.parse(str(MatchId(*fields))) == fields


@pytest.mark.parametrize(
    "text", ["", "e0", "e0-r1-t3-d5", "e00-r1-t3-d5-s1", "e0-r1-t3-d5-s1\n", "e0-r1-t3-d-5-s1"]
)
def test_other_texts_are_no_identity(text: str) -> None:
    with pytest.raises(ValueError, match="match identity"):
        MatchId.parse(text)


def test_seeds_separate_their_fields() -> None:
    seeds = {
        derive(1, "deal", 1, 23),
        derive(1, "deal", 12, 3),
        derive(2, "deal", 1, 23),
        derive(1, "d", 1, 23),
    }
    assert len(seeds) == 4
    assert derive(1, "bot", 5, bits=53) < 2**53


def test_options_are_typed_by_their_key() -> None:
    assert settle(
        OPTIONS, {"rounds": "5", "fast": "True", "pack": "3, 4", "move": "250 ms", "memory": "1.5MiB"}
    ) == {
        "rounds": 5,
        "redraw": "each_round",
        "fast": True,
        "pack": [3, 4],
        "move": 0.25,
        "memory": 3 * 2**19,
        "title": None,
    }


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"rounds": "-1"}, "option.rounds: a whole number from 1, not -1"),
        ({"rounds": "1.5"}, "option.rounds: a whole number from 1, not 1.5"),
        ({"rounds": True}, "option.rounds: a whole number from 1, not True"),
        ({"redraw": "never"}, "option.redraw: one of each_round, once, not never"),
        ({"fast": "yes"}, "option.fast: true or false, not yes"),
        ({"pack": "1"}, "option.pack: a list of at least 2 whole numbers from 0, not 1"),
        ({"round": "1"}, "option.round: no such option (did you mean 'rounds'?)"),
        ({"zzz": "1"}, "option.zzz: no such option (known: rounds, redraw, fast, pack, move, memory, title)"),
        ({"move": "10:00"}, "option.move: a duration like 250ms, 1s, 2m or 1h, not 10:00"),
        ({"move": "-1s"}, "option.move: a duration like 250ms, 1s, 2m or 1h, not -1s"),
        ({"memory": "1 pound"}, "option.memory: a size like 64KiB, 256MiB or 1GiB, not 1 pound"),
        ({"title": "  "}, "option.title: one line of text or null, not   "),
    ],
)
def test_a_bad_option_says_what_is_allowed(given_: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        settle(OPTIONS, given_)
    assert str(caught.value) == said


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=4), st.booleans())
def test_points_share_half_a_place_and_sum_to_half_the_seats(scores: list[int], higher: bool) -> None:
    placings = placings_of(scores, higher)
    assert min(placings) == 1
    assert sum(points_of(placings)) == pytest.approx(len(scores) / 2)
    best = max(scores) if higher else min(scores)
    assert all((place == 1) == (score == best) for place, score in zip(placings, scores, strict=True))


def test_points_of_the_documented_example() -> None:
    assert points_of((1, 4, 2, 2)) == pytest.approx((1.0, 0.0, 0.5, 0.5))
