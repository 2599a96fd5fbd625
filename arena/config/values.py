"""Small readers of nodes; each adds what is wrong to the problems and goes on with a default."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from arena.config.document import Node, Problems
from arena.errors import did_you_mean
from arena.options import Option


def known_keys(node: Node, known: Mapping[str, Any], problems: Problems) -> dict[str, Node]:
    """The keys of a mapping that are known; each other one is a problem that lists the known ones."""
    if not isinstance(node.value, dict):
        problems.add(node, f"a mapping of {', '.join(known)}, not {node.said()}")
        return {}
    for key, value in node.value.items():
        if key not in known:
            hint = did_you_mean(key, known) + f"; known: {', '.join(known) or 'none'}"
            problems.add(value, f"no such key{hint}")
    return {key: value for key, value in node.value.items() if key in known}


def choose(node: Node | None, option: Option, problems: Problems) -> Any:
    """The value of this node for this option, or the option's default."""
    if node is None:
        return option.default
    try:
        return option.read(node.plain())
    except (ValueError, KeyError, TypeError, OverflowError, AttributeError):
        problems.add(node, f"{option.allowed}, not {node.said()}")
        return option.default


def options_of(node: Node | None, known: Mapping[str, Option], problems: Problems) -> dict[str, Any]:
    """Every known option with its value, from a mapping that may be missing or empty."""
    found = {} if node is None or node.value is None else known_keys(node, known, problems)
    return {key: choose(found.get(key), option, problems) for key, option in known.items()}


def the_same_name(one: str, other: str) -> bool:
    """Whether people would take the two for one: equal after compatibility forms and case are folded."""
    return fold(one) == fold(other)


def fold(name: str) -> str:
    """A name as it is compared."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()
