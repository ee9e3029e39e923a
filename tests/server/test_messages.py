"""The messages: what is written is read again, and whatever else comes is refused in a sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import polyversi as pv
from polyversi.gameplay import EndEvent, MoveEvent, Resign, StartEvent, Undo, UndoEvent, Verdict, VerdictEvent
from polyversi.server.messages import (
    FROM_GUEST,
    FROM_HOST,
    Bye,
    Claim,
    ErrorMessage,
    Have,
    Hello,
    LegalMove,
    Message,
    MessageError,
    MoveMessage,
    Next,
    Offer,
    Presence,
    Rematch,
    Reply,
    RequestMessage,
    Settled,
    UnknownMessageError,
    Welcome,
    decode,
    encode,
)
from tests.soak.fuzz.mutation import mutated
from tests.soak.fuzz.parsers import check_message

TYPES = {*FROM_GUEST.names, *FROM_HOST.names}
SAMPLES: list[Message] = [
    Hello("Ann"),
    Hello("Zoé", seat=2, token="abc", game=1, events=17),
    Hello("Bob", seat=0),
    Welcome("othello", 1, 3, 2, 17, 30.0, "abc"),
    Welcome("xt:mine", 1, 1, 0, 0, 0.5, map="2 0 0 0\n1 3\n0 1 2\n"),
    StartEvent(0, "othello", "…", ("Ann", "Bob"), ("none", "bank=2")),
    MoveEvent(3, 1, "f5", 0.25, (1.5, None), "…"),
    UndoEvent(4, 1, 2, (1.5, None), "…"),
    VerdictEvent(5, "timeout", 2, "1.2 s of 1 s", "…"),
    EndEvent(6, "timeout", (2, 2), (1, 2), (1.0, 0.0), Verdict("timeout", 2, "1.2 s of 1 s")),
    RequestMessage(7, pv.Limit(), 600.0),
    RequestMessage(8, pv.Limit(seconds=0, bank=12.25, increment=1, depth=4, nodes=1000), 0.0),
    RequestMessage(9, pv.Limit(), 1.0, 2, 17,
                   [LegalMove("f5", 37, 0, [28, 36]), LegalMove("pass", -1, 0, None)]),
    MoveMessage(7, "f5"),
    Have(17, 3),
    Undo(),
    Reply(1, yes=True),
    Rematch(),
    Claim(),
    Presence([True, False], 3, 2),
    Offer(1, "undo", 2),
    Settled(1, yes=False),
    Next("k3J9"),
    Resign(),
    ErrorMessage("this is not a message"),
    Bye(),
    Bye("the game is over"),
]


def read(line: bytes) -> Message:
    """A message of either side."""
    try:
        return decode(line, FROM_GUEST)
    except UnknownMessageError:
        return decode(line, FROM_HOST)


@pytest.mark.parametrize("message", SAMPLES, ids=repr)
def test_what_is_written_is_read_again(message: Message) -> None:
    line = encode(message)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert read(line) == message
    assert read(line[:-1] + b"\r") == message
    kinds = FROM_GUEST if isinstance(message, Hello) else FROM_HOST
    if not isinstance(message, (Resign, MoveMessage, Have, Undo, Reply, Rematch, Claim)):
        assert decode(line.decode(), kinds) == message


def test_an_event_is_the_referees_event() -> None:
    event = MoveEvent(3, 1, "f5", 0.5, (None, 2.5), "…")
    assert json.loads(encode(event)) == {"type": "event", "number": 3, "kind": "move", "data": {
        "seat": 1, "move": "f5", "seconds": 0.5, "clocks": [None, 2.5], "position": "…"}}


BAD: list[tuple[bytes, str]] = [
    (b"", "not a message"),
    (b"GET / HTTP/1.1", "'GET / HTTP/1.1'"),
    (b"[1, 2]", "a JSON object"),
    (b"[" * 8000, "not a message"),
    (b'{"a":' * 1500, "not a message"),
    (b"\xff\xfe{}", "not a message"),
    (b"\x1b[2J", "?[2J"),
    (b"{}", 'with a "type"'),
    (b'{"type": 3}', 'with a "type"'),
    (b'{"type": "dance"}', "'dance' is not a type of message; use hello, move, resign, bye"),
    (b'{"type": "welcome"}', "'welcome' is not a type"),
    (b'{"type": "hello", "version": 7, "shape": "unknown"}', "version 1 of the messages, not 7"),
    (b'{"type": "hello", "version": "1", "name": "A"}', "version 1"),
    (b'{"type": "hello", "version": true, "name": "A"}', "version"),
    (b'{"type": "hello"}', "this is not a valid 'hello': Object missing required field `name`"),
    (b'{"type": "hello", "name": 5}', "Expected `str`, got `int` - at `$.name`"),
    (b'{"type": "hello", "name": ""}', "Expected `str` of length >= 1"),
    (b'{"type": "hello", "name": "  "}', "has characters that cannot be printed"),
    (b'{"type": "hello", "name": "A\\u001b[2J"}', "has characters that cannot be printed"),
    (b'{"type": "hello", "name": "A\\ud800"}', "not a message"),
    (b'{"type": "hello", "name": "%s"}' % (b"A" * 41), "Expected `str` of length <= 40"),
    (b'{"type": "hello", "name": "A", "seat": -1}', "Expected `int` >= 0 - at `$.seat`"),
    (b'{"type": "hello", "name": "A", "seat": 1.5}', "Expected `int | null`"),
    (b'{"type": "hello", "name": "A", "events": %s}' % (b"9" * 4000), "$.events"),
    (b'{"type": "hello", "name": "A", "events": %s}' % (b"9" * 5000), "not a message"),
    (b'{"type": "hello", "name": "A", "new": [1, NaN]}', "not a message"),
    (b'{"type": "hello", "name": "A", "new": "\\udc00"}', "not a message"),
    (b'{"type": "move", "number": NaN, "move": "f5"}', "not a message"),
    (b'{"type": "move", "number": 1e999, "move": "f5"}', "not a message"),
    (b'{"type": "move", "number": 1, "move": ["f5"]}', "Expected `str`, got `array`"),
    (b'{"type": "move", "number": 1, "move": "%s"}' % (b"f5" * 50), "`str` of length <= 20"),
    (b'{"type": "have", "events": null}', "Expected `int`, got `null`"),
    (b'{"type": "reply", "number": 1, "yes": 1}', "Expected `bool`, got `int`"),
]


@pytest.mark.parametrize(("line", "words"), BAD, ids=[repr(line[:40]) for line, _ in BAD])
def test_bad_messages_are_refused_in_a_sentence(line: bytes, words: str) -> None:
    with pytest.raises(MessageError) as caught:
        decode(line, FROM_GUEST)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


FROM_A_BAD_HOST: list[tuple[str, str]] = [
    ('{"type": "event", "number": 0, "kind": "party", "data": {}}', "event 0 is not a valid 'party'"),
    ('{"type": "event", "number": 0, "kind": [], "data": {}}', "Expected `str`, got `array`"),
    ('{"type": "event", "number": 0, "kind": "end", "data": []}', "Expected `object`, got `array`"),
    ('{"type": "request", "number": 1, "limit": [], "seconds": 1}', "Expected `object`, got `array`"),
    ('{"type": "request", "number": 1, "limit": {"depth": 1.5}, "seconds": 1}', "$.limit.depth"),
    ('{"type": "request", "number": 1, "limit": {"bank": 1e12}, "seconds": 1}', "number from 0"),
    ('{"type": "request", "number": 1, "limit": {"increment": 1}, "seconds": 1}', "needs a bank"),
    ('{"type": "request", "number": 1, "limit": {}, "seconds": 1e400}', "not a message"),
    ('{"type": "request", "number": 1, "limit": {}, "seconds": %s}' % ("9" * 400), "$.seconds"),
    ('{"type": "request", "number": 1, "limit": {}, "seconds": 1, "moves": [["f5"]]}', "moves"),
    (json.dumps({"type": "presence", "seats": [True] * 9, "watching": 0}), "Expected `array` of length <= 8"),
    ('{"type": "offer", "number": 1, "what": "tea", "seat": 1}', "Invalid enum value 'tea'"),
]


@pytest.mark.parametrize(("line", "words"), FROM_A_BAD_HOST)
def test_guests_check_as_well(line: str, words: str) -> None:
    with pytest.raises(MessageError, match=re.escape(words)):
        decode(line.encode(), FROM_HOST)


def test_unknown_fields_are_passed_over_and_unknown_types_told_apart() -> None:
    assert decode(b'{"type": "resign", "mood": "sad"}', FROM_GUEST) == Resign()
    ask = b'{"type": "request", "number": 1, "limit": {"hours": 1}, "seconds": 1}'
    assert decode(ask, FROM_HOST) == RequestMessage(1, pv.Limit(), 1.0)
    with pytest.raises(UnknownMessageError):
        decode(b'{"type": "chat", "text": "hi"}', FROM_HOST)


def test_long_last_words_are_cut() -> None:
    sentence = "x" * 5000
    cut = decode(encode(ErrorMessage(sentence)), FROM_HOST)
    assert isinstance(cut, ErrorMessage) and 300 < len(cut.sentence) <= 400


def test_only_our_own_error_comes_out_of_broken_messages() -> None:
    chance = Random(0)
    samples = [encode(sample) for sample in SAMPLES]
    tokens = [b'"type":', b'"move"', b"null", b"true", b"-1", b"1e999", b"NaN", b"\\ud800", b"{", b"]", b'"']
    assert sum(check_message(mutated(chance, samples, tokens)) for _ in range(5000)) > 100


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.sampled_from(sorted(TYPES)), st.dictionaries(
    st.sampled_from(["name", "version", "seat", "token", "number", "move", "limit", "kind", "data", "spec",
                     "games", "events", "grace", "seconds", "map", "sentence", "reason", "game", "yes",
                     "what", "seats", "watching", "moves", "request"]), JSON))
def test_only_our_own_error_comes_out_of_strange_values(kind: str, fields: dict[str, Any]) -> None:
    check_message(json.dumps({"type": kind} | fields).encode())


def test_the_messages_in_the_documentation_are_messages() -> None:
    page = (Path(__file__).parents[2] / "docs" / "network.md").read_text()
    found = re.findall(r"^\s*(?:→|←)\s*(\{.*\})$", page, re.MULTILINE)
    for line in found:
        read(line.encode())
    assert {json.loads(line)["type"] for line in found} == TYPES, "the examples show every message"
