"""Writes the report of a run: `RUN/site/`, one folder of static pages and the data beside them."""

import csv
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from jinja2 import Environment

from arena import __version__
from arena.formats.swiss import event_trf
from arena.model import Record
from arena.report import exports, frame, replay, words
from arena.report.pages import PAGES, match
from arena.report.site import (
    Frame,
    Page,
    bot_path,
    environment,
    inline,
    match_path,
    render,
    stamp,
    trf_path,
    write,
    write_static,
)
from arena.report.summary import EventSummary, RunSummary, read_run
from arena.store import Store


def write_report(run_folder: Path) -> Path:
    """Write the report of the run in this folder and return its first page, `RUN/site/index.html`.

    Every file is replaced at once, so a reader may look on while a run goes on. Replays are made only once,
    for a record never changes. UsageError when it is no run folder.
    """
    Store.open(run_folder).close()  # before anything is written
    site = run_folder / "site"
    site.mkdir(parents=True, exist_ok=True)
    fresh = site / f".matches.csv.{os.getpid()}"
    try:
        with fresh.open("w", encoding="utf-8", errors="replace", newline="\n") as lines:
            table = csv.writer(lines, lineterminator="\n")
            table.writerow(exports.MATCH_COLUMNS)
            run = read_run(run_folder, each=lambda record: table.writerows(exports.match_rows(record)))
        os.replace(fresh, site / "matches.csv")
    finally:
        fresh.unlink(missing_ok=True)
    env = environment()
    write_static(site)
    write(site / "standings.csv", exports.standings_csv(run))
    write(site / "results.json", exports.results_json(run))
    for event in run.events:
        if event.event.format == "swiss" and event.event.seats == 2:
            write(site / trf_path(event.event.index), event_trf(event.event, event.played))
    _write_replays(site, env, run)
    for pages in PAGES.values():
        for page in pages(run):
            write(site / page.path, render(env, page))
    return site / "index.html"


def _write_replays(site: Path, env: Environment, run: RunSummary) -> None:
    """The replays that are chosen and not yet there; all of them again after a change of templates."""
    mark, made_by = site / "match" / ".made-by", f"{stamp()} {run.name}\n"
    kept = mark.is_file() and mark.read_text(encoding="utf-8", errors="replace") == made_by
    with Store.open(run.folder) as store:
        for event in run.events:
            for record in _chosen(store, run, event):
                if kept and (site / match_path(record.match)).exists():
                    continue
                for page in replay_pages(run, event, record):
                    write(site / page.path, render(env, page))
    if not kept:
        write(mark, made_by)


def _chosen(store: Store, run: RunSummary, event: EventSummary) -> Iterator[Record]:
    if run.replays is None:
        yield from store.records(event.event.index)
    else:
        for match_id in sorted(m for m in run.replays if m.event == event.event.index):
            yield store.record(match_id)


def replay_pages(run: RunSummary, event: EventSummary, record: Record) -> Iterator[Page]:
    """One match as each seat and, last, the judge saw it: the judge's page tells that all are there."""
    links: dict[str, str | None] = {bot: "../" + bot_path(event.event.index, bot) for bot in record.seats}
    moments = replay.play(record)
    for seat in (*range(len(record.seats)), None):
        path = match_path(record.match, seat)
        view = match.view_of(record, event.tally.names, links, seat, moments)
        around = frame.make(run, f"{record.match} · {view.title}", path, event, root="../", still=True)
        yield Page(path, "match.html.j2", replace(around, scripts=("arena.js", "replay.js")), view)


def write_replay(run_folder: Path, record: Record, seat: int | None, path: Path) -> Path:
    """Write one match, as the judge (None) or a seat saw it, as a single HTML file that needs no other."""
    with Store.open(run_folder) as store:
        name = words.plain(str(store.meta.get("name") or run_folder.name))
        bots = {bot.id: words.plain(bot.name) for bot in store.events()[record.match.event].bots}
    view = match.view_of(record, bots, dict.fromkeys(record.seats), seat)
    view = replace(view, views=tuple(point for point in view.views if point.href is None))
    around = Frame(f"{record.match} · {view.title}", name, (), footer=f"arena {__version__}",
                   inline=inline("arena.js", "replay.js"))  # fmt: skip
    write(path, render(environment(), Page(path.name, "match.html.j2", around, view)))
    return path
