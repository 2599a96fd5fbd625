"""What each format says of small fields, table sizes and its options when a config is read."""

from pathlib import Path

import pytest

from arena.config import Settings, read_config
from arena.errors import ConfigError
from arena.formats.swiss import tie_breaks_of
from arena.formats.trf import trf
from arena.model import Event

GAMES = {2: "{name: rat_deau, seats: 2}", 3: "{name: rat_deau, seats: 3}", 4: "{name: rat_deau, seats: 4}"}


def read(folder: Path, bots: int, format_: str, seats: int = 2, **more: str) -> Settings:
    for number in range(bots):
        (folder / f"b{number:02}.py").write_text(f"# {number}\ndef act(turn):\n    return turn.legal[0]\n")
    names = ", ".join(f"b{number:02}.py" for number in range(bots))
    keys = {"name": "Cup", "game": GAMES[seats], "bots": f"[{names}]", "format": format_, **more}
    config = folder / "cup.yaml"
    config.write_text("".join(f"{key}: {value}\n" for key, value in keys.items()))
    return read_config(config)


def refusal(folder: Path, *what: object, **more: str) -> str:
    with pytest.raises(ConfigError) as error:
        read(folder, *what, **more)  # type: ignore[arg-type]
    return str(error.value)


@pytest.mark.parametrize(
    ("format_", "bots", "seats", "said"),
    [
        ("round_robin", 1, 2, "a table of 2 takes at least 2 bots, not 1"),
        ("round_robin", 3, 4, "a table of 4 takes at least 4 bots, not 3"),
        ("swiss", 1, 2, "a Swiss at 2 seats needs at least 2 bots, not 1"),
        ("swiss", 3, 4, "a Swiss at 4 seats needs at least 4 bots, not 3"),
        ("swiss", 2, 2, "2 bots can play at most 1 Swiss round without a repeat, not 5"),
        ("{kind: swiss, rounds: 6}", 5, 2, "5 bots can play at most 5 Swiss rounds without a repeat, not 6"),
        ("{kind: swiss, rounds: 6}", 6, 2, "6 bots can play at most 5 Swiss rounds without a repeat, not 6"),
        ("gauntlet", 1, 2, "a gauntlet at 2 seats needs at least 1 bot beside its 1 hero, not 0"),
        ("gauntlet", 3, 4, "a gauntlet at 4 seats needs at least 3 bots beside its 1 hero, not 2"),
        (
            "{kind: gauntlet, heroes: 3}", 4, 3,
            "a gauntlet at 3 seats needs at least 2 bots beside its 3 heroes, not 1",
        ),
        (
            "{kind: gauntlet, heroes: 9}", 4, 2,
            "a gauntlet at 2 seats needs at least 1 bot beside its 4 heroes, not 0",
        ),
        ("knockout", 1, 2, "a knockout at 2 seats needs at least 2 bots, not 1"),
        ("knockout", 2, 3, "a knockout at 3 seats needs at least 3 bots, not 2"),
    ],
)  # fmt: skip
def test_too_small_a_field_is_refused(tmp_path: Path, format_: str, bots: int, seats: int, said: str) -> None:
    text = refusal(tmp_path, bots, format_, seats)
    assert text == f"{tmp_path / 'cup.yaml'}:4: format: {said}"


@pytest.mark.parametrize(
    ("format_", "bots", "seats", "said"),
    [
        ("{kind: swiss, rounds: 3}", 7, 4, "7 bots at 4 seats: repeats cannot be avoided after round 2"),
        ("{kind: swiss, rounds: 2}", 4, 4, "4 bots at 4 seats: repeats cannot be avoided after round 1"),
        (
            "{kind: round_robin, max_tables: 3}", 6, 3,
            "2 tables of 3 cannot let all 6 bots meet; that takes 6 at least (max_tables)",
        ),
        (
            "{kind: round_robin, max_tables: 6}", 8, 3,
            "6 tables of 3 cannot let all 8 bots meet; that takes 11 at least, "
            "and 16 for all to sit equally often (max_tables)",
        ),
        (
            "{kind: round_robin, max_tables: 6}", 7, 4,
            "with 6 tables of 4 some of the 7 bots sit at one table more than others",
        ),
    ],
)  # fmt: skip
def test_a_field_that_cannot_be_fair_is_warned_about(
    tmp_path: Path, format_: str, bots: int, seats: int, said: str
) -> None:
    (warning,) = read(tmp_path, bots, format_, seats).warnings
    assert warning.endswith(f"cup.yaml:4: Cup: {said}")


@pytest.mark.parametrize("seats", GAMES)
@pytest.mark.parametrize("format_", ["round_robin", "{kind: swiss, rounds: 1}", "gauntlet", "knockout"])
def test_a_field_of_one_table_plays(tmp_path: Path, format_: str, seats: int) -> None:
    for bots in (seats, seats + 1):
        assert read(tmp_path, bots, format_, seats).warnings == ()


def test_short_tables_need_rules_for_their_size(tmp_path: Path) -> None:
    format_ = "{kind: swiss, rounds: 1, remainder: short}"
    assert read(tmp_path, 7, format_, 4).events
    assert read(tmp_path, 8, format_, game="peech").events  # two full tables
    assert read(tmp_path, 5, format_, game="peech").events  # five make no two tables: one gets the bye
    said = refusal(tmp_path, 7, format_, game="peech")
    assert said.endswith("format: remainder: short makes tables of 3, for which peech has no rules")


@pytest.mark.parametrize("format_", ["gauntlet", "knockout", "swiss"])
def test_bots_are_not_dropped_where_every_table_is_needed(tmp_path: Path, format_: str) -> None:
    said = refusal(tmp_path, 8, format_, until="{winner: true}")
    assert said.endswith(f"cup.yaml:5: until: winner: it drops bots, and a {format_} (Cup) needs every table")
    assert read(tmp_path, 8, "round_robin", until="{winner: true}").until.winner


def event(folder: Path, format_: str, seats: int = 2) -> Event:
    return read(folder, 8, format_, seats).events[0]


def test_tie_breaks_are_chosen_in_the_config(tmp_path: Path) -> None:
    usual = ("buchholz_cut_1", "buchholz", "sonneborn_berger", "wins", "direct_encounter")
    assert tie_breaks_of(event(tmp_path, "swiss")) == usual
    assert tie_breaks_of(event(tmp_path, "{kind: swiss, rounds: 2}", 4)) == (
        "opponents_points",
        "score_margin",
    )
    chosen = "{kind: swiss, rounds: 2, tie_breaks: [direct_encounter, score_margin]}"
    assert tie_breaks_of(event(tmp_path, chosen)) == ("direct_encounter", "score_margin")
    assert tie_breaks_of(event(tmp_path, "{kind: swiss, tie_breaks: []}")) == ()
    assert tie_breaks_of(event(tmp_path, "{kind: swiss, rounds: 2, tie_breaks: [wins]}", 3)) == ("wins",)


@pytest.mark.parametrize("given", ["[buchholz, buchholz]", "[luck]", "buchholz luck", "{}", "7"])
def test_tie_breaks_that_there_are_not(tmp_path: Path, given: str) -> None:
    said = refusal(tmp_path, 8, f"{{kind: swiss, tie_breaks: {given}}}")
    assert "format.tie_breaks: a list out of buchholz_cut_1, buchholz, " in said


def test_tie_breaks_that_pods_do_not_have(tmp_path: Path) -> None:
    said = refusal(tmp_path, 8, "{kind: swiss, rounds: 2, tie_breaks: [wins, buchholz, direct_encounter]}", 3)
    assert said.endswith(
        "format: tie_breaks: buchholz, direct_encounter: for two seats only; "
        "at 3 seats: opponents_points, score_margin, wins"
    )


def test_a_report_file_of_any_names_has_its_columns() -> None:
    order = ["b" * 50, *(f"bot-{i}" for i in range(2100))]
    lines = trf("Ünïcode\ncup", order, {bot: [] for bot in order}, 3).splitlines()
    assert lines[0] == "012 ?n?code?cup"
    players = [line for line in lines if line.startswith("001")]
    assert len(players) == len(order)
    assert {len(line) for line in players} == {len(players[0])}
