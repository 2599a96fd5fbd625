"""`arena rate`: results from elsewhere in, a table, JSON or a page out."""

import json
import random
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from support.simulated import names, tournament

from arena.cli.rate import rate
from arena.errors import ArenaError, ConfigError, UsageError
from arena.ratings.bradley_terry import bradley_terry
from arena.ratings.results_csv import read_results

HOSTILE = "</script><img src=x onerror=alert(1)>"


def run(folder: Path, text: str, *options: str) -> Result:
    """The command on a file `r.csv` in this folder; arena's own errors as the program would print them."""
    file = folder / "r.csv"
    file.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(rate, [str(file), *options])
    if isinstance(result.exception, ArenaError):
        raise result.exception
    assert result.exception is None, result.exception
    return result


def rated(folder: Path, text: str, *options: str) -> dict[str, dict[str, object]]:
    said = json.loads(run(folder, text, "--json", *options).stdout)
    return {row["bot"]: row for row in said["ratings"]}


def as_csv(rows: list[tuple[object, ...]], head: str = "match,block,bot,place,score") -> str:
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


def simulated(seed: int = 0, seats: int = 3) -> list[tuple[object, ...]]:
    outcomes = tournament(np.random.default_rng(seed), np.linspace(-1, 1, 5), seats, 3)
    return [
        (o.match, o.block, bot, place, score)
        for o in outcomes
        for bot, place, score in zip(o.bots, o.placings, o.scores or (), strict=True)
    ]


def test_json_is_what_the_model_says(tmp_path: Path) -> None:
    outcomes = tournament(np.random.default_rng(0), np.linspace(-1, 1, 5), 3, 3)
    by_bot = rated(tmp_path, as_csv(simulated()))
    for row in bradley_terry(outcomes, names(5)).rows:
        said = by_bot[row.bot]
        for name in (
            "rating",
            "half_width",
            "rank",
            "rank_low",
            "rank_high",
            "superiority",
            "blocks",
            "matches",
        ):
            assert said[name] == getattr(row, name)
    assert sum(row["rating"] for row in by_bot.values()) == pytest.approx(0, abs=1e-4)
    assert all(row["score_half_width"] > 0 for row in by_bot.values())


def test_order_of_rows_and_columns_and_names_change_nothing(tmp_path: Path) -> None:
    dice, rows = random.Random(1), simulated()
    expected = run(tmp_path, as_csv(rows), "--json").stdout
    mixed = [row[::-1] for row in dice.sample(rows, len(rows))]
    assert run(tmp_path, as_csv(mixed, "score,place,bot,block,match"), "--json").stdout == expected
    new = {bot: f"x{i}" for i, bot in enumerate(dice.sample(names(5), 5))}
    renamed = rated(tmp_path, as_csv([(f"m{m}", f"k{b}", new[bot], p, s) for m, b, bot, p, s in rows]))
    for row in json.loads(expected)["ratings"]:
        other = renamed[new[row["bot"]]]
        assert (other["rating"], other["half_width"], other["rank"]) == (
            row["rating"],
            row["half_width"],
            row["rank"],
        )


def test_block_and_score_may_be_missing_or_empty(tmp_path: Path) -> None:
    rows = simulated()
    alone = rated(tmp_path, as_csv([(m, bot, p) for m, _, bot, p, _ in rows], "match,bot,place"))
    empty = rated(tmp_path, as_csv([(m, "", bot, p, "") for m, _, bot, p, _ in rows]))
    assert alone == empty
    assert all(row["score"] is None for row in alone.values())
    assert alone["bot00"]["blocks"] == alone["bot00"]["matches"]
    blocked = rated(tmp_path, as_csv(rows))
    assert blocked["bot00"]["rating"] == alone["bot00"]["rating"]
    assert blocked["bot00"]["half_width"] != alone["bot00"]["half_width"]


def test_semicolons_tabs_byte_order_mark_and_spare_columns(tmp_path: Path) -> None:
    rows = simulated()
    expected = rated(tmp_path, as_csv(rows))
    assert rated(tmp_path, as_csv(rows).replace(",", ";")) == expected
    assert (
        rated(tmp_path, "\ufeff" + as_csv(rows).replace(",", "\t").upper().replace("BOT0", "bot0"))
        == expected
    )
    spare = run(tmp_path, as_csv([(*row, "x") for row in rows], "match,block,bot,place,score,seat"), "--json")
    assert {row["bot"]: row for row in json.loads(spare.stdout)["ratings"]} == expected
    assert spare.stderr.endswith("r.csv: columns not used: seat\n")


def test_the_table(tmp_path: Path) -> None:
    rows = [
        (f"m{i}", f"b{i}", bot, place, "")
        for i in range(40)
        for bot, place in (("A", 1 + i % 2), ("B", 2 - i % 2))
    ]
    rows += [(f"x{i}", "", bot, place, "") for i in range(9) for bot, place in (("rock", 1), ("paper", 2))]
    text = run(tmp_path, as_csv(rows)).stdout
    assert text.splitlines()[:3] == [
        "Rank  Ranks  Bot      Rating  Stronger       Points  Mean score  Blocks  Matches",
        "   1    1–2  A    0.0 ± 55.5      50\u202f%  50.0 ± 16.2           –      40       40",
        "   1    1–2  B    0.0 ± 55.5         –  50.0 ± 16.2           –      40       40",
    ]
    assert "at least" in text
    assert "2 groups that never met" in text


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([], "There is no match in r.csv."),
        ([("a", "b")], "at least"),
        ([("a", "b")] * 50, "at most"),
        ([("a", "=", "b")] * 20, "All bots are level"),
        (
            [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")] * 9,
            "paper beats rock beats scissors",
        ),
        ([("a", "b"), ("c", "d")] * 5, "2 groups that never met"),
    ],
)
def test_edges_are_finite_and_said_in_words(
    tmp_path: Path, results: list[tuple[str, ...]], words: str
) -> None:
    rows = []
    for number, result in enumerate(results):
        rows += [(number, result[0], 1), (number, result[-1], 1 if "=" in result else 2)]
    for model in ("bradley_terry", "davidson_luce"):
        page = tmp_path / "page.html"
        text = as_csv(rows, "match,bot,place")
        shown = run(tmp_path, text, "--model", model, "--html", str(page)).stdout
        as_json = run(tmp_path, text, "--model", model, "--json").stdout
        assert words in shown
        for output in (shown, as_json, page.read_text(encoding="utf-8").split("<body>")[1]):
            lowered = output.lower()
            assert "nan" not in lowered
            assert "inf" not in lowered
            assert "none" not in lowered


def test_anchor_and_model(tmp_path: Path) -> None:
    text = as_csv(simulated())
    assert rated(tmp_path, text, "--anchor", "bot01")["bot01"]["rating"] == 0
    assert rated(tmp_path, text, "--model", "davidson_luce") != rated(tmp_path, text)
    with pytest.raises(UsageError, match="anchor: one of the bots, not 'bot9'"):
        run(tmp_path, text, "--anchor", "bot9")
    with pytest.raises(UsageError, match=r"bradley_terry, davidson_luce.*not 'bradley' \(did you mean"):
        run(tmp_path, text, "--model", "bradley")


class Parts(HTMLParser):
    """What tags a page has and what they point to."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.targets: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.targets += [value or "" for name, value in attrs if name in ("src", "href")]
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_self_contained_and_names_are_hostile(tmp_path: Path) -> None:
    page = tmp_path / "out" / "page.html"
    text = as_csv([(1, HOSTILE, 1), (1, "b\u202e", 2), (2, HOSTILE, 2), (2, "b\u202e", 1)], "match,bot,place")
    run(tmp_path, text, "--html", str(page), "--anchor", HOSTILE)
    parts = Parts()
    parts.feed(page.read_text(encoding="utf-8"))
    assert "img" not in parts.tags
    assert HOSTILE in parts.text
    assert all(target.startswith(("#", "data:")) for target in parts.targets)
    assert parts.tags.count("tr") == 3


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", [":1: empty: a first line like match,block,bot,place,score is needed"]),
        ("match,bot,palce\n", [":1: place: this column is needed (did you mean 'palce'?)"]),
        ("match,bot,place,bot\n", [":1: bot: this column is there twice"]),
        ("match,bot,place,scores\n", [":1: scores: no such column (did you mean 'score'?)"]),
        (
            "match,bot,place,score\n1,a,0,\n1,b,1.5,\n\n2,a,1,nan\n2,,2,1e999\n3,a,1\n,b,x,3\n",
            [
                ":2: place: a whole number from 1, not '0'",
                ":3: place: a whole number from 1, not '1.5'",
                ":5: score: a number or an empty cell, not 'nan'",
                ":6: bot: a name, not an empty cell",
                ":6: score: a number or an empty cell, not '1e999'",
                ":7: row: 4 cells or more are needed, not 3",
                ":8: match: a name, not an empty cell",
                ":8: place: a whole number from 1, not 'x'",
            ],
        ),
        (
            "match,block,bot,place\n1,x,a,1\n2,,a,1\n1,y,b,2\n2,,a,2\n3,,c,1\n",
            [":4: block: the same for all rows of match '1': 'x', not 'y'"],
        ),
        (
            "match,bot,place\n1,a,1\n2,c,1\n1,a,2\n",
            [":4: bot: 'a' is in match '1' twice", ":3: match: two bots or more, but '2' has one row"],
        ),
    ],
)
def test_faults_name_their_line_and_column(text: str, problems: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        read_results(text.splitlines(keepends=True), "r.csv")
    assert caught.value.problems == tuple(f"r.csv{problem}" for problem in problems)


def test_many_faults_are_cut_and_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read_results(["match,bot,place\n", *["1,a,x\n"] * 100], "r.csv")
    assert len(caught.value.problems) == 21
    assert caught.value.problems[-1] == "and more"
    (tmp_path / "latin.csv").write_bytes(b"match,bot,place\n1,\xe9,1\n")
    for name, said in (
        ("latin.csv", "text in UTF-8"),
        ("missing.csv", "No such file"),
        (".", "Is a directory"),
    ):
        result = CliRunner().invoke(rate, [str(tmp_path / name)])
        assert isinstance(result.exception, UsageError)
        assert said in str(result.exception)


def test_any_text_gives_a_table_or_a_config_error() -> None:
    """Fuzzed: never another exception."""
    dice, read = random.Random(3), 0
    letters = [
        "match",
        "bot",
        "place",
        "score",
        "block",
        ",",
        ",",
        "\n",
        "\n",
        '"',
        "1",
        "2",
        "a",
        "b",
        "\0",
        " ",
        "é",
    ]
    for _ in range(3000):
        text = "match,bot,place,block,score\n" * dice.randint(0, 1)
        text += "".join(dice.choice(letters) for _ in range(dice.randint(0, 40)))
        try:
            columns, _ = read_results(text.splitlines(keepends=True), "r.csv")
        except ConfigError:
            continue
        assert len(bradley_terry(columns, columns.bots).rows) == len(columns.bots)
        read += 1
    assert read > 50


def test_the_documented_example(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "docs" / "statistics.md").read_text(encoding="utf-8")
    by_bot = rated(tmp_path, text.split("```csv\n")[1].split("```")[0])
    assert by_bot["ann"]["blocks"] == 2
    assert by_bot["ann"]["rating"] == by_bot["bob"]["rating"] == 0
    assert by_bot["ann"]["score"] == 33
