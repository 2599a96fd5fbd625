"""With common deals all tables of a round share their luck: one deal for all, and intervals by deal."""

from dataclasses import replace
from random import Random

from arena.blocks import blocks_of, by_luck, deal_seed
from arena.ratings.bradley_terry import bradley_terry
from arena.registry import formats
from arena.testing.check_format import make_event, play_round

EVENT = make_event(formats.get("round_robin"), 4, 2, "pecking_order", given={"deals": 12, "rounds": 1})
COMMON = replace(EVENT, common_deals=True)


def _round(event):  # type: ignore[no-untyped-def]
    round_ = formats.get("round_robin").next_round(event, ())
    return round_, play_round(event, round_, {f"a{i}": 0.1 * i for i in range(4)}, 3)


def test_tables_of_a_round_meet_the_same_deals_only_when_asked() -> None:
    for event, deals in ((EVENT, 12 * 6), (COMMON, 12)):
        round_, _ = _round(event)
        seeds = {deal_seed(event, block.id.match(0)) for block in blocks_of(event, round_)}
        assert len(seeds) == deals


def test_intervals_cluster_by_what_shares_its_luck() -> None:
    _, outcomes = _round(EVENT)
    assert by_luck(EVENT, outcomes) == outcomes
    shared = by_luck(COMMON, outcomes)
    assert {outcome.block for outcome in shared} == {f"e0-r1-d{deal}" for deal in range(12)}
    assert [outcome.match for outcome in shared] == [outcome.match for outcome in outcomes]


def test_luck_of_a_deal_that_helps_one_bot_everywhere_widens_its_interval() -> None:
    """One bot wins all or loses all of its tables on a deal: twelve independent results, not thirty-six."""
    _, outcomes = _round(COMMON)
    rng = Random(1)
    lucky = {f"d{deal}": rng.random() < 0.5 for deal in range(12)}
    made = []
    for outcome in outcomes:
        if "a0" in outcome.bots:
            first = outcome.bots.index("a0") == 0
            wins = lucky[outcome.match.split("-")[3]]
            outcome = replace(outcome, placings=(1, 2) if first == wins else (2, 1))
        made.append(outcome)
    bots = ("a0", "a1", "a2", "a3")
    apart = {row.bot: row.half_width for row in bradley_terry(made, bots).rows}
    shared = {row.bot: row.half_width for row in bradley_terry(by_luck(COMMON, made), bots).rows}
    assert shared["a0"] > 1.2 * apart["a0"]
