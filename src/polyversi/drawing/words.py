"""A position in words: the alternative text of a drawing, and the lines under a board."""

from __future__ import annotations

from polyversi.drawing.marks import Last
from polyversi.drawing.palette import paints
from polyversi.games.board import Board
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY, HOLE, TILE_NAMES
from polyversi.games.xtmap import XtMap

LISTED = 121
"""Boards with more cells than this are described by counts, not by naming every stone."""
TASKS = {"build": "move", "bomb": "bomb"}


def standing(state: State, colours: str = "") -> str:
    """Who is to move, or how the game ended.

    >>> import polyversi as pv
    >>> standing(pv.game("othello").start())
    'black to move'
    """
    looks = paints(state.board, state.game.seats, colours)
    if state.turn:
        task = "must pass" if state.must_pass else f"to {TASKS[state.phase]}"
        return f"{looks[state.turn - 1].name} {task}"
    winners = [looks[seat - 1].name for seat in state.result.winners] if state.result else []
    if len(winners) < 2:
        return f"{winners[0] if winners else 'nobody'} wins"
    return "draw" if len(winners) == state.game.seats else f"draw between {' and '.join(winners)}"


def stocks(state: State, seat: int) -> str:
    """What a seat has besides its stones, on XT maps; empty elsewhere."""
    if not state.game.definition.has_stocks:
        return ""
    parts = [counted(state.overrides[seat - 1], "override"), counted(state.bombs[seat - 1], "bomb")]
    return ", ".join(parts + ["out"] * (seat in state.out))


def summary(xtmap: XtMap) -> str:
    """An XT map in one line.

    >>> from polyversi.games.xtmap import XtMap
    >>> summary(XtMap.parse("2 0 1 2  2 3  0 1 2  0 2 1  0 0 6 <-> 2 0 2"))
    '3×2, 2 players, each 0 overrides and 1 bomb of radius 2, 1 transition'
    """
    overrides, bombs = counted(xtmap.overrides, "override"), counted(xtmap.bombs, "bomb")
    transitions = counted(len(xtmap.transitions), "transition")
    size = f"{xtmap.width}×{xtmap.height}, {xtmap.players} players"
    return f"{size}, each {overrides} and {bombs} of radius {xtmap.radius}, {transitions}"


def describe_tiles(board: Board, tiles: bytes, seats: int, colours: str = "") -> str:
    """What lies where, in words."""
    names = {seat: look.name for seat, look in enumerate(paints(board, seats, colours), 1)} | TILE_NAMES
    parts = []
    for tile, name in names.items():
        cells = [board.name(cell) for cell, found in enumerate(tiles) if found == tile]
        if tile != EMPTY and (cells or tile <= seats):
            listed = f": {', '.join(cells)}" if cells and board.size <= LISTED else ""
            parts.append(f"{name} {len(cells)}{listed}")
    return "; ".join(parts)


def describe(state: State, last: Last | None, legal: frozenset[int], colours: str = "") -> str:
    """A state in words: the game, who is to move, what lies where, the last move and the legal ones.

    >>> import polyversi as pv
    >>> describe(pv.game("othello-4").start(), None, frozenset())
    'othello-4, black to move. black 2: c2, b3; white 2: b2, c3.'
    """
    board = state.board
    parts = [f"{state.game.spec}, {standing(state, colours)}",
             describe_tiles(board, state.tiles, state.game.seats, colours)]
    if last:
        effect, noun = ("bombing", "cell") if state.tiles[last.cell] == HOLE else ("turning", "stone")
        parts.append(f"last move {board.name(last.cell)}, {effect} {counted(len(last.turned), noun)}")
    if legal:
        parts.append(f"legal moves: {', '.join(board.name(cell) for cell in sorted(legal))}")
    return ". ".join(parts) + "."


def counted(count: int, noun: str) -> str:
    """A number and what it counts.

    >>> counted(1, "game"), counted(1560, "game")
    ('1 game', '1,560 games')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"
