"""Batches: the same games as one by one, and clear errors."""

from __future__ import annotations

import numpy as np
import pytest

import polyversi as pv
from tests.testing.specs import SPECS


@pytest.mark.parametrize("spec", SPECS)
def test_a_batch_plays_as_single_states_do(spec: str) -> None:
    game = pv.game(spec)
    games = pv.batch(game, 4, seed=3)
    states = [games[index] for index in range(len(games))]
    steps = 0
    while not games.done.all() and steps < 80:
        actions = games.random_actions()
        legal, turns = games.legal, games.turns
        for index, state in enumerate(states):
            assert turns[index] == state.turn
            assert np.flatnonzero(legal[index]).tolist() == sorted(move.index for move in state.moves)
            assert (actions[index] == -1) == state.is_over
            if not state.is_over:
                states[index] = state.play(game.action(int(actions[index])))
        games.play(actions)
        assert [games[index] for index in range(len(games))] == states
        steps += 1
    assert games.scores.tolist() == [list(state.scores) for state in states]
    assert [bytes(row) for row in games.tiles] == [state.tiles for state in states]
    assert games.done.tolist() == [state.is_over for state in states]


@pytest.mark.parametrize("spec", ["othello", "anti-6", "hex", "rolit", "xt:arena,players=4"])
def test_points_of_played_out_batches(spec: str) -> None:
    games = pv.batch(spec, 20, seed=1)
    games.play_out()
    assert games.done.all()
    results = [games[index].result for index in range(len(games))]
    assert games.points.tolist() == [list(result.points) for result in results if result]
    games.reset(np.arange(20) < 5)
    assert games.done.tolist() == [False] * 5 + [True] * 15
    games.reset()
    assert not games.done.any()
    assert games[0] == pv.batch(spec, 1, seed=1)[0]
    assert not games.points.any()


def test_batches_refuse_illegal_actions_and_stay_as_they_were() -> None:
    games = pv.batch("othello", 3)
    before = games.tiles
    with pytest.raises(pv.IllegalMoveError, match=r"game 1 of the batch: action 0 \(a1\) is not legal there"):
        games.play(np.array([19, 0, 19], np.int32))
    with pytest.raises(pv.IllegalMoveError, match="game 2 of the batch: -5 is not an action"):
        games.play(np.array([19, 19, -5], np.int32))
    with pytest.raises(ValueError, match="one action for each"):
        games.play(np.array([19], np.int32))
    with pytest.raises(pv.IllegalMoveError, match="game 0 of the batch: 99 is not an action"):
        games.play(np.array([99, 19, 19]))
    for wrong in (np.array([19.0, 19.0, 19.0]), np.array(["f5"] * 3)):
        with pytest.raises(TypeError, match="actions are whole numbers"):
            games.play(wrong)
    with pytest.raises(pv.IllegalMoveError, match="game 0 of the batch: 4294967315 is not an action"):
        games.play(np.array([19 + 2**32, 19, 19]))
    for count, seed in ((-1, 0), (10**12, 0), (1, -1)):
        with pytest.raises(pv.VariantError):
            pv.batch("othello", count, seed)
        with pytest.raises(pv.VariantError):
            pv.playouts(pv.game("othello").start(), count, seed)
    with pytest.raises(IndexError):
        games[3]
    assert (games.tiles == before).all()


def test_playouts() -> None:
    start = pv.game("othello").start()
    scores = pv.playouts(start, 500, seed=2)
    assert scores.shape == (500, 2)
    assert (scores == pv.playouts(start, 500, seed=2)).all()
    assert (scores != pv.playouts(start, 500, seed=3)).any()
    assert scores.sum(axis=1).max() == 64
    torus = pv.playouts(pv.game("torus-6").start(), 50, seed=2)
    assert torus.sum(axis=1).max() <= 36


def test_a_seed_is_a_whole_number() -> None:
    with pytest.raises(pv.VariantError, match="2 games from seed 'x' are not possible"):
        pv.batch("othello", 2, seed="x")  # type: ignore[arg-type]
