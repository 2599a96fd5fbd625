"""Finding bots: by path, folder and name, with hostile names and contents; nothing of a bot is run."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.players.bots import MAX_NAME, clean_name, digest_of, facts_of, find_bot, slug

BOT = "def act(turn):\n    return turn.legal[0]\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, text: str = BOT) -> Path:
    file = Path(path).absolute()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_is_a_bot_with_the_facts_it_states() -> None:
    file = write("Grey Heron.py", 'NAME = "Héron gris"\nAUTHOR: str = "A. Nonym"\nGAMES = ["peech"]\n' + BOT)
    bot = find_bot("Grey Heron.py")
    assert (bot.id, bot.name, bot.author, bot.source) == ("grey-heron", "Héron gris", "A. Nonym", file)
    assert (bot.command, bot.language, bot.anchor) == ((), "python", False)
    assert bot.digest == hashlib.sha256(file.read_bytes()).hexdigest()
    assert facts_of(file).games == ("peech",)


def test_paths_start_at_the_given_folder() -> None:
    file = write("contest/bots/a.py")
    assert find_bot("bots/a.py", Path("contest")).source == file
    assert find_bot("a", Path("contest")).source == file
    with pytest.raises(UsageError):
        find_bot("bots/a.py")


def test_a_name_is_looked_for_in_bots() -> None:
    file = write("bots/slow.py")
    folder = write("bots/quick/bot.yaml", "command: [node, bot.js]").parent
    assert find_bot("slow").source == file
    assert find_bot("quick").source == folder


def test_random_is_built_in_and_a_file_beside_does_not_hide_it() -> None:
    mine = write("bots/random.py")
    bot = find_bot("random")
    assert (bot.id, bot.source.is_file()) == ("random", True)
    assert bot.source != mine
    assert find_bot("bots/random.py").source == mine


def test_a_folder_is_a_bot_with_a_command() -> None:
    write("node bot/bot.js", "")
    keys = "command: [node, bot.js]", "build: make -j2 'all of it'", "name: Nodal", "author: N"
    write("node bot/bot.yaml", "\n".join((*keys, "games: [peech, rat_deau]")))
    for spec in ("node bot", "node bot/", "node bot/bot.yaml"):
        bot = find_bot(spec)
        assert (bot.id, bot.name, bot.author, bot.language) == ("node-bot", "Nodal", "N", "node")
        assert bot.command == ("node", "bot.js")
        assert bot.build == ("make", "-j2", "all of it")
    assert facts_of(Path("node bot")).games == ("peech", "rat_deau")


@pytest.mark.parametrize(
    ("yaml", "said"),
    [
        ("", "keys command, build, name, author, games"),
        ("name: x", "command: missing"),
        ("command: []", "command: missing"),
        ("command: {a: b}", "command: a list of words"),
        ("command: [[a]]", "command: a list of words"),
        ("command: &a [*a]", ":1: found unconstructable recursive node"),
        ("command: \"it's", ":1: "),
        ("command: it's", "command: No closing quotation"),
        ("command: x\nbiuld: y", "biuld: no such key (did you mean 'build'?)"),
        ("command: x\nname: [a]", "name: one line of text"),
        ("command: x\n\tname: y", ":2: found character '\\t'"),
        ("[" * 5000, "bot.yaml"),
    ],
)
def test_a_broken_bot_yaml_says_what_is_allowed(yaml: str, said: str) -> None:
    write("b/bot.yaml", yaml)
    with pytest.raises(UsageError) as caught:
        find_bot("b")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_tags_in_a_bot_yaml_mean_nothing() -> None:
    write("b/bot.yaml", "command: !!python/object/apply:os.system [id]")
    assert find_bot("b").command == ("id",)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("greddy", "greddy: no such bot; a .py file, a folder with bot.yaml, or a name in bots/"),
        ("greddy", " (did you mean 'greedy'?)"),
        ("randm", "(did you mean 'random'?)"),
        ("bots/greedi.py", "(did you mean 'bots/greedy.py'?)"),
        ("zzzzzz", "or a name in bots/"),
        ("empty", "empty: a folder without bot.yaml"),
        ("notes.txt", "notes.txt: a .py file or a folder with bot.yaml"),
        ("", "a bot's file, folder or name, not ''"),
        ("a\0b", "a bot's file, folder or name"),
        ("x" * 5000, "xxx: File name too long"),
    ],
)
def test_a_missing_bot_gets_a_guess(spec: str, said: str) -> None:
    write("bots/greedy.py")
    write("notes.txt")
    Path("empty").mkdir()
    with pytest.raises(UsageError) as caught:
        find_bot(spec)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "source",
    [
        "def act(turn:\n",
        "NAME = 'a\x00b'",
        "(" * 5000,
        "-" * 50_000 + "1",
        "x = 1e9999\nNAME = 5\nAUTHOR = ['a']\nGAMES = 7",
        "NAME = f'{open(__file__)}'\nraise SystemExit",
        "NAME: str\n(NAME, AUTHOR) = 'ab'\ntry:\n    NAME = 'inner'\nexcept Exception:\n    pass",
        "'\\d'",
        "",
    ],
)
def test_a_source_that_cannot_be_read_states_no_facts_and_is_still_a_bot(source: str) -> None:
    write("odd.py", source)
    bot = find_bot("odd.py")
    assert (bot.name, bot.author) == ("odd", "")
    assert facts_of(bot.source).games == ()


def test_bytes_that_are_no_text_are_still_a_bot() -> None:
    Path("odd.py").write_bytes(b"\xff\xfe\x00")
    assert find_bot("odd.py").name == "odd"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("</script><img src=x onerror=alert(1)>", "</script><img src=x onerror=alert(1)>"),
        ("two\nlines\tand  spaces ", "two lines and spaces"),
        ("e\u0301", "é"),
        ("\x1b[2J\u202egod\u200b", "\ufffd[2J\ufffdgod\ufffd"),
        ("\ud800", "\ufffd"),
        ("n" * 5000, "n" * MAX_NAME),
        (" \n ", "bot"),
    ],
)
def test_hostile_names_are_one_short_printable_line(said: str, name: str) -> None:
    write("bot.py", f"NAME = {said!a}\n")
    assert find_bot("bot.py").name == name


@given(st.text(st.characters(codec=None), max_size=300))
def test_any_text_makes_a_name_and_a_safe_file_name(text: str) -> None:
    name = clean_name(text)
    assert len(name) <= MAX_NAME
    assert name.isprintable()
    assert clean_name(name) == name
    found = slug(text)
    assert 1 <= len(found) <= 60
    assert set(found) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-")
    assert not found.startswith("-")


def test_a_file_name_that_is_no_utf8_is_taken() -> None:
    Path(os.fsdecode(b"caf\xe9.py")).write_text(BOT)
    bot = find_bot(os.fsdecode(b"caf\xe9.py"))
    assert (bot.id, bot.name) == ("caf", "caf\ufffd")


def test_a_folders_digest_is_of_names_and_contents() -> None:
    write("b/bot.yaml", "command: x")
    write("b/src/main.c", "int main;")
    first = digest_of(Path("b"))
    write("b/src/__pycache__/x.pyc", "cache")
    write("b/.git/HEAD", "hidden")
    assert digest_of(Path("b")) == first
    write("b/src/main.c", "int main; ")
    second = digest_of(Path("b"))
    Path("b/src/main.c").rename("b/src/mian.c")
    assert len({first, second, digest_of(Path("b"))}) == 3


@pytest.mark.parametrize("target", ["/etc/passwd", "/dev/zero", "/nowhere"])
def test_a_submission_may_not_point_outside_itself(target: str) -> None:
    write("b/bot.yaml", "command: x")
    Path("b/data").symlink_to(target)
    with pytest.raises(UsageError, match="an ordinary file"):
        find_bot("b")
    Path("c.py").symlink_to("/etc/passwd")
    with pytest.raises(UsageError, match="an ordinary file"):
        find_bot("c.py")


def test_a_pipe_is_refused_without_reading_it() -> None:
    write("b/bot.yaml", "command: x")
    os.mkfifo("b/pipe")
    with pytest.raises(UsageError, match="an ordinary file"):
        find_bot("b")


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: os.symlink("nowhere", path)])
def test_what_is_there_but_no_file_is_called_so(make: Callable[[str], None]) -> None:
    make("odd.py")
    with pytest.raises(UsageError, match="an ordinary file"):
        find_bot("odd.py")


def test_a_bot_has_a_size_limit() -> None:
    with write("big.py").open("r+b") as file:
        file.truncate(2**30)
    with pytest.raises(UsageError, match="at most"):
        find_bot("big.py")
