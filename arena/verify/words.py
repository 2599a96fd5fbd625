"""How a mismatch reads: the first place where two values part, in one line."""

from collections.abc import Mapping
from typing import Any


def difference(found: Any, wanted: Any, but: str = "replayed") -> str:
    """The path to the first difference between two JSON values, and both values there."""
    path = ""
    while (step := _step(found, wanted)) is not None:
        path += f"{step}."
        found, wanted = found[step], wanted[step]
    return f"{path.rstrip('.')} {shown(found)}, {but} {shown(wanted)}".lstrip()


def _step(found: Any, wanted: Any) -> Any:
    """Where to look on: the first key or index at which both have something, and not the same."""
    if isinstance(found, Mapping) and isinstance(wanted, Mapping):
        return next((key for key in found if key in wanted and found[key] != wanted[key]), None)
    lists = (list, tuple)
    if isinstance(found, lists) and isinstance(wanted, lists):
        pairs = enumerate(zip(found, wanted, strict=False))
        return next((at for at, (one, other) in pairs if one != other), None)
    return None


def shown(value: object, most: int = 100) -> str:
    """A value in at most so many characters."""
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def one_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {shown(' '.join(str(error).split()), 200)}"
