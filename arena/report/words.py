"""Numbers and names as people read them: no `nan`, no `-0`, nothing that could leave its line."""

import unicodedata
from collections.abc import Sequence
from math import isfinite

from arena.standings.estimates import Estimate

MINUS = "\N{MINUS SIGN}"
NONE = "\N{EN DASH}"


def number(value: float | None, digits: int = 0) -> str:
    """A decimal number with a real minus sign and thin spaces between thousands; a dash for None."""
    if value is None or not isfinite(value):
        return NONE
    text = f"{abs(value):,.{digits}f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    return MINUS + text if value < 0 and text.strip("0.") else text


def signed(value: float | None, digits: int = 0) -> str:
    """The same with a plus sign for what is above zero."""
    text = number(value, digits)
    return text if text[0] in MINUS + NONE or not text.strip("0.") else "+" + text


def give_or_take(value: float | None, half_width: float | None, digits: int = 0) -> str:
    """`84 ± 31`; the value alone where there is no interval."""
    if value is None or half_width is None or not isfinite(half_width):
        return number(value, digits)
    return f"{number(value, digits)} ± {number(half_width, digits)}"


def estimate(known: Estimate | None, digits: int = 0, times: float = 1.0) -> str:
    """A mean with half its 95 % interval."""
    if known is None:
        return NONE
    half = None if known.half_width is None else times * known.half_width
    return give_or_take(times * known.value, half, digits)


def percent(share: float | None, digits: int = 0) -> str:
    """A share as `73 %`; one that is neither sure nor impossible never reads so."""
    if share is None or not isfinite(share):
        return NONE
    text = f"{100 * share:.{digits}f}"
    least = 10.0**-digits
    if share < 1 and float(text) == 100:
        return f"> {100 - least:.{digits}f}\N{NARROW NO-BREAK SPACE}%"
    if share > 0 and float(text) == 0:
        return f"< {least:.{digits}f}\N{NARROW NO-BREAK SPACE}%"
    return text + "\N{NARROW NO-BREAK SPACE}%"


def likelihood(share: float | None) -> str:
    """A likelihood that rests on results: never quite 0 or 1."""
    if share is None:
        return NONE
    return percent(min(1 - 1e-9, max(1e-9, share)), 1 if share > 0.99 else 0)


def milliseconds(value: float | None) -> str:
    """A time with two or three significant digits: `0.04 ms`, `12 ms`, `1.30 s`."""
    if value is None or not isfinite(value):
        return NONE
    if 0 < value < 0.005:
        return "< 0.01 ms"
    if value >= 999.5:
        return f"{value / 1000:.2f} s"
    return f"{value:.0f} ms" if value >= 9.95 else f"{value:.2f} ms"


def count(value: int, noun: str, plural: str = "") -> str:
    """`1 match`, `2 matches`."""
    return f"{number(value)} {noun if value == 1 else plural or noun + 's'}"


def span(low: int, high: int) -> str:
    """`3`, `1–4`, or `−3 to 1`."""
    if low == high:
        return number(low)
    return f"{number(low)}–{number(high)}" if low >= 0 else f"{number(low)} to {number(high)}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def plain(text: str) -> str:
    """A name fit to be shown: control characters and lone surrogates as replacement characters."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(letter) in ("Cc", "Cs") else letter
        for letter in text
    )


def game_name(name: str) -> str:
    """A game's name in words."""
    return {
        "pecking_order": "Pecking Order",
        "peech": "Peech",
        "rat_deau": "Rat d\N{RIGHT SINGLE QUOTATION MARK}eau",
    }.get(name, name.replace("_", " ").capitalize())
