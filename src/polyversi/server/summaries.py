"""Games in a few words for lists, and positions with everything that may be played in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyversi.gameplay.events import Event
from polyversi.games.variants import title, variant_label
from polyversi.server.messages import LegalMove

if TYPE_CHECKING:
    from polyversi.gameplay.log import History
    from polyversi.games.state import State
    from polyversi.storage.games import StoredGame

Json = dict[str, Any]
MUCH = 20_000
"""Cells that one list of moves names; what further moves would turn is told when somebody wants to know."""


def summary(stored: StoredGame, about: Json) -> Json:
    """A game in a list, with what is known `about` the way it went."""
    return {
        "id": stored.id,
        "spec": stored.spec,
        "title": title(stored.spec),
        "variant": variant_label(stored.spec),
        "has_map": bool(stored.map),
        "players": [seat.name for seat in stored.seats],
        "kinds": [seat.kind for seat in stored.seats],
        "phase": stored.phase,
        "created": stored.created,
        "series": stored.series,
        "position": stored.start,
        "plies": 0,
        "scores": [],
        "result": None,
    } | about


def standing(history: History, end: Event | None = None) -> Json:
    """How far a game has come, and how it ended if it did."""
    return {
        "position": history.state.text,
        "plies": len(history.plies),
        "scores": list(history.state.scores),
        "result": end.data if end else None,
    }


def broken_off(number: int, history: History, why: str) -> Event:
    """The last event of a game that nobody can play on."""
    seats = history.state.game.seats
    return Event(number, "end", {
        "reason": "aborted",
        "scores": list(history.state.scores),
        "ranks": [1] * seats,
        "points": [0.0] * seats,
        "verdict": {"kind": "aborted", "seat": None, "detail": why},
    })


def listed_moves(state: State) -> list[LegalMove]:
    """Every legal move with what else it changes, where that is little.

    >>> import polyversi as pv
    >>> listed_moves(pv.game("othello").start())[0]
    LegalMove(text='d3', cell=19, special=0, turned=[27])
    """
    listed = []
    named = 0
    for move in state.moves:
        turned: list[int] | None = None
        if move.is_pass:
            turned = []
        elif state.phase == "build" and named < MUCH:
            turned = list(state.turned(move))
            named += len(turned)
        listed.append(LegalMove(str(move), -1 if move.is_pass else move.cell, move.special, turned))
    return listed
