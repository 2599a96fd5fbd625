"""Student's and the normal distribution, as far as 95 % intervals need them."""

import math
from functools import lru_cache
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)
"""Half the width of a normal 95 % interval, in standard errors: 1.96."""


def normal_cdf(z: float) -> float:
    """The chance that a standard normal number is below z; exactly one half at 0, finite for any z."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def t_cdf(t: float, freedom: int) -> float:
    """Student's distribution for whole degrees of freedom (Abramowitz & Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan2(t, math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = term if freedom > 1 else 0.0
    for step in range(2 + odd, freedom - 1, 2):
        term *= cosine * cosine * (step - 1) / step
        total += term
    within = (angle + sine * total) * 2 / math.pi if odd else sine * total
    return (1 + within) / 2


@lru_cache(maxsize=4096)
def t95(freedom: int) -> float:
    """Half a 95 % interval in standard errors estimated with so many degrees of freedom."""
    if freedom > 1000:
        return Z95 + (Z95**3 + Z95) / (4 * freedom)  # the next term is below 3e-6
    low, high = Z95, 13.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if t_cdf(middle, freedom) < 0.975 else (low, middle)
    return high
