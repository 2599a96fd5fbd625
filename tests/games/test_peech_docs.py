"""The page for bot authors tells every message of Peech as it is."""

import inspect
import json
import re
from pathlib import Path
from random import Random
from typing import Any

from arena.games import peech
from arena.games.peech import START, TARGET, WORTH, Peech
from arena.model import Limits, Request, Setup
from arena.options import settle
from arena.protocol import end_message, start_message, turn_message

PAGE = (Path(__file__).parents[2] / "docs/games/peech.md").read_text(encoding="utf-8")
OPTIONS = {"rounds": 2}
SEAT = 2
TYPES = ("round", "coup", "deal", "hand", "battle", "peech", "scores")


def the_match() -> tuple[Peech, list[Any]]:
    """The match of the page, and what its seat is asked in it."""
    position = Peech.start(4, Random(5), OPTIONS)
    asked: list[Any] = []
    seen = number = 0
    while position.turn is not None:
        legal = position.legal()
        if position.turn == SEAT:
            new = position.events(SEAT, seen)
            seen += len(new)
            request = Request(position.kind, legal, position.view(SEAT), new)
            asked.append(json.loads(turn_message(len(asked) + 1, request, 10.0)))
        position = position.play(legal[7 * number % len(legal)])
        number += 1
    return position, asked


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_column(text: str) -> set[str]:
    return {
        key for line in re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE) for key in line.split("`")[1::2]
    }


def test_every_message_of_the_page_is_real() -> None:
    end, asked = the_match()
    setup = Setup("peech", SEAT, 4, settle(Peech.options, OPTIONS), 2718281828, Limits())
    of_each_type = {event["type"]: event for event in reversed(end.events(SEAT))}
    in_round_2 = (m for m in asked if m["view"]["round"] == 2 and m["view"]["battles_played"] == 2)
    real = [
        next(in_round_2),
        asked[0],
        json.loads(start_message(setup)),
        json.loads(end_message(end.scores(), end.placings())),
        [of_each_type[kind] for kind in TYPES],
    ]
    shown = [
        json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    ]
    assert shown == real


def test_every_key_kind_event_and_option_is_told() -> None:
    end, asked = the_match()
    assert first_column(section("What is asked")) - {"kind"} == {message["kind"] for message in asked}
    assert first_column(section("What is seen")) == set(end.view(SEAT))
    assert first_column(section("Options")) == set(Peech.options)
    told = {
        kind: set(re.findall(r"`(\w+)`", keys))
        for kind, keys in re.findall(r"^\| `(\w+)` \| (.*?) \|", section("Events"), re.MULTILINE)
        if kind != "type"
    }
    assert told == {event["type"]: set(event) - {"type"} for event in end.events(None)}
    defaults = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", section("Options"), re.MULTILINE))
    assert defaults == {key: str(option.default) for key, option in Peech.options.items()}


def test_the_table_of_cards_is_the_one_that_is_played() -> None:
    ranks, *rows = re.findall(r"^\| (?!---)(.*) \|$", section("The game"), re.MULTILINE)
    cards = [f"{rank}S" for rank in ranks.split(" | ")[1:]]
    for row, values in zip(rows, (WORTH, START, TARGET), strict=True):
        told = [cell.strip() for cell in row.split("|")[1:]]
        assert told == [str(values.get(card, "")) for card in cards]


def test_every_ruling_stands_on_the_page_and_in_the_rules() -> None:
    told = re.findall(r"^\| (PE-\d+) \|", section("Rulings"), re.MULTILINE)
    assert told == [f"PE-{number}" for number in range(1, 22)]
    assert set(told) == set(re.findall(r"PE-\d+", inspect.getsource(peech)))
