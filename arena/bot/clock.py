"""Time: what a decision has used, and what it has left."""

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.bot import Turn


class Clock:
    """A watch for one decision, in seconds; make it first thing in `act`.

    It is a wall clock: answers that hang on it may differ between two runs of the same match. Count playouts
    instead where they must not.
    """

    __slots__ = ("_bank", "_began", "_move")

    def __init__(self, turn: "Turn") -> None:
        self._began = monotonic()
        self._move, self._bank = turn.limits["move"], turn.bank

    @property
    def spent(self) -> float:
        """So far, for this decision."""
        return monotonic() - self._began

    @property
    def free(self) -> float:
        """Until the bank begins to pay; below zero once it does."""
        return self._move - self.spent

    @property
    def left(self) -> float:
        """Until the bank is empty too: beyond it the match is lost."""
        return self._move + self._bank - self.spent

    def allows(self, share: float = 0.0) -> bool:
        """Whether less is spent than three quarters of the move limit and of this share of the bank."""
        return self.spent < 0.75 * (self._move + share * self._bank)
