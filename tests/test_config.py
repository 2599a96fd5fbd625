"""Configs: every problem at once, each with its line; scalars typed by their key; bots and names."""

from pathlib import Path

import pytest

from arena.config import Gate, Settings, Until, read_config
from arena.config.document import Node, Problems, load
from arena.errors import ConfigError, UsageError
from arena.model import Limits

BOT = "def act(turn):\n    return turn.legal[0]\n"

SAMPLE = """\
name: Autumn cup
game: {name: rat_deau, seats: 3}
bots:
  - ann.py
  - path: bob.py
    name: Bob the second
    anchor: true
  - more/*.py
format:
  kind: round_robin
  deals: 4
  seatings: all
limits: {move: 250ms, bank: 0s, start: 2m,
         memory: 1GiB, processes: 1}
faults:
  disqualify_after: 3
  strict: true
until:
  half_width: 20
  max_blocks: 0050
  max_time: 2h
ratings: {model: bradley_terry, rank_by: points}
jail:
  tier: B
executor:
  kind: local
  workers: 2
seed: 0777
report:
  title: The cup
  logs: public
  replays: faults
"""

LINES = {
    "name": 1, "game": 2, "game.name": 2, "game.seats": 2, "bots": 3, "bots[0]": 4, "bots[1]": 5,
    "bots[1].path": 5, "bots[1].name": 6, "bots[1].anchor": 7, "bots[2]": 8, "format": 9, "format.kind": 10,
    "format.deals": 11, "format.seatings": 12, "limits": 13, "limits.move": 13, "limits.bank": 13,
    "limits.start": 13, "limits.memory": 14, "limits.processes": 14, "faults": 15,
    "faults.disqualify_after": 16, "faults.strict": 17, "until": 18, "until.half_width": 19,
    "until.max_blocks": 20, "until.max_time": 21, "ratings": 22, "ratings.model": 22, "ratings.rank_by": 22,
    "jail": 23, "jail.tier": 24, "executor": 25, "executor.kind": 26, "executor.workers": 27, "seed": 28,
    "report": 29, "report.title": 30, "report.logs": 31, "report.replays": 32,
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "more").mkdir()
    for name in ("ann.py", "bob.py", "more/cy.py", "more/dan.py"):
        (tmp_path / name).write_text(BOT + f"# {name}\n")
    return tmp_path


def read(folder: Path, text: str) -> Settings:
    (folder / "cup.yaml").write_text(text)
    return read_config(folder / "cup.yaml")


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read(folder, text)
    return [line.removeprefix(f"{folder}/") for line in caught.value.problems]


def config(**changed: str) -> str:
    """A small valid config with some keys replaced by other text, or left out for an empty one."""
    keys = {"name": "Cup", "game": "rat_deau", "bots": "[ann.py, bob.py, more]", "format": "round_robin"}
    return "".join(f"{key}: {value}\n" for key, value in (keys | changed).items() if value)


def test_every_key_knows_its_line(folder: Path) -> None:
    (folder / "cup.yaml").write_text(SAMPLE)
    found: dict[str, int] = {}

    def walk(node: Node) -> None:
        found[node.key] = node.line
        for child in node.value.values() if isinstance(node.value, dict) else node.value or []:
            if isinstance(child, Node):
                walk(child)

    walk(load(folder / "cup.yaml", Problems(folder / "cup.yaml")))
    assert found == {"": 1} | LINES


def test_a_full_config_is_read(folder: Path) -> None:
    settings = read(folder, SAMPLE)
    (event,) = settings.events
    assert (settings.name, settings.seed, settings.title) == ("Autumn cup", 777, "The cup")
    assert [(bot.id, bot.name, bot.anchor) for bot in event.bots] == [
        ("ann", "ann", False), ("bob-the-second", "Bob the second", True), ("cy", "cy", False),
        ("dan", "dan", False),
    ]  # fmt: skip
    assert (event.game, event.seats, event.name, event.format) == ("rat_deau", 3, "Autumn cup", "round_robin")
    assert event.format_options["deals"] == 4
    assert event.format_options["rounds"] is None
    assert event.limits == Limits(0.25, 0.0, 120.0, 2**30, 1)
    assert settings.until == Until(half_width=20.0, max_blocks=50, max_time=7200.0)
    assert (settings.disqualify_after, settings.strict, settings.rank_by, settings.tier) == (
        3,
        True,
        "points",
        "B",
    )
    assert (settings.workers, settings.logs, settings.replays) == (2, "public", "faults")


def test_a_small_config_has_honest_defaults(folder: Path) -> None:
    settings = read(folder, config())
    (event,) = settings.events
    assert (settings.seed, settings.until, settings.workers, settings.tier) == (0, Until(), None, "A")
    assert event.format_options["rounds"] == 1
    assert (event.limits, event.common_deals, event.seats) == (Limits(), False, 4)


def test_the_resolved_config_gives_the_same_tournament(folder: Path) -> None:
    import yaml

    settings = read(
        folder, SAMPLE.replace("rank_by: points", "anchor: ANN").replace("    anchor: true\n", "")
    )
    again = read(folder, yaml.safe_dump(settings.plain))
    assert again.events == settings.events
    assert (again.until, again.plain) == (settings.until, settings.plain)


def test_events_share_the_keys_on_top(folder: Path) -> None:
    text = config(game="", limits="{move: 2s}", events="""
  - {game: rat_deau, limits: {move: 3s}}
  - {name: Second, game: {name: rat_deau, seats: 2}, bots: [ann.py, bob.py], common_deals: true}
""")  # fmt: skip
    one, two = read(folder, text).events
    assert (one.index, one.name, one.seats, one.limits.move, len(one.bots)) == (0, "Rat deau", 4, 3.0, 4)
    assert (two.index, two.name, two.seats, two.limits.move, len(two.bots)) == (1, "Second", 2, 2.0, 2)
    assert (one.common_deals, two.common_deals) == (False, True)


def test_four_problems_are_told_at_once_each_with_its_line(folder: Path) -> None:
    text = (
        "name: Cup\nseed: -3\ngame: rat_duck\nbots:\n  - ann.py\n  - nobody.py\n"
        "format:\n  deals: none\n  kund: x\n"
    )
    assert [line.split(", rounds")[0] for line in problems(folder, text)] == [
        "cup.yaml:2: seed: a whole number from 0 to 18446744073709551615, not -3",
        "cup.yaml:3: game: one of pecking_order, peech, rat_deau, not 'rat_duck' (did you mean 'rat_deau'?)",
        "cup.yaml:6: bots[1]: nobody.py: no such bot; a .py file, a folder with bot.yaml, or a name in bots/"
        " (did you mean 'bob.py'?)",
        "cup.yaml:8: format.deals: a whole number from 1, not none",
        "cup.yaml:9: format.kund: no such key (did you mean 'kind'?); known: kind, deals, seatings",
    ]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"formt": "x"}, "5: formt: no such key (did you mean 'format'?); known: name, game, bots"),
        ({"game": ""}, "1: game: missing; a game's name, or {name, seats, options}"),
        ({"name": ""}, "1: name: missing; what is the tournament called?"),
        ({"game": "[1]"}, "2: game: one of pecking_order, peech, rat_deau, not ['1']"),
        ({"game": "{seats: 2}"}, "2: game: name: missing; one of pecking_order"),
        ({"game": "{name: rat_deau, seats: 5}"}, "2: game.seats: a whole number from 2 to 4, not 5"),
        ({"game": "{name: rat_deau, options: {rains: 1}}"}, "2: game.options.rains: no such key"),
        ({"game": "{name: rat_deau, options: {pack: [1]}}"}, "2: game.options"),
        ({"bots": "[]"}, "3: bots: a list of files, folders, globs or {path, name}, not []"),
        ({"bots": "ann.py"}, "3: bots: a list of files"),
        ({"bots": "[ann.py, '*.txt']"}, "3: bots[1]: *.txt: no file matches"),
        ({"bots": "[ann.py, {name: x}]"}, "3: bots[1]: path: missing"),
        ({"bots": "[ann.py]"}, "4: format: a table of 4 takes at least 4 bots, not 1"),
        ({"format": "{kind: swift}"}, "4: format.kind: one of "),
        ({"format": "{rounds: -1}"}, "4: format.rounds: a whole number from 1 or null, not -1"),
        ({"limits": "{move: 10:00}"}, "5: limits.move: a duration like 250ms, 1s, 2m or 1h, not 10:00"),
        ({"limits": "{memory: -5}"}, "5: limits.memory: a size like"),
        ({"limits": "{python: no/such}"}, "5: limits.python: an interpreter or a virtual environment"),
        ({"limits": "fast"}, "5: limits: a mapping of move, bank, start, memory, processes, python"),
        ({"seed": ".inf"}, "5: seed: a whole number from 0 to"),
        ({"seed": "2024-01-01"}, "5: seed: a whole number from 0 to"),
        ({"seed": "null"}, "5: seed: a whole number from 0 to 18446744073709551615, not null"),
        ({"faults": "{strict: yes}"}, "5: faults.strict: true or false, not yes"),
        ({"ratings": "{anchor: Zoe}"}, "5: ratings.anchor: the name of a bot that takes part, not 'Zoe'"),
        ({"gate": "{elo0: 0, elo1: 10}"}, "5: gate: a gate is between two bots; Cup has 4"),
        ({"gate": "{elo0: 9, elo1: 9}"}, "5: gate: elo0 must be below elo1, not 9 and 9"),
        ({"jail": "{tier: Z}"}, "5: jail.tier: one of A, B, C, D, not Z"),
        ({"executor": "{workers: 0}"}, "5: executor.workers: auto or a whole number from 1, not 0"),
        ({"events": "[]"}, "5: events: a list of events"),
        ({"events": "[{game: rat_deau}, {game: rat_deau}]"}, "5: events[1]: a second event called"),
        ({"events": "[{gane: rat_deau}]"}, "5: events[0].gane: no such key (did you mean 'game'?)"),
        ({"name": "'a\\nb'\nname: c"}, "2: name: given twice; the first is in line 1"),
        ({"name": "c\n\tx: 1"}, "2: a tab; YAML is indented with spaces"),
        ({"name": "[c"}, "2: not YAML: "),
        ({"name": "&a [*a]"}, "1: "),
    ],
)  # fmt: skip
def test_a_problem_names_line_key_and_what_is_allowed(
    folder: Path, changed: dict[str, str], said: str
) -> None:
    found = problems(folder, config(**changed))
    assert any(line.startswith(f"cup.yaml:{said}") for line in found), found


@pytest.mark.parametrize("twin", ["ANN", "ａｎｎ", "ann "])
def test_names_that_look_alike_are_refused_with_both_places(folder: Path, twin: str) -> None:
    text = (
        "name: Cup\ngame: rat_deau\nbots:\n  - ann.py\n  - more\n  - bob.py\n"
        f"  - {{path: bob.py, name: '{twin}'}}\n"
    )
    (line,) = problems(folder, text)
    assert line.startswith("cup.yaml:7: bots[3]: a second bot called ")
    assert f"the first is {folder}/cup.yaml:4 ({folder}/ann.py)" in line


def test_a_wrong_bot_leads_to_no_problem_that_is_none(folder: Path) -> None:
    """Two entries that no bot is found for are not also too few bots for a table."""
    told = problems(folder, config(bots="[ann.py, anne.py, ann.py]", limits="{python: nowhere}"))
    assert [line.split(": ")[1] for line in told] == ["bots[1]", "bots[2]", "limits.python"]


def test_a_problem_is_one_line_that_a_terminal_does_not_obey(folder: Path) -> None:
    (folder / "red\x1b[31m\n.py").mkdir()
    told = problems(folder, config(bots='["*.py"]', name='"a\\e[2J\\nb"'))
    assert len(told) == 2
    assert all(line.isprintable() for line in told)


def test_two_files_of_one_name_get_two_ids(folder: Path) -> None:
    (folder / "more" / "ann.py").write_text('NAME = "Other Ann"\n' + BOT)
    bots = read(folder, config()).events[0].bots
    assert [bot.id for bot in bots] == ["ann", "bob", "ann-2", "cy", "dan"]


def test_a_folder_gives_the_bots_that_play_this_game(folder: Path) -> None:
    (folder / "more" / "eve.py").write_text('GAMES = ["peech"]\n' + BOT)
    (folder / "more" / "README.md").write_text("not a bot")
    assert [bot.id for bot in read(folder, config()).events[0].bots] == ["ann", "bob", "cy", "dan"]
    assert (
        "bots[0]: more/eve.py: plays peech, not rat_deau"
        in problems(folder, config(bots="[more/eve.py, more]"))[0]
    )


def test_a_program_is_started_by_a_command(folder: Path) -> None:
    (folder / "prog").mkdir()
    (folder / "prog" / "main.js").write_text("//")
    text = config(
        bots="[ann.py, bob.py, more/cy.py, {path: prog, name: Node, command: [node, main.js]}, random]"
    )
    bots = read(folder, text).events[0].bots
    assert (bots[3].command, bots[3].language, bots[3].source) == (
        ("node", "main.js"),
        "node",
        folder / "prog",
    )
    assert bots[4].id == "random"


def test_a_gate_is_read(folder: Path) -> None:
    text = config(game="{name: rat_deau, seats: 2}", bots="[ann.py, bob.py]", gate="{elo1: 15}")
    settings = read(folder, text)
    assert settings.until == Until(gate=Gate(0.0, 15.0, 0.05, 0.05))
    assert settings.events[0].format_options["rounds"] is None


def test_what_is_no_config_is_one_line(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"no\.yaml: no such file"):
        read_config(folder / "no.yaml")
    with pytest.raises(UsageError, match="a folder, not a config file"):
        read_config(folder)
    (folder / "cup.yaml").write_bytes(b"name: \xff\xfe")
    with pytest.raises(UsageError, match="cannot be read as a UTF-8 text"):
        read_config(folder / "cup.yaml")
    assert problems(folder, "- a list\n") == [
        "cup.yaml:1: a config is a mapping of keys, like `name: Autumn cup`"
    ]
    assert problems(folder, "") == ["cup.yaml:1: a config is a mapping of keys, like `name: Autumn cup`"]


def test_warnings_do_not_refuse(folder: Path) -> None:
    names = [f"b{number}.py" for number in range(12)]
    for name in names:
        (folder / name).write_text(BOT)
    settings = read(folder, config(bots=f"[{', '.join(names)}]", format="{max_tables: 5}"))
    assert settings.warnings == (
        f"{folder}/cup.yaml:4: Cup: 3 tables of 4 cannot let all 12 bots meet; "
        "that takes 12 at least (max_tables)",
    )
