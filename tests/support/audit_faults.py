"""What placings a record must have where bots made faults, from its decisions and the order of play alone."""

from typing import Any

from support import audit_pecking_order, audit_peech, audit_rat_deau

AUDITORS = {
    "pecking_order": audit_pecking_order,
    "peech": audit_peech,
    "rat_deau": audit_rat_deau,
}
LOWEST_WINS = ("peech",)


def expected_placings(record: dict[str, Any], scores: list[int]) -> list[int]:
    """Seats without a fault by their scores; behind them the others, the first to fail last.

    Who failed in the same simultaneous choice, or at the start, shares the place.
    """
    faults = record.get("faults") or [None for _ in scores]
    sign = -1 if record["game"] in LOWEST_WINS else 1
    moments = AUDITORS[record["game"]].moments(record) if any(faults) else []
    standing = []
    for seat, (score, fault) in enumerate(zip(scores, faults, strict=True)):
        if fault is None:
            standing.append((1, sign * score))
        else:
            standing.append((0, _failed_at(fault["decision"], moments[seat], seat)))
    return [1 + sum(other > mine for other in standing) for mine in standing]


def _failed_at(decision: int, moments: list[int], seat: int) -> int:
    """The moment of a seat's decision, counted from 1; before all others for a bot that never started."""
    if decision == 0:
        return -1
    assert decision <= len(moments), f"seat {seat} fails at decision {decision} of {len(moments)}"
    return moments[decision - 1]
