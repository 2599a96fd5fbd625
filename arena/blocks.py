"""A pairing and a deal make a block: its seatings, and every seed that a match needs."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from random import Random

from arena.model import Block, BlockId, Event, MatchId, Outcome, Pairing, Round
from arena.seeds import BOT_SEED_BITS, derive


def blocks_of(event: Event, round_: Round) -> tuple[Block, ...]:
    """All blocks of a round, deal by deal, so that tables advance together."""
    made = [
        block_of(event, round_.number, pairing, deal) for pairing in round_.pairings for deal in pairing.deals
    ]
    return tuple(sorted(made, key=lambda block: (block.id.deal, block.id.table)))


def block_of(event: Event, round_number: int, pairing: Pairing, deal: int) -> Block:
    """The block of this pairing on this deal.

    `cyclic`: the k rotations of one cyclic order, drawn anew for each deal;
    `all`: all k! orders; `one`: a single order drawn from the seed.
    """
    block_id = BlockId(event.index, round_number, pairing.table, deal)
    order = sorted(pairing.bots)
    Random(derive(event.seed, "seating", *block_id)).shuffle(order)
    if pairing.seatings == "all":
        seatings = tuple(permutations(order))
    elif pairing.seatings == "one":
        seatings = (tuple(order),)
    else:
        seatings = tuple(tuple(order[i:] + order[:i]) for i in range(len(order)))
    return Block(block_id, seatings)


def deal_seed(event: Event, match: MatchId) -> int:
    """The seed of all chance of a match; the same for every seating of its block. It never reaches a bot."""
    table = () if event.common_deals else (match.table,)
    return derive(event.seed, "deal", match.event, match.round, *table, match.deal)


def by_luck(event: Event, outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Outcomes whose `block` names what shares its luck: the block, or with common deals the deal.

    Intervals cluster by it.
    """
    if not event.common_deals:
        return tuple(outcomes)
    matches = [(MatchId.parse(outcome.match), outcome) for outcome in outcomes]
    return tuple(
        replace(outcome, block=f"e{match.event}-r{match.round}-d{match.deal}") for match, outcome in matches
    )


def bot_seed(event: Event, match: MatchId, seat: int) -> int:
    """The bot's own seed in a match: a hash apart, from which no deal can be told."""
    return derive(event.seed, "bot", *match, seat, bits=BOT_SEED_BITS)


def stand_in_seed(event: Event, match: MatchId) -> int:
    """The seed of the stand-ins that play on for seats lost by a fault."""
    return derive(event.seed, "stand-in", *match)
