"""`arena play` and `arena games` as a person at the terminal sees them, with jailed bots."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.terminal import Terminal

from arena import registry
from arena.cli.games import seats_of
from arena.errors import JailUnavailable
from arena.model import MatchId


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(monkeypatch, capsys)


def played(arena: Terminal, *words: str) -> tuple[str, dict[str, Any]]:
    """The text of a match and its record."""
    status, said, complaints = arena("play", *words, "--record", "match.json")
    assert (status, complaints) == (0, "")
    lines = Path("match.json").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1
    return said, json.loads(lines[0])


def replayed(record: dict[str, Any]) -> Any:
    """The end of a recorded match, from its chance and decisions alone."""
    rules = registry.games.get(record["game"])
    position = rules.from_chance(len(record["seats"]), record["chance"], record["options"])
    rest = [iter(decisions) for decisions in record["decisions"]]
    while position.turn is not None:
        position = position.play(next(rest[position.turn]))
    assert [list(left) for left in rest] == [[] for _ in rest]
    return position


KEYS = (
    "match event round table deal seating game options seats chance decisions scores placings points faults"
)
MATCHES = [
    ("pecking_order", 2, {}),
    ("pecking_order", 2, {"rounds": 2, "first_player": 1, "jaguar_holds_tiebreak": False}),
    ("peech", 4, {"rounds": 1}),
    ("peech", 4, {"rounds": 2, "battle_order": "rank", "max_battles": 9}),
    ("rat_deau", 2, {}),
    ("rat_deau", 3, {"pack": [1, 1, 5, 5, 9, 9], "raft_worth": 7}),
    ("rat_deau", 4, {"offers_return_on_anger": True}),
]


def written(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else json.dumps(value).strip('"')


@pytest.mark.jail
@pytest.mark.parametrize(("game", "seats", "options"), MATCHES)
def test_a_match_is_told_and_its_record_replays(
    arena: Terminal, game: str, seats: int, options: dict[str, Any]
) -> None:
    given = [word for key, value in options.items() for word in ("--option", f"{key}={written(value)}")]
    said, record = played(arena, "--game", game, *["random"] * seats, "--seed", "7", *given)
    assert list(record) == [*KEYS.split(), "cpu_ms", "wall_ms", "slowest_ms"]
    assert str(MatchId.parse(record["match"])) == record["match"]
    assert record["seats"] == ["random", *(f"random-{n}" for n in range(2, seats + 1))]
    assert {key: record["options"][key] for key in options} == options
    assert list(record["options"]) == list(registry.games.get(game).options)
    assert record["faults"] == [None] * seats
    final = replayed(record)
    assert record["scores"] == list(final.scores())
    assert record["placings"] == list(final.placings())
    assert record["chance"] == final.chance()
    for event in final.events(None):
        assert final.tell(event) in said
    for seat in range(seats):
        row = [record["placings"][seat], seat, record["seats"][seat], record["scores"][seat]]
        assert any(line.split()[:4] == list(map(str, row)) for line in said.splitlines())


@pytest.mark.jail
def test_a_seed_repeats_a_match_in_the_jail_and_out_of_it(arena: Terminal) -> None:
    words = ("--game", "rat_deau", "random", "random", "random", "--seed", "11")
    said, record = played(arena, *words)
    for more in ((), ("--trusted",)):
        told, again = played(arena, *words, *more)
        assert told == said
        timings = {"cpu_ms", "wall_ms", "slowest_ms"}
        assert [again[key] for key in again.keys() - timings] == [
            record[key] for key in again.keys() - timings
        ]
    assert played(arena, *words[:-1], "12")[1]["chance"] != record["chance"]


@pytest.mark.jail
def test_without_a_seed_one_is_drawn_and_told(arena: Terminal) -> None:
    said, record = played(arena, "--game", "rat_deau", "random", "random")
    seed = said.splitlines()[0].removeprefix("rat_deau, seed ")
    assert (
        played(arena, "--game", "rat_deau", "random", "random", "--seed", seed)[1]["chance"]
        == record["chance"]
    )


FAULTY = {
    "raises": ("def act(turn):\n    raise KeyError('x')\n", "crash", 1),
    "illegal": ("def act(turn):\n    return 'no card'\n", "illegal", 1),
    "slow": ("import time\ndef act(turn):\n    time.sleep(60)\n", "timeout", 1),
    "broken": ("def act(turn:\n", "start", 0),
    "late": ("def act(turn):\n    return turn.legal[0] if len(turn.legal) == 9 else 5\n", "illegal", 2),
}


@pytest.mark.jail
@pytest.mark.parametrize("bot", FAULTY)
def test_a_fault_is_recorded_and_told_and_the_match_ends(arena: Terminal, bot: str) -> None:
    source, kind, decision = FAULTY[bot]
    Path(f"{bot}.py").write_text(source, encoding="utf-8")
    limits = ("--limit", "move=100ms", "--limit", "bank=0s")
    said, record = played(
        arena, "--game", "rat_deau", "random", f"{bot}.py", "random", "--seed", "1", *limits
    )
    assert record["seats"] == ["random", bot, "random-2"]
    assert record["placings"][1] == 3
    assert record["points"][1] == 0
    assert [fault and fault["kind"] for fault in record["faults"]] == [None, kind, None]
    assert record["faults"][1]["decision"] == decision
    assert record["scores"] == list(replayed(record).scores())
    assert f"fault of {bot} in seat 1" in said
    assert f": {kind}: {record['faults'][1]['detail']}" in said


@pytest.mark.jail
def test_a_bot_that_never_starts_in_any_seat_still_leaves_a_record(arena: Terminal) -> None:
    Path("broken.py").write_text("NAME = 'Kaputt'\nraise ValueError('no')\n", encoding="utf-8")
    said, record = played(arena, "--game", "rat_deau", "broken.py", "broken.py")
    assert record["placings"] == [1, 1]
    assert record["points"] == [0.5, 0.5]
    assert [fault["kind"] for fault in record["faults"]] == ["start", "start"]
    assert "seat 1: broken-2 (Kaputt)" in said
    assert "fault of broken in seat 0 before its first decision: start: ValueError: no (line 2)" in said
    replayed(record)


WRONG = [
    (["--game", "peech", "random", "random"], "peech: 4 bots, not 2"),
    (["--game", "rat_deau", "random"], "rat_deau: 2 to 4 bots, not 1"),
    (["--game", "poker", "random"], "--game: one of pecking_order, peech, rat_deau, not 'poker'"),
    (["--game", "rat_dau", "random"], "(did you mean 'rat_deau'?)"),
    (["--game", "rat_deau", "random", "rondom"], "rondom: no such bot"),
    (["--game", "rat_deau", "random", "peech_only.py"], "peech_only.py: plays peech, not rat_deau"),
    (["--game", "rat_deau", "random", "random", "--option", "raft_worht=3"], "(did you mean 'raft_worth'?)"),
    (
        ["--game", "rat_deau", "random", "random", "--option", "raft_worth=x"],
        "option.raft_worth: a whole number",
    ),
    (
        ["--game", "rat_deau", "random", "random", "--option", "raft_worth"],
        "--option: KEY=VALUE, each key once",
    ),
    (
        ["--game", "rat_deau", "random", "random", "--limit", "move=1", "--limit", "move=2"],
        "--limit: KEY=VALUE",
    ),
    (["--game", "rat_deau", "random", "random", "--limit", "move=fast"], "limit.move: a duration like 250ms"),
    (["--game", "rat_deau", "random", "random", "--limit", "mvoe=1s"], "(did you mean 'move'?)"),
    (["--game", "rat_deau"], "Missing argument 'BOT BOT ...'"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[said for _, said in WRONG])
def test_what_is_wrong_is_said_in_one_line(arena: Terminal, words: list[str], said: str) -> None:
    Path("peech_only.py").write_text("GAMES = ['peech']\ndef act(turn): ...\n", encoding="utf-8")
    status, out, complaint = arena("play", *words)
    assert (status, out) == (2, "")
    assert said in complaint.splitlines()[-1]
    assert "Traceback" not in complaint


@pytest.mark.jail
def test_a_record_that_cannot_be_written_is_arenas_error(arena: Terminal) -> None:
    status, _, complaint = arena("play", "--game", "rat_deau", "random", "random", "--record", "no/such/file")
    assert (status, complaint) == (1, "no/such/file: No such file or directory\n")


def test_where_no_jail_can_be_had_one_line_says_so(arena: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise JailUnavailable("the sandbox cannot be made here: no user namespaces")

    monkeypatch.setattr("arena.cli.play.BotServer", refuse)
    words = ("play", "--game", "rat_deau", "random", "random")
    assert arena(*words) == (1, "", "the sandbox cannot be made here: no user namespaces\n")
    assert arena(*words, "--trusted").status == 0


@pytest.mark.jail
@pytest.mark.parametrize("environ", [{}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}])
def test_names_are_shown_on_any_terminal(environ: dict[str, str]) -> None:
    source = "NAME = 'Héron \U0001f426\x1b[2J'\ndef act(turn):\n    return turn.legal[0]\n"
    Path("bird.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "arena", "play", "--game", "rat_deau", "bird.py", "random"]
    done = subprocess.run(command, capture_output=True, timeout=60, env=environ)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "seat 0: bird (Héron \U0001f426\ufffd[2J)\n".encode() in done.stdout


def test_games_are_listed_with_seats_options_and_defaults(arena: Terminal) -> None:
    status, said, complaints = arena("games")
    assert (status, complaints) == (0, "")
    for name in registry.games:
        rules = registry.games.get(name)
        assert (
            f"{name}: {seats_of(rules)} seats, the {'highest' if rules.higher_wins else 'lowest'} score wins"
            in said
        )
        for key, option in rules.options.items():
            assert f"  {key} = {written(option.default)}\n" in said
            assert option.allowed in said
    assert "peech: 4 seats, the lowest score wins" in said
    assert "rat_deau: 2 to 4 seats, the highest score wins" in said
    assert "  pack = 1,2,3,4,5,6,7,8,9\n" in said
