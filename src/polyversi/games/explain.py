"""Explanations for people: why a move is not legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyversi.games.errors import IllegalMoveError
from polyversi.games.tiles import BONUS, CHOICE, HOLE

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.game import Game
    from polyversi.games.state import State

SHOWN = 12
"""How many legal moves a message lists."""


def illegal_move(state: State, move: Move | str) -> IllegalMoveError:
    """The error for a move that cannot be played here, with the reason and what could be played.

    >>> import polyversi as pv
    >>> print(illegal_move(pv.game("othello").start(), "a1"))
    a1 is not legal: it captures nothing; legal: d3 c4 f5 e6
    """
    read, moves = state.game.move(move) if isinstance(move, str) else move, state.moves
    more = f" and {len(moves) - SHOWN} more" if len(moves) > SHOWN else ""
    legal = f"; legal: {' '.join(map(str, moves[:SHOWN]))}{more}" if moves else ""
    return IllegalMoveError(f"{read} is not legal: {_reason(state, read)}{legal}")


def _reason(state: State, move: Move) -> str:
    if state.is_over:
        return "the game is over"
    if move.is_pass:
        forced = state.game.definition.passing == "forced"
        return "you may pass only when you have no move" if forced else "there are no passes in this game"
    if not 0 <= move.cell < state.board.size or state.board.name(move.cell) != str(move).partition(":")[0]:
        return "it is a move of another game"
    if state.must_pass:
        return "no stone can be placed, only a pass is possible"
    return _reason_on_cell(state, move)


def _reason_on_cell(state: State, move: Move) -> str:
    tile = state.tiles[move.cell]
    if tile == HOLE:
        return "the cell is a hole"
    if state.phase == "bomb":
        return "a bomb takes no special value"
    if tile == CHOICE and not move.special:
        return f"a choice tile needs the seat to swap with, such as '{move}:1'"
    if tile == BONUS and not move.special:
        return f"a bonus tile needs the bonus, '{move}:20' for a bomb or '{move}:21' for an override stone"
    if move.special and tile not in (CHOICE, BONUS):
        return "its special tile is gone"
    if 1 <= tile <= 8:
        if not state.game.definition.has_stocks:
            return "the cell is occupied"
        if not state.overrides[state.turn - 1]:
            return "the cell is occupied and no override stone is left"
    return "it captures nothing"


def illegal_action(game: Game, index: int, action: int) -> IllegalMoveError:
    """The error for an action number that one game of a batch cannot take."""
    if not 0 <= action < game.actions:
        reason = f"{action} is not an action; the actions of {game.spec} are 0 to {game.actions - 1}"
    else:
        reason = f"action {action} ({game.action(action)}) is not legal there"
    return IllegalMoveError(f"game {index} of the batch: {reason}")
