"""Options: what a game or a format lets an organiser set, and how a text becomes a value.

An option is typed by its kind, never guessed from its text, so a config's `10:00` or `0777` cannot surprise.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from arena.errors import UsageError, did_you_mean


@dataclass(frozen=True, slots=True)
class Option:
    """One setting.

    `read` turns what was given (a text, a list of texts, or a value already typed) into the value and raises
    ValueError for anything else; `allowed` says in words what it takes ("a whole number from 1").
    """

    default: Any
    read: Callable[[Any], Any]
    allowed: str
    help: str = ""


def whole(default: int | None, help: str = "", *, low: int = 0, high: int | None = None) -> Option:  # noqa: A002
    """A whole number from `low` (to `high`); with default None also `null`."""

    def read(given: Any) -> int | None:
        if default is None and (given is None or given == "null"):
            return None
        number = _int(given)
        if number < low or (high is not None and number > high):
            raise ValueError
        return number

    words = f"a whole number from {low}" + (f" to {high}" if high is not None else "")
    return Option(default, read, words + (" or null" if default is None else ""), help)


def number(default: float, help: str = "", *, low: float = 0.0, high: float | None = None) -> Option:  # noqa: A002
    """A finite decimal number from `low` (to `high`)."""

    def read(given: Any) -> float:
        if isinstance(given, bool):
            raise ValueError
        value = float(given)
        if not low <= value <= (high if high is not None else 1e300):
            raise ValueError
        return value

    return Option(
        default, read, f"a number from {low:g}" + (f" to {high:g}" if high is not None else ""), help
    )


def flag(default: bool, help: str = "") -> Option:  # noqa: A002
    """`true` or `false`."""

    def read(given: Any) -> bool:
        if isinstance(given, bool):
            return given
        return {"true": True, "false": False}[str(given).strip().lower()]

    return Option(default, read, "true or false", help)


def choice(default: str, others: tuple[str, ...], help: str = "") -> Option:  # noqa: A002
    """One of a few words."""
    words = (default, *others)

    def read(given: Any) -> str:
        if given not in words:
            raise ValueError
        return str(given)

    return Option(default, read, "one of " + ", ".join(words), help)


def choices(known: tuple[str, ...], help: str = "") -> Option:  # noqa: A002
    """A list of a few words out of `known`, each once, or null (the default); as a text, between commas."""

    def read(given: Any) -> list[str] | None:
        if given is None or given == "null":
            return None
        if not isinstance(given, (str, list, tuple)):
            raise ValueError
        parts = given.strip("[] ").split(",") if isinstance(given, str) else given
        words = [str(part).strip() for part in parts]
        if len(set(words)) < len(words) or not set(words) <= set(known):
            raise ValueError
        return words

    return Option(None, read, f"a list out of {', '.join(known)}, each at most once, or null", help)


def whole_list(
    default: tuple[int, ...],
    help: str = "",  # noqa: A002
    *,
    least: int = 1,
    most: int | None = None,
    low: int = 0,
    high: int | None = None,
) -> Option:
    """A list of `least` (to `most`) whole numbers from `low` (to `high`); as a text, between commas."""

    def read(given: Any) -> list[int]:
        parts = given.strip("[] ").split(",") if isinstance(given, str) else list(given)
        numbers = [_int(part) for part in parts]
        if len(numbers) < least or (most is not None and len(numbers) > most):
            raise ValueError
        if min(numbers) < low or (high is not None and max(numbers) > high):
            raise ValueError
        return numbers

    length = f"at least {least}" if most is None else f"{least} to {most}"
    words = f"a list of {length} whole numbers from {low}" + (f" to {high}" if high is not None else "")
    return Option(list(default), read, words, help)


def duration(default: float, help: str = "") -> Option:  # noqa: A002
    """Seconds, written with a unit: `250ms`, `1s`, `2m`, `1h`; a bare number means seconds."""
    return Option(default, _with_unit(_SECONDS), "a duration like 250ms, 1s, 2m or 1h", help)


def size(default: int, help: str = "") -> Option:  # noqa: A002
    """Bytes, written with a unit: `64KiB`, `256MiB`, `1GiB`; a bare number means bytes."""
    read = _with_unit(_BYTES)
    return Option(default, lambda given: int(read(given)), "a size like 64KiB, 256MiB or 1GiB", help)


def text(default: str | None, help: str = "") -> Option:  # noqa: A002
    """One line of text; with default None also `null`."""

    def read(given: Any) -> str | None:
        if default is None and given is None:
            return None
        if not isinstance(given, str) or not given.strip() or not given.isprintable():
            raise ValueError
        return given.strip()

    return Option(default, read, "one line of text" + (" or null" if default is None else ""), help)


def word_list(default: tuple[str, ...], help: str = "") -> Option:  # noqa: A002
    """A list of words; a single text is split like a shell's words."""

    def read(given: Any) -> list[str]:
        words = shlex.split(given) if isinstance(given, str) else list(given)
        if not words or not all(isinstance(word, str) and "\0" not in word for word in words):
            raise ValueError
        return words

    return Option(list(default), read, "a list of words, such as [node, bot.js]", help)


def settle(known: Mapping[str, Option], given: Mapping[str, Any], where: str = "option") -> dict[str, Any]:
    """Every known option with its value: the given one, read, or the default; in the order of `known`.

    Raises UsageError, one line that names the key and what is allowed.
    """
    for key in given:
        if key not in known:
            hint = did_you_mean(key, known) or f" (known: {', '.join(known) or 'none'})"
            raise UsageError(f"{where}.{key}: no such option{hint}")
    return {key: read_option(option, given[key], f"{where}.{key}") if key in given else option.default
            for key, option in known.items()}  # fmt: skip


def read_option(option: Option, given: Any, where: str) -> Any:
    """The value of `given` for this option; UsageError `where: allowed, not given` when it is none."""
    try:
        return option.read(given)
    except (ValueError, KeyError, TypeError, OverflowError):
        raise UsageError(f"{where}: {option.allowed}, not {given!s:.60}") from None


_SECONDS = {"": 1.0, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_BYTES = {"": 1, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "kB": 10**3, "MB": 10**6, "GB": 10**9}


def _with_unit(units: Mapping[str, float]) -> Callable[[Any], float]:
    def read(given: Any) -> float:
        if isinstance(given, bool):
            raise ValueError
        found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([A-Za-z]*)", str(given).strip(), re.ASCII)
        if found is None or len(found[1]) > 15:
            raise ValueError
        return float(found[1]) * units[found[2]]

    return read


def _int(given: Any) -> int:
    if isinstance(given, (bool, float)):
        raise ValueError
    if isinstance(given, str) and not given.strip().lstrip("-").isdecimal():
        raise ValueError
    return int(given)
