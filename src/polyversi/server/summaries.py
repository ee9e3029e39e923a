"""Games in a few words for lists, and positions with everything that may be played in them."""

from __future__ import annotations

from typing import Any

import msgspec

from polyversi.gameplay.log import GameLog
from polyversi.games.state import State
from polyversi.games.variants import title, variant_label
from polyversi.server.messages import LegalMove
from polyversi.storage.stored import GameResult, StoredGame, Summary

Json = dict[str, Any]
MAX_CELLS = 20_000
"""Cells that one list of moves names; what further moves would turn is told when somebody wants to know."""


def listed(stored: StoredGame, summary: Summary) -> Json:
    """A game in a list, with what is known of the way it went."""
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
        "ended": stored.ended,
        "series": stored.series,
        "colours": stored.colours,
        "position": summary.position or stored.start,
        "plies": summary.plies,
        "scores": list(summary.scores),
        "result": msgspec.to_builtins(summary.result),
    }


def summed_up(log: GameLog, summary: Summary) -> Summary:
    """The summary with how far a game has come, and how it ended if it did."""
    return msgspec.structs.replace(
        summary, position=log.state.text, plies=len(log.plies), scores=log.state.scores,
        result=GameResult.of(log.end) if log.end else None)


def listed_moves(state: State, cells: int = MAX_CELLS) -> list[LegalMove]:
    """Every legal move with what else it changes, for as many as name no more than about so many cells.

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
        elif state.phase == "build" and named < cells:
            turned = list(state.turned(move))
            named += len(turned)
        listed.append(LegalMove(str(move), -1 if move.is_pass else move.cell, move.special, turned))
    return listed
