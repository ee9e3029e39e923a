"""A client of Reversi XT on plain sockets, well-behaved unless its flags say otherwise.

    python -m tests.testing.fake_xt_client HOST PORT LOG FLAG ...

It plays its first legal move and writes what it hears to LOG, a line a message.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from polyversi.games.state import State
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.protocols.xt.frames import (
    FROM_SERVER,
    Answer,
    Ask,
    Decoder,
    Disqualified,
    EndOfGame,
    Frame,
    Group,
    Map,
    Number,
    Played,
    encode,
)

FOREVER = 1000.0


def messages(line: socket.socket, log: Path) -> Iterator[Frame]:
    """What the server says, each noted before anything else is done."""
    decoder = Decoder(FROM_SERVER)
    with log.open("a") as notes:
        notes.write("connected\n")
        while data := line.recv(1 << 16):
            for frame in decoder.feed(data):
                print(type(frame).__name__ if isinstance(frame, Map) else frame, file=notes, flush=True)
                yield frame
        notes.write("closed\n")


def after(state: State, frame: Frame) -> State:
    """How the game goes on, which must be possible."""
    if isinstance(frame, Map):
        return xt_game(XtMap.parse(frame.text)).start()
    if isinstance(frame, Played):
        assert frame.seat == state.turn
        special = f":{frame.special}" if state.phase == "build" else ""
        return state.play(f"{frame.x},{frame.y}{special}")
    return state.disqualify(frame.seat) if isinstance(frame, Disqualified) else state


def answer(state: State, seat: int, flags: set[str]) -> bytes:
    """The first legal move, or what the flags want instead."""
    assert state.turn == seat
    if "--crash" in flags:
        raise SystemExit("I have lost my way")
    if "--leave" in flags:
        return b""
    if "--slow" in flags:
        time.sleep(FOREVER)
    if "--nonsense" in flags:
        return b"\x07\0\0\0\1\1"
    x, y = state.board.coordinates[state.moves[0].cell]
    return encode(Answer(x + 60 if "--illegal" in flags else x, y, state.moves[0].special))


def main(host: str, port: str, log: str, *words: str) -> None:
    """Plays one game."""
    flags = set(words)
    if "--away" in flags:
        time.sleep(FOREVER)
    if "--family" in flags and os.fork() == 0:
        time.sleep(FOREVER)
    if "--loud" in flags:
        print("x" * (1 << 20))
    state, seat = None, 0
    with socket.create_connection((host, int(port))) as line:
        if "--shy" not in flags:
            line.sendall(encode(Group(6)))
        for frame in messages(line, Path(log)):
            state = after(state, frame)  # type: ignore[arg-type]    # the map comes first
            if isinstance(frame, Number):
                seat = frame.seat
            elif isinstance(frame, Disqualified if "--ponder" in flags else Ask) and not state.is_over:
                if not (said := answer(state, seat, flags)):
                    break
                line.sendall(said)
            elif isinstance(frame, EndOfGame) and "--stay" not in flags:
                return
    if flags & {"--stay", "--leave"}:
        time.sleep(FOREVER)


if __name__ == "__main__":
    main(*sys.argv[1:])
