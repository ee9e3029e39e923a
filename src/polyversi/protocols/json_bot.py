"""Bots that read one line of JSON a move and answer with one."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from polyversi._core import Move
from polyversi.gameplay.bots.process import Child, shown
from polyversi.gameplay.bots.seat import BotSeat, legal_move
from polyversi.gameplay.seat import Request, Resign
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.errors import RecordError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.records.maps import embedded_map

VERSION = 1
"""Goes up when bots that know the version before would misunderstand a request."""


def request_of(request: Request) -> dict[str, Any]:
    """What a bot is sent to be asked for a move.

    >>> import polyversi as pv
    >>> start = pv.game("othello-4").start()
    >>> asked = request_of(Request(start, 1, pv.Limit(seconds=1), start, ()))
    >>> asked["position"], asked["moves"], asked["seconds"]
    ('-----OX--XO----- X', ['b1', 'a2', 'd3', 'c4'], 1)
    """
    state, limit = request.state, request.limit
    message: dict[str, Any] = {
        "polyversi": VERSION,
        "type": "move",
        "game": state.game.spec,
        "seat": request.seat,
        "position": state.text,
        "moves": [str(move) for move in state.moves],
        "start": request.start.text,
        "history": [str(move) for move in request.moves],
        "seconds": None if limit.allowance is None else round(limit.allowance, 3),
    }
    if limit.bank is not None:
        message |= {"bank": round(limit.bank, 3), "increment": limit.increment}
    message |= {name: value for name in ("depth", "nodes") if (value := getattr(limit, name)) is not None}
    if chart := _map_text(state.game):
        message["map"] = chart
    return message


@lru_cache(maxsize=16)
def _map_text(game: Game) -> str:
    """The map that goes along with a game's name; none for a game of one's own that has no name."""
    try:
        return embedded_map(game)
    except RecordError:
        return ""


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object on a line."""
    problem = 'its answer is not an object such as {"move": "f5"}'
    try:
        answer = json.loads(line.decode())
        if isinstance(answer, dict):
            return answer
    except UnicodeDecodeError:
        problem = "its answer is not UTF-8"
    except (ValueError, RecursionError):
        problem = "its answer is not JSON"
    raise SeatFailure("illegal move", f"{problem}; it answered {shown(line)}")


class JsonSeat(BotSeat):
    """A bot that is sent one line of JSON for each of its moves and answers with one line.

    Nothing else is ever sent, and nothing else may be written to standard output: what comes before it is
    asked for is a move out of turn, which is illegal.
    """

    async def make_ready(self, child: Child, start: State, seat: int) -> bool:  # noqa: ARG002
        return await child.wait_until_reading(self.ready)

    async def choose(self, child: Child, request: Request) -> Move | Resign:
        if unasked := child.unasked().strip():
            raise SeatFailure("illegal move", f"it wrote before it was asked: {shown(unasked)}")
        child.send(json.dumps(request_of(request), separators=(",", ":")).encode() + b"\n")
        line = b""
        while not line.strip():
            line = await child.line()
        answer = read_object(line)
        if answer.get("resign") is True:
            return Resign()
        if isinstance(move := answer.get("move"), str):
            return legal_move(request, move, line)
        raise SeatFailure("illegal move", f'"move" must be a text such as "f5"; it answered {shown(line)}')
