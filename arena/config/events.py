"""One event of a config: game, bots, format and limits, options typed by the plug-ins themselves."""

from collections.abc import Mapping
from random import Random
from typing import Any

from arena import registry
from arena.config import keys
from arena.config.bots import read_bots
from arena.config.document import Node, Problems
from arena.config.values import choose, known_keys, options_of
from arena.errors import UsageError
from arena.model import Event, Limits
from arena.options import whole


def read_event(
    index: int, node: Node, given: Mapping[str, Node], seed: int, problems: Problems, warnings: list[str]
) -> Event | None:
    """The event of these keys, or None when so much is wrong that nothing more can be said of it.

    `node` is where the event stands, for what is missing; `given` holds its own keys and the top's defaults.
    """
    for key in ("game", "bots"):
        if key not in given:
            problems.add(node, f"{key}: missing; {keys.EVENT[key]}")
    game = _plug_in(given.get("game"), registry.games, "name", problems)
    format_ = _plug_in(given.get("format"), registry.formats, keys.FORMAT_KIND, problems, "round_robin")
    limits = _limits(given.get("limits"), problems)
    bots = read_bots(given["bots"], game and game[0], problems) if "bots" in given else ()
    common = choose(given.get("common_deals"), keys.COMMON_DEALS, problems)
    seats, options = _game_options(game, given.get("game"), problems) if game else (0, {})
    format_options = _format_options(format_, given.get("format"), problems) if format_ else {}
    if not (game and format_ and bots and seats):
        return None
    name = choose(given.get("name"), keys.NAME, problems) or game[0].replace("_", " ").capitalize()
    event = Event(
        index=index, name=name, game=game[0], seats=seats, options=options, bots=bots, format=format_[0],
        format_options=format_options, limits=limits, seed=seed, common_deals=common,
    )  # fmt: skip
    refusals, cautions = format_[1].check(event)
    where = given.get("format", node)
    for text in refusals:
        problems.add(where, text)
    warnings += [f"{problems.path}:{where.line}: {event.name}: {text}" for text in cautions]
    return event


def _plug_in(
    node: Node | None, kind: registry.Kind, key: str, problems: Problems, default: str | None = None
) -> tuple[str, Any] | None:
    """The name and the plug-in that a scalar or the mapping's `key` names."""
    name_node = node
    if node is not None and isinstance(node.value, dict):
        name_node = node.value.get(key)
        if name_node is None and default is None:
            problems.add(node, f"{key}: missing; one of {', '.join(kind)}")
            return None
    if name_node is None:
        return (default, kind.get(default)) if default else None
    if not isinstance(name_node.value, str):
        problems.add(name_node, f"one of {', '.join(kind)}, not {name_node.said()}")
        return None
    try:
        return name_node.value, kind.get(name_node.value)
    except UsageError as error:
        problems.add(name_node, str(error))
        return None


def _game_options(game: tuple[str, Any], node: Node | None, problems: Problems) -> tuple[int, dict[str, Any]]:
    """Table size and options, checked together by setting up one table; a size of 0 says that it failed."""
    rules = game[1]
    low, high = min(rules.seats), max(rules.seats)
    found = known_keys(node, keys.GAME, problems) if node and isinstance(node.value, dict) else {}
    seats = choose(found.get("seats"), whole(high, low=low, high=high), problems)
    before = len(problems.found)
    options = options_of(found.get("options"), rules.options, problems)
    if len(problems.found) == before and node:
        try:
            rules.start(seats, Random(0), options)
        except UsageError as error:
            problems.add(found.get("options", node), str(error))
    return seats, options


def _format_options(format_: tuple[str, Any], node: Node | None, problems: Problems) -> dict[str, Any]:
    if node is None or not isinstance(node.value, dict):
        return options_of(None, format_[1].options, problems)
    own = known_keys(node, {keys.FORMAT_KIND: None, **format_[1].options}, problems)
    return {key: choose(own.get(key), option, problems) for key, option in format_[1].options.items()}


def _limits(node: Node | None, problems: Problems) -> Limits:
    """The limits with the interpreter's path made absolute; it is relative to the config file."""
    limits = Limits(**options_of(node, keys.sections()["limits"], problems))
    if limits.python is None or node is None or not isinstance(node.value, dict):
        return limits
    path = (problems.path.parent / limits.python).absolute()
    if not path.exists():
        problems.add(
            node.value["python"], f"an interpreter or a virtual environment, and {path} is not there"
        )
    fields = {name: getattr(limits, name) for name in Limits.__dataclass_fields__}
    return Limits(**{**fields, "python": str(path)})
