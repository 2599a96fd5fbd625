"""Who is linked to whom: groups of a field and the order between them."""

import numpy as np

from arena.standings.columns import Bools, Ints


def reach(links: Bools) -> Bools:
    """The square matrix of who gets to whom along any number of links, each bot to itself included."""
    reached = links | np.eye(len(links), dtype=bool)
    while True:
        steps = reached.astype(np.float32)
        further = steps @ steps > 0
        if (further == reached).all():
            return reached
        reached = further


def classes(equivalent: Bools) -> Ints:
    """For each bot the number of its class, from 0 by the first member, given who is like whom."""
    if not len(equivalent):
        return np.zeros(0, np.int64)
    return np.unique(np.argmax(equivalent, axis=1), return_inverse=True)[1].astype(np.int64)
