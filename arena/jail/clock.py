"""What a jailed process is charged: wall time less what was waited for the core while others ran on it."""

import os
from contextlib import suppress
from time import monotonic

from arena.jail.child import Child, schedstat

_AGAIN = 0.005  # seconds until the next look at a child whose time seems spent, but which may be waiting


class Clock:
    """A stopwatch for one child's decisions.

    Two kinds of waiting in the run queue are not charged: the child's own, and the runner's between the
    answer and its reading of it. The kernel counts both since each process began, so what was waited before
    a decision is known only where one looked: the time up to the first look in a decision is credited too
    much at most, and only on a busy core. A wait that still goes on is not counted yet, so no verdict is
    had before the child is seen not to be waiting.
    """

    def __init__(self, child: Child) -> None:
        self._child = child
        self._own = -1
        self._waited = self._own_waited = 0.0
        self.begin(monotonic())

    def begin(self, begun: float) -> None:
        """A decision began at this monotonic time."""
        self.begun = self._looked = begun
        self._base: tuple[float, float] | None = None
        self._seen: tuple[float, float] | None = None

    def wall(self) -> float:
        """Seconds since the decision began."""
        return monotonic() - self.begun

    def charged(self, answered: bool = False) -> float:
        """Seconds to be charged for the decision up to now, or up to its answer, which was just read."""
        cpu, waited = self._child.schedule()
        own_waited = self._own_schedule()
        now = monotonic()
        wall = now - self.begun
        if self._base is None:
            self._base = cpu, waited - min(max(0.0, waited - self._waited), wall)
        credit = max(0.0, waited - self._base[1])  # a thread that has ended takes its waits with it
        if answered:
            credit += min(own_waited - self._own_waited, now - self._looked)
        self._waited, self._own_waited, self._looked = waited, own_waited, now
        return max(cpu - self._base[0], wall - min(credit, wall))

    def left(self, limit: float) -> float:
        """Seconds until `limit` may be spent; 0 when it is spent for sure."""
        left = limit - self.charged()
        if left > 0:
            self._seen = None
            return left
        return 0.0 if self._is_sure(limit) else _AGAIN

    def _is_sure(self, limit: float) -> bool:
        """The kernel counts a wait when it is over: the child must be seen asleep, or to have run since."""
        cpu, now = self._child.schedule()[0], monotonic()
        if not self._child.is_runnable():
            return True
        if self._seen is None:
            self._seen = cpu, now
        if self._seen[0] == cpu:
            return False
        since, self._seen = now - self._seen[1], None
        return self.charged() - since >= limit

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
