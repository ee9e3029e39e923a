"""Reasons: what the best line keeps that another move gives away, each only where it can be computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

import msgspec

from polyversi._core import Move
from polyversi.engines.engine import MoveValue
from polyversi.engines.judge import can_judge, judge
from polyversi.games.board import Board
from polyversi.games.limit import Limit
from polyversi.games.rules.sentence import Sentence
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY

Kind = Literal["corner", "mobility", "parity", "safe"]

QUICK = Limit(depth=6)
"""How deep the answers to a move are searched where no line of play is given."""
MEGABYTES = 4
MANY_MOVES = 3
"""A difference in the number of moves that is worth a sentence."""
MANY_STONES = 2
"""The same for safe stones."""
LOOKED_AT = 8
"""Plies of both lines after which corners and safe stones are compared."""
LATE = 16
"""Empty cells up to which the regions that they form decide who moves last."""

CORNER_GIVEN = "After {played} the corner {corner} can be taken at once; after {best} it cannot."
CORNER_TAKEN = "{best} takes a corner: no stone on it can ever be turned."
CORNER_LOST = "In the line of {played} the others get the corner {corner}; in the line of {best} they do not."
CORNER_WON = "In the line of {best} one gets the corner {corner}; in the line of {played} one does not."
THEIR_MOVES = "Moves of the next player: {kept} after {best}, {given} after {played}."
OWN_MOVES = "Moves of one's own after the best answer: {kept} after {best}, {given} after {played}."
LAST_MOVE = "After {best} one makes the last move of the game oneself; after {played} the opponent does."
REGIONS = ("{best} leaves the opponent only regions with an even number of empty cells, {played} leaves one "
           "with an odd number.")
OWN_SAFE = "Safe stones of one's own, {plies} plies on: {kept} after {best}, {given} after {played}."
THEIR_SAFE = "Safe stones of the others, {plies} plies on: {kept} after {best}, {given} after {played}."
TEXTS = (CORNER_GIVEN, CORNER_TAKEN, CORNER_LOST, CORNER_WON, THEIR_MOVES, OWN_MOVES, LAST_MOVE, REGIONS,
         OWN_SAFE, THEIR_SAFE)
"""Every sentence that a reason may have, for translations."""


@dataclass(frozen=True)
class Reason:
    """Something that is true of a better move and not of the one that was played."""

    kind: Kind
    sentence: Sentence

    def __str__(self) -> str:
        return str(self.sentence)


def reasons(
    state: State, played: Move, best: MoveValue, *, answers: Sequence[Move] | None = None
) -> tuple[Reason, ...]:
    """What the best line keeps that the move played gives away.

    The positions after the best move and its line are compared with those after the move played and the best
    answers to it: these are `answers`, or else found by a quick search. Where nothing of the kind is true,
    there are none; in Reversi XT, where bombs and special tiles undo everything, never.

    >>> import polyversi as pv
    >>> state = pv.game("othello-4").start().play("b1").play("c1")
    >>> *_, analysis = pv.engine("othello-4").analyse(state)
    >>> [str(scored.move) for scored in analysis.moves]
    ['d1', 'd4', 'd3', 'd2']
    >>> for reason in reasons(state, analysis.moves[3].move, analysis.best)[:1]:
    ...     print(f"{reason.kind}: {reason}")
    corner: d1 takes a corner: no stone on it can ever be turned.
    """
    if played == best.move or state.game.definition.has_stocks:
        return ()
    if answers is None:
        answers = _answers(state.play(played))
    comparison = _Comparison(
        state, tuple(best.principal_variation) or (best.move,), (played, *answers))
    return tuple(comparison.reasons())


class ReasonFinding(msgspec.Struct, frozen=True):
    """A reason as it is sent: a text with placeholders, so that a page can translate it."""

    kind: Kind
    text: str
    values: dict[str, int | str]

    @classmethod
    def of(cls, reason: Reason) -> ReasonFinding:
        """A reason that was found."""
        return cls(reason.kind, reason.sentence.text, dict(reason.sentence.values))


def reason_data(reason: Reason) -> dict[str, Any]:
    """A reason as data for JSON: a `ReasonFinding`."""
    data: dict[str, Any] = msgspec.to_builtins(ReasonFinding.of(reason))
    return data


def _answers(after: State) -> tuple[Move, ...]:
    """The best line of play after a move."""
    if after.is_over or can_judge(after.game):
        return ()
    *_, last = judge(after.game, megabytes=MEGABYTES).analyse(after, QUICK)
    return last.best.principal_variation


class _Comparison:
    """The lines of the best move and of the move played, side by side."""

    def __init__(self, state: State, best: tuple[Move, ...], played: tuple[Move, ...]) -> None:
        self._seat = state.next_seat
        self._wants_most = state.game.definition.goal == "most"
        self._names: dict[str, int | str] = {"best": str(best[0]), "played": str(played[0])}
        self._moves = best[0], played[0]
        self._best, self._played = _positions(state, best), _positions(state, played)
        self._plies = min(len(best), len(played), LOOKED_AT)

    def reasons(self) -> Iterator[Reason]:
        """All that are true, the simplest first."""
        if self._wants_most:
            yield from self._corners()
        yield from self._parity()
        yield from self._mobility()
        yield from self._safe_stones()

    def _reason(self, kind: Kind, text: str, **values: int | str) -> Reason:
        used = {name: value for name, value in (self._names | values).items() if f"{{{name}}}" in text}
        return Reason(kind, Sentence(text, used))

    def _corners(self) -> Iterator[Reason]:
        best, played = self._best[1], self._played[1]
        corners = safe_cells(best.board)
        given = _next_cells(played, self._seat) & corners - _next_cells(best, self._seat)
        for corner in sorted(given):
            yield self._reason("corner", CORNER_GIVEN, corner=best.board.name(corner))
        cells = [None if move.is_pass else move.cell for move in self._moves]
        if cells[0] in corners and cells[1] not in corners:
            yield self._reason("corner", CORNER_TAKEN)
        ends = [line[self._plies].tiles for line in (self._best, self._played)]
        for corner in sorted(corners - given - {cells[0]}):
            kept, lost = (tiles[corner] for tiles in ends)
            name = best.board.name(corner)
            if lost not in (EMPTY, self._seat) and kept in (EMPTY, self._seat):
                yield self._reason("corner", CORNER_LOST, corner=name)
            elif kept == self._seat != lost:
                yield self._reason("corner", CORNER_WON, corner=name)

    def _mobility(self) -> Iterator[Reason]:
        kept, given = (_count_moves(line[1]) for line in (self._best, self._played))
        if not self._best[1].is_over and not self._played[1].is_over and given - kept >= MANY_MOVES:
            yield self._reason("mobility", THEIR_MOVES, kept=kept, given=given)
        if len(self._best) < 3 or len(self._played) < 3:
            return
        after = self._best[2], self._played[2]
        if any(state.is_over or state.turn != self._seat for state in after):
            return
        kept, given = map(_count_moves, after)
        if kept - given >= MANY_MOVES:
            yield self._reason("mobility", OWN_MOVES, kept=kept, given=given)

    def _parity(self) -> Iterator[Reason]:
        if self._best[0].game.seats != 2:
            return
        are_ended = self._best[-1].is_over and self._played[-1].is_over
        if are_ended and _last_mover(self._best) == self._seat != _last_mover(self._played):
            yield self._reason("parity", LAST_MOVE)
            return
        after = self._best[1], self._played[1]
        if any(state.is_over or state.must_pass or state.tiles.count(EMPTY) > LATE for state in after):
            return
        odd = [sum(size % 2 for size in region_sizes(state)) for state in after]
        if odd[0] == 0 < odd[1]:
            yield self._reason("parity", REGIONS)

    def _safe_stones(self) -> Iterator[Reason]:
        plies = self._plies
        kept, given = (safe_stones(line[plies]) for line in (self._best, self._played))
        seat, sign = self._seat - 1, 1 if self._wants_most else -1
        if sign * (kept[seat] - given[seat]) >= MANY_STONES:
            yield self._reason("safe", OWN_SAFE, plies=plies, kept=kept[seat], given=given[seat])
        theirs = [sum(counts) - counts[seat] for counts in (kept, given)]
        if sign * (theirs[1] - theirs[0]) >= MANY_STONES:
            yield self._reason("safe", THEIR_SAFE, plies=plies, kept=theirs[0], given=theirs[1])


def _positions(state: State, line: Sequence[Move]) -> tuple[State, ...]:
    found = [state]
    for move in line:
        found.append(found[-1].play(move))
    return tuple(found)


def _next_cells(state: State, seat: int) -> frozenset[int]:
    """Where the others may place a stone, if it is their turn."""
    if state.is_over or state.turn == seat:
        return frozenset()
    return frozenset(move.cell for move in state.moves if not move.is_pass)


def _count_moves(state: State) -> int:
    return sum(not move.is_pass for move in state.moves)


def _last_mover(states: Sequence[State]) -> int:
    """Who placed the last stone of a game."""
    placed = [before.turn for before, after in pairwise(states)
              if before.tiles.count(EMPTY) > after.tiles.count(EMPTY)]
    return placed[-1] if placed else 0


@lru_cache(maxsize=16)
def safe_cells(board: Board) -> frozenset[int]:
    """The corners of a board: cells whose stones can never be turned, since no line runs on both ways.

    >>> import polyversi as pv
    >>> board = pv.game("othello").board
    >>> sorted(map(board.name, safe_cells(board))), safe_cells(pv.game("torus").board)
    (['a1', 'a8', 'h1', 'h8'], frozenset())
    """
    return frozenset(cell for cell in range(board.size) if not any(
        ahead >= 0 and behind >= 0 for ahead, behind in _neighbours(board, cell)))


def _neighbours(board: Board, cell: int) -> list[tuple[int, int]]:
    """The next cells on both sides along each axis, -1 where the board ends."""
    count, steps = board.directions, board.steps
    nodes = [steps[cell * count + direction] for direction in range(count)]
    cells = [node // count if node >= 0 else -1 for node in nodes]
    return list(zip(cells[:count // 2], cells[count // 2:], strict=True))


@lru_cache(maxsize=16)
def _lines(board: Board) -> tuple[tuple[frozenset[int], ...], ...]:
    """For each cell and axis all cells of the line through it."""
    count, steps = board.directions, board.steps
    found = []
    for cell in range(board.size):
        axes = []
        for axis in range(count // 2):
            line = {cell}
            for direction in (axis, axis + count // 2):
                node = steps[cell * count + direction]
                while node >= 0 and node // count != cell:
                    line.add(node // count)
                    node = steps[node]
            axes.append(frozenset(line))
        found.append(tuple(axes))
    return tuple(found)


def safe_stones(state: State) -> tuple[int, ...]:
    """How many stones of each seat nobody can turn any more, as far as that shows without search.

    A stone is safe if on every axis it touches the edge, lies on a full line, or touches a safe stone of its
    own colour. That is a lower bound.

    >>> import polyversi as pv
    >>> safe_stones(pv.game("othello-4").position("XX--XOX--XO----- X"))
    (3, 0)
    """
    board, tiles = state.board, state.tiles
    lines = _lines(board)
    empty = frozenset(cell for cell, tile in enumerate(tiles) if tile == EMPTY)
    safe: set[int] = set()
    waiting = {cell for cell, tile in enumerate(tiles) if tile != EMPTY}

    def holds(cell: int) -> bool:
        def is_held(side: int) -> bool:
            return side < 0 or (side in safe and tiles[side] == tiles[cell])

        return all(is_held(ahead) or is_held(behind) or empty.isdisjoint(line)
                   for (ahead, behind), line in zip(_neighbours(board, cell), lines[cell], strict=True))

    while found := {cell for cell in waiting if holds(cell)}:
        safe |= found
        waiting -= found
    return tuple(sum(tiles[cell] == seat for cell in safe) for seat in range(1, state.game.seats + 1))


def region_sizes(state: State) -> list[int]:
    """The numbers of empty cells that hang together, the smallest first.

    >>> import polyversi as pv
    >>> region_sizes(pv.game("othello-4").position("-XXXXXXXXOOOOO-- X"))
    [1, 2]
    """
    waiting = {cell for cell, tile in enumerate(state.tiles) if tile == EMPTY}
    sizes = []
    while waiting:
        edge, size = [waiting.pop()], 0
        while edge:
            cell = edge.pop()
            size += 1
            beside = {side for sides in _neighbours(state.board, cell) for side in sides} & waiting
            waiting -= beside
            edge.extend(beside)
        sizes.append(size)
    return sorted(sizes)
