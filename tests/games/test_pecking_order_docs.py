"""The page for bot authors tells every message of Pecking Order as it is."""

import inspect
import json
import re
from pathlib import Path
from random import Random
from typing import Any

from support.pecking_order import no_perch_left

from arena.games import pecking_order
from arena.games.pecking_order import WORTH, PeckingOrder
from arena.model import Limits, Request, Setup
from arena.options import settle
from arena.protocol import end_message, start_message, turn_message

PAGE = (Path(__file__).parents[2] / "docs/games/pecking_order.md").read_text(encoding="utf-8")
SEAT = 1
TYPES = ("draw", "place", "fight", "look", "see", "decline", "no_perch", "round")


def the_match() -> tuple[PeckingOrder, list[Any]]:
    """The match of the page, and what its seat is asked in it: it takes perch 3, looks, and never again."""
    position = PeckingOrder.start(2, Random(7), {})
    asked: list[Any] = []
    seen = number = 0
    while position.turn is not None:
        legal = position.legal()
        if position.turn == SEAT:
            new = position.events(SEAT, seen)
            seen += len(new)
            request = Request(position.kind, legal, position.view(SEAT), new)
            asked.append(json.loads(turn_message(len(asked) + 1, request, 10.0)))
        usual = "none" if position.kind == "look" else legal[7 * number % len(legal)]
        position = position.play({1: "3", 2: legal[0]}.get(number, usual))
        number += 1
    return position, asked


def the_messages() -> list[Any]:
    end, asked = the_match()
    setup = Setup("pecking_order", SEAT, 2, settle(PeckingOrder.options, {}), 2718281828, Limits())
    events = [*end.events(SEAT), *no_perch_left().events(SEAT)]
    return [
        next(message for message in asked if message["id"] == 6),
        next(message for message in asked if message["kind"] == "look"),
        json.loads(start_message(setup)),
        json.loads(end_message(end.scores(), end.placings())),
        [next(event for event in events if event["type"] == kind) for kind in TYPES],
    ]


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_column(text: str) -> set[str]:
    return {
        key for line in re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE) for key in line.split("`")[1::2]
    }


def test_every_message_of_the_page_is_real() -> None:
    shown = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert [json.loads(block) for block in shown] == the_messages()


def test_every_key_kind_event_and_option_is_told() -> None:
    end, asked = the_match()
    assert first_column(section("What is asked")) - {"kind"} == {message["kind"] for message in asked}
    assert first_column(section("What is seen")) == set(end.view(SEAT))
    assert first_column(section("Options")) == set(PeckingOrder.options)
    told = {
        kind: set(re.findall(r"`(\w+)`", keys))
        for kind, keys in re.findall(r"^\| `(\w+)` \| (.*?) \|", section("Events"), re.MULTILINE)
        if kind != "type"
    }
    events = [*end.events(None), *no_perch_left().events(None)]
    assert told == {event["type"]: set(event) - {"type"} for event in events}
    defaults = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", section("Options"), re.MULTILINE))
    assert defaults == {key: json.dumps(option.default) for key, option in PeckingOrder.options.items()}


def test_the_table_of_perches_is_the_one_that_is_played() -> None:
    rows = re.findall(r"^\| (?!---)(.*) \|$", section("The game"), re.MULTILINE)[:2]
    names, values = ([cell.strip(" `") for cell in row.split("|")[1:]] for row in rows)
    assert dict(zip(names, map(int, values), strict=True)) == WORTH


def test_every_ruling_stands_on_the_page_and_in_the_rules() -> None:
    told = re.findall(r"^\| (PO-\d+) \|", section("Rulings"), re.MULTILINE)
    assert told == [f"PO-{number}" for number in range(1, 14)]
    assert set(told) == set(re.findall(r"PO-\d+", inspect.getsource(pecking_order)))
