"""Games in the middle that are worth looking at, always the same ones."""

from __future__ import annotations

from typing import Any

import polyversi as pv
from polyversi.server.messages import MoveMessage, RequestMessage
from tests.testing.page_server import Served

EXPERTS = {"othello": "six-factor:level=3"}


def expert(spec: str) -> pv.Player:
    """Somebody who plays a variant well."""
    return pv.player(EXPERTS.get(spec, "t77"))


def middle_game(spec: str, plies: int) -> str:
    """The position after this many sensible moves, or a few more until it is the first seat's turn."""
    player = expert(spec)
    state = pv.game(spec).start(3)
    while plies > 0 or state.turn != 1:
        state = state.play(player.choose(state))
        plies -= 1
    return state.text


def good_move(spec: str, position: str) -> str:
    """The cell that an expert would choose."""
    state = pv.game(spec).position(position)
    return state.board.name(expert(spec).choose(state).cell).lower()


def begun(server: Served, spec: str, names: list[str], plies: int, **more: Any) -> dict[str, Any]:
    """A game between people after this many moves; one token has all seats."""
    seats = [{"kind": "me", "name": name} for name in names]
    new: dict[str, Any] = server.post("/api/games", {"spec": spec, "seats": seats, **more})
    player = expert(spec)
    game = pv.game(spec)
    with server.visit(new["game"], new["token"]) as visitor:
        for _ in range(plies):
            ask = visitor.hear(RequestMessage)
            state = game.position(server.get(f"/api/games/{new['game']}")["position"])
            visitor.say(MoveMessage(ask.number, str(player.choose(state))))
        visitor.hear(RequestMessage)
    return new
