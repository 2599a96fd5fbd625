"""The talk that is measured: a request of 600 bytes and an answer of 30, as a card game has them."""

from collections.abc import Callable
from time import perf_counter

from arena.model import Limits, Request, Setup
from arena.protocol import turn_message

REQUEST_BYTES, ANSWER_BYTES = 600, 30
ACTION = "seven7"
REQUEST = Request(
    kind="play",
    legal=(ACTION, "3C", "9D", "10H", "QS", "2C", "KH"),
    view={
        "seat": 1, "seats": 4, "round": 2, "active": [0, 1, 3], "hand_size": 7,
        "hands": [None, [ACTION, "3C", "9D", "10H", "QS", "2C", "KH"], None, None],
        "won": [["4S", "4D"], [], ["AH", "7C", "7D", "8H"], ["5S"]],
        "targets": [None, 6, None, None], "scores": [[3, 5, 0, 12]],
        "battles": [{"cards": ["4S", "QD", "AH", "6C"], "takes": [None, None, 0, None], "thrown": None}],
        "padding": "",
    },
    events=({"type": "battle", "battle": 8, "cards": ["2S", "KC", None, "5S"], "takes": [None, None, 3]},),
)  # fmt: skip
REQUEST.view["padding"] = "." * (REQUEST_BYTES - len(turn_message(1000, REQUEST, 10.0)))
LINE = turn_message(1000, REQUEST, 10.0)
ANSWER = b'{"id":1000,"action":"%s"}\n' % ACTION.encode()
assert (len(LINE), len(ANSWER)) == (REQUEST_BYTES, ANSWER_BYTES)
SETUP = Setup("peech", 1, 4, {"rounds": 3}, 12345, Limits())


def repeat(once: Callable[[], object], seconds: float, batch: int = 1) -> float:
    """How often a second this can be done, `batch` at a time, for so long at least."""
    count, begun = 0, perf_counter()
    while True:
        for _ in range(batch):
            once()
        count += batch
        if (taken := perf_counter() - begun) >= seconds:
            return count / taken
