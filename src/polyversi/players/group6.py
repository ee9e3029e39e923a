"""The Reversi XT player of group 6 of the 2019 software lab, term by term as in its document."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from itertools import zip_longest
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from polyversi import _core
from polyversi._core import Move
from polyversi.games.board import Board
from polyversi.games.board_cache import board_cache
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.state import State
from polyversi.games.tiles import BONUS, CHOICE, EMPTY, INVERSION
from polyversi.players.player import SeededPlayer, register_player
from polyversi.players.search import needs_xt

FREE = (EMPTY, CHOICE, INVERSION, BONUS)
"""The tiles on which a stone can be placed without an override stone."""
IS_FREE = np.isin(np.arange(256), FREE)
AXES = 4
"""Horizontal, vertical and the two diagonals: direction d of a step lies on axis d % 4."""


@register_player("group6")
class Group6Player(SeededPlayer):
    """Plays Reversi XT as its group's document has it: the best value h one move ahead, by three phases.

    While a move leaves a choice or inversion tile, whose stones are whose is uncertain, and only bombs and
    override stones count. Then, building, its own moves, the stability of its stones and its stocks count,
    and the fuller the map the more how they lie for the bombs to come. Bombing, it throws where its rivals
    lose most. Rivals are those close to it in stones: what hurts anybody else is a gift to all others.
    """

    label: ClassVar[str] = "XT planner"
    sentence: ClassVar[str] = "Plans for bombs and override stones, one move at a time."
    strength: ClassVar[int] = 70

    def unsuited(self, game: Game) -> str | None:
        return needs_xt(game)

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:
        """The move with the greatest h after it; when half the time is gone, of those looked at till then."""
        begin = time.perf_counter()
        moves = self._random.sample(state.moves, len(state.moves))
        best, best_value = moves[0], -math.inf
        for move in moves:
            value = worth(state, move)
            if value > best_value:
                best, best_value = move, value
            if limit.allowance is not None and time.perf_counter() - begin > limit.allowance / 2:
                break
        return best


def worth(state: State, move: Move) -> float:
    """What a move is worth to the seat in turn."""
    if state.phase == "bomb":
        return c_k(state, state.turn, move)
    after = state.play(move)
    if CHOICE in after.tiles or INVERSION in after.tiles:
        return h_uncertain(after, state.turn)
    return h_build(after, state.turn)


# The terms of the document, by its names and in its order. Each is about `seat`, the document's player 1.


def m(state: State, seat: int) -> int:
    """5.1.3, mobility: how many legal moves the seat would have if it were its turn."""
    if state.phase == "bomb" or state.is_over:
        return 0
    if state.turn != seat:
        try:
            state = _core.new_xt_state(State, state.game, state.tiles, seat - 1, False, state.overrides,
                                       state.bombs, state.out, state.last)
        except ValueError:    # it cannot be the turn of a seat without a move
            return 0
    return len(state.moves)


def s(state: State, seat: int) -> int:
    """5.1.4, stability: for all stones of the seat, the number of axes (0 to 4) on which they are safe."""
    tiles, lines = _tiles(state), paths(state.board)
    own = tiles == seat
    safe = np.zeros((state.board.size, AXES), dtype=np.bool_)
    # 1. Stones are safe on the axes on which they border a hole or the rim: at the ends of paths.
    # 2. and 3. So is a stone of the seat next to a safe one, and so on: all up to the first other tile.
    together = np.logical_and.accumulate(np.append(own, False)[lines.from_ends // AXES], axis=0)
    safe.flat[lines.from_ends[together]] = True
    # 4. So are stones on a path without a free tile.
    has_free = np.zeros(state.board.size * 8, dtype=np.bool_)
    has_free[lines.number[IS_FREE[tiles]]] = True
    safe |= own[:, None] & ~has_free[lines.number]
    # 5. and 6. Count the axes of each stone, and add up.
    return int(safe.sum())


def b_bomb(state: State, seat: int) -> float:
    """5.1.5: 2 (2r + 1)² · n_bomb."""
    return 2 * _area(state) * state.bombs[seat - 1]


def b_override(state: State, seat: int) -> float:
    """5.1.5: 2 √(h w) · n_override."""
    return 2 * math.sqrt(state.board.height * state.board.width) * state.overrides[seat - 1]


def l(state: State, seat: int) -> float:  # noqa: E743 the document's name
    """5.1.6, clustering: Σ c_i over the stones i of the seat."""
    return float(c_i(state, seat).sum())


def c_i(state: State, seat: int) -> NDArray[np.float64]:
    """5.1.6: Σ_j n_j · r_j / (2 (2r + 1) - 1)² for each stone i of the seat, in board order.

    n_j is the number of stones of seat j, but for stone i itself, that a bomb that hits i could hit as well:
    those within 2r steps. So the sum is that of r_j over all these stones.
    """
    radius, tiles = state.game.definition.radius, _tiles(state)
    r = np.zeros(256)    # by tile: only stones count
    r[1 : state.game.seats + 1] = [r_j(state, seat, j) for j in range(1, state.game.seats + 1)]
    within = near(state.board, 2 * radius)[tiles == seat]
    weighted: NDArray[np.float64] = np.append(r[tiles], 0)[within].sum(axis=1)
    return weighted / (2 * (2 * radius + 1) - 1) ** 2


def r_j(state: State, seat: int, j: int) -> float:
    """5.1.6, rivalry: m_j (2r + 1)² / ((p - 1)(|N_j - N_1| + 1)), with the bombs m_j of seat j."""
    return _rivalry(state, seat, j, bombs=state.bombs[j - 1])


def h_uncertain(state: State, seat: int) -> float:
    """5.1.7, while a choice or inversion tile is left."""
    return b_bomb(state, seat) + b_override(state, seat)


def h_build(state: State, seat: int) -> float:
    """5.1.7, the rest of the building phase; f free tiles of all t are left."""
    f, t = sum(map(state.tiles.count, FREE)), state.board.size
    return (m(state, seat) + s(state, seat) + b_bomb(state, seat) + b_override(state, seat)
            + 4 * (1 - f / t) * l(state, seat))


def r_prime_j(state: State, seat: int, j: int) -> float:
    """5.2, r'_j: as r_j, but with the bombs m_1 of the seat itself."""
    return _rivalry(state, seat, j, bombs=state.bombs[seat - 1])


def c_k(state: State, seat: int, k: Move) -> float:
    """5.2: Σ_j n_j · r'_j / (2r + 1)², with the n_j stones of seat j that the bomb k destroys.

    The player throws at the k with the most.
    """
    tiles = state.tiles
    hit = [tiles[cell] for cell in state.turned(k)]
    total = sum(hit.count(j) * r_prime_j(state, seat, j) for j in range(1, state.game.seats + 1) if j in hit)
    return total / _area(state)


def _rivalry(state: State, seat: int, j: int, bombs: int) -> float:
    """What a stone of seat j is worth as a target: -1 for one's own, and nothing for who is disqualified."""
    if j == seat:
        return -1
    if j in state.out:
        return 0
    distance = abs(state.scores[j - 1] - state.scores[seat - 1])
    return bombs * _area(state) / ((state.game.seats - 1) * (distance + 1))


def _area(state: State) -> int:
    """(2r + 1)², the tiles a bomb destroys where nothing is in its way."""
    width: int = 2 * state.game.definition.radius + 1
    return width**2


def _tiles(state: State) -> NDArray[np.uint8]:
    return np.frombuffer(state.tiles, dtype=np.uint8)


# Where straight paths run and what lies how near to what, transitions followed.


@dataclass(frozen=True)
class Paths:
    """The straight paths of a board. Every cell lies on four, one an axis; cell · 4 + axis is a *place*.

    A transition may turn a path, so one path can lie on different axes of different cells.
    """

    number: NDArray[np.int32]
    """Which path runs through a cell on an axis: shape (cells, 4)."""
    from_ends: NDArray[np.int32]
    """The places of each path from both its ends, at holes or the rim, filled up with -1: a column an end."""


@board_cache(16)
def paths(board: Board) -> Paths:
    """The straight paths of a board of squares; those that run in a circle have no ends.

    >>> from polyversi.games.board import rectangle
    >>> found = paths(rectangle(3, 2))
    >>> len(set(found.number.flat))    # two rows, three columns, and four diagonals each way
    13
    >>> (found.from_ends.T[:2] // 4).tolist()    # from the first cell: its diagonal up, and its row
    [[0, -1, -1], [0, 1, 2]]
    """
    walks = []
    number = np.full((board.size, AXES), -1, dtype=np.int32)
    for start in range(board.size * 8):
        cell, direction = divmod(start, 8)
        is_end = board.steps[cell * 8 + (direction + AXES) % 8] < 0
        if is_end or number[cell, direction % AXES] < 0:
            walk = _walk(board, start)
            number.flat[walk] = start
            walks += [walk] if is_end else []
    return Paths(number, np.array(list(zip_longest(*walks, fillvalue=-1)), dtype=np.int32))


def _walk(board: Board, start: int) -> list[int]:
    """The places on the way from a cell in a direction, until it ends or comes back to its beginning."""
    places: list[int] = []
    step = start
    while step >= 0 and (not places or step != start):
        places.append(step // 8 * AXES + step % AXES)
        step = board.steps[step]
    return places


@board_cache(16)
def near(board: Board, reach: int) -> NDArray[np.int32]:
    """The other cells within so many steps of each cell, as a bomb spreads: a row a cell, filled up with -1.

    >>> from polyversi.games.board import rectangle
    >>> near(rectangle(4, 1), 2).tolist()
    [[1, 2, -1], [0, 2, 3], [0, 1, 3], [1, 2, -1]]
    """
    steps, cells = np.array(board.steps).reshape(-1, 8) // 8, np.arange(board.size)
    around = np.where(steps < 0, cells[:, None], steps)
    reached = np.eye(board.size, dtype=np.bool_)
    for _ in range(reach):
        before, reached = reached, reached | reached[around].any(axis=1)
        if (before == reached).all():
            break
    rows = [np.flatnonzero(row & (cells != cell)) for cell, row in enumerate(reached)]
    columns = np.array(list(zip_longest(*rows, fillvalue=-1)), dtype=np.int32)
    return columns.reshape(-1, board.size).T.copy()
