"""How it was made: the resolved config, seeds, versions, machine, and how to run and verify it again."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena.report import frame, words
from arena.report.site import Page
from arena.report.summary import RunSummary

_ELSEWHERE = ("config", "finished", "jail", "name", "report", "sandbox")


@dataclass(frozen=True, slots=True)
class MadePage:
    config: str
    facts: tuple[tuple[str, str], ...]
    commands: tuple[tuple[str, str], ...]
    bots: tuple[tuple[str, str, str], ...]
    """Event, bot and the SHA-256 of its source."""
    notes: tuple[str, ...]


def pages(run: RunSummary) -> Iterator[Page]:
    yield Page("made.html", "made.html.j2", frame.make(run, "How it was made", "made.html"), view_of(run))


def view_of(run: RunSummary) -> MadePage:
    path = run.folder / "config.yaml"
    config = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    return MadePage(
        config=config,
        facts=tuple(facts(run.meta)),
        commands=(
            ("Run it again", "arena run config.yaml --new"),
            (
                "Replay every match through the rules and recompute the tables",
                f"arena verify {run.folder.name}",
            ),
            ("Print every record", f"arena export {run.folder.name} --records"),
            ("Step through one match", f"arena replay {run.folder.name} MATCH"),
        ),
        bots=tuple(
            (frame.event_title(event), words.plain(bot.name), bot.digest)
            for event in run.events
            for bot in sorted(event.event.bots, key=lambda each: each.id)
        ),
        notes=tuple(words.plain(note) for note in run.notes),
    )


def facts(meta: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every entry of the run's own facts that says something, nested ones with their path.

    What has a place of its own in the report is left out.
    """
    for key, value in meta.items():
        if value is None or (not prefix and key in _ELSEWHERE):
            continue
        name = f"{prefix}{key.removesuffix('_ms').replace('_', ' ')}"
        if isinstance(value, dict):
            yield from facts(value, f"{name}: ")
        elif key.endswith("_ms") and isinstance(value, (int, float)):
            yield name, words.milliseconds(value)
        else:
            yield (
                name,
                words.plain(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)),
            )
