"""The nouns: few, frozen and dumb, in the field's words."""

from arena.model.contest import Block, BlockId, Bot, Event, Format, Limits, MatchId, Pairing, Round
from arena.model.game import Game, Json
from arena.model.play import BlockResult, Executor, Fault, FaultKind, Player, Record, Request, Setup, Timing
from arena.model.results import Outcome, Rating, RatingModel, Ratings

__all__ = [
    "Block",
    "BlockId",
    "BlockResult",
    "Bot",
    "Event",
    "Executor",
    "Fault",
    "FaultKind",
    "Format",
    "Game",
    "Json",
    "Limits",
    "MatchId",
    "Outcome",
    "Pairing",
    "Player",
    "Rating",
    "RatingModel",
    "Ratings",
    "Record",
    "Request",
    "Round",
    "Setup",
    "Timing",
]
