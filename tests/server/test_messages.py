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
from polyversi.arena import Event, Resign
from polyversi.server.messages import (
    FROM_GUEST,
    FROM_HOST,
    Answer,
    Ask,
    Bye,
    Hello,
    Message,
    MessageError,
    Refusal,
    UnknownMessageError,
    Welcome,
    decode,
    encode,
)
from tests.fuzz.mutation import mutated

ALL = FROM_GUEST | FROM_HOST
SAMPLES: list[Message] = [
    Hello("Ann"),
    Hello("Zoé", seat=2, token="abc", game=1, events=17),
    Hello("Bob", seat=0),
    Welcome("othello", 1, 3, 2, 17, 30.0, "abc"),
    Welcome("xt:mine", 1, 1, 0, 0, 0.5, map="2 0 0 0\n1 3\n0 1 2\n"),
    Event(0, "start", {"game": "othello", "players": ["Ann", "Bob"]}),
    Event(3, "move", {"seat": 1, "clocks": [1.5, None]}),
    Ask(7, pv.Limit(), 600.0),
    Ask(8, pv.Limit(seconds=0, bank=12.25, increment=1, depth=4, nodes=1000), 0.0),
    Answer(7, "f5"),
    Resign(),
    Refusal("this is no message"),
    Bye(),
    Bye("the game is over"),
]


@pytest.mark.parametrize("message", SAMPLES, ids=repr)
def test_what_is_written_is_read_again(message: Message) -> None:
    line = encode(message)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert decode(line, ALL) == message
    assert decode(line[:-1] + b"\r", ALL) == message


def test_an_event_is_the_referees_event() -> None:
    event = Event(3, "move", {"seat": 1, "move": "f5", "clocks": [None, 2.5]})
    assert json.loads(encode(event)) == {"type": "event"} | event.to_json()


BAD: list[tuple[bytes, str]] = [
    (b"", "no message"),
    (b"GET / HTTP/1.1", "'GET / HTTP/1.1'"),
    (b"[1, 2]", "a JSON object"),
    (b"[" * 8000, "no message"),
    (b'{"a":' * 1500, "no message"),
    (b"\xff\xfe{}", "no message"),
    (b"\x1b[2J", "?[2J"),
    (b"{}", 'has a "type"'),
    (b'{"type": 3}', 'has a "type"'),
    (b'{"type": "dance"}', "'dance' is no type of message; hello, move, resign, bye"),
    (b'{"type": "welcome"}', "'welcome' is no type"),
    (b'{"type": "hello", "version": 7, "shape": "unknown"}', "version 1 of the messages, not 7"),
    (b'{"type": "hello", "version": "1", "name": "A"}', "version 1"),
    (b'{"type": "hello", "version": true, "name": "A"}', "whole number"),
    (b'{"type": "hello"}', "\"name\" of 'hello' is missing"),
    (b'{"type": "hello", "name": 5}', "must be a text, not 5"),
    (b'{"type": "hello", "name": ""}', "can be printed"),
    (b'{"type": "hello", "name": "  "}', "can be printed"),
    (b'{"type": "hello", "name": "A\\u001b[2J"}', "can be printed"),
    (b'{"type": "hello", "name": "A\\ud800"}', "no message"),
    (b'{"type": "hello", "name": "%s"}' % (b"A" * 41), "41 characters; at most 40"),
    (b'{"type": "hello", "name": "A", "seat": -1}', "whole number from 0, not -1"),
    (b'{"type": "hello", "name": "A", "seat": 1.5}', "whole number"),
    (b'{"type": "hello", "name": "A", "events": %s}' % (b"9" * 4000), "whole number"),
    (b'{"type": "hello", "name": "A", "events": %s}' % (b"9" * 5000), "no message"),
    (b'{"type": "move", "number": NaN, "move": "f5"}', "NaN is no number"),
    (b'{"type": "move", "number": 1e999, "move": "f5"}', "whole number"),
    (b'{"type": "move", "number": 1, "move": ["f5"]}', "must be a text"),
    (b'{"type": "move", "number": 1, "move": "%s"}' % (b"f5" * 50), "at most 20"),
]


@pytest.mark.parametrize(("line", "words"), BAD, ids=[repr(line[:40]) for line, _ in BAD])
def test_bad_messages_are_refused_in_a_sentence(line: bytes, words: str) -> None:
    with pytest.raises(MessageError) as caught:
        decode(line, FROM_GUEST)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


FROM_A_BAD_HOST: list[tuple[str, str]] = [
    ('{"type": "event", "number": 0, "kind": "party", "data": {}}', "one of start, move"),
    ('{"type": "event", "number": 0, "kind": [], "data": {}}', "one of start, move"),
    ('{"type": "event", "number": 0, "kind": "end", "data": []}', "must be an object"),
    ('{"type": "request", "number": 1, "limit": {"hours": 1}, "seconds": 1}', "hours"),
    ('{"type": "request", "number": 1, "limit": {"depth": 1.5}, "seconds": 1}', "whole number"),
    ('{"type": "request", "number": 1, "limit": {"bank": 1e12}, "seconds": 1}', "number from 0"),
    ('{"type": "request", "number": 1, "limit": {"increment": 1}, "seconds": 1}', "needs a bank"),
    ('{"type": "request", "number": 1, "limit": {}, "seconds": 1e400}', "number from 0"),
    ('{"type": "request", "number": 1, "limit": {}, "seconds": %s}' % ("9" * 400), "number from 0"),
]


@pytest.mark.parametrize(("line", "words"), FROM_A_BAD_HOST)
def test_guests_check_as_well(line: str, words: str) -> None:
    with pytest.raises(MessageError, match=re.escape(words)):
        decode(line.encode(), FROM_HOST)


def test_unknown_fields_are_passed_over_and_unknown_types_told_apart() -> None:
    assert decode(b'{"type": "resign", "mood": "sad"}', FROM_GUEST) == Resign()
    with pytest.raises(UnknownMessageError):
        decode(b'{"type": "chat", "text": "hi"}', FROM_HOST)


def test_long_last_words_are_cut() -> None:
    sentence = "x" * 5000
    cut = decode(encode(Refusal(sentence)), FROM_HOST)
    assert isinstance(cut, Refusal) and 300 < len(cut.sentence) <= 400


def check(line: bytes) -> bool:
    """Whether a line is read; then it comes back from being written."""
    try:
        message = decode(line, ALL)
    except MessageError:
        return False
    again = decode(encode(message), ALL)
    assert again == message or isinstance(message, (Refusal, Bye))
    return True


def test_only_our_own_error_comes_out_of_broken_messages() -> None:
    chance = Random(0)
    samples = [encode(sample) for sample in SAMPLES]
    tokens = [b'"type":', b'"move"', b"null", b"true", b"-1", b"1e999", b"NaN", b"\\ud800", b"{", b"]", b'"']
    assert sum(check(mutated(chance, samples, tokens)) for _ in range(5000)) > 100


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.sampled_from(sorted(ALL)), st.dictionaries(
    st.sampled_from(["name", "version", "seat", "token", "number", "move", "limit", "kind", "data", "spec",
                     "games", "events", "grace", "seconds", "map", "sentence", "reason", "game"]), JSON))
def test_only_our_own_error_comes_out_of_strange_values(kind: str, fields: dict[str, Any]) -> None:
    check(json.dumps({"type": kind} | fields).encode())


def test_the_messages_in_the_documentation_are_messages() -> None:
    page = (Path(__file__).parents[2] / "docs" / "network.md").read_text()
    found = re.findall(r"^\s*(?:→|←)\s*(\{.*\})$", page, re.MULTILINE)
    kinds = {type(decode(line.encode(), ALL)) for line in found}
    assert kinds == set(ALL.values()), "the example session shows every message"
