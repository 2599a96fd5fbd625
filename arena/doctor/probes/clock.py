"""Takes more time than it has: asleep, at work, or in a call that nothing in Python can interrupt."""

import time
from typing import Any


def act(turn: Any) -> str:
    way = turn.options["way"]
    if way == "asleep":
        time.sleep(30)
    elif way == "at work":
        while True:
            pass
    elif way == "in one long call":
        pow(3, 10**9)
    return "nothing"
