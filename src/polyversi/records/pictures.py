"""Pictures of recorded games: a position at any ply as SVG or PNG, a whole game as a GIF."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from polyversi.drawing import Last, film, state_svg
from polyversi.drawing.film import Moment
from polyversi.games.errors import RecordError
from polyversi.records.record import Record


def svg(record: Record, ply: int | None = None, *, size: int | None = None) -> str:
    """The position after so many plies, or the last one, with the move that led to it marked.

    >>> from polyversi.records import Record
    >>> "black to move, 3 : 3" in svg(Record.of("othello", "f5d6c3"), 2)
    True
    """
    state, last = _moment(record, ply)
    return state_svg(state, last=last, legal=False, size=size)


def png(record: Record, ply: int | None = None, *, size: int | None = None) -> bytes:
    """The same as PNG, `size` pixels along its longer side; needs the `server` extra.

    >>> from polyversi.records import Record
    >>> png(Record.of("othello", "f5d6c3"), size=200)[1:4]
    b'PNG'
    """
    state, last = _moment(record, ply)
    return state.png(last=last, legal=False, size=size)


def gif(record: Record, *, seconds: float = 0.8, size: int = 480) -> bytes:
    """The whole game, each position shown for so many seconds and the last one longer; needs `server` too.

    A game too long for a GIF is shown in even steps of several plies.

    >>> from polyversi.records import Record
    >>> gif(Record.of("othello", "f5d6c3"), size=200)[:6]
    b'GIF89a'
    """
    plies = len(record.moves)
    step = -(-plies // (film.max_frames(record.game.board.size, size) - 1)) or 1
    shown = [moment for ply, moment in enumerate(_moments(record)) if ply == 0 or (plies - ply) % step == 0]
    return film.gif(shown, seconds, size)


def _moment(record: Record, ply: int | None) -> Moment:
    plies = len(record.moves)
    if ply is not None and not 0 <= ply <= plies:
        raise RecordError(f"there is no ply {ply}; the game has plies 0 to {plies}")
    return next(islice(_moments(record), plies if ply is None else ply, None))


def _moments(record: Record) -> Iterator[Moment]:
    """The positions of a game, each with the marks of the move that led to it."""
    states = record.states()
    before = next(states)
    yield before, None
    for after, move in zip(states, record.moves, strict=True):
        yield after, Last.of(before, move)
        before = after
