"""The referee: what each seat is told, what is kept, and that everybody is let go."""

import dataclasses
from random import Random
from typing import Any

import pytest
from support.matches import GAMES, MATCH, event_of, play, rat_deau, replayed

from arena import registry
from arena.blocks import bot_seed, deal_seed
from arena.errors import ArenaError, InfrastructureError
from arena.match import play_match, replay
from arena.players.scripted import ScriptedPlayer
from arena.standings import points_of


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_match_without_faults_is_placed_by_the_rules_and_can_be_replayed(game: str, seats: int) -> None:
    event, players = event_of(game, seats), [ScriptedPlayer() for _ in range(seats)]
    record = play(event, players)
    final = replayed(record)
    assert record.scores == final.scores()
    assert record.placings == final.placings()
    assert record.points == points_of(record.placings)
    assert record.chance == final.chance()
    assert record.faults == (None,) * seats
    assert record.options == event.options
    for seat, player in enumerate(players):
        assert player.ended == (record.scores, record.placings)
        assert player.closed == 1
        assert len(player.requests) == len(record.decisions[seat])


def test_a_seat_is_told_its_own_seed_and_never_the_deals() -> None:
    event, players = rat_deau(3)
    play(event, players)
    seeds = []
    for seat, player in enumerate(players):
        assert player.setup is not None
        assert (player.setup.seat, player.setup.seats, player.setup.game) == (seat, 3, "rat_deau")
        assert player.setup.seed == bot_seed(event, MATCH, seat)
        assert (player.setup.options, player.setup.limits) == (event.options, event.limits)
        seeds.append(player.setup.seed)
    assert len(set(seeds)) == 3
    assert deal_seed(event, MATCH) not in seeds


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_each_seat_sees_its_own_events_once_and_its_own_view(game: str, seats: int) -> None:
    event, players = event_of(game, seats), [ScriptedPlayer() for _ in range(seats)]
    record = play(event, players)
    rules = registry.games.get(game)
    position = rules.start(seats, Random(deal_seed(event, MATCH)), event.options)
    asked = [iter(player.requests) for player in players]
    seen = [0] * seats
    rest = [iter(decisions) for decisions in record.decisions]
    while (seat := position.turn) is not None:
        request = next(asked[seat])
        assert request.kind == position.kind
        assert request.legal == position.legal()
        assert request.view == position.view(seat)
        assert request.events == position.events(seat)[seen[seat] :]
        seen[seat] = len(position.events(seat))
        position = position.play(next(rest[seat]))


@pytest.mark.parametrize("where", ["start", "ask"])
def test_arenas_own_fault_is_an_exception_and_everybody_is_closed(where: str) -> None:
    event, players = rat_deau(3)
    broken = InfrastructureError("the fork server died")
    players[1] = ScriptedPlayer(start=broken) if where == "start" else ScriptedPlayer(["1", broken])
    with pytest.raises(InfrastructureError, match="the fork server died"):
        play(event, players)
    assert [player.closed for player in players] == [1, 1, 1]


def test_one_players_broken_close_does_not_keep_others_open() -> None:
    class BreaksAtClose(ScriptedPlayer):
        def close(self) -> Any:
            super().close()
            raise InfrastructureError("cannot be reaped")

    event, players = rat_deau(3)
    players[1] = BreaksAtClose()
    with pytest.raises(InfrastructureError, match="cannot be reaped"):
        play(event, players)
    assert [player.closed for player in players] == [1, 1, 1]


def test_rules_that_cannot_be_set_up_close_everybody() -> None:
    event, players = rat_deau(4)
    with pytest.raises(Exception, match="table"):
        play_match(event, MATCH, ("a",) * 5, [*players, extra := ScriptedPlayer()])
    assert [player.closed for player in [*players, extra]] == [1] * 5


def test_the_same_match_is_the_same_record_and_another_is_not() -> None:
    assert play(*rat_deau(3)).as_json() == play(*rat_deau(3)).as_json()
    event, players = rat_deau(3)
    other = play(event, players, MATCH._replace(deal=4))
    assert other.chance != play(*rat_deau(3)).chance


def test_every_seating_of_a_block_meets_the_same_deal() -> None:
    event, players = rat_deau(3)
    one = play(event, players)
    two = play(event, [ScriptedPlayer() for _ in range(3)], MATCH._replace(seating=2))
    assert one.chance == two.chance


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_record_is_replayed_and_one_that_does_not_fit_is_refused(game: str, seats: int) -> None:
    record = play(event_of(game, seats), [ScriptedPlayer() for _ in range(seats)])
    assert replay(record).scores() == record.scores
    assert replay(record).events(None) == replayed(record).events(None)
    first, *others = record.decisions
    for wrong, said in (
        ((first[:-1], *others), "seat 0 has decided too seldom"),
        (((*first, first[-1]), *others), "decisions are left over"),
        ((("no such card", *first[1:]), *others), "no such card"),
    ):
        with pytest.raises(ArenaError, match=said):
            replay(dataclasses.replace(record, decisions=wrong))
