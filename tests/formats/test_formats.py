"""Every registered format holds `check_format` for every field size; broken ones are caught."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.broken_formats import BROKEN

from arena.errors import UsageError
from arena.formats.history import Played, meetings, table_results
from arena.formats.knockout import Stage
from arena.formats.pods import table_sizes
from arena.formats.swiss import swiss
from arena.model import Event, Outcome, Pairing, Round
from arena.registry import formats, games
from arena.testing.check_format import check_format, make_event, play_round

SEATS = {2: "pecking_order", 3: "rat_deau", 4: "peech"}
SMALL = {"deals": 2}


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("bots", [1, 2, 3, 4, 5, 6, 7, 9, 12, 13])
@pytest.mark.parametrize("name", formats.names())
def test_every_format_holds_for_every_field_or_says_why_not(name: str, bots: int, seats: int) -> None:
    format_ = formats.get(name)
    given_ = SMALL | (
        {"rounds": 2, "max_tables": 12} if name == "round_robin" else {"rounds": 4} if name == "swiss" else {}
    )
    event = make_event(format_, bots, seats, SEATS[seats], given=given_)
    problems, _ = format_.check(event)
    if problems:
        assert bots < seats or (name == "gauntlet" and bots == seats - 1) or name == "swiss"
        assert all(re.search(r"\d", problem) for problem in problems)
        return
    check_format(format_, bots, seats, SEATS[seats], seed=bots, given=given_)


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_broken_format_is_caught(name: str) -> None:
    format_, said = BROKEN[name]
    with pytest.raises(AssertionError, match=said):
        check_format(format_, 8, 2, "pecking_order")


@pytest.mark.parametrize(
    ("players", "seats"), [(players, seats) for players in (5, 6, 7, 9, 10, 13) for seats in (3, 4)]
)
@pytest.mark.parametrize("remainder", ["bye", "short"])
def test_pods_seat_everybody_or_give_a_bye_with_a_reason(players: int, seats: int, remainder: str) -> None:
    given_ = {"rounds": 5, "deals": 1, "remainder": remainder}
    played = check_format(swiss, players, seats, "rat_deau", given=given_)
    byes: dict[str, int] = {}
    for round_, _ in played:
        sat = [bot for pairing in round_.pairings for bot in pairing.bots]
        assert sorted([*sat, *round_.byes]) == sorted(f"a{i}" for i in range(players))
        assert all(pairing.reason for pairing in round_.pairings)
        for bot in round_.byes:
            byes[bot] = byes.get(bot, 0) + 1
    slots = sum(len(round_.byes) for round_, _ in played)
    assert max(byes.values(), default=0) <= -(-slots // players)


@pytest.mark.parametrize(
    ("players", "seats", "remainder"),
    [
        (5, 3, "short"), (7, 4, "short"), (10, 3, "bye"), (13, 4, "bye"),
        (10, 3, "short"), (13, 3, "bye"), pytest.param(13, 4, "short", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_pods_repeat_only_what_cannot_be_avoided(players: int, seats: int, remainder: str) -> None:
    """Against every way in which those who play could have been seated."""
    given_ = {"rounds": 5, "deals": 1, "remainder": remainder, "seatings": "one"}
    played = check_format(swiss, players, seats, "rat_deau", seed=players, given=given_)
    for number, (round_, _) in enumerate(played):
        met = meetings(played[:number])
        tables = [tuple(sorted(pairing.bots)) for pairing in round_.pairings]
        ways = every_seating(sorted(bot for table in tables for bot in table), [len(t) for t in tables])
        assert repeats(tables, met) == min(repeats(way, met) for way in ways)


def repeats(tables: Sequence[Sequence[str]], met: Mapping[frozenset[str], int]) -> int:
    return sum(met.get(frozenset(pair), 0) ** 2 for table in tables for pair in combinations(table, 2))


def every_seating(players: Sequence[str], sizes: Sequence[int]) -> Iterator[list[tuple[str, ...]]]:
    if not sizes:
        yield []
        return
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for others in combinations(players[1:], size - 1):
            rest = [player for player in players[1:] if player not in others]
            yield from ([(players[0], *others), *more] for more in every_seating(rest, left))


@pytest.mark.parametrize("players", [64, pytest.param(256, marks=pytest.mark.slow)])
def test_large_pods_never_repeat_in_eight_rounds(players: int) -> None:
    played = check_format(swiss, players, 4, "peech", given={"rounds": 8, "deals": 1, "seatings": "one"})
    assert most_meetings(played) == 1


@pytest.mark.full
@pytest.mark.parametrize("players", [64, 256, 1000])
def test_pods_of_a_thousand_take_under_a_second_a_round(players: int) -> None:
    event = make_event(swiss, players, 4, "peech", given={"rounds": 8, "deals": 1, "seatings": "one"})
    strength = {bot.id: Random(bot.id).gauss(0, 1) for bot in event.bots}
    played: Played = ()
    times = []
    for _ in range(8):
        begun = process_time()  # of this process alone, whatever else the machine does
        round_ = swiss.next_round(event, played)
        times.append(process_time() - begun)
        assert round_ is not None
        played = (*played, (round_, play_round(event, round_, strength, 1)))
    print(f"\n{players} bots: {min(times):.2f} to {max(times):.2f} s a round")
    assert most_meetings(played) == 1
    assert sorted(times)[4] < 1


def most_meetings(played: Played) -> int:
    return max(meetings(played).values())


@given(st.integers(1, 60), st.integers(2, 4))
def test_short_tables_leave_nobody_out_where_they_can(players: int, seats: int) -> None:
    sizes = table_sizes(players, seats, short=True)
    assert sum(sizes) <= players
    assert all(size in (seats, seats - 1) for size in sizes)
    if sum(sizes) < players:
        assert sum(sizes) == players // seats * seats


@given(st.integers(4, 300), st.sampled_from([2, 3, 4]))
def test_a_bracket_narrows_to_one_full_table(players: int, seats: int) -> None:
    names = [str(i) for i in range(players)]
    stage = Stage(seats, names, {name: i for i, name in enumerate(names)})
    stages = 1
    while not stage.is_final:
        assert sorted([*stage.byes, *(bot for table in stage.tables for bot in table)], key=int) == sorted(
            stage.slots, key=int
        )
        for i, table in enumerate(stage.tables):
            assert len(table) == seats
            stage.winners[i] = sorted(table, key=int)[: stage.advance[i]]
        before = len(stage.slots)
        stage = stage.next()
        assert seats <= len(stage.slots) < before
        stages += 1
    assert stage.slots == names[:seats]
    assert stages <= players.bit_length() + 2


def test_the_usual_bracket_of_eight() -> None:
    stage = Stage(2, list("12345678"), {c: i for i, c in enumerate("12345678")})
    assert stage.tables == [["1", "8"], ["2", "7"], ["3", "6"], ["4", "5"]]
    stage.winners = {0: ["8"], 1: ["2"], 2: ["3"], 3: ["5"]}
    assert stage.next().tables == [["8", "5"], ["2", "3"]]


def test_byes_of_six_go_to_the_top() -> None:
    stage = Stage(2, list("123456"), {c: i for i, c in enumerate("123456")})
    assert stage.byes == ["1", "2"]
    assert stage.tables == [["3", "6"], ["4", "5"]]


def _tied(event: Event, round_: Round, winner: str = "", margin: float = 0.0) -> tuple[Outcome, ...]:
    outcomes = []
    for outcome in play_round(event, round_, {bot.id: 0.0 for bot in event.bots}, 1):
        best = outcome.bots.index(winner) if winner in outcome.bots else -1
        scores = tuple(margin if i == best else 0.0 for i in range(len(outcome.bots)))
        outcomes.append(
            Outcome(
                outcome.match, outcome.block, outcome.bots, (1,) * len(scores), scores, (0.5,) * len(scores)
            )
        )
    return tuple(outcomes)


def test_a_knockout_tie_is_played_on_then_goes_by_margin_then_by_seed() -> None:
    knockout = formats.get("knockout")
    event = make_event(knockout, 4, 2, "pecking_order", given={"deals": 1, "replays": 2, "order": "listed"})
    played: tuple[tuple[Round, tuple[Outcome, ...]], ...] = ()
    tables = []
    while (round_ := knockout.next_round(event, played)) is not None:
        tables.append([pairing.bots for pairing in round_.pairings])
        played = (*played, (round_, _tied(event, round_, "a3", 1.0)))
    semi, final = [("a0", "a3"), ("a1", "a2")], [("a3", "a1")]
    assert tables == [semi] * 3 + [final] * 3
    assert played[1][0].pairings[0].reason.endswith("tied, played on (1)")


def test_a_final_of_four_has_one_winner() -> None:
    knockout = formats.get("knockout")
    event = make_event(knockout, 4, 4, "peech", given={"deals": 1, "replays": 1, "order": "listed"})
    first = knockout.next_round(event, ())
    level = tuple(  # a0 and a1 share the first place: who won?
        Outcome(o.match, o.block, o.bots, (), (0.0,) * 4, tuple(1.0 - ("a2", "a3").count(b) for b in o.bots))
        for o in _tied(event, first)
    )
    second = knockout.next_round(event, ((first, level),))
    assert first.pairings[0].reason == "final: seeds 1, 2, 3, 4, one wins"
    assert second.pairings[0].reason == "final: seeds 1, 2, 3, 4, one wins; tied, played on (1)"
    assert knockout.next_round(event, ((first, level), (second, level))) is None


def test_a_void_pairing_has_no_points() -> None:
    round_ = Round(1, (Pairing(0, ("a", "b"), range(1)), Pairing(1, ("c", "d"), range(1))))
    outcome = Outcome("e0-r1-t1-d0-s0", "e0-r1-t1-d0", ("d", "c"), (1, 2), (5.0, 3.0), (1.0, 0.0))
    void, played = table_results(round_, [outcome])
    assert void.points == {}
    assert played.points == {"c": 0.0, "d": 1.0}
    assert played.margins == {"c": -1.0, "d": 1.0}


def test_unknown_formats_are_answered_with_the_list() -> None:
    with pytest.raises(
        UsageError, match=r"one of gauntlet, knockout, round_robin, swiss, not 'swis' \(did you mean 'swiss'"
    ):
        formats.get("swis")


def test_a_gauntlet_meets_every_rival_equally_often() -> None:
    gauntlet = formats.get("gauntlet")
    for seats, game in SEATS.items():
        for bots in range(seats, 12):
            event = make_event(gauntlet, bots, seats, game, given={"heroes": 1})
            round_ = gauntlet.next_round(event, ())
            counts = {f"a{i}": 0 for i in range(1, bots)}
            for pairing in round_.pairings:
                assert pairing.bots[0] == "a0"
                for bot in pairing.bots[1:]:
                    counts[bot] += 1
            assert len(set(counts.values())) == 1


def test_games_know_their_table_sizes() -> None:
    assert all(seats in games.get(game).seats for seats, game in SEATS.items())
