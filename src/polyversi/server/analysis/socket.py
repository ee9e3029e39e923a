"""The analysis socket: a visitor looks at one position after another and is told what is found."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from polyversi.engines.engine import Engine
from polyversi.games.errors import PolyversiError
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.server.analysis.judging import analysis_data
from polyversi.server.analysis.messages import (
    FROM_VISITOR,
    ErrorMessage,
    Look,
    Rest,
    Unable,
    Values,
    unable,
    values_message,
)
from polyversi.server.lobby import Lobby
from polyversi.server.messages import MessageError, decode_any
from polyversi.server.new_game import chosen_game

SECONDS = 10.0


class AnalysisSockets:
    """Serves every analysis board."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    async def serve(self, socket: WebSocket) -> None:
        """One visitor, until it leaves."""
        await socket.accept()
        looking: asyncio.Task[None] | None = None
        try:
            while True:
                message = decode_any((await socket.receive_text()).encode(), FROM_VISITOR)
                if looking is not None:
                    looking.cancel()
                match message:
                    case Look():
                        looking = asyncio.create_task(_look(socket, message))
                    case Rest():
                        looking = None
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass
        except (KeyError, MessageError) as error:
            with suppress(WebSocketDisconnect, RuntimeError, OSError):
                await _send(socket, ErrorMessage(str(error)))
                await socket.close(1008)
        finally:
            if looking is not None:
                looking.cancel()


async def _look(socket: WebSocket, look: Look) -> None:
    try:
        state = await asyncio.to_thread(_state, look)
        engine = Engine(state.game)
        found = engine.analyse(state, Limit(seconds=SECONDS))
        last = None
        try:
            while (analysis := await asyncio.to_thread(next, found, None)) is not None:
                last = analysis_data(analysis)
                await _send(socket, values_message(look.id, last, done=analysis.is_exact))
            if last:
                await _send(socket, values_message(look.id, last, done=True))
        finally:
            engine.stop()
    except PolyversiError as error:
        await _send(socket, unable(look.id, error))


def _state(look: Look) -> State:
    game = chosen_game(look.spec, look.map)
    return game.position(look.position) if look.position else game.start()


async def _send(socket: WebSocket, message: Values | Unable | ErrorMessage) -> None:
    await socket.send_text(msgspec.json.encode(message).decode())
