"""The report in a real browser: it opens from a file, works by keys, leaks nothing, and reads well."""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright import sync_api as playwright_api
from support.runs import event_of, run_on_disk

from arena.report import write_report
from arena.report.single import write_single_file
from arena.report.site import match_path
from arena.report.summary import read_run
from arena.report.write import write_replay
from arena.store import Store

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run")  # fmt: skip
WIDTHS = (1280, 390)
WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::ResourceWarning")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not CHROMIUM.exists():
        pytest.skip(f"no browser at {CHROMIUM}")
    with playwright_api.sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield chromium
        chromium.close()


class Watched:
    """A page that remembers every complaint and every request for anything but a file."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.troubles: list[str] = []
        page.on("console", lambda told: self.troubles.append(f"{told.type}: {told.text}"))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("requestfailed", lambda request: self.troubles.append(f"failed: {request.url}"))
        page.on("request", self._request)
        page.on("dialog", lambda dialog: (self.troubles.append("dialog"), dialog.dismiss()))

    def _request(self, request: Any) -> None:
        if not request.url.startswith(("file://", "data:,")):
            self.troubles.append(f"request: {request.url}")

    def open(self, path: Path, anchor: str = "") -> Any:
        self.page.goto("about:blank")
        self.page.goto(path.as_uri() + anchor)
        return self.page

    def wide(self) -> int:
        width: int = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return width


@pytest.fixture
def watched(browser: Any) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield (seen := Watched(context.new_page()))
    context.close()
    assert seen.troubles == []


def kinds(run: Path) -> list[Path]:
    """One page of each kind, and a replay of each game as the judge and as a seat."""
    site = run / "site"
    names = (  # of pages
        "index",
        "made",
        "e0-pairs",
        "e1-pairs",
        "e0-matches",
        "e2-fairness",
        "e0-bot-po-2",
        "e1-bot-pe-4",
    )
    pages = [f"{name}.html" for name in names]
    for event in read_run(run).events:
        first = event.tally.lines[0].match
        faulty = next(line.match for line in event.tally.lines if any(line.faults))
        pages += [match_path(first), match_path(first, 1), match_path(faulty)]
    return [site / page for page in pages]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_kind_of_page_is_sound(browser: Any, rich_run: Path, width: int, scheme: str) -> None:
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    seen = Watched(context.new_page())
    for path in kinds(rich_run):
        page = seen.open(path)
        assert seen.wide() <= 0, f"{path.name} scrolls sideways at {width}"
        page.evaluate(axe)
        found = page.evaluate(
            "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], preload: false})"
        )
        broken = [(v["id"], [node["html"][:160] for node in v["nodes"][:3]]) for v in found["violations"]]
        assert broken == [], path.name
    assert seen.troubles == []
    context.close()


def test_the_standings_sort_and_come_back(watched: Watched, rich_run: Path) -> None:
    page = watched.open(rich_run / "site" / "index.html")
    table = page.locator("#e0 table")
    names = lambda: table.locator("tbody th").all_inner_texts()  # noqa: E731
    points = lambda: [float(t.split()[0]) for t in table.locator("tbody td:nth-child(6)").all_inner_texts()]  # noqa: E731
    before = names()
    points_head = table.locator("thead th", has_text="Points")
    points_head.locator("button").click()
    assert points() == sorted(points(), reverse=True)
    assert points_head.get_attribute("aria-sort") == "descending"
    points_head.locator("button").press("Enter")
    assert points() == sorted(points())
    points_head.locator("button").press("Enter")
    assert names() == before
    assert points_head.get_attribute("aria-sort") is None
    table.locator("thead th", has_text="Bot").locator("button").click()
    assert names() == sorted(names(), key=str.lower) or table.locator("thead th[aria-sort]").count() == 1


def test_events_are_tabs_by_mouse_keys_and_link(watched: Watched, rich_run: Path) -> None:
    page = watched.open(rich_run / "site" / "index.html")

    def shown() -> list[str | None]:
        panels = page.locator("section[role=tabpanel]").all()
        return [panel.get_attribute("id") for panel in panels if panel.is_visible()]

    assert shown() == ["e0"]
    page.get_by_role("tab", name="Peech").click()
    assert shown() == ["e1"]
    page.keyboard.press("ArrowRight")
    assert shown() == ["e2"]
    assert page.url.endswith("#e2")
    watched.open(rich_run / "site" / "index.html", "#e1")
    assert shown() == ["e1"]


@pytest.mark.parametrize("event", [0, 1, 2])
def test_a_replay_steps_by_keys_buttons_slider_and_link(watched: Watched, rich_run: Path, event: int) -> None:
    line = read_run(rich_run).events[event].tally.lines[0]
    path = rich_run / "site" / match_path(line.match)
    page = watched.open(path)
    last = page.locator(".step").count() - 1
    count, board = page.locator("[data-count]"), page.locator("[data-board]")
    assert count.inner_text() == f"0 / {last}"
    boards = {board.inner_html()}
    for expected in range(1, 4):
        page.keyboard.press("ArrowRight")
        assert count.inner_text() == f"{expected} / {last}"
        assert page.locator(".step.now").get_attribute("id") == f"s{expected}"
        boards.add(board.inner_html())
    assert len(boards) == 4, "every step shows another picture"
    page.keyboard.press("End")
    assert count.inner_text() == f"{last} / {last}"
    assert page.locator("[data-go=on]").is_disabled()
    page.keyboard.press("Home")
    page.locator("[data-go=on]").click()
    assert page.url.endswith("#s1")
    page.locator("[data-slider]").fill("2")
    assert count.inner_text() == f"2 / {last}"
    watched.open(path, "#d1-2")
    assert page.locator(".step.now #d1-2").count() == 1
    at = int(page.locator(".step.now").get_attribute("value"))
    page.locator("[data-view='1']").click()
    assert page.locator("[data-count]").inner_text().startswith("2 / "), "the same moment, as seat 1"
    page.locator("[data-view='']").click()
    back = page.locator(".step.now")
    assert int(back.get_attribute("value")) >= at
    assert page.locator("#d1-3").evaluate("d => Number(d.closest('.step').value)") > int(
        back.get_attribute("value")
    )


def test_without_script_everything_is_there(browser: Any, rich_run: Path) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto((rich_run / "site" / "index.html").as_uri())
    assert page.locator("table.standings").count() == 3
    assert all(table.is_visible() for table in page.locator("table.standings").all())
    line = read_run(rich_run).events[1].tally.lines[0]
    page.goto((rich_run / "site" / match_path(line.match)).as_uri())
    assert page.locator(".stage").is_hidden()
    assert page.locator(".step").last.is_visible()
    assert (
        "Peech!" in page.locator(".steps").inner_text() or "is scored" in page.locator(".steps").inner_text()
    )
    context.close()


def test_the_heat_map_tells_its_cells(watched: Watched, rich_run: Path) -> None:
    page = watched.open(rich_run / "site" / "e0-pairs.html")
    page.locator("table.heat tbody tr").nth(0).locator("td").nth(1).click()
    assert re.fullmatch(
        r".+ against .+: \d+ of 100 \(.+ match(es)?\)", page.locator("[data-told]").inner_text()
    )


def test_a_seats_page_holds_no_hidden_card_in_its_source(rich_run: Path) -> None:
    """Coup cards that were never shown before the scoring, and others' hands that were put aside."""
    run = read_run(rich_run)
    line = run.events[1].tally.lines[0]
    with Store.open(rich_run) as store:
        record = store.record(line.match)
    played = {card for seat in record.decisions for card in seat}
    shown = played | set(record.chance["rounds"][0]["points"]) | set(record.chance["rounds"][0]["coups"])
    for viewer in range(4):
        source = (rich_run / "site" / match_path(line.match, viewer)).read_text(encoding="utf-8")
        own = {card for deal in record.chance["rounds"][0]["deals"] for card in deal[viewer]}
        others = {card for deal in record.chance["rounds"][0]["deals"] for hand in deal for card in hand}
        hidden = others - shown - own
        assert not [card for card in hidden if re.search(rf"\b{card}\b", source)]
        data = re.search(r'id="replay-data">(.*?)</script>', source)
        assert data
        assert json.loads(data[1])["seat"] == viewer


def test_one_file_alone_works(watched: Watched, rich_run: Path, tmp_path: Path) -> None:
    with Store.open(rich_run) as store:
        record = next(store.records(2))
    page = watched.open(write_replay(rich_run, record, None, tmp_path / "alone.html"))
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-count]").inner_text().startswith("1 / ")
    assert page.locator("body").evaluate("e => getComputedStyle(e).margin") == "0px"


def test_the_whole_report_as_one_file_works(watched: Watched, rich_run: Path, tmp_path: Path) -> None:
    page = watched.open(write_single_file(rich_run, tmp_path / "report.html"))
    page.get_by_role("tab", name="Peech").first.click()
    panel = page.locator("section[role=tabpanel]:visible").first
    name = panel.locator("tbody th a").first
    shown = name.inner_text()
    name.click()
    assert page.locator(f"section.sheet{page.evaluate('location.hash')} h1").inner_text() == shown
    assert watched.wide() <= 0


def test_a_running_tournament_reads_itself_again(watched: Watched, tmp_path: Path) -> None:
    event = event_of("rat_deau", [("a", "Anna"), ("b", "Ben")])
    site = write_report(run_on_disk(tmp_path / "run", [(event, 4)], {}, stop_after=1)).parent
    page = watched.open(site / "index.html")
    assert "3 blocks of 4" in page.get_by_role("status").inner_text()
    assert page.locator("meta[http-equiv=refresh]").count() == 1
