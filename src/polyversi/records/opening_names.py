"""Names of openings: what the Othello world calls a position, however it was reached."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from polyversi.games.state import State
from polyversi.games.variants import game as named
from polyversi.records.record import Record

NAMES = Path(__file__).parent / "data" / "opening_names.tsv"
"""A line for each name: the moves that lead to its position, a tab, the name."""


def opening_name(state: State) -> str | None:
    """The name of an opening of Othello on 8×8, if this very position has one.

    It does not matter in which order the moves came, nor how the board is turned or mirrored.

    >>> import polyversi as pv
    >>> opening_name(pv.Line("othello", "f5d6c3d3c4").state)
    'Tiger'
    >>> opening_name(pv.Line("othello", "c4e3f6e6f5").state)    # the same, turned by 180°
    'Tiger'
    >>> opening_name(pv.game("othello").start()) is None
    True
    """
    names, most_stones = _names()
    if state.game != named("othello") or sum(state.scores) > most_stones:
        return None
    return names.get(state.canonical()[0].text)


def last_opening_name(states: Iterable[State]) -> str | None:
    """The name of the opening that a game has come to: that of the last position which has one.

    >>> last_opening_name(Record.of("othello", "f5d6c3d3c4f4g4").states())
    'Tiger'
    """
    return next((name for name in map(opening_name, reversed([*states])) if name), None)


@cache
def _names() -> tuple[dict[str, str], int]:
    """The names by the canonical positions, and the most stones that one of these has."""
    lines = [line.split("\t") for line in NAMES.read_text("utf-8").splitlines() if not line.startswith("#")]
    finals = [(Record.of("othello", moves).final, name) for moves, name in lines]
    return ({final.canonical()[0].text: name for final, name in finals},
            max(sum(final.scores) for final, _ in finals))
