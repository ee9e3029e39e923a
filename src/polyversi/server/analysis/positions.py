"""The positions of a line of moves for the page, which has no rules: the stones, and what can be played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from polyversi._core import Move
from polyversi.games.errors import NotationError
from polyversi.games.notation import make_state
from polyversi.games.state import State
from polyversi.records import Bounds
from polyversi.records.opening_names import opening_name
from polyversi.server import catalogue
from polyversi.server.messages import MoveText
from polyversi.server.new_game import MAX_TILES, Line, MapText, Short, chosen_game
from polyversi.server.summaries import MAX_CELLS, listed_moves

Json = dict[str, Any]
MAX_SEATS = 8
MAX_MOVES = 2_000
"""Moves of one line."""
BOUNDS = Bounds(MAX_TILES, MAX_MOVES, cells=2_000_000)
"""What one answer may hold: a long game on a large map fits."""


class Moves(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of moves, from the start of a game or from a position."""

    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MAX_MOVES)] = []
    spec: Short = ""
    map: MapText = ""
    start: Line = ""
    disqualified: Annotated[list[tuple[int, int]], msgspec.Meta(max_length=MAX_SEATS)] = []
    """After how many moves which seats were taken out of the game, as records have it."""


def positions(asked: Moves) -> Json:
    """The game described, and every position of the line: ply 0 is the start.

    >>> told = positions(Moves(["f5", "d6"], "othello"))
    >>> [(ply["move"], ply["scores"], ply["mobility"]) for ply in told["plies"]]
    [(None, [2, 2], [4, 4]), ('f5', [4, 1], [3, 3]), ('d6', [3, 3], [5, 4])]
    """
    game = chosen_game(asked.spec, asked.map)
    BOUNDS.check(game.board.size, len(asked.moves))
    state = game.position(asked.start) if asked.start else game.start()
    return {"game": catalogue.description(game), "plies": _plies(state, asked)}


def _plies(state: State, asked: Moves) -> list[Json]:
    named = 0    # cells that legal moves would turn: what is too much is left out

    def told(state: State, move: Move | None, turned: Iterable[int]) -> Json:
        nonlocal named
        legal = listed_moves(state, max(0, MAX_CELLS * 10 - named))
        named += sum(len(one.turned or ()) for one in legal)
        return {
            "position": state.text,
            "move": None if move is None else str(move),
            "turned": list(turned),
            "legal": legal,
            "scores": list(state.scores),
            "mobility": [mobility(state, seat) for seat in range(1, state.game.seats + 1)],
            "phase": state.phase,
            "turn": state.turn,
            "over": state.is_over,
            "opening": opening_name(state),
        }

    def expelled(state: State, ply: int) -> State:
        for after, seat in asked.disqualified:
            if after == ply and 1 <= seat <= state.game.seats and seat not in state.out and not state.is_over:
                state = state.disqualify(seat)
        return state

    state = expelled(state, 0)
    plies = [told(state, None, ())]
    for ply, text in enumerate(asked.moves, 1):
        move = state.as_move(text)
        turned = () if move.is_pass else state.turned(move)
        state = expelled(state.play(move), ply)
        plies.append(told(state, move, turned))
    return plies


def mobility(state: State, seat: int) -> int:
    """How many moves a seat has in a position, or would have if it were its turn.

    >>> import polyversi as pv
    >>> [mobility(pv.game("othello").start().play("f5"), seat) for seat in (1, 2)]
    [3, 3]
    """
    if state.is_over or seat in state.out:
        return 0
    if seat != state.turn:
        try:
            state = make_state(
                state.game, state.tiles, seat, passes=0, is_bombing=state.phase == "bomb",
                overrides=state.overrides, bombs=state.bombs, out=state.out, last=state.last)
        except NotationError:    # the rules know no position in which it could be its turn
            return 0
    return len([move for move in state.moves if not move.is_pass]) if state.turn == seat else 0
