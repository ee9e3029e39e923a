"""What a state shows of its board: cells, arrays and bitboards."""

from __future__ import annotations

import numpy as np
import pytest

import polyversi as pv
from polyversi.games.tiles import CHOICE
from tests.testing.specs import SPECS


@pytest.mark.parametrize("spec", SPECS)
def test_cells_arrays_and_bitboards_agree(spec: str) -> None:
    state = pv.game(spec).start(seed=1).playout(seed=2)
    board, array = state.board, np.asarray(state)
    assert array.shape == (board.height, board.width) and array.dtype == np.int8
    assert (array >= 0).sum() == board.size
    for cell, (x, y) in enumerate(board.coordinates):
        assert state[cell] == state[board.name(cell)] == array[y, x] == state.tiles[cell]
        for seat, stones in enumerate(state.bitboards, 1):
            assert (stones >> cell & 1) == (state[cell] == seat)
    assert tuple(stones.bit_count() for stones in state.bitboards) == state.scores


def test_moves_and_special_tiles() -> None:
    game = pv.game("xt:starfish")
    state = game.start()
    cell = state.tiles.index(CHOICE)
    assert state[game.board.name(cell)] == CHOICE
    assert all(state[move] in range(14) for move in state.moves)


def test_what_is_not_a_cell() -> None:
    state = pv.game("othello").start()
    with pytest.raises(pv.NotationError, match="'z9' is not on this board"):
        _ = state["z9"]
    for wrong in (-1, 64):
        with pytest.raises(IndexError, match=f"there is no cell {wrong}; the cells .* are 0 to 63"):
            _ = state[wrong]
    with pytest.raises(IndexError, match="a pass has no cell"):
        _ = state[pv.game("othello").move("pass")]
    with pytest.raises(TypeError):
        _ = state[1.5]  # type: ignore[index]


def test_numpy_gets_a_copy_of_any_type() -> None:
    state = pv.game("hex:side=3,start=ring").start()
    array = np.array(state, dtype=float)
    assert array.dtype == float and array[0].tolist() == [0, 0, 0, -1, -1]
    array[:] = 7
    assert np.asarray(state).max() == 2
    with pytest.raises(ValueError, match="NumPy must make a copy"):
        state.__array__(copy=False)
