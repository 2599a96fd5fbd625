"""View-models from real runs, and the files that come of them."""

import csv
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from support.runs import Choice, event_of, failing, first_legal, last_legal, run_on_disk

from arena.errors import UsageError
from arena.model import Event, FaultKind, MatchId
from arena.options import settle
from arena.registry import formats
from arena.report import exports, plots, write_report
from arena.report.pages import bot, fairness, index, made, matches, pairs, rounds
from arena.report.single import write_single_file
from arena.report.site import island, match_path, slug
from arena.report.summary import RunSummary, read_run

BOTS = [("ada", "Ada"), ("ben", "Ben"), ("cy", "Cy")]


def summary(
    folder: Path, event: Event, deals: int, choices: dict[str, Choice] | None = None, **meta: object
) -> RunSummary:
    return read_run(run_on_disk(folder / "run", [(event, deals)], choices or {}, **meta))


def said(run: RunSummary, at: int = 0) -> str:
    told = index.event_table(run, run.events[at]).verdict
    return " ".join("".join(piece.text for piece in part) for part in (told.headline, told.detail) if part)


class _Tags(HTMLParser):
    """Every tag, and every attribute that could lead somewhere or run something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ways: list[str] = []
        self.handlers: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for key, value in attrs:
            if key in ("href", "src", "action"):
                self.ways.append(value or "")
            if key.startswith("on") or key == "style":
                self.handlers.append(key)
            if key == "id":
                self.ids.append(value or "")


@cache
def parsed(path: Path) -> _Tags:
    tags = _Tags()
    tags.feed(path.read_text(encoding="utf-8"))
    return tags


# The verdict


def test_a_real_lead_is_called_real(tmp_path: Path) -> None:
    event = event_of("rat_deau", BOTS)
    lost = failing(FaultKind.CRASH, "boom", 0.9)
    run = summary(tmp_path, event, 8, {"ben": lost, "cy": lost})
    assert said(run).startswith("Ada won. Its lead over ")
    assert " is real: +" in said(run)
    assert index.event_table(run, run.events[0]).verdict.real is True


def test_an_even_field_is_called_open(tmp_path: Path) -> None:
    run = summary(tmp_path, event_of("rat_deau", BOTS[:2]), 3, {})
    verdict = index.event_table(run, run.events[0]).verdict
    assert verdict.real is False
    assert "leaves room for the reverse" in said(run) or "share first place" in said(run)


def test_copies_of_one_bot_share_the_first_place(tmp_path: Path) -> None:
    run = summary(tmp_path, event_of("rat_deau", BOTS), 3, dict.fromkeys(("ada", "ben", "cy"), first_legal))
    assert said(run) == "Ada, Ben and Cy share first place. Nothing in their results tells them apart."
    assert [row.rank for row in index.event_table(run, run.events[0]).rows] == ["1", "1", "1"]


def test_a_run_that_goes_on_says_who_leads_and_what_is_missing(tmp_path: Path) -> None:
    event = event_of("rat_deau", BOTS)
    run = summary(tmp_path, event, 4, {"ada": failing(FaultKind.CRASH, "x", 1.0)}, stop_after=5)
    assert " leads." in said(run)
    (page,) = index.pages(run)
    assert "7 blocks of 12 asked for so far are missing" in page.frame.banner
    assert page.frame.refresh
    (page,) = index.pages(summary(tmp_path / "whole", event, 1))
    assert page.frame.banner == ""
    assert page.frame.refresh is None


def test_an_empty_run_has_all_its_pages(tmp_path: Path) -> None:
    folder = run_on_disk(tmp_path / "run", [(event_of("rat_deau", BOTS), 0)], {})
    site = write_report(folder).parent
    assert "No match has been played yet." in (site / "index.html").read_text(encoding="utf-8")
    assert len(list(site.glob("*.html"))) == 1 + 3 + 3 + 1


def test_one_bot_alone(tmp_path: Path) -> None:
    run = summary(tmp_path, event_of("rat_deau", BOTS[:1]), 2)
    assert said(run) == "No match has been played yet."
    write_report(run.folder)


def test_a_run_without_events_and_a_folder_that_is_none(tmp_path: Path) -> None:
    write_report(run_on_disk(tmp_path / "run", [], {}))
    with pytest.raises(UsageError, match="not a run folder"):
        write_report(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


# What the pages say


def test_the_table_counts_what_was_played(rich_run: Path) -> None:
    run = read_run(rich_run)
    for event in run.events:
        seats = event.event.seats
        assert sum(s.tally.matches for s in event.table) == event.tally.matches * seats
        for standing in event.table:
            assert sum(standing.placed(n) for n in range(1, seats + 1)) == standing.tally.matches
            assert sum(standing.tally.scores.values()) == standing.tally.matches - standing.row.left_out
            assert sum(seat.matches for seat in standing.tally.seats.values()) == standing.tally.matches
        faulty = {line.match for line in event.tally.lines if any(line.faults)}
        assert event.tally.faulty == len(faulty) > 0


def test_the_forest_fits_its_scale(rich_run: Path) -> None:
    run = read_run(rich_run)
    for event in run.events:
        table = index.event_table(run, event)
        assert 2 <= len(table.scale.marks) <= 7
        for row in table.rows:
            assert 0 < row.interval.low <= row.interval.point <= row.interval.high < plots.FOREST_WIDTH


@pytest.mark.parametrize("width", [0.001, 1, 99.5, 350, 2000, 123456])
def test_any_spread_of_ratings_gets_a_few_marks(width: float) -> None:
    step = plots._step(width)
    assert width / step <= 4
    assert step <= 1 or width / step > 1.5


def test_head_to_head_agrees_with_itself(rich_run: Path) -> None:
    view = pairs.view_of(read_run(rich_run).events[0])
    for i, row in enumerate(view.rows):
        assert row.cells[i] is None
        for j, cell in enumerate(row.cells):
            mirror = view.rows[j].cells[i]
            if cell is not None and mirror is not None:
                assert int(cell.value) + int(mirror.value) in (99, 100, 101)
                assert cell.shade == -mirror.shade
                assert cell.matches == mirror.matches
                assert cell.sure == mirror.sure


def test_a_bots_page_has_its_faults_with_a_way_to_the_decision(rich_run: Path) -> None:
    run = read_run(rich_run)
    standing = next(s for s in run.events[0].table if s.bot.id == "po-2")
    view = bot.view_of(run, run.events[0], standing)
    assert view.faults
    fault = view.faults[0]
    assert fault.kind == "crash"
    assert fault.detail == "ValueError: </script><b>'&\""
    assert fault.match.href
    assert fault.asked.startswith(("place: one of ", "look: one of "))
    assert bot.view_of(run, run.events[0], standing).faults[-1].log == ""
    path, _, anchor = fault.match.href.partition("#")
    assert anchor in parsed(rich_run / "site" / path).ids
    assert {name for name, _ in view.notable} <= {"Best", "Worst", "Closest"}
    assert len(view.opponents) == 5


def test_logs_are_shown_only_when_they_are_public(tmp_path: Path) -> None:
    choices = {"ben": failing(FaultKind.CRASH, "boom", 0.5)}
    for logs in ("public", "private"):
        folder = run_on_disk(
            tmp_path / logs, [(event_of("rat_deau", BOTS[:2]), 2)], choices, report={"logs": logs}
        )
        log = folder / "private" / "logs" / "ben" / "e0-r1-t0-d0-s0.log"
        log.parent.mkdir(parents=True)
        log.write_bytes(b"Traceback: </pre><script>\x1b[0m \xff secret\n")
        site = write_report(folder).parent
        text = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.html"))
        assert ("secret" in text) == (logs == "public")
        assert "</pre><script>" not in text


def test_notable_matches_are_the_extreme_ones(rich_run: Path) -> None:
    tally = next(s for s in read_run(rich_run).events[1].table if s.bot.id == "pe-0").tally
    clean = [(line, seat) for line, seat in tally.lines if not any(line.faults)]
    margins = [
        min(x for i, x in enumerate(line.scores) if i != seat) - line.scores[seat] for line, seat in clean
    ]
    assert -tally.best[0][0] == max(margins)
    assert tally.worst[0][0] == min(margins)
    assert tally.closest[0][0] == min(map(abs, margins))


def test_fairness_says_what_held_and_what_was_left_out(rich_run: Path) -> None:
    run = read_run(rich_run)
    view = fairness.view_of(run, run.events[0])
    assert view.tier == "A"
    assert not view.weaker
    assert ("no network", "holds") in view.guarantees
    assert view.meetings == "Every two bots met in 6 matches."
    assert sum(int(number) for _, number in view.faults) > 0
    assert [seat.seat for seat in view.seats] == ["Seat 0", "Seat 1"]


def test_a_weaker_tier_is_marked(tmp_path: Path) -> None:
    sandbox = {"tier": "C", "guarantees": {"no files of the host": False}}
    folder = run_on_disk(tmp_path / "run", [(event_of("rat_deau", BOTS), 1)], {}, sandbox=sandbox)
    write_report(folder)
    text = (folder / "site" / "e0-fairness.html").read_text(encoding="utf-8")
    assert "Weaker tier C." in text
    assert "does not hold" in text


def test_how_it_was_made_shows_the_config_and_every_source(rich_run: Path) -> None:
    view = made.view_of(read_run(rich_run))
    assert "</pre><script>" in view.config
    assert len(view.bots) == 15
    assert ("versions: arena", "0.1.0") in view.facts


def test_matches_list_every_match_with_its_replay(rich_run: Path) -> None:
    run = read_run(rich_run)
    view = matches.view_of(run, run.events[2])
    assert len(view.rows) == run.events[2].tally.matches
    assert all((rich_run / "site" / row.href).is_file() for row in view.rows if row.href)
    assert view.reasons[0][2] == "all tables are played"


# The files


def test_every_link_leads_to_a_file_and_nothing_leaves_the_folder(rich_run: Path) -> None:
    site = rich_run / "site"
    some = [*site.glob("*.html"), *sorted((site / "match").glob("*.html"))[::29]]
    for path in some:
        tags = parsed(path)
        assert not tags.handlers, path
        assert len(tags.ids) == len(set(tags.ids)), path
        assert "img" not in tags.tags
        for way in tags.ways:
            target, _, anchor = way.partition("#")
            if way == "data:,":
                continue
            assert not re.match(r"[a-z]+:|//|/", target), (path, way)
            found = (path.parent / target).resolve() if target else path
            assert found.is_file(), (path, way)
            assert found.is_relative_to(site.resolve()) or found == path
            if anchor and found.suffix == ".html" and not anchor.startswith("after-"):
                assert anchor in parsed(found).ids, (path, way)


def test_hostile_names_stay_text(rich_run: Path) -> None:
    for path in (rich_run / "site").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "<img" not in text
        assert "<svg onload" not in text
        assert "</script><" not in text.replace("</script></body>", "").replace("</script>\n", "")
    names = [path.name for path in (rich_run / "site").rglob("*")]
    assert all(re.fullmatch(r"[a-z0-9._-]+", name) for name in names)


def test_no_number_is_missing_or_endless(rich_run: Path) -> None:
    for path in (rich_run / "site").rglob("*"):
        if path.suffix in (".html", ".csv", ".json") and path.parent.name == "site":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"\b(nan|NaN|inf|Infinity|undefined)\b|\bNone\b(?!\.)", text), path


def test_standings_csv_is_one_file_with_all_events_and_no_time(rich_run: Path) -> None:
    rows = list(csv.DictReader(StringIO((rich_run / "site" / "standings.csv").read_text(encoding="utf-8"))))
    assert len(rows) == 15
    assert {row["event"] for row in rows} == {"Pecking Order", "Peech", "Rat d'eau <b>"}
    assert not [key for key in rows[0] if "ms" in key.split("_")]
    assert rows[0]["rank"] == "1"
    assert float(rows[0]["rating"]) > float(rows[1]["rating"])


def test_matches_csv_has_a_line_a_seat_and_no_formula(rich_run: Path, tmp_path: Path) -> None:
    rows = list(csv.DictReader(StringIO((rich_run / "site" / "matches.csv").read_text(encoding="utf-8"))))
    run = read_run(rich_run)
    assert len(rows) == sum(event.tally.matches * event.event.seats for event in run.events)
    assert {"match", "block", "bot", "place", "score"} <= set(rows[0])
    assert rows[0]["match"].startswith(rows[0]["block"])
    for text in ("=1+1", "+1", "-1", "@x", "\tx", "\rx"):
        assert next(csv.reader([exports.csv_line([text])]))[0][:1] == "'"
    assert exports.csv_line([-1.5, None, "a,b"]) == '-1.5,,"a,b"\n'


def test_results_json_holds_the_tables(rich_run: Path) -> None:
    document = json.loads((rich_run / "site" / "results.json").read_text(encoding="utf-8"))
    assert [len(event["standings"]) for event in document["events"]] == [6, 5, 4]
    assert document["finished"] is True


def test_written_again_everything_is_the_same(rich_run: Path) -> None:
    site = rich_run / "site"
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    replay = site / match_path(MatchId(0, 1, 0, 0, 0))
    made_at = replay.stat().st_mtime_ns
    write_report(rich_run)
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before
    assert replay.stat().st_mtime_ns == made_at, "a replay never changes"


@pytest.mark.parametrize(("mode", "some"), [("none", 0), ("faults", 1), ("sample", 2), ("all", 3)])
def test_replays_are_written_as_asked(tmp_path: Path, mode: str, some: int) -> None:
    choices = {"ben": failing(FaultKind.TIMEOUT, "no answer", 0.05)}
    folder = run_on_disk(
        tmp_path / "run", [(event_of("rat_deau", BOTS), 12)], choices, report={"replays": mode}
    )
    write_report(folder)
    run = read_run(folder)
    written = {path.stem for path in (folder / "site" / "match").glob("*.html") if "seat" not in path.stem}
    faulty = {str(line.match) for line in run.events[0].tally.lines if any(line.faults)}
    assert 0 < len(faulty) < 72
    expected = {0: len(written) == 0, 1: written == faulty, 2: 10 < len(written) < 72, 3: len(written) == 72}
    assert expected[some]


def test_file_names_and_data_are_safe_for_any_text() -> None:
    assert slug("greedy_2") == "greedy_2"
    assert re.fullmatch(r"x-[0-9a-f]{16}", slug("../../etc/passwd"))
    assert re.fullmatch(r"x-[0-9a-f]{16}", slug("\ud800"))
    text = island({"a": "</script><!-- & \u2028 \ud800"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"a": "</script><!-- & \u2028 \ud800"}


def test_a_seats_match_page_keeps_others_answers(rich_run: Path) -> None:
    run = read_run(rich_run)
    line = next(line for line in run.events[0].tally.lines if any(line.faults))
    seat = next(seat for seat, fault in enumerate(line.faults) if fault)
    for viewer in (0, 1):
        text = (rich_run / "site" / match_path(line.match, viewer)).read_text(encoding="utf-8")
        assert ("ValueError" in text) == (viewer == seat)


# Formats with rounds


def with_format(event: Event, kind: str, **options: object) -> Event:
    settled = settle(formats.get(kind).options, {key: str(value) for key, value in options.items()})
    return replace(event, format=kind, format_options=settled)


MANY = [(f"bot-{i}", f"Bot {i}") for i in range(7)]


def test_a_swiss_is_ranked_by_points_and_tie_breaks_and_tells_its_rounds(tmp_path: Path) -> None:
    event = with_format(event_of("rat_deau", MANY, 3), "swiss", rounds=3, deals=1)
    run = summary(tmp_path, event, 0, {"bot-0": last_legal})
    table = index.event_table(run, run.events[0])
    assert table.totals == "Round points"
    assert table.tie_breaks == ("Opponents’ points", "Score margin")
    keys = [(-row.total_key, *(-float(value) for value in row.tie_breaks)) for row in table.rows]
    assert keys == sorted(keys)
    view = rounds.view_of(run.events[0])
    assert [r.title for r in view.rounds] == ["Round 3", "Round 2", "Round 1"]
    for r in view.rounds:
        assert len(r.tables) == 2
        assert len(r.byes) == 1
        assert all(t.reason for t in r.tables)
        for t in r.tables:
            assert sum(float(sitter.points) for sitter in t.sitters) == pytest.approx(150, abs=0.2)
            assert any(sitter.on for sitter in t.sitters)
    write_report(run.folder)


def test_a_knockout_is_a_bracket_and_its_winner_is_first(tmp_path: Path) -> None:
    event = with_format(event_of("rat_deau", MANY, 2), "knockout", deals=2)
    run = summary(tmp_path, event, 0, {"bot-3": last_legal})
    view = rounds.view_of(run.events[0])
    assert [stage.title for stage in view.bracket] == ["Last 7", "Last 4", "Final"]
    (final,) = view.bracket[-1].tables
    (winner,) = [sitter.bot.text for sitter in final.sitters if sitter.on]
    table = index.event_table(run, run.events[0])
    assert table.rows[0].bot.text == winner
    assert table.totals == "Stages won"
    assert [row.rank for row in table.rows][:2] == ["1", "2"]
    assert said(run).startswith(f"{winner} won.")
    write_report(run.folder)


def test_bots_of_several_events_get_an_overall_table(tmp_path: Path) -> None:
    two = [(event_of("rat_deau", BOTS, 2, 0, "Duel"), 3), (event_of("rat_deau", BOTS, 3, 1, "Trio"), 3)]
    run = read_run(run_on_disk(tmp_path / "run", two, {"cy": last_legal}))
    (page,) = index.pages(run)
    lines = page.view.overall
    assert [line.rank for line in lines] == ["1", "2", "3"]
    points: dict[str, list[float]] = {s.bot.id: [] for s in run.events[0].table}
    for event in run.events:
        for standing in event.table:
            points[standing.bot.id].append(standing.row.share.value)
    means = sorted((round(sum(each) / 2, 9) for each in points.values()), reverse=True)
    assert [line.points_key for line in lines] == means
    assert sum(line.standard_key for line in lines) == pytest.approx(0, abs=1e-6)
    (page,) = index.pages(read_run(run_on_disk(tmp_path / "one", two[:1], {})))
    assert page.view.overall == ()


def test_a_rating_has_a_course_that_ends_at_the_table(rich_run: Path) -> None:
    event = read_run(rich_run).events[0]
    for standing in event.table:
        points = event.course[standing.bot.id]
        assert [p.matches for p in points] == sorted({p.matches for p in points})
        assert points[-1].matches == event.tally.matches
        assert points[-1].rating == standing.rating.rating
        assert points[-1].half_width == standing.rating.half_width
        assert points[0].half_width > points[-1].half_width
        drawn = plots.course_of(points)
        assert drawn
        assert all(0 <= x <= 560 and 0 <= y <= 176 for x, y in drawn.dots)
        assert 1 <= len(drawn.marks) <= 8
    assert plots.course_of(points[:2]) is None


def test_a_two_seat_swiss_has_its_tournament_report_file(tmp_path: Path) -> None:
    event = with_format(event_of("rat_deau", MANY, 2), "swiss", rounds=2, deals=1)
    folder = run_on_disk(tmp_path / "run", [(event, 0)], {})
    site = write_report(folder).parent
    assert 'href="e0.trf"' in (site / "index.html").read_text(encoding="utf-8")
    assert (
        len(
            [line for line in (site / "e0.trf").read_text(encoding="utf-8").splitlines() if line[:3] == "001"]
        )
        == 7
    )


def test_one_file_holds_every_page_and_links_within_itself(rich_run: Path, tmp_path: Path) -> None:
    path = write_single_file(rich_run, tmp_path / "report.html")
    tags = parsed(path)
    assert len(tags.ids) == len(set(tags.ids))
    assert {way for way in tags.ways if not way.startswith("#")} == {"data:,"}
    assert {way[1:] for way in tags.ways if way.startswith("#")} <= set(tags.ids)
    text = path.read_text(encoding="utf-8")
    assert text.count('class="sheet"') == len(list((rich_run / "site").glob("*.html")))
    assert "<img" not in text
    assert 'viewBox="0 0 240 24"' in text
    shown = (rich_run / "site" / "e0-bot-po-2.html").read_text(encoding="utf-8")
    assert _text(shown) in _text(text), "the words are the same"


def _text(page: str) -> str:
    found = re.search(r"<main[^>]*>(.*)</main>", page, re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]*>", " ", found[1]).split())


def test_a_gauntlet_leads_to_its_heros_side(tmp_path: Path) -> None:
    run = summary(tmp_path, with_format(event_of("rat_deau", MANY, 2), "gauntlet", deals=1), 0)
    table = index.event_table(run, run.events[0])
    assert table.links[0].text == "From the side of Bot 0"
    assert [row.bot.text for row in table.rows if "hero" in row.flags] == ["Bot 0"]
    standing = next(s for s in run.events[0].table if s.bot.id == "bot-0")
    assert len(bot.opponents(run.events[0], standing)) == 6


@pytest.mark.parametrize("kind", ["swiss", "knockout"])
def test_a_round_that_is_not_through_counts_for_nobody_yet(tmp_path: Path, kind: str) -> None:
    event = with_format(
        event_of("rat_deau", MANY[:4], 2), kind, deals=2, **({"rounds": 2} if kind == "swiss" else {})
    )
    run = read_run(run_on_disk(tmp_path / "run", [(event, 0)], {"bot-3": last_legal}, stop_after=3))
    assert {standing.row.points for standing in run.events[0].table} == {0.0}
    site = write_report(run.folder).parent
    if kind == "swiss":
        cells = [line[91:].split() for line in (site / "e0.trf").read_text(encoding="utf-8").splitlines()]
        assert [row for row in cells if row] == []
    else:
        assert not any(s.on for t in rounds.view_of(run.events[0]).bracket[0].tables for s in t.sitters)
