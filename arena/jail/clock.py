"""What a jailed process is charged: wall time less what it waited for the core while others ran on it."""

import time

from arena.jail.child import Child


class Clock:
    """A stopwatch for one child's decisions.

    The kernel counts the waiting since the process began, so what was waited before a decision is known only
    where one looked. Between two looks the credit is never more than the time that passed: a decision that
    was looked at an eighth of its limit ago is credited too much by an eighth at most, and only on a busy
    core.
    """

    __slots__ = ("_child", "_credit", "_looked", "_waited", "begun")

    def __init__(self, child: Child) -> None:
        self._child = child
        self._waited = 0.0
        self.begin(time.monotonic())

    def begin(self, begun: float) -> None:
        """A decision began at this monotonic time."""
        self.begun = self._looked = begun
        self._credit = 0.0

    def wall(self) -> float:
        """Seconds since the decision began."""
        return time.monotonic() - self.begun

    def charged(self) -> float:
        """Seconds to be charged for the decision up to now; looks at the run queue."""
        waited, now = self._child.waited(), time.monotonic()
        self._credit += min(max(0.0, waited - self._waited), now - self._looked)
        self._waited, self._looked = waited, now
        return now - self.begun - self._credit
