"""What is said on the pipe between arena and a bot: messages out, answers in (reference: docs/protocol.md).

No I/O: `Answers` is fed bytes and gives an action, a fault or nothing yet, for any bytes at all.
"""

import json
import math
import re
from collections.abc import Sequence
from typing import Any, NoReturn

import orjson

from arena.errors import InfrastructureError
from arena.model import Fault, FaultKind, Json, Request, Setup

VERSION = 1
MAX_LINE = 65536  # bytes each way, the end of the line included
MAX_NESTING = 32
MAX_INTEGER = 2**53 - 1  # every language reads it exactly
QUOTED = 200  # bytes of an answer that a fault's detail shows

_UNREAD = 2 * MAX_LINE
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_ESCAPED = [chr(code) if 32 <= code < 127 else f"\\x{code:02x}" for code in range(256)]
for _char, _name in (("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
    _ESCAPED[ord(_char)] = _name


def start_message(setup: Setup) -> bytes:
    """The first line of a match. Like all messages: at most MAX_LINE bytes, else InfrastructureError."""
    return _line(
        {
            "type": "start", "protocol": VERSION, "game": setup.game, "seat": setup.seat,
            "seats": setup.seats, "options": dict(setup.options), "seed": setup.seed,
            "limits": setup.limits.as_json(),
        }
    )  # fmt: skip


def turn_message(number: int, request: Request, bank: float) -> bytes:
    """Request `number` of this seat, counted from 1, with `bank` seconds left."""
    return _line(
        {
            "type": "turn", "id": number, "kind": request.kind, "legal": request.legal,
            "view": request.view, "events": request.events, "bank": round(bank, 3),
        }
    )  # fmt: skip


def end_message(scores: Sequence[int], placings: Sequence[int]) -> bytes:
    """The last line of a match; nothing answers it."""
    return _line({"type": "end", "scores": list(scores), "placings": list(placings)})


def quote(data: bytes | str, limit: int = QUOTED) -> str:
    """The first `limit` bytes in printable ASCII, everything else escaped, `...` where more follows."""
    raw = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    return "".join(map(_ESCAPED.__getitem__, raw[:limit])) + ("..." if len(raw) > limit else "")


class Answers:
    """The lines that one bot writes in one match, in a bounded buffer.

    Only the order of the bytes counts, never how they arrive. Nothing is asked for after a fault.
    """

    __slots__ = ("_buffer", "_overflow")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._overflow = False

    def feed(self, data: bytes) -> None:
        """Bytes as read from the bot; what no bot within the protocol can have to say is dropped."""
        room = _UNREAD - len(self._buffer)
        self._overflow |= len(data) > room
        self._buffer += data[:room]

    def take(self, data: bytes, number: int) -> str | Fault | None:
        """`feed`, then `next`; quick where `data` is the whole canonical answer and nothing was before it."""
        if not self._buffer and data[-3:] == b'"}\n':
            head, _, action = data[:-3].rpartition(b'"')
            if head == b'{"id":%d,"action":' % number and action.isalnum() and number:
                return action.decode()
        self.feed(data)
        return self.next(number)

    def next(self, number: int) -> str | Fault | None:
        """The action that answers request `number`, or a fault; None while the line is not complete.

        Number 0 expects `{"type":"ready"}` and gives "ready"; whatever goes wrong there is a start fault.
        """
        end = self._buffer.find(b"\n", 0, MAX_LINE)
        if end < 0:
            if len(self._buffer) >= MAX_LINE:
                return _fault(number, f"a line over {MAX_LINE} bytes", self._buffer)
            return _fault(number, f"over {_UNREAD} bytes unasked", self._buffer) if self._overflow else None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        if line.startswith(prefix := b'{"id":%d,"action":"' % number) and line.endswith(b'"}'):
            action = line[len(prefix) : -2]
            if action.isalnum() and number:  # the canonical answer; bytes are alphanumeric in ASCII only
                return action.decode()
        try:
            message = _parse(line)
            return _ready(message) if number == 0 else _action(message, number)
        except ValueError as problem:
            return _fault(number, str(problem), line)


def _line(message: Json) -> bytes:
    try:
        line = orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError as error:
        raise InfrastructureError(
            f"a {message['type']} message cannot be written as JSON: {error}"
        ) from error
    if len(line) > MAX_LINE:
        raise InfrastructureError(f"a {message['type']} message of {len(line)} bytes, more than {MAX_LINE}")
    return line


def _fault(number: int, problem: str, line: bytes | bytearray) -> Fault:
    kind = FaultKind.PROTOCOL if number else FaultKind.START
    return Fault(kind, number, f"{problem}: {quote(bytes(line[: QUOTED + 1]))}")


def _ready(message: Json) -> str:
    if message.get("type") != "ready":
        raise ValueError('expected {"type":"ready"}')
    return "ready"


def _action(message: Json, number: int) -> str:
    if message.get("type") == "ready" and "action" not in message:
        raise ValueError("a second ready in place of an answer")
    if "id" not in message:
        raise ValueError(f"no id, expected {number}")
    if isinstance(message["id"], bool) or not isinstance(message["id"], int):
        raise ValueError(f"the id must be the whole number {number}")
    if message["id"] != number:
        raise ValueError(f"id {message['id']}, expected {number}")
    if "action" not in message:
        raise ValueError("no action")
    action = message["action"]
    if not isinstance(action, str):
        raise ValueError("the action must be a string, one of legal as it stands there")
    return action


def _parse(line: bytes) -> Json:
    """The strict parser: the object on this line, or ValueError with the reason in a few words."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    if not text.strip(" \t\r"):
        raise ValueError("an empty line")
    _check_nesting(text)
    try:
        message = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer,
                             parse_float=_decimal)  # fmt: skip
    except json.JSONDecodeError as error:
        raise ValueError("text after the object" if error.msg == "Extra data" else "not JSON") from None
    if not isinstance(message, dict):
        raise ValueError("not a JSON object")
    if "\\" in text:
        _check_surrogates(message)
    return message


def _check_nesting(text: str) -> None:
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        token = found[0]
        depth += (token in "[{") - (token in "]}")
        if depth > MAX_NESTING:
            raise ValueError(f"nested deeper than {MAX_NESTING}")


def _check_surrogates(message: Json) -> None:
    try:
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half a surrogate pair") from None


def _object(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key given twice")
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _integer(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > MAX_INTEGER:
        raise ValueError("a whole number beyond 2**53")
    return int(digits)


def _decimal(digits: str) -> float:
    if not math.isfinite(value := float(digits)):
        raise ValueError("a number beyond all bounds")
    return value
