"""Proofs: bounds only get tighter, always hold, and end at the values of plain minimax."""

from __future__ import annotations

import random
import threading
from functools import cache
from itertools import pairwise

import pytest

import polyversi as pv
from polyversi.engines import EngineError, Solver
from polyversi.engines.proof import Proof, Prover, proof_data, prove, symmetric_moves
from tests.testing.timeout import TIMEOUT


@cache
def minimax(state: pv.State) -> int:
    """By how much the seat to move wins, by all moves to the end."""
    if state.is_over:
        own, other = state.scores[state.next_seat - 1], state.scores[2 - state.next_seat]
        return other - own if state.game.definition.goal == "fewest" else own - other
    return max(-minimax(state.play(move)) for move in state.moves)


def late(spec: str, seed: int, left: int) -> pv.State:
    """A position of a random game with so many empty cells left."""
    dice, state = random.Random(seed), pv.game(spec).start(seed)
    while state.tiles.count(0) > left:
        after = state.play(dice.choice(state.moves))
        if after.is_over:
            return state
        state = after
    return state


@pytest.mark.parametrize("state", [
    *(late(spec, seed, 7) for spec in ("othello-4", "anti-4", "hex:side=3", "octagon:size=6")
      for seed in range(3)),
    late("othello", 1, 8), late("hex", 2, 6),
], ids=str)
def test_bounds_hold_and_end_at_minimax(state: pv.State) -> None:
    seen: list[Proof] = []
    proof = Prover(state.game, megabytes=1).prove(state, observe=seen.append)
    exact = {move: -minimax(state.play(move)) for move in state.moves}
    assert proof.is_done and proof.low == proof.high == max(exact.values())
    assert {move for proved in proof.moves for move in (proved.move, *proved.same)} == set(state.moves)
    for step in seen:
        for proved in step.moves:
            assert proved.low <= exact[proved.move] <= proved.high
            assert all(exact[move] == exact[proved.move] for move in proved.same)
        assert step.low <= proof.low <= step.high
    for before, after in pairwise(seen):
        bounds = {one.move: one for one in before.moves}
        assert all(bounds[one.move].low <= one.low and one.high <= bounds[one.move].high
                   for one in after.moves)
        assert before.nodes <= after.nodes and before.seconds <= after.seconds
    assert [proved.low for proved in proof.moves] == sorted((one.low for one in proof.moves), reverse=True)


def test_the_value_alone_leaves_other_moves_open() -> None:
    state = late("othello-6", 3, 12)
    prover = Prover(state.game, megabytes=1)
    proof = prover.prove(state, every_move=False)
    assert proof.is_solved and proof.low == Solver(state.game, megabytes=1).solve(state).value
    assert all(proved.high <= proof.low for proved in proof.moves)
    assert prover.prove(state).is_done


def test_symmetric_moves_are_proved_once() -> None:
    start = pv.game("othello-6").start()
    assert [len(moves) for moves in symmetric_moves(start)] == [4]
    assert [len(moves) for moves in symmetric_moves(start.play("c2"))] == [1, 1, 1]


def test_another_thread_stops_it() -> None:
    state, told, found = pv.game("othello").start(), threading.Event(), []
    prover = Prover(state.game, megabytes=1)
    thread = threading.Thread(
        target=lambda: found.append(prover.prove(state, observe=lambda _: told.set())))
    thread.start()
    assert told.wait(TIMEOUT)
    prover.stop()
    thread.join(TIMEOUT)
    [proof] = found
    assert not thread.is_alive() and not proof.is_solved
    data = proof_data(proof)
    assert data["done"] is data["solved"] is False
    assert data["moves"] == [{"move": "d3", "low": -64, "high": 64, "same": ["c4", "f5", "e6"]}]


def test_games_that_cannot_be_proved() -> None:
    with pytest.raises(EngineError, match="does not support rolit"):
        prove("rolit")
    with pytest.raises(EngineError, match="once its first stones are placed"):
        prove("reversi")


def test_ends_and_passes() -> None:
    passing = pv.game("othello-4").position("OOOOOOOOOOOXO--- X")
    proof = prove(passing)
    assert proof.is_done and proof.low == minimax(passing)
    last = pv.game("othello-4").position("XXXXXXXXOOOOOOO- X")
    assert prove(last, megabytes=1).low == minimax(last)


@pytest.mark.slow
def test_six_by_six() -> None:
    proof = prove("othello-6", threads=2)
    assert [(one.low, one.high, len(one.same)) for one in proof.moves] == [(-4, -4, 3)]
