"""The frames: every message to the byte, however the bytes come, and nothing that is none."""

from __future__ import annotations

from random import Random

import pytest

from polyversi.protocols.xt.frames import (
    FROM_CLIENT,
    FROM_SERVER,
    MAX_MAP,
    Answer,
    Ask,
    Decoder,
    Disqualified,
    EndOfBuilding,
    EndOfGame,
    Frame,
    FrameError,
    Group,
    Map,
    Number,
    Played,
    encode,
)

ON_THE_WIRE = [
    (Group(6), "01 00000001 06"),
    (Map(b"2 0\r\n"), "02 00000005 322030 0d0a"),
    (Number(8), "03 00000001 08"),
    (Ask(2000, 0), "04 00000005 000007d0 00"),
    (Ask(2**32 - 1, 255), "04 00000005 ffffffff ff"),
    (Answer(49, 3, 21), "05 00000005 0031 0003 15"),
    (Played(49, 3, 21, 2), "06 00000006 0031 0003 15 02"),
    (Disqualified(4), "07 00000001 04"),
    (EndOfBuilding(), "08 00000000"),
    (EndOfGame(), "09 00000000"),
]


@pytest.mark.parametrize(("frame", "wire"), ON_THE_WIRE, ids=lambda value: str(value)[:20])
def test_every_message_is_what_the_courses_say(frame: Frame, wire: str) -> None:
    data = bytes.fromhex(wire)
    kinds = FROM_CLIENT if isinstance(frame, (Group, Answer)) else FROM_SERVER
    assert encode(frame) == data
    assert list(Decoder(kinds).feed(data)) == [frame]


def test_messages_come_in_any_pieces() -> None:
    frames = [frame for frame, _ in ON_THE_WIRE if frame.type in FROM_SERVER] * 3
    data, chance = b"".join(map(encode, frames)), Random(1)
    for most in (1, 3, 20, len(data)):
        heard: list[Frame] = []
        decoder, at = Decoder(FROM_SERVER), 0
        while at < len(data):
            end = at + chance.randint(1, most)
            heard += decoder.feed(data[at:end])
            at = end
        assert heard == frames
        assert not decoder.is_within_a_message


@pytest.mark.parametrize("wire", ["00 00000001", "02 00000001", "06 00000006", "ff ffffffff", "01 00000000",
                                  "01 00000002", "05 00000004", "05 00000006", "05 ffffffff", "01 ffffffff"])
def test_a_header_alone_gives_a_wrong_message_away(wire: str) -> None:
    with pytest.raises(FrameError, match="a message of type"):
        list(Decoder(FROM_CLIENT).feed(bytes.fromhex(wire)))


def test_a_map_has_a_bound() -> None:
    decoder = Decoder(FROM_SERVER)
    assert list(decoder.feed(bytes([2]) + MAX_MAP.to_bytes(4, "big"))) == []
    with pytest.raises(FrameError, match=f"at most {MAX_MAP}"):
        list(Decoder(FROM_SERVER).feed(bytes([2]) + (MAX_MAP + 1).to_bytes(4, "big")))


def test_messages_before_a_wrong_one_are_heard() -> None:
    heard: list[Frame] = []
    with pytest.raises(FrameError):
        heard.extend(Decoder(FROM_CLIENT).feed(encode(Group(1)) + encode(Answer(1, 2, 0)) + b"\x09\0\0\0\0"))
    assert heard == [Group(1), Answer(1, 2, 0)]
