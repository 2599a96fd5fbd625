"""FIDE Dutch pairings (Handbook C.04.3) for two-seat Swiss events, by gacrux in a process of its own.

The function is pure in its text: the same TRF gives the same pairs.
"""

import subprocess
import sys
from functools import lru_cache

from arena.errors import InfrastructureError

SECONDS = 900
"""A thousand bots take it a minute a round at the most; this is for a machine that does much else."""


class NoPairing(Exception):  # noqa: N818 - a fact of the tournament, not an error
    """No pairing without a repeat is left."""


@lru_cache(maxsize=64)
def dutch_pairs(trf_text: str) -> tuple[tuple[int, int], ...]:
    """The next round's pairs of pairing numbers, white first, 0 for the bye, in board order.

    NoPairing when the rules leave none; InfrastructureError when the program itself fails.
    """
    command = [sys.executable, "-m", "gacrux.pairingchecker", "-i", "-", "-p", "-dT"]
    try:
        done = subprocess.run(
            command, input=trf_text, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise InfrastructureError(f"the Swiss pairing program did not end in {SECONDS} seconds") from None
    lines = done.stdout.split("\n")
    if done.returncode == 0 and lines[0].strip().isdecimal():
        pairs = [tuple(map(int, line.split())) for line in lines[1:] if line.strip()]
        if not pairs:
            raise NoPairing
        if len(pairs) == int(lines[0]):
            return tuple((white, black) for white, black in pairs)
    said = (done.stdout + done.stderr).strip()
    if "Error 505" in said:  # its code for "no admissible pairing"
        raise NoPairing
    raise InfrastructureError(f"the Swiss pairing program failed: {said[-300:]}")
