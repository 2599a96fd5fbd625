"""The documentation as a reader uses it: files to save, commands to type, and a folder to do it in."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import click

from arena.cli import cli

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
REFERENCE = ("docs/cli.md",)
BOT = "def act(turn):\n    return turn.legal[-1]\n"
CUP = """name: cup
game: {name: rat_deau, seats: 2}
bots: [random, {path: random, name: Random too}]
format: {kind: round_robin, deals: 4}
"""
_BLOCK = re.compile(r"(?P<before>[^\n]*)\n+^```(?P<language>\w+)\n(?P<text>.*?)^```", re.M | re.S)

NOT_RUN = {
    r"pip install|-m venv": "needs the network; CI installs on a clean clone and from the wheel",
    r"\bpytest\b": "is this suite",
    r"\bhuman\b": "asks a person; test_watch.py plays on a pseudo-terminal",
    r"--debug\b": "asks a person; test_rerun.py debugs on a pseudo-terminal",
    r"^arena bench\b": "measures for minutes; test_bench.py runs it",
}
"""Commands that are only read, not typed, and why."""


class Block(NamedTuple):
    """A fenced block; `file` is the name under which the line before it says to save it, or empty."""

    language: str
    text: str
    file: str
    section: str


@cache
def blocks(page: str) -> tuple[Block, ...]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return tuple(_block(one, text) for one in _BLOCK.finditer(text))


def _block(found: re.Match[str], page: str) -> Block:
    headings = re.findall(r"^##+ (.+)$", page[: found.start("language")], re.M)
    named = re.search(r"`([\w-]+\.(?:py|yaml))`[^`]*:$", found["before"])
    file = named[1] if named and found["language"] in ("python", "yaml") else ""
    return Block(found["language"], found["text"], file, headings[-1] if headings else "")


def parts(page: str) -> Iterator[tuple[Block, ...]]:
    """What is followed from top to bottom: a page, but each chapter of a reference by itself."""
    for _, part in groupby(blocks(page), lambda block: page in REFERENCE and block.section):
        yield tuple(part)


def commands(page: str) -> Iterator[str]:
    """Every line of every block of shell commands."""
    return lines_of(blocks(page))


def lines_of(part: Iterable[Block]) -> Iterator[str]:
    for block in part:
        lines = block.text.splitlines() if block.language == "sh" else ()
        yield from (line.strip() for line in lines if line.strip() and not line.startswith("#"))


def why_not_run(line: str) -> str:
    return next((why for pattern, why in NOT_RUN.items() if re.search(pattern, line)), "")


def arena_words(line: str) -> Iterator[list[str]]:
    """What follows each `arena` in a line of shell, without redirections."""
    for part in re.split(r"&&|\|", re.sub(r"\s[<>]+\s*\S+", "", line)):
        words = shlex.split(part, comments=True)
        if words and Path(words[0]).name == "arena":
            yield words[1:]


def parse(words: list[str]) -> None:
    """Read as the command line would, and not carried out; click's error tells what is wrong."""
    command, rest = _command(words)
    command.make_context("arena", rest)


def has_options(words: list[str]) -> None:
    """That there is such a command with these options; what they are given may be left out or made up."""
    command, rest = _command(words)
    known = {name for option in command.params for name in option.opts}
    for word in rest:
        assert not word.startswith("--") or word in {*known, "--help"}, f"{word} of {words}"


def _command(words: list[str]) -> tuple[click.Command, list[str]]:
    command: click.Command = cli
    while isinstance(command, click.Group) and words:
        found = command.get_command(click.Context(command), words[0])
        assert found is not None, words
        command, words = found, words[1:]
    return command, list(words)


@dataclass(frozen=True)
class Place:
    """A folder in which what a page tells to save is saved and what it tells to type is typed."""

    folder: Path

    def save(self, block: Block) -> None:
        (self.folder / block.file).write_text(self._here(block.text), encoding="utf-8")

    def type(self, line: str) -> str:
        """What the command shows; it must succeed."""
        shell = ["bash", "-euo", "pipefail", "-c", self._here(line)]
        path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
        done = subprocess.run(
            shell, cwd=self.folder, env={"PATH": path, "HOME": str(self.folder), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"$ {line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def _here(self, text: str) -> str:
        """With the folders of a server in this one, and without a spectator's pauses."""
        return text.replace("/srv/", f"{self.folder}/srv/").replace("--pace 0.5", "--pace 0")


def prepare(folder: Path, part: Iterable[Block] = ()) -> Place:
    """What a reader has at the beginning: arena's bots and configs, a bot, a config, results from elsewhere.

    What is to be written on the way (`arena new`, "save this as") is not there yet.
    """
    folder.mkdir(exist_ok=True)
    part = tuple(part)
    for name in ("bots", "configs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / "srv/contest").mkdir(parents=True)
    if not any(line.startswith("arena new bot my_bot ") for line in lines_of(part)):
        (folder / "my_bot.py").write_text(BOT, encoding="utf-8")
    if all(block.file != "cup.yaml" for block in part):
        (folder / "cup.yaml").write_text(CUP, encoding="utf-8")
    (folder / "results.csv").write_text("match,bot,place\n1,ann,1\n1,bob,2\n2,bob,1\n2,ann,1\n")
    return Place(folder)


def shows(text: str, shown: str) -> bool:
    """Whether all this was printed, in this order; a line `…` stands for anything between.

    A space that may not break is as good as any.
    """
    shown, at = re.sub("[\u00a0\u202f]", " ", shown), 0
    for part in re.split(r"^…\n", text, flags=re.M):
        wanted = part.strip("\n")
        found = shown.find(wanted, at)
        if found < 0:
            return False
        at = found + len(wanted)
    return True
