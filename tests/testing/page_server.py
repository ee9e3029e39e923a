"""A real server of the page in a process of its own, to be talked to, killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from polyversi.server.messages import FROM_HOST, Hello, Message, MoveMessage, RequestMessage, decode, encode
from tests.testing import http
from tests.testing.command import Forked
from tests.testing.timeout import TIMEOUT


class Served:
    """`polyversi run` on a free port over a store of its own.

    After `kill` and `start` it has the same port and the same store.
    """

    def __init__(self, folder: Path, *options: str, store: str = "") -> None:
        self.store = store or str(folder / "games.db")
        self.port = 0
        self._options = options
        self._log = folder / "server.log"
        self._process: Forked | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """What it has written besides its greeting."""
        return self._log.read_text()

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def _place(self) -> tuple[str, ...]:
        """Where its games are, as options."""
        return "--store", self.store

    def start(self) -> None:
        """Starts it and waits until visitors can come."""
        command = "run", "--port", str(self.port), *self._place, "--no-browser", *self._options
        with self._log.open("ab") as log:
            self._process = Forked(
                *command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                environment=os.environ | {"PYTHONUNBUFFERED": "1"})
        assert self._process.stdout is not None
        first = self._process.stdout.readline().decode()
        assert "http://" in first, f"it said '{first}' and wrote {self.log}"
        self.port = int(first.split("http://")[1].split("/")[0].rpartition(":")[2])

    def kill(self) -> None:
        """Ends it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._end()

    def stop(self) -> int:
        """Ends it as Ctrl-C does; its status."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        return self._end()

    def _end(self) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        status = self._process.wait(TIMEOUT)
        self._process.stdout.close()
        return status

    def get(self, path: str) -> Any:
        """What it answers, as data."""
        answer = http.get(self.address + path, verify=False)    # no TLS
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, data: Any) -> Any:
        """What it answers to data, as data."""
        answer = http.post(self.address + path, json=data, verify=False)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def new_game(self, spec: str, *seats: str, **more: Any) -> Any:
        """Sets a game up; a seat is 'me', 'friend' or a player."""
        told = [{"kind": seat} if seat in ("me", "friend") else {"kind": "computer", "player": seat}
                for seat in seats]
        return self.post("/api/games", {"spec": spec, "seats": told, **more})

    def visit(self, game: str, token: str = "", name: str = "Ann", events: int = 0) -> Visitor:
        """A connection to a game, after its hello."""
        return Visitor(f"ws://127.0.0.1:{self.port}/api/games/{game}/socket",
                       Hello(name, token=token, seat=None if token else 0, game=1, events=events))


class Visitor:
    """Somebody at a game, who hears one message after another."""

    def __init__(self, url: str, hello: Hello | None) -> None:
        self.socket: ClientConnection = connect(url, open_timeout=TIMEOUT, max_size=None, legacy=True)
        if hello is not None:
            with suppress(ConnectionClosed):    # refused before it said anything: why can still be heard
                self.say(hello)

    def __enter__(self) -> Visitor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def say(self, message: Message) -> None:
        """Sends a message."""
        self.socket.send(encode(message).decode().rstrip())

    def hear(self, *kinds: type[Any]) -> Any:
        """The next message of one of these kinds; others are passed over."""
        while True:
            message = decode(self.socket.recv(TIMEOUT), FROM_HOST)
            if not kinds or isinstance(message, kinds):
                return message


def first_answer(ask: RequestMessage) -> MoveMessage:
    """The first of the legal moves."""
    assert ask.moves
    return MoveMessage(ask.number, ask.moves[0].text)
