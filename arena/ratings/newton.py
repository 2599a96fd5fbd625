"""The top of a concave function, and the spread of its place when results come in blocks."""

from collections.abc import Callable

import numpy as np

from arena.standings.columns import Floats, Ints

Derivatives = Callable[[Floats], tuple[float, Floats, Floats]]
"""Of a parameter vector: the function's value, its gradient, and minus its second derivatives."""

PRIOR_SD = 2.0
"""Standard deviation of the prior of a strength, in natural units: 347 Elo."""
ELO = 400 / np.log(10.0)
"""Elo in one natural unit of strength (the logarithm of odds)."""


def maximise(derivatives: Derivatives, start: Floats) -> tuple[Floats, Floats]:
    """Where a strictly concave function is greatest, and minus its second derivatives there."""
    point = start
    value, gradient, curvature = derivatives(point)
    for _ in range(200):
        step = np.linalg.solve(curvature, gradient)
        length = 1.0
        while True:
            trial = derivatives(point + length * step)
            if trial[0] >= value - 1e-12 * abs(value) or length < 1e-9:
                break
            length /= 2
        point = point + length * step
        value, gradient, curvature = trial
        if np.max(np.abs(step), initial=0.0) < 1e-12:
            break
    return point, curvature


def block_scores(block: Ints, parameter: Ints, score: Floats, parameters: int) -> Floats:
    """The sum over blocks of the outer product of the block's score vector with itself (the sandwich's
    meat).

    Row by row: `score` is added to `parameter` of `block`'s vector. Square, of `parameters` rows.
    """
    keys, entry = np.unique(block * parameters + parameter, return_inverse=True)
    value = np.bincount(entry, score, len(keys))
    owner, parameter = keys // parameters, keys % parameters
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    sizes = np.diff(first, append=len(keys))
    total = np.zeros(parameters * parameters)
    for size in np.unique(sizes):
        rows = first[sizes == size][:, None] + np.arange(size)
        if size > 16:
            total += _dense(parameter[rows], value[rows], parameters)
            continue
        for a in range(size):
            for b in range(size):
                cell = parameter[rows[:, a]] * parameters + parameter[rows[:, b]]
                total += np.bincount(cell, value[rows[:, a]] * value[rows[:, b]], len(total))
    return total.reshape(parameters, parameters)


def _dense(parameter: Ints, value: Floats, parameters: int) -> Floats:
    total = np.zeros((parameters, parameters))
    for at in range(0, len(parameter), 2048):
        vectors = np.zeros((len(parameter[at : at + 2048]), parameters))
        np.put_along_axis(vectors, parameter[at : at + 2048], value[at : at + 2048], axis=1)
        total += vectors.T @ vectors
    return total.ravel()
