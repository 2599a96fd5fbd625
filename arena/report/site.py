"""Pages to files: the Jinja environment, names of files, and writing that no reader can catch half done."""

import json
import os
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena.report import words

STATIC = ("arena.css", "arena.js", "replay.js")


@dataclass(frozen=True, slots=True)
class Link:
    """A place to go; `href` is None where the reader already is."""

    text: str
    href: str | None


@dataclass(frozen=True, slots=True)
class Inline:
    """Style sheet and scripts inside the page, for a file sent alone; the policy names their hashes."""

    style: Markup
    scripts: tuple[Markup, ...]
    policy: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page has around its own content."""

    title: str
    run: str
    nav: tuple[Link, ...]
    root: str = ""
    """The way from the page's folder to the site's: empty or `../`."""
    refresh: int | None = None
    banner: str = ""
    footer: str = ""
    scripts: tuple[str, ...] = ("arena.js",)
    inline: Inline | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One file of the site: a template and the plain data that it lays out."""

    path: str
    template: str
    frame: Frame
    view: Any


def environment() -> Environment:
    """Everything is escaped, and an unknown name is an error."""
    made = Environment(
        loader=PackageLoader("arena.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(island=island, number=words.number, percent=words.percent, plain=words.plain)
    return made


def island(value: Any) -> Markup:
    """JSON for a script element of type application/json: no character in it can end or open a tag."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def render(env: Environment, page: Page) -> str:
    return env.get_template(page.template).render(frame=page.frame, view=page.view)


def write(path: Path, text: str) -> None:
    """Replace the file at once: a reader sees the old text or the new, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def static_text(name: str) -> str:
    """A style sheet or script of the package."""
    return files("arena.report").joinpath("static", name).read_text(encoding="utf-8")


def write_static(site: Path) -> None:
    for name in STATIC:
        write(site / name, static_text(name))


def inline(*scripts: str) -> Inline:
    """The style sheet and these scripts, to be put into a page."""
    style = static_text("arena.css")
    texts = [static_text(name) for name in scripts]
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {' '.join(map(_hash, texts))}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    # The package's own files, without a closing tag in them.
    return Inline(Markup(style), tuple(Markup(text) for text in texts), policy)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def stamp() -> str:
    """Changes with every template, style or script: what was made under another one is made again."""
    digest = sha256()
    for folder in ("templates", "static", "boards"):
        for item in _tree(files("arena.report").joinpath(folder)):
            digest.update(item)
    return digest.hexdigest()[:16]


def _tree(folder: Any) -> Iterable[bytes]:
    for item in sorted(folder.iterdir(), key=lambda each: each.name):
        if item.is_file() and not item.name.endswith(".pyc"):
            yield item.name.encode() + item.read_bytes()


def slug(bot_id: str) -> str:
    """A file name's part that no bot can choose: plain ids as they are, all others by their digest."""
    if re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,47}", bot_id, re.ASCII):
        return bot_id
    return "x-" + sha256(bot_id.encode("utf-8", "replace")).hexdigest()[:16]


def bot_path(event: int, bot_id: str) -> str:
    return f"e{event}-bot-{slug(bot_id)}.html"


def trf_path(event: int) -> str:
    """A two-seat Swiss as pairing programs read it."""
    return f"e{event}.trf"


def match_path(match: object, seat: int | None = None) -> str:
    """From the site's folder; the judge's page, or what one seat knew."""
    return f"match/{match}.html" if seat is None else f"match/{match}-seat{seat}.html"
