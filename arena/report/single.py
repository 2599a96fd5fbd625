"""The report, but for its replays, as one HTML file to send: the same pages one below the other.

Pages are rendered as ever; then their ids and links get the page's name in front, so that a link to another
page becomes one within the file. Links to anything else, replays and data files, become plain text.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from arena.report import frame
from arena.report.pages import PAGES
from arena.report.site import Page, environment, inline, render, write
from arena.report.summary import read_run

_POINTERS = ("id", "aria-labelledby", "aria-controls")


def write_single_file(run_folder: Path, path: Path) -> Path:
    """Write the report of this run as one file that needs no other; UsageError when it is no run folder."""
    run = read_run(run_folder)
    env = environment()
    pages = [page for pages in PAGES.values() for page in pages(run)]
    around = frame.make(run, run.name, "", still=True)
    whole = replace(around, nav=(), refresh=None, banner=frame.banner(run), inline=inline("arena.js"))
    view = [Markup(body(env, page, pages)) for page in pages]  # escaped when it was rendered
    write(path, render(env, Page(path.name, "single.html.j2", whole, view)))
    return path


def body(env: Environment, page: Page, pages: Sequence[Page]) -> str:
    """A page's own content as a section of the file."""
    found = re.search(r"<main[^>]*>(.*)</main>", render(env, page), re.DOTALL)
    assert found  # every page has one
    rewriter = _Rewriter(page.path, {other.path for other in pages})
    rewriter.feed(found[1])
    rewriter.close()
    return f'<section class="sheet" id="{_name(page.path)}">{"".join(rewriter.out)}</section>'


def _name(path: str) -> str:
    return path.removesuffix(".html")


class _Rewriter(HTMLParser):
    """Writes what it reads, with ids and links made those of the one file."""

    def __init__(self, here: str, known: set[str]) -> None:
        super().__init__(convert_charrefs=False)
        self.out: list[str] = []
        self._here = here
        self._known = known

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, attrs, "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, attrs, "/")

    def _start(self, tag: str, attrs: list[tuple[str, str | None]], end: str) -> None:
        source = self.get_starttag_text() or ""
        names = {name.lower(): name for name in re.findall(r"\s([\w:-]+)(?=[\s=/>])", source)}
        kept = []
        for name, value in attrs:
            made = self._attribute(name, value)
            if made is not None:
                # The parser lowers names, and viewBox must keep its capital.
                kept.append(f" {names.get(name, name)}" + (f'="{escape(made)}"' if made else ""))
        self.out.append(f"<{tag}{''.join(kept)}{end}>")

    def _attribute(self, name: str, value: str | None) -> str | None:
        """The new value; None to leave the attribute out."""
        value = value or ""
        if name in _POINTERS:
            return " ".join(f"{_name(self._here)}--{part}" for part in value.split())
        if name != "href":
            return value
        path, _, anchor = value.partition("#")
        path = path or self._here
        if path not in self._known:
            return None
        return f"#{_name(path)}--{anchor}" if anchor else f"#{_name(path)}"

    def handle_endtag(self, tag: str) -> None:
        self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.out.append(data)

    def handle_entityref(self, name: str) -> None:
        self.out.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.out.append(f"&#{name};")
