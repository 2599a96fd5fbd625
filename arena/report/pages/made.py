"""How it was made: the resolved config, seeds, versions, machine, and how to run and verify it again."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena.report import frame, words
from arena.report.site import Page
from arena.report.summary import RunSummary


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
    """Every entry of the run's own facts, nested ones with their path; the config is shown apart."""
    for key, value in meta.items():
        name = f"{prefix}{key.replace('_', ' ')}"
        if key in ("config", "sandbox", "jail") and not prefix:
            continue
        if isinstance(value, dict):
            yield from facts(value, f"{name}: ")
        else:
            yield (
                name,
                words.plain(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)),
            )
