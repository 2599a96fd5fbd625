"""Seccomp programs: a table of rules for system calls becomes a binary search in classic BPF."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.jail import syscalls

ALLOW = 0x7FFF0000
KILL = 0x80000000


def refuse(errno: int) -> int:
    """The action that makes a call fail with this errno."""
    return 0x00050000 | errno


@dataclass(frozen=True, slots=True)
class Only:
    """Allow a call only where argument `index`, cut to `mask`, is one of `values`; else take `otherwise`.

    Arguments have 64 bits; the upper half must be zero wherever the mask is the default.
    """

    index: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    otherwise: int = refuse(1)


Rule = int | Only
_Code = list[tuple[int, int, int, int]]

_LOAD, _JUMP, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x05, 0x54, 0x15, 0x35, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_X32 = 0x40000000


def program(rules: Mapping[str, Rule], default: int) -> bytes:
    """An array of struct sock_filter: each named call gets its rule, all others `default`.

    Calls that this machine does not have are left out; a process of a foreign machine type is killed.
    """
    table = {nr: rule for name, rule in rules.items() if (nr := syscalls.number(name)) is not None}
    spans = _spans(table, default)
    body = _search(spans)
    code: _Code = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, syscalls.AUDIT_ARCH[syscalls.MACHINE]),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, refuse(38)),
        *body,
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def _spans(table: Mapping[int, Rule], default: int) -> list[tuple[int, Rule]]:
    """(first number, rule) of each run of neighbouring numbers that share a rule, from 0 up."""
    spans: list[tuple[int, Rule]] = []
    for nr in range(max(table) + 2):
        rule = table.get(nr, default)
        if not spans or spans[-1][1] != rule:
            spans.append((nr, rule))
    return spans


def _search(spans: Sequence[tuple[int, Rule]]) -> _Code:
    if len(spans) == 1:
        return _leaf(spans[0][1])
    middle = len(spans) // 2
    low, high = _search(spans[:middle]), _search(spans[middle:])
    start = spans[middle][0]
    if len(low) <= 255:
        return [(_AT_LEAST, len(low), 0, start), *low, *high]
    return [(_AT_LEAST, 0, 1, start), (_JUMP, 0, 0, len(low)), *low, *high]


def _leaf(rule: Rule) -> _Code:
    if isinstance(rule, int):
        return [(_RETURN, 0, 0, rule)]
    offset = _ARGUMENTS + 8 * rule.index
    count = len(rule.values)
    tests: _Code = [(_EQUAL, count - i, 0, value) for i, value in enumerate(rule.values)]
    ends: _Code = [(_RETURN, 0, 0, rule.otherwise), (_RETURN, 0, 0, ALLOW)]
    if rule.mask != 0xFFFFFFFF:
        return [(_LOAD, 0, 0, offset), (_AND, 0, 0, rule.mask), *tests, *ends]
    upper: _Code = [(_LOAD, 0, 0, offset + 4), (_EQUAL, 0, count + 1, 0)]
    return [*upper, (_LOAD, 0, 0, offset), *tests, *ends]
