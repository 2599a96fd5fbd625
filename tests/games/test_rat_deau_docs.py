"""The page for bot authors tells every message as it is."""

import inspect
import json
import re
from pathlib import Path
from typing import Any

from arena.games import rat_deau
from arena.games.rat_deau import RatDeau
from arena.model import Limits, Request, Setup
from arena.options import settle
from arena.protocol import end_message, start_message, turn_message

PAGE = (Path(__file__).parents[2] / "docs/games/rat_deau.md").read_text(encoding="utf-8")
DICE = {"dice": [[4, 4], [6, 1], [2, 5]]}
ACTIONS = "986489754753"


def the_match() -> tuple[RatDeau, list[Any]]:
    """The match of the page, and what seat 1 is asked in it."""
    position = RatDeau.from_chance(2, DICE, {})
    asked: list[Any] = []
    seen = 0
    for action in ACTIONS:
        if position.turn == 1:
            new = position.events(1, seen)
            seen += len(new)
            request = Request(position.kind, position.legal(), position.view(1), new)
            asked.append(json.loads(turn_message(len(asked) + 1, request, 10.0)))
        position = position.play(action)
    return position, asked


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_column(text: str) -> set[str]:
    return {
        key for line in re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE) for key in line.split("`")[1::2]
    }


def test_every_message_of_the_page_is_real() -> None:
    end, asked = the_match()
    setup = Setup("rat_deau", 1, 2, settle(RatDeau.options, {}), 2718281828, Limits())
    of_each_type = {event["type"]: event for event in reversed(end.events(1))}
    real = [
        asked[4],
        asked[1],
        json.loads(start_message(setup)),
        json.loads(end_message(end.scores(), end.placings())),
        [of_each_type[kind] for kind in ("loot", "dice", "offer", "raft", "anger")],
    ]
    shown = [
        json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    ]
    assert shown == real


def test_every_key_kind_event_and_option_is_told() -> None:
    end, asked = the_match()
    assert first_column(section("What is asked")) - {"kind"} == {message["kind"] for message in asked}
    assert first_column(section("What is seen")) == set(end.view(1))
    assert first_column(section("Options")) == set(RatDeau.options)
    told = {
        kind: set(re.findall(r"`(\w+)`", keys))
        for kind, keys in re.findall(r"^\| `(\w+)` \| (.*?) \|", section("Events"), re.MULTILINE)
        if kind != "type"
    }
    assert told == {event["type"]: set(event) - {"type"} for event in end.events(None)}


def test_every_ruling_stands_on_the_page_and_in_the_rules() -> None:
    rules = inspect.getsource(rat_deau)
    told = re.findall(r"^\| (RD-\d+) \|", section("Rulings"), re.MULTILINE)
    assert told == [f"RD-{number}" for number in range(1, 13)]
    assert set(told) == set(re.findall(r"RD-\d+", rules))
