"""What the store says of its settings and bots, against the run's config.yaml and the bots' snapshots."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import yaml

from arena.config import plain_event
from arena.errors import UsageError
from arena.model import Bot, Event, Json
from arena.players.bots import digest_of
from arena.store import Store
from arena.verify.words import difference, one_line


def config_mismatches(store: Store) -> Iterator[str]:
    """Seeds, games, options, limits and formats of each event, in config.yaml and in the store."""
    path, seed, events = store.folder / "config.yaml", store.meta.get("seed"), store.events()
    for event in events:
        if event.seed != seed:
            yield f"event {event.index}: seed: {event.seed}, the run's is {seed}"
    try:
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
        written = {
            "seed": config["seed"],
            "events": [{**event, "bots": len(event["bots"])} for event in config["events"]],
        }
    except OSError as error:
        yield f"{path.name}: {error.strerror}"
    except (yaml.YAMLError, LookupError, TypeError, ValueError) as error:
        yield f"{path.name}: cannot be read: {one_line(error)}"
    else:
        stored = {"seed": seed, "events": [_stored(event) for event in events]}
        if written != stored:
            yield f"{path.name}: {difference(written, stored, 'the store has')}"


def _stored(event: Event) -> Json:
    """The same form; of bots how many, as the config names submissions and the store their snapshots."""
    return {**plain_event(replace(event, bots=())), "bots": len(event.bots)}


def _snapshot(bot: Bot) -> Path:
    """What was entered; a bot with a build command is played from what came of that."""
    source = bot.source
    return source.parents[2] / "bots" / bot.digest / source.name if bot.build else source


def bot_mismatches(event: Event) -> Iterator[str]:
    """The snapshots that played, against the hashes under which they were entered."""
    for bot in event.bots:
        try:
            digest = digest_of(_snapshot(bot))
        except UsageError as error:
            yield f"event {event.index}: {bot.id}: {error}"
        except OSError as error:
            yield f"event {event.index}: {bot.id}: {bot.source}: {error.strerror}"
        else:
            if digest != bot.digest:
                found = f"sha256 {digest[:16]}, entered was {bot.digest[:16]}"
                yield f"event {event.index}: {bot.id}: its snapshot has {found}"
