"""What a jailed process is charged: wall time less what was waited for the core while others ran on it."""

import os
from contextlib import suppress
from time import monotonic

from arena.jail.child import Child, schedstat


class Clock:
    """A stopwatch for one child's decisions.

    Two kinds of waiting in the run queue are not charged: the child's own, and the runner's between the
    answer and its reading of it. The kernel counts both since each process began, so what was waited before
    a decision is known only where one looked; between two looks the credit is never more than the time that
    passed. Who looks a moment after the decision began credits that moment too much at most, and only on a
    busy core.
    """

    def __init__(self, child: Child) -> None:
        self._child = child
        self._own = -1
        self._waited = self._own_waited = 0.0
        self.begin(monotonic())

    def begin(self, begun: float) -> None:
        """A decision began at this monotonic time."""
        self.begun = self._looked = begun
        self._credit = 0.0
        self._cpu: float | None = None

    def wall(self) -> float:
        """Seconds since the decision began."""
        return monotonic() - self.begun

    def charged(self, answered: bool = False) -> float:
        """Seconds to be charged for the decision up to now, or up to its answer, which was just read."""
        cpu, waited = self._child.schedule()
        own_waited = self._own_schedule()
        now = monotonic()
        credit = waited - self._waited + (own_waited - self._own_waited if answered else 0.0)
        self._credit += min(max(0.0, credit), now - self._looked)
        self._waited, self._own_waited, self._looked = waited, own_waited, now
        if self._cpu is None:
            self._cpu = cpu
        return max(cpu - self._cpu, now - self.begun - self._credit)

    def _own_schedule(self) -> float:
        with suppress(OSError):
            if self._own < 0:
                self._own = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        return schedstat(self._own)[1]

    def close(self) -> None:
        """Let go of the runner's own record."""
        if self._own >= 0:
            os.close(self._own)
            self._own = -1
