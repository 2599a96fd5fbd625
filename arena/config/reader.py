"""A config's tree to Settings: every problem of every section at once."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena import registry
from arena.config import keys
from arena.config.document import Node, Problems, load
from arena.config.events import read_event
from arena.config.settings import Gate, Settings, Until
from arena.config.values import choose, known_keys, options_of, the_same_name
from arena.model import Bot, Event, Json
from arena.players.bots import find_bot


def read_config(path: Path) -> Settings:
    """The tournament that this file describes.

    ConfigError with every problem as `path:line: key: what is allowed`; UsageError when there is no file.
    """
    problems = Problems(path)
    root = load(path, problems)
    top = known_keys(root, keys.TOP, problems)
    sections = {
        name: options_of(top.get(name), options, problems)
        for name, options in keys.sections().items()
        if name
    }
    single = {key: choose(top.get(key), option, problems) for key, option in keys.sections()[""].items()}
    if "name" not in top:
        problems.add(root, "name: missing; what is the tournament called?")
    name = choose(top.get("name"), keys.NAME, problems)
    warnings: list[str] = []
    events = _events(root, top, single["seed"], problems, warnings)
    events = _anchored(events, top.get("ratings"), sections["ratings"]["anchor"], problems)
    until = _until(top, sections, events, problems)
    problems.stop_if_any()
    events = tuple(_endless_only_with_a_rule(event, bool(until)) for event in events)
    return Settings(
        path=path, name=name, seed=single["seed"], events=events, until=until,
        disqualify_after=sections["faults"]["disqualify_after"], strict=sections["faults"]["strict"],
        rating_model=sections["ratings"]["model"], rank_by=sections["ratings"]["rank_by"],
        tier=sections["jail"]["tier"], executor=sections["executor"]["kind"],
        workers=sections["executor"]["workers"], title=sections["report"]["title"] or name,
        logs=sections["report"]["logs"], replays=sections["report"]["replays"],
        plain=_plain(name, single, sections, events, until), warnings=tuple(warnings),
    )  # fmt: skip


def _events(
    root: Node, top: Mapping[str, Node], seed: int, problems: Problems, warnings: list[str]
) -> tuple[Event, ...]:
    """One event for each of `events:`, or the one that the top of the config is."""
    shared = {key: node for key, node in top.items() if key in keys.EVENT}
    listed = top.get("events")
    if listed is None:
        events = [read_event(0, root, shared, seed, problems, warnings)]
        return tuple(event for event in events if event)
    if not isinstance(listed.value, list) or not listed.value:
        problems.add(listed, f"a list of events, each like {{game: peech}}, not {listed.said()}")
        return ()
    shared.pop("name", None)
    made: list[tuple[Node, Event]] = []
    for index, node in enumerate(listed.value):
        own = known_keys(node, keys.EVENT, problems)
        event = read_event(index, node, {**shared, **own}, seed, problems, warnings)
        twin = next((there for there, other in made if event and the_same_name(other.name, event.name)), None)
        if event and twin:
            problems.add(node, f"a second event called {event.name!r}; the first is in line {twin.line}")
        if event:
            made.append((node, event))
    return tuple(event for _, event in made)


def _anchored(
    events: tuple[Event, ...], node: Node | None, name: str | None, problems: Problems
) -> tuple[Event, ...]:
    """The events with `ratings.anchor` set on the bot of that name, in each event where it plays."""
    if name is None or node is None or not isinstance(node.value, dict):
        return events
    where = node.value["anchor"]
    if events and not any(the_same_name(bot.name, name) for event in events for bot in event.bots):
        problems.add(where, f"the name of a bot that takes part, not {name!r}")
    done = []
    for event in events:
        bots = tuple(
            replace(bot, anchor=True) if the_same_name(bot.name, name) else bot for bot in event.bots
        )
        if sum(bot.anchor for bot in bots) > 1:
            problems.add(where, f"{event.name} has another anchor among its bots; one is enough")
        done.append(replace(event, bots=bots))
    return tuple(done)


def _until(
    top: Mapping[str, Node],
    sections: Mapping[str, Mapping[str, Any]],
    events: tuple[Event, ...],
    problems: Problems,
) -> Until:
    gate_node = top.get("gate")
    if sections["until"]["winner"]:
        for event in events:
            if getattr(registry.formats.get(event.format), "needs_every_table", False):
                text = f"winner: it drops bots, and a {event.format} ({event.name}) needs every table"
                problems.add(top["until"], text)
    if gate_node is None:
        return Until(**sections["until"])
    gate = Gate(**sections["gate"])
    if gate.elo0 >= gate.elo1:
        problems.add(gate_node, f"elo0 must be below elo1, not {gate.elo0:g} and {gate.elo1:g}")
    for event in events:
        if len(event.bots) != 2:
            problems.add(gate_node, f"a gate is between two bots; {event.name} has {len(event.bots)}")
    return Until(**sections["until"], gate=gate)


def _endless_only_with_a_rule(event: Event, ruled: bool) -> Event:
    """`rounds: null` goes on for ever, which takes a stop rule; without one it means one round."""
    if ruled or event.format_options.get("rounds", 1) is not None:
        return event
    return replace(event, format_options={**event.format_options, "rounds": 1})


def _plain(
    name: str,
    single: Json,
    sections: Mapping[str, Mapping[str, Any]],
    events: tuple[Event, ...],
    until: Until,
) -> Json:
    """The config with every default filled in, as it is kept with the run."""
    plain: Json = {"name": name, **single, "events": [plain_event(event) for event in events]}
    plain |= {key: dict(value) for key, value in sections.items() if key not in ("limits", "gate", "until")}
    if until:
        plain["until"] = dict(sections["until"])
    if until.gate:
        plain["gate"] = dict(sections["gate"])
    return plain


def plain_event(event: Event) -> Json:
    """An event as it stands in a run's config.yaml."""
    return {
        "name": event.name,
        "game": {"name": event.game, "seats": event.seats, "options": dict(event.options)},
        "bots": [_plain_bot(bot) for bot in event.bots],
        "format": {"kind": event.format, **event.format_options},
        "limits": {**event.limits.as_json(), "python": event.limits.python},
        "common_deals": event.common_deals,
    }


def _plain_bot(bot: Bot) -> Json:
    """An entry that gives the same id and name again: the name is in it only where it was overridden."""
    own = find_bot(str(bot.source)) if (bot.source / "bot.yaml").is_file() or bot.source.is_file() else None
    plain: Json = {"path": str(bot.source)}
    if own is None or own.name != bot.name or not bot.id.startswith(own.id):
        plain["name"] = bot.name
    if bot.command and (own is None or own.command != bot.command):
        plain["command"] = list(bot.command)
    return plain | ({"anchor": True} if bot.anchor else {})
