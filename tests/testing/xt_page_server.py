"""`polyversi xt-server` with its page, and clients that move when a test wants it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import IO

from polyversi.games.state import State
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.protocols.xt.frames import (
    FROM_SERVER,
    Answer,
    Ask,
    Decoder,
    Disqualified,
    Frame,
    Group,
    Map,
    Number,
    Played,
    encode,
)
from tests.testing.command import Forked
from tests.testing.timeout import TIMEOUT


class XtServed:
    """A server of Reversi XT in a process of its own, on free ports."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = 0
        self.address = ""
        """Where its page is."""
        ports = "--port", "0", "--page", "0"
        self._command = "xt-server", *ports, "--pause", "0", "--plain", *options
        self._log = folder / "xt-server.log"
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._process: Forked | None = None

    @property
    def log(self) -> str:
        """What it has complained of."""
        return self._log.read_text()

    def __enter__(self) -> XtServed:
        environment = os.environ | {"PYTHONUNBUFFERED": "1"}
        with self._log.open("ab") as log:
            self._process = Forked(
                *self._command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                environment=environment)
        threading.Thread(target=self._listen, args=[self._process.stdout], daemon=True).start()
        self.address = f"http://{self._said('http://').rstrip('/')}"
        self.port = int(self._said("127.0.0.1:").partition(",")[0])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.interrupt()
        self.wait()

    def interrupt(self) -> None:
        """Ends it as Ctrl-C does."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """Ends it as a power cut would."""
        assert self._process is not None
        self._process.kill()

    def wait(self) -> int:
        """Waits until it has ended; its status."""
        assert self._process is not None
        return self._process.wait(TIMEOUT)

    def client(self, group: int) -> XtClient:
        """A client of that group, which takes the next seat."""
        return XtClient(self.port, group)

    def _listen(self, lines: IO[bytes]) -> None:
        with lines:
            for line in lines:
                self._lines.put(line.decode())

    def _said(self, words: str) -> str:
        """What follows these words, as soon as they are said."""
        while words not in (line := self._lines.get(timeout=TIMEOUT)):
            continue
        return line.partition(words)[2].strip()


class XtClient:
    """A client that follows the game and moves when it is told to."""

    state: State
    seat = 0

    def __init__(self, port: int, group: int) -> None:
        self._line = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self._decoder = Decoder(FROM_SERVER)
        self._heard: list[Frame] = []
        self.moves: list[Played] = []
        """What was played so far."""
        self.send(encode(Group(group)))

    def send(self, data: bytes) -> None:
        """Says anything at all."""
        self._line.sendall(data)

    def until(self, kind: type[Frame]) -> Frame:
        """Follows the game up to a message of that kind."""
        while True:
            while not self._heard:
                data = self._line.recv(1 << 16)
                assert data, "the server has closed the connection"
                self._heard += self._decoder.feed(data)
            frame = self._heard.pop(0)
            self._follow(frame)
            if isinstance(frame, kind):
                return frame

    def _follow(self, frame: Frame) -> None:
        if isinstance(frame, Map):
            self.state = xt_game(XtMap.parse(frame.text)).start()
        elif isinstance(frame, Number):
            self.seat = frame.seat
        elif isinstance(frame, Played):
            self.moves.append(frame)
            special = f":{frame.special}" if frame.special else ""
            self.state = self.state.play(f"{frame.x},{frame.y}{special}")
        elif isinstance(frame, Disqualified):
            self.state = self.state.disqualify(frame.seat)

    def move(self) -> None:
        """Waits to be asked and plays the first legal move."""
        self.until(Ask)
        first = self.state.moves[0]
        self.send(encode(Answer(*self.state.board.coordinates[first.cell], first.special)))

    def close(self) -> None:
        """Leaves."""
        self._line.close()


def play(clients: list[XtClient], moves: int) -> None:
    """Has the clients that are left play so many moves, or the game to its end."""
    for client in clients:
        if not client.seat:
            client.until(Number)
    for _ in range(moves):
        state = clients[0].state
        if state.is_over:
            return
        next(client for client in clients if client.seat == state.turn).move()
        for client in clients:
            client.until(Played)
