"""The protocol without I/O: what is refused, why, and that nothing else can happen."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.errors import InfrastructureError
from arena.model import Fault, FaultKind, Limits, Request, Setup
from arena.protocol import (
    MAX_INTEGER,
    MAX_LINE,
    MAX_NESTING,
    Answers,
    end_message,
    quote,
    start_message,
    turn_message,
)


def read(data: bytes, number: int = 17) -> str | Fault | None:
    answers = Answers()
    answers.feed(data)
    return answers.next(number)


def line(**message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"


SETUP = Setup("peech", 2, 4, {"rounds": 3}, 2**53 - 1, Limits())
REQUEST = Request("play", ("7S", "3C"), {"hand": ["7S", "3C"]}, ({"type": "deal"},))


def test_a_start_message_holds_what_a_bot_may_know() -> None:
    assert start_message(SETUP) == (
        b'{"type":"start","protocol":1,"game":"peech","seat":2,"seats":4,"options":{"rounds":3},'
        b'"seed":9007199254740991,"limits":{"move":1.0,"bank":10.0,"start":5.0,"memory":268435456,"processes":1}}\n'
    )


def test_a_turn_message_numbers_the_seats_own_requests() -> None:
    assert turn_message(17, REQUEST, 9.83999) == (
        b'{"type":"turn","id":17,"kind":"play","legal":["7S","3C"],"view":{"hand":["7S","3C"]},'
        b'"events":[{"type":"deal"}],"bank":9.84}\n'
    )


def test_an_end_message_holds_scores_and_placings() -> None:
    assert end_message((21, 3, 26, 26), (2, 1, 3, 3)) == (
        b'{"type":"end","scores":[21,3,26,26],"placings":[2,1,3,3]}\n'
    )


def test_a_message_that_is_too_long_is_arenas_own_fault() -> None:
    with pytest.raises(InfrastructureError, match="a turn message of 70"):
        turn_message(1, Request("play", (), {"long": "x" * 70_000}, ()), 0)


def test_a_message_that_is_no_json_is_arenas_own_fault() -> None:
    with pytest.raises(InfrastructureError, match="a turn message cannot be written"):
        turn_message(1, Request("play", (), {"huge": 2**70}, ()), 0)


@pytest.mark.parametrize(
    "data",
    [
        b'{"id":17,"action":"7S"}\n',
        b'{"id":17,"action":"7S"}\r\n',
        b' { "action" : "7\\u0053", "id": 17 } \n',
        b'{"type":"answer","id":17,"action":"7S","why":{"deep":[1,-2.5e3,null,true]}}\n',
        b'{"id":17,"action":"7S"}\n{"id":18',
    ],
)
def test_an_answer_is_read(data: bytes) -> None:
    assert read(data) == "7S"


@pytest.mark.parametrize("action", ["", "é", '"', "\\", "a b", "\n", "7S\x00", "𝄞", "none", "x" * 60_000])
def test_any_text_is_an_action_until_the_rules_speak(action: str) -> None:
    assert read(line(id=17, action=action)) == action
    assert read(json.dumps({"id": 17, "action": action}, ensure_ascii=False).encode() + b"\n") == action


@pytest.mark.parametrize("data", [b'{"type":"ready"}\n', b'{"type":"ready","name":"x"}\r\n'])
def test_ready_is_read(data: bytes) -> None:
    assert read(data, 0) == "ready"


DEEP = b'{"id":17,"action":"7S","x":%s}\n'

REFUSED = [
    (b"\n", "an empty line: "),
    (b" \r\n", r"an empty line:  \r"),
    (b"hello\n", "not JSON: hello"),
    (b"\xef\xbb\xbf{}\n", r"not JSON: \xef\xbb\xbf{}"),
    (b'"7S"\n', 'not a JSON object: "7S"'),
    (b'[{"id":17,"action":"7S"}]\n', 'not a JSON object: [{"id":17,"action":"7S"}]'),
    (b'{"id":17,"action":"7S"\n', 'not JSON: {"id":17,"action":"7S"'),
    (b"{'id':17,'action':'7S'}\n", "not JSON: {'id':17,'action':'7S'}"),
    (b'{"id":17,"action":"7\tS"}\n', r'not JSON: {"id":17,"action":"7\tS"}'),
    (b'{"id":17,"action":"7\x1bS"}\n', r'not JSON: {"id":17,"action":"7\x1bS"}'),
    (b'{"id":17,"action":"7S"}{}\n', 'text after the object: {"id":17,"action":"7S"}{}'),
    (b'{"id":17,"action":"7S"} x\n', 'text after the object: {"id":17,"action":"7S"} x'),
    (b'{"id":17,"action":"7S"}\x00\n', r'text after the object: {"id":17,"action":"7S"}\x00'),
    (b'{"id":17,"action":"\xff"}\n', r'not UTF-8: {"id":17,"action":"\xff"}'),
    (b'{"id":17,"action":"\xed\xa0\x80"}\n', r'not UTF-8: {"id":17,"action":"\xed\xa0\x80"}'),
    (b'{"id":17,"action":"\\ud800"}\n', r'half a surrogate pair: {"id":17,"action":"\\ud800"}'),
    (b'{"id":17,"action":"7S","\\udfff":0}\n', r'half a surrogate pair: {"id":17,"action":"7S","\\udfff":0}'),
    (b'{"id":17,"action":"7S","x":NaN}\n', 'NaN is not JSON: {"id":17,"action":"7S","x":NaN}'),
    (b'{"id":17,"action":-Infinity}\n', '-Infinity is not JSON: {"id":17,"action":-Infinity}'),
    (b'{"id":17,"action":1e999}\n', 'a number beyond all bounds: {"id":17,"action":1e999}'),
    (b'{"id":9007199254740992}\n', 'a whole number beyond 2**53: {"id":9007199254740992}'),
    (b'{"id":17,"id":17,"action":"7S"}\n', 'a key given twice: {"id":17,"id":17,"action":"7S"}'),
    (b'{"id":17,"\\u0069d":17}\n', r'a key given twice: {"id":17,"\\u0069d":17}'),
    (DEEP % b'{"a":1,"a":2}', r'a key given twice: {"id":17,"action":"7S","x":{"a":1,"a":2}}'),
    (b'{"action":"7S"}\n', 'no id, expected 17: {"action":"7S"}'),
    (b'{"id":16,"action":"7S"}\n', 'id 16, expected 17: {"id":16,"action":"7S"}'),
    (b'{"id":17.0,"action":"7S"}\n', 'the id must be the whole number 17: {"id":17.0,"action":"7S"}'),
    (b'{"id":"17","action":"7S"}\n', 'the id must be the whole number 17: {"id":"17","action":"7S"}'),
    (b'{"id":17}\n', 'no action: {"id":17}'),
    (b'{"type":"ready"}\n', 'a second ready in place of an answer: {"type":"ready"}'),
    (
        b'{"id":17,"action":7}\n',
        'the action must be a string, one of legal as it stands there: {"id":17,"action":7}',
    ),
]


@pytest.mark.parametrize(("data", "detail"), REFUSED)
def test_everything_else_is_a_protocol_fault_that_quotes_the_answer(data: bytes, detail: str) -> None:
    assert read(data) == Fault(FaultKind.PROTOCOL, 17, detail)


def test_true_is_not_the_number_one() -> None:
    assert isinstance(read(b'{"id":true,"action":"7S"}\n', 1), Fault)


def test_what_goes_wrong_before_the_first_request_is_a_start_fault() -> None:
    assert read(line(id=1, action="7S"), 0) == Fault(
        FaultKind.START, 0, 'expected {"type":"ready"}: {"id": 1, "action": "7S"}'
    )


def test_nesting_has_a_limit_and_brackets_in_strings_do_not_count() -> None:
    inner = MAX_NESTING - 1
    assert read(DEEP % (b"[" * inner + b"]" * inner)) == "7S"
    assert read(DEEP % (b'"' + b"[" * 99 + b'\\"["')) == "7S"
    for data in (DEEP % (b"[" * (inner + 1) + b"]" * (inner + 1)), b"[" * 30_000 + b"\n"):
        found = read(data)
        assert isinstance(found, Fault)
        assert found.detail.startswith("nested deeper than 32: ")


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_have_a_limit(sign: int) -> None:
    assert read(line(id=17, action="7S", x=sign * MAX_INTEGER)) == "7S"
    assert isinstance(read(line(id=17, action="7S", x=sign * (MAX_INTEGER + 1))), Fault)
    assert isinstance(read(b'{"id":' + b"9" * 60_000 + b"}\n"), Fault)


def test_a_line_has_a_limit_and_no_more_is_kept() -> None:
    longest = b'{"id":17,"action":"' + b"a" * (MAX_LINE - 22) + b'"}\n'
    assert len(longest) == MAX_LINE
    assert read(longest) == "a" * (MAX_LINE - 22)
    assert read(longest[:-1]) is None
    answers = Answers()
    for _ in range(64):
        answers.feed(b"a" * 2**20)
    assert answers.next(17) == Fault(FaultKind.PROTOCOL, 17, "a line over 65536 bytes: " + "a" * 200 + "...")
    assert len(answers._buffer) <= 2 * MAX_LINE


def test_a_flood_of_lines_is_bounded_too() -> None:
    answers = Answers()
    answers.feed(b'{"id":1,"action":"7S"}\n' * 100_000)
    number = 1
    while answers.next(1) == "7S":
        number += 1
    found = answers.next(1)
    assert isinstance(found, Fault)
    assert found.detail.startswith("over 131072 bytes unasked: ")
    assert number < 6000


def test_lines_are_answers_to_the_requests_in_order() -> None:
    answers = Answers()
    answers.feed(b'{"type":"ready"}\n{"id":1,"action":"a"}\n{"id":')
    assert answers.next(0) == "ready"
    assert answers.next(1) == "a"
    assert answers.next(2) is None
    answers.feed(b'2,"action":"b"}\n')
    assert answers.next(2) == "b"


def test_a_late_answer_is_never_read_as_the_next_one() -> None:
    assert read(b'{"id":1,"action":"a"}\n{"id":2,"action":"b"}\n', 2) == Fault(
        FaultKind.PROTOCOL, 2, 'id 1, expected 2: {"id":1,"action":"a"}'
    )


def test_quotes_are_short_and_printable() -> None:
    assert quote(b"\x00\\ \n\xff" + b"a" * 300) == r"\x00\\ \n\xff" + "a" * 195 + "..."
    assert quote("é\ud800") == r"\xc3\xa9\\ud800"


Verdict = str | Fault | None


def verdicts(chunks: list[bytes]) -> list[Verdict]:
    """All that a match would see of these bytes: answers up to the first fault, or to the end of the data."""
    answers = Answers()
    seen: list[Verdict] = []
    for chunk in chunks:
        answers.feed(chunk)
        while not (seen and isinstance(seen[-1], Fault)) and (found := answers.next(len(seen))) is not None:
            seen.append(found)
    return seen


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
_objects = st.fixed_dictionaries(
    {},
    optional={"type": st.just("ready"), "id": st.integers(0, 3), "action": st.text(max_size=6), "x": _values},
)
_lines = st.one_of(
    st.binary(max_size=60),
    st.builds(lambda o: json.dumps(o).encode() + b"\n", _objects),
    st.builds(lambda o: json.dumps(o, separators=(",", ":")).encode() + b"\r\n", _objects),
    st.integers(1, 3).map(lambda n: b'{"id":%d,"action":"7S"}\n' % n),
    st.sampled_from([data for data, _ in REFUSED]),
    st.sampled_from([b'{"type":"ready"}\n', b"[" * 2000, b"9" * 5000, b'"' + b'\\"' * 2000, b"a" * MAX_LINE]),
)


_said = st.tuples(st.sampled_from([b"", b'{"type":"ready"}\n']), st.lists(_lines, max_size=5)).map(
    lambda parts: parts[0] + b"".join(parts[1])
)


@settings(max_examples=300, deadline=None)
@given(_said, st.integers(1, 97))
@example(b'{"type":"ready"}\n{"id":1,"action":"7S"}\n{"id":2,"action":"\\ud83d"}\n', 1)
def test_any_bytes_give_answers_or_a_fault_however_they_arrive(data: bytes, size: int) -> None:
    whole = verdicts([data])
    assert whole == verdicts([data[i : i + 1] for i in range(len(data))])
    assert whole == verdicts([data[i : i + size] for i in range(0, len(data), size)])
    for found in whole:
        assert isinstance(found, str | Fault)
        if isinstance(found, Fault):
            assert found.detail.isprintable()
            assert found.detail.isascii()
            assert len(found.detail) < 1000


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=20), st.integers(1, 2**40), _values.filter(lambda v: _is_plain(v)))
def test_what_a_strict_writer_writes_is_read(action: str, number: int, extra: object) -> None:
    answer = json.dumps({"id": number, "action": action, "extra": extra}, ensure_ascii=False).encode()
    assert read(answer + b"\n", number) == action


def _is_plain(value: object) -> bool:
    """Nothing that RFC 7493 (I-JSON) keeps apart: no NaN, no half surrogate, no integer beyond 2**53."""
    if isinstance(value, dict):
        return all(_is_plain(key) and _is_plain(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, str):
        return not any("\ud800" <= char <= "\udfff" for char in value)
    return not isinstance(value, int | float) or abs(value) <= MAX_INTEGER
