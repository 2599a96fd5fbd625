"""A match watched in a terminal, and played by a person through a pseudo-terminal."""

import json
import re
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.matches import GAMES, MATCH, event_of
from support.pseudo import Keyboard
from support.terminal import Terminal

from arena import registry
from arena.cli.boards import BOARDS, board_lines
from arena.errors import ArenaError
from arena.match import play_match, replay
from arena.model import Game, Request
from arena.players.human import HumanPlayer, labels_of
from arena.players.scripted import ScriptedPlayer

NAMES = ["Ann", "Bo", "Cy", "Dan"]


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(monkeypatch, capsys)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_who_follows_a_match_is_shown_every_position_once(game: str, seats: int) -> None:
    event, positions = event_of(game, seats), list[Game]()
    players = [ScriptedPlayer() for _ in range(seats)]
    record = play_match(event, MATCH, tuple(bot.id for bot in event.bots), players, positions.append)
    assert len(positions) == 1 + sum(map(len, record.decisions))
    assert positions[-1].turn is None
    assert positions[-1].events(None) == replay(record).events(None)
    assert positions[0].events(None) == positions[-1].events(None)[: len(positions[0].events(None))]


def test_every_built_in_game_has_a_board() -> None:
    assert set(BOARDS) == set(registry.BUILT_IN["games"])


@pytest.mark.parametrize(("game", "seats"), GAMES)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_board_can_be_drawn_of_every_view(game: str, seats: int, seed: int) -> None:
    rng = Random(seed)
    position = registry.games.get(game).start(seats, Random(seed), {})
    while True:
        for viewer in (None, *range(seats)):
            lines = list(board_lines(game, position.view(viewer), NAMES[:seats]))
            assert all(line.isprintable() for line in lines)
            rows = [line for line in lines if line.startswith("seat ")]
            assert [row.split()[1] for row in rows] == [str(seat) for seat in range(seats)]
        if position.turn is None:
            return
        position = position.play(rng.choice(position.legal()))


def test_a_game_without_a_board_is_shown_by_names_and_values() -> None:
    assert list(board_lines("kuhn", {"seat": 0, "pot_size": 2, "cards": ["K", None]}, NAMES)) == [
        "pot size: 2", "cards: K –",
    ]  # fmt: skip


@pytest.mark.parametrize(("game", "seats"), [("pecking_order", 2), ("peech", 4), ("rat_deau", 3)])
def test_the_judge_is_told_everything_step_by_step(arena: Terminal, game: str, seats: int) -> None:
    words = ("play", "--game", game, *["random"] * seats, "--seed", "5", "--trusted")
    plain, watched = arena(*words), arena(*words, "--watch")
    assert watched.status == 0
    shown, _, table = watched.out.partition("\nplace ")
    told = [line for line in shown.splitlines() if not line.startswith(("    ", "──"))]
    assert (told, table) == (
        plain.out.partition("\nplace ")[0].splitlines(),
        plain.out.partition("\nplace ")[2],
    )
    steps = re.findall(r"^── (\d+) ──$", watched.out, re.MULTILINE)
    assert steps == [str(number) for number in range(1, len(steps) + 1)]


def test_a_seat_sees_no_hidden_card(arena: Terminal) -> None:
    words = ("play", "--game", "rat_deau", "random", "random", "--seed", "5", "--trusted")
    said = arena(*words, "--as", "1").out
    rows = [line for line in said.splitlines() if line.startswith("    seat 0")]
    assert len(rows) > 5
    assert all(re.search(r"hand [· ]+ loot", row) for row in rows)
    assert "chooses" not in "".join(rows)
    assert re.search(r"^    seat 1  random-2  hand 1 2 3", said, re.MULTILINE)


def test_a_pace_takes_its_time(arena: Terminal) -> None:
    words = ("play", "--game", "rat_deau", "random", "random", "--seed", "5", "--trusted")
    begun = time.monotonic()
    said = arena(*words, "--pace", "0.05").out
    assert time.monotonic() - begun > 0.05 * (said.count("──\n") - 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random", "random", "--as", "2"], "--as: a seat from 0 to 1, not 2"),
        (["human", "random", "--as", "1"], "--as: 0, the seat of the human, or leave it out"),
        (["human", "human"], "one human at a table, not 2"),
        (["random", "random", "--pace", "-1"], "Invalid value for '--pace'"),
    ],
)
def test_what_cannot_be_watched_is_said(arena: Terminal, words: list[str], said: str) -> None:
    status, out, complaint = arena("play", "--game", "rat_deau", *words)
    assert (status, out) == (2, "")
    assert said in complaint


@pytest.mark.jail
def test_a_person_at_a_terminal_plays_a_match_against_a_jailed_bot(tmp_path: Path) -> None:
    (tmp_path / "lowest.py").write_text("def act(turn):\n    return turn.legal[0]\n")
    words = ("play", "--game", "rat_deau", "human", "lowest.py", "--seed", "3", "--record", "match.json")
    with Keyboard(*words, cwd=tmp_path) as keyboard:
        chosen = []
        for turn in range(6):
            keyboard.until("Your choice: (loot|offer)\n")
            listed = keyboard.until(r"a to ([a-i]): ")
            if turn == 0:
                for wrong in ("", "z", "0", "10", "\x1b[2J", "ü"):
                    keyboard.type(wrong)
                    keyboard.until("a to i, or the action itself, not '")
                    keyboard.until(r"a to i: ")
                keyboard.type("9")  # the action itself
                chosen.append("9")
            else:
                lines = re.findall(r"^  ([a-i])\) (\d)$", keyboard.shown, re.MULTILINE)
                label, action = lines[-1]
                assert label == listed[1]
                keyboard.type(label)
                chosen.append(action)
        status, rest = keyboard.ends()
    assert status == 0
    record = json.loads((tmp_path / "match.json").read_text())
    assert record["seats"] == ["human", "lowest"]
    assert record["decisions"][0] == chosen
    assert record["faults"] == [None, None]
    assert re.search(r"^    seat 1  lowest  hand · · · · · · · · ·  loot none", keyboard.shown, re.MULTILINE)
    assert "place  seat  bot" in rest


@pytest.mark.jail
def test_a_person_who_leaves_ends_the_match_in_one_line(tmp_path: Path) -> None:
    with Keyboard("play", "--game", "peech", "random", "human", "random", "random", cwd=tmp_path) as keyboard:
        keyboard.until(r"1 to 8: ")
        keyboard.leave()
        status, rest = keyboard.ends()
    assert status == 1
    assert rest.strip() == "nobody answers for the human's seat any more"


def test_enter_goes_on_to_the_next_step(tmp_path: Path) -> None:
    words = ("play", "--game", "rat_deau", "random", "random", "--seed", "5", "--trusted", "--watch")
    with Keyboard(*words, cwd=tmp_path) as keyboard:
        for step in range(1, 7):
            keyboard.until(f"── {step} ──\n")
            keyboard.until("Enter: go on ")
            keyboard.type("")
        status, rest = keyboard.ends()
    assert status == 0
    assert "── 7 ──" in rest
    assert rest.rstrip().splitlines()[-3].startswith("place  seat  bot")


def test_actions_get_numbers_or_letters_where_they_are_numbers() -> None:
    assert labels_of(["AC", "5H"]) == {"1": "AC", "2": "5H"}
    assert labels_of(["1", "8a"]) == {"a": "1", "b": "8a"}


def test_an_end_of_input_is_no_answer() -> None:
    def gone(prompt: str) -> str:
        raise EOFError

    with pytest.raises(ArenaError, match="nobody answers"):
        HumanPlayer(gone, print).ask(Request("loot", ("1",), {}, ()))
