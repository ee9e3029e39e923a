"""Hostile use from Python: errors, never a crash of the interpreter."""

from __future__ import annotations

import copy
import gc
import math
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import polyversi as pv
from polyversi import _core
from polyversi.games.board import Board, Link, hexagon, rectangle
from polyversi.games.game import Game


def test_objects_that_were_never_filled_in() -> None:
    empty = pv.State.__new__(pv.State)
    for use in (lambda: empty.moves, lambda: empty.play("f5")):
        with pytest.raises(TypeError, match="not initialised"):
            use()
    with pytest.warns(RuntimeWarning, match="uninitialized"), pytest.raises(TypeError):
        _ = empty.tiles
    with pytest.raises(TypeError, match="not initialised"):
        pv.game("othello").start().play(pv.Move.__new__(pv.Move))
    with pytest.raises(TypeError):
        pv.State()


def test_a_game_that_reads_moves_wrongly() -> None:
    class Odd(Game):
        def move(self, text: str) -> Any:
            return 5

    with pytest.raises(TypeError, match="a move is a Move or its text"):
        Odd("odd", pv.game("othello").definition).start().play("f5")


def test_the_garbage_collector_may_look_at_states() -> None:
    big, small = pv.game("xt:starfish").start(), pv.game("rolit").start()
    expected = small.moves

    def look(phase: str, info: dict[str, int]) -> None:
        _ = big.moves

    thresholds = gc.get_threshold()
    gc.callbacks.append(look)
    gc.set_threshold(1, 1, 1)
    try:
        for _ in range(200):
            assert small.moves == expected
    finally:
        gc.callbacks.remove(look)
        gc.set_threshold(*thresholds)


def test_actions_written_by_another_thread() -> None:
    games = pv.batch("othello", 2000)
    actions = games.random_actions()
    stop = threading.Event()

    def scribble() -> None:
        while not stop.is_set():
            actions[:] = 10**6
            actions[:] = 19

    thread = threading.Thread(target=scribble)
    thread.start()
    try:
        for _ in range(100):
            try:
                games.play(actions)
            except pv.IllegalMoveError:
                continue
            games.reset()
    finally:
        stop.set()
        thread.join()


def test_core_calls_with_wrong_arguments() -> None:
    othello = pv.game("othello")
    games = pv.batch(othello, 2)
    with pytest.raises(TypeError):
        games.state_of(pv.Move, 0)  # type: ignore[type-var]
    with pytest.raises(TypeError):
        _core.new_start(pv.Move, othello, bytes(64))  # type: ignore[type-var]
    with pytest.raises(ValueError, match="one tile for every cell"):
        _core.new_start(pv.State, othello, b"")
    with pytest.raises(ValueError, match="depth counts plies"):
        _core.kernel_perft(othello, "portable", 1, 2, -1)
    with pytest.raises(ValueError, match="do not fit into memory"):
        _core.playouts(othello.start(), 2**62, 0)
    with pytest.raises(ValueError, match="one entry for each game"):
        games.reset(np.zeros(5, np.bool_))
    with pytest.raises(IndexError):
        othello.action(65)
    assert len(pv.batch(othello, 0)) == 0
    assert pv.batch(othello, 0).legal.shape == (0, 65)


def hexagon_of_xt() -> pv.State:
    """What XT would be on a hexagon: it has phases and stocks, but six directions."""
    board = hexagon(3)
    return pv.Game("m", pv.Definition(board, (1, 2, *[0] * (board.size - 2)), passing="skip")).start()


def patterns(offset: int) -> _core.PatternEvaluation:
    start, weights = pv.game("othello").start(), np.zeros(3**10, np.int16)
    return _core.PatternEvaluation(start, [(list(range(10)), offset)] * 64, [0] * 65, weights)


def matrix(value: float, gamma: float) -> float:
    return _core.matrix_evaluation([value] * 64, gamma)(pv.game("anti").start(), 1)


def xt_engine(state: pv.State, weight: float = 0.1) -> _core.XtEngine:
    return _core.XtEngine(state, [weight] * len(_core.XT_WEIGHTS), "tree", 4)


@pytest.mark.parametrize(("make", "sentence"), [
    (lambda: _core.XtSample(pv.game("othello").start()), "Reversi XT only"),
    (lambda: _core.XtSample(pv.game("hex:side=6,seats=3").start()), "Reversi XT only"),
    (lambda: _core.XtSample(hexagon_of_xt()), "Reversi XT only"),
    (lambda: xt_engine(pv.game("othello").start()), "does not play"),
    (lambda: xt_engine(pv.game("xt:torus,goal=fewest").start()), "for the most stones"),
    (lambda: xt_engine(pv.game("xt:torus").start(), math.nan), "a weight is a number"),
    (lambda: patterns(offset=2**32 - 1), "too few weights"),
    (lambda: matrix(math.nan, 1), "values of cells are numbers"),
    (lambda: matrix(1, math.inf), "values of cells are numbers"),
])
def test_constructors_of_the_core_check(make: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make()


def test_a_cell_with_two_stones_has_a_weight_all_the_same() -> None:
    full = np.full(10, 2**64 - 1, np.uint64)
    assert patterns(offset=0).pattern_indices(full, full).max() < 3**10
    assert patterns(offset=0).pattern_ranks(full, full, np.zeros(3**10, np.int32)).shape == (64, 10)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Board("hexagon", 2, 1, ((-1, 0), (0, 0))),
        lambda: Board("square", 2, 1, ((0, 0), (0, 0))),
        lambda: Board("square", 30, 1, ((0, 0),)),
        lambda: Board("square", 1, 1, ((0, 0),), (Link(0, 0, 99, 0),)),
        lambda: pv.Definition(rectangle(4, 4), (0,) * 15),
        lambda: pv.Definition(rectangle(4, 4), (0,) * 16, goal="x"),  # type: ignore[arg-type]
        lambda: pv.Definition(rectangle(4, 4), (0,) * 16, random_cells=(99,)),
        lambda: pv.Game("m", pv.Definition(rectangle(4, 4), (9000,) * 16)),
        lambda: pv.Game("m", pv.Definition(rectangle(4, 4), (7,) * 16)),
        lambda: pv.Game("m", pv.Definition(rectangle(4, 4), (0,) * 16, seats=99)),
        lambda: pv.Game("m", pv.Definition(rectangle(4, 4), (0,) * 16, overrides=10**6, passing="skip")),
        lambda: pv.Game("m", pv.Definition(Board("square", 1, 1, ((0, 0),), (Link(0, 0, 0, 0),)), (0,))),
    ],
)
def test_impossible_games(make: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        make()


def test_states_can_be_copied_and_shared() -> None:
    for spec in ("othello", "xt:torus"):
        state = pv.game(spec).start()
        assert copy.copy(state) == copy.deepcopy(state) == state
        with ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(lambda seed, start=state: start.playout(seed=seed).text, [3] * 16))
        assert seen == [state.playout(seed=3).text] * 16
