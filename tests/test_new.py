"""`arena new`: starting points that run as they are, and each printed command works as printed."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from support.terminal import Shown, Terminal

from arena import registry
from arena.config import read_config
from arena.players.bots import facts_of, find_bot

ORDINARY = {("python", "rat_deau"), ("node", "pecking_order"), ("c", "rat_deau")}
STARTS = [
    pytest.param(lang, game, marks=[] if (lang, game) in ORDINARY else [pytest.mark.slow])
    for lang in ("python", "node", "c")
    for game in registry.games
]


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(monkeypatch, capsys)


def printed(shown: Shown) -> list[str]:
    """The commands that it says to type next."""
    assert shown.status == 0, shown.err
    return re.findall(r"(?:Next|Then): (.+)$", shown.out, re.MULTILINE)


@pytest.mark.jail
def test_from_nothing_to_a_tournament_by_the_printed_commands_alone(arena: Terminal) -> None:
    typed = ["arena new bot my_bot --game rat_deau"]
    for step in typed:
        typed += printed(arena(*shlex.split(step)[1:]))
    assert typed == [
        "arena new bot my_bot --game rat_deau",
        "arena check my_bot.py --game rat_deau",
        "arena submit my_bot.py --game rat_deau",
        "arena new config my_contest --game rat_deau",
        "arena run my_contest.yaml",
    ]
    event = read_config(Path("my_contest.yaml")).events[0]
    assert [bot.name for bot in event.bots] == ["my_bot", "Random 1"]
    assert Path("reports/my_contest/site/index.html").is_file()


@pytest.mark.jail
@pytest.mark.parametrize(("lang", "game"), STARTS)
def test_every_starting_point_passes_the_check(arena: Terminal, lang: str, game: str) -> None:
    *builds, check = printed(arena("new", "bot", "my_bot", "--game", game, "--lang", lang))
    for build in builds:
        done = subprocess.run(
            [*shlex.split(build), "-Wall", "-Wextra", "-Werror"], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
    done_check = arena(*shlex.split(check)[1:], "--matches", "3")
    assert done_check.status == 0, done_check.out
    spec = shlex.split(check)[2]
    assert find_bot(spec).name == "my_bot"
    assert facts_of(find_bot(spec).source).games == (game,)
    text = "".join(
        path.read_text() for path in Path().rglob("*bot.*") if path.suffix in (".py", ".js", ".c", ".yaml")
    )
    assert not re.search(r"@[A-Z]+@", text)
    assert max(map(len, text.splitlines())) <= 110
    for command in re.findall(r"arena play .+ --watch", text):
        assert arena(*shlex.split(command)[1:], "--pace", "0").status == 0


@pytest.mark.parametrize("game", [None, *registry.games.names()])
def test_a_new_config_is_a_config(arena: Terminal, game: str | None) -> None:
    words = ("--game", game) if game else ()
    assert printed(arena("new", "config", "cup", *words)) == ["arena run cup.yaml"]
    settings = read_config(Path("cup.yaml"))
    assert [event.game for event in settings.events] == ([game] if game else list(registry.games))
    assert settings.warnings == ()
    for line in Path("cup.yaml").read_text().splitlines():
        if line.startswith("#   "):  # the defaults that it shows are the defaults
            key, value = line[1:].split("#")[0].split(": ")
            assert f"{key.strip()}: {value.strip()}" in (
                "move: 1s",
                "bank: 10s",
                "start: 5s",
                "memory: 256MiB",
            )


@pytest.mark.parametrize(
    "name", ["", "9lives", "../up", "a b", "a/b", "bot.py", "-x", "ü", "x" * 41, "random", "human"]
)
@pytest.mark.parametrize("what", ["bot", "config"])
def test_a_bad_name_is_refused(arena: Terminal, what: str, name: str) -> None:
    status, said, complaint = arena("new", what, "--game", "peech", "--", name)
    assert (status, said) == (2, "")
    assert complaint.startswith("NAME: ")
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("lang", ["python", "node", "c"])
def test_nothing_is_overwritten(arena: Terminal, lang: str) -> None:
    words = ("new", "bot", "my_bot", "--game", "peech", "--lang", lang)
    assert arena(*words).status == 0
    made = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    status, _, complaint = arena(*words)
    assert status == 2
    assert "it is there already, and nothing is overwritten" in complaint
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == made
    Path("gone.py").symlink_to("nowhere")
    assert arena("new", "bot", "gone", "--game", "peech").status == 2


def test_an_unknown_game_is_refused_with_a_guess(arena: Terminal) -> None:
    for what in ("bot", "config"):
        status, _, complaint = arena("new", what, "x", "--game", "peach")
        assert (status, "did you mean 'peech'?" in complaint) == (2, True)
