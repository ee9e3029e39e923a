"""The honest visitor: plays against a quick computer and looks around, in a process of its own."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

ADDRESS = {"x-forwarded-for": "192.0.2.7"}
PAUSE = 0.1
"""Seconds between two things that the visitor does."""
PATIENCE = 30.0
"""Seconds after which the visitor gives up."""
WANTED = {"spec": "othello-6", "seats": [{"kind": "me"}, {"kind": "computer", "player": "random"}]}
HELLO = {"type": "hello", "version": 1, "name": "honest"}


class Diary:
    """What the visitor notes: when each thing was done, how many seconds it took, and what it was."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", buffering=1)

    def note(self, what: str, began: float) -> None:
        """Something was done just now."""
        now = time.monotonic()
        self._file.write(f"{now} {now - began} {what}\n")


def visit(port: int, path: Path) -> None:
    """Plays game after game, and looks at the list and at the page between the moves, until it is ended."""
    diary = Diary(path)
    while True:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=ADDRESS, timeout=PATIENCE) as http:
            try:
                while True:
                    _play(port, http, diary)
            except (OSError, httpx.HTTPError, WebSocketException):
                diary.note("cut off", time.monotonic())
        time.sleep(PAUSE)


def _play(port: int, http: httpx.Client, diary: Diary) -> None:
    began = time.monotonic()
    new = http.post("/api/games", json=WANTED).raise_for_status().json()
    diary.note("begin", began)
    url = f"ws://127.0.0.1:{port}/api/games/{new['game']}/socket"
    with connect(url, additional_headers=ADDRESS, open_timeout=PATIENCE, proxy=None) as socket:
        socket.send(json.dumps(HELLO | {"token": new["token"]}))
        ask = _next(socket)
        while ask is not None:
            for path in ("/api/games", "/page/app/main.js", ""):
                due = time.monotonic() + PAUSE
                time.sleep(PAUSE)
                diary.note("lag", due)
                began = time.monotonic()
                if path:
                    http.get(path).raise_for_status()
                    diary.note("look", began)
            move = {"type": "move", "number": ask["number"], "move": ask["moves"][0][0]}
            socket.send(json.dumps(move))
            ask = _next(socket)
            diary.note("move", began)
        with suppress(OSError):
            socket.send('{"type":"bye"}')


def _next(socket: ClientConnection) -> dict[str, Any] | None:
    """The next question, after the computer has moved; None when the game is over."""
    while True:
        message = json.loads(socket.recv(PATIENCE))
        if message["type"] == "request":
            return dict(message)
        if message["type"] == "event" and message["kind"] == "end":
            return None
        if message["type"] == "error":
            raise OSError(message["sentence"])
