"""The games of a report as compact text: the start position, and what every move changes."""

from __future__ import annotations

import string

import numpy as np

from polyversi._core import Move
from polyversi.games.state import State
from polyversi.games.tiles import XT_SYMBOLS
from polyversi.records import Record

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase + "-_"
"""The digits of a cell's number."""
TRANSLATION = bytes(ord(XT_SYMBOLS.get(tile, "?")) for tile in range(256))


def tiles_text(state: State) -> str:
    """What lies on each cell, a character each, as in XT maps.

    >>> import polyversi as pv
    >>> tiles_text(pv.game("othello-4").start())
    '0000021001200000'
    """
    return state.tiles.translate(TRANSLATION).decode()


def moves_text(record: Record) -> str:
    """What the moves change, one word for each move.

    A word starts with the seat, followed by the cells that now hold its stones, the cell of the move first.
    A cell that changes to something else follows after a comma and the character of its new tile, as in XT
    maps. Whatever else belongs to the move follows an equals sign. A pass is the seat alone.

    >>> moves_text(Record.of("othello-4", "b1a1a2"))
    '115 205 145'
    """
    width = digits_for(record.game.board.size)
    states = record.states()
    before = next(states)
    words = []
    for move, after in zip(record.moves, states, strict=True):
        words.append(_word(before, move, after, width))
        before = after
    return " ".join(words)


def seconds_text(record: Record) -> str:
    """The milliseconds of each move; empty if they were not measured.

    >>> seconds_text(Record.of("othello", "f5"))
    ''
    """
    times = ["" if note.seconds is None else str(round(note.seconds * 1000)) for note in record.notes]
    return " ".join(times) if any(times) else ""


def digits_for(cells: int) -> int:
    """How many digits the numbers of so many cells take.

    >>> digits_for(64), digits_for(91), digits_for(2500)
    (1, 2, 2)
    """
    return 1 if cells <= len(ALPHABET) else 1 + digits_for(-(-cells // len(ALPHABET)))


def _word(before: State, move: Move, after: State, width: int) -> str:
    seat = before.turn
    if move.is_pass:
        return str(seat)
    own, others = [move.cell], ""
    tiles = [np.frombuffer(state.tiles, np.uint8) for state in (before, after)]
    for cell in np.flatnonzero(tiles[0] != tiles[1]).tolist():
        if after.tiles[cell] != seat:
            others += f",{XT_SYMBOLS[after.tiles[cell]]}{_number(cell, width)}"
        elif cell != move.cell:
            own.append(cell)
    said = str(move).removeprefix(before.board.name(move.cell))
    return f"{seat}{''.join(_number(cell, width) for cell in own)}{others}" + (f"={said}" if said else "")


def _number(cell: int, width: int) -> str:
    digits = ""
    for _ in range(width):
        cell, digit = divmod(cell, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits
