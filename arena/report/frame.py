"""What all pages share: the title, the way around, the banner of a run that goes on."""

from arena import __version__
from arena.report import words
from arena.report.site import Frame, Link
from arena.report.summary import EventSummary, RunSummary

REFRESH = 30
"""Seconds after which a page of a running tournament reads itself again."""


def event_path(event: int, kind: str) -> str:
    return f"e{event}-{kind}.html"


def event_ways(event: EventSummary) -> tuple[Link, ...]:
    """The pages of one event beside its table, from the site's folder."""
    kinds = [("Head-to-head", "pairs"), ("Matches", "matches"), ("Fairness", "fairness")]
    if event.event.format in ("swiss", "knockout"):
        kinds.insert(0, ("Rounds", "rounds"))
    return tuple(Link(text, event_path(event.event.index, kind)) for text, kind in kinds)


def event_title(event: EventSummary) -> str:
    return words.plain(event.event.name) or words.game_name(event.event.game)


def make(
    run: RunSummary,
    title: str,
    here: str,
    event: EventSummary | None = None,
    root: str = "",
    still: bool = False,
) -> Frame:
    """The frame of the page at `here`, a path from the site's folder; `event` adds its pages to the links.

    A page that never changes is `still`: it neither reads itself again nor says that more is to come.
    """
    shown = event or (run.events[0] if len(run.events) == 1 else None)
    ways = [
        (
            "Standings",
            "index.html" if event is None or len(run.events) == 1 else f"index.html#e{event.event.index}",
        )
    ]
    if shown is not None:
        ways += [(way.text, way.href or "") for way in event_ways(shown)]
    ways.append(("How it was made", "made.html"))
    return Frame(
        title=title,
        run=words.plain(run.name),
        nav=tuple(Link(text, None if href == here else root + href) for text, href in ways),
        root=root,
        refresh=REFRESH if run.running and not still else None,
        banner="" if still else banner(run),
        footer=f"arena {run.meta.get('versions', {}).get('arena', __version__)}",
    )


def banner(run: RunSummary) -> str:
    """What is still missing, in words; empty for a run that is through."""
    if not run.running:
        return ""
    if not run.missing:
        return "This tournament is not through yet: more rounds may follow. Everything below may yet change."
    played = sum(event.tally.blocks for event in run.events)
    return (
        f"This tournament is not through yet: {words.count(run.missing, 'block')} of "
        f"{words.number(run.missing + played)} asked for so far are missing. Everything below may yet change."
    )
