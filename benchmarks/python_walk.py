"""A game tree walked from Python with an object for every leaf, as a search written in Python would do."""

from __future__ import annotations

from typing import Any

import polyversi as pv
from benchmarks.harness import Benchmark, Contender, Goal
from benchmarks.leaf_counting import counter, open_spiel_start, peer_counter

DEPTH = 7
SLOW_PEER_DEPTH = 6


def polyversi_walk(state: pv.State, depth: int) -> int:
    if depth == 0:
        return 1
    leaves = 0
    for move in state.moves:
        leaves += polyversi_walk(state.play(move), depth - 1)
    return leaves or 1


def rust_reversi_walk(board: Any, depth: int) -> int:
    """All children at once, which is the fastest way."""
    if depth == 0:
        return 1
    children = board.get_child_boards()
    if children is None:
        if board.is_game_over():
            return 1
        children = [board.clone()]
        children[0].do_pass()
    leaves = 0
    for child in children:
        leaves += rust_reversi_walk(child, depth - 1)
    return leaves


def rust_reversi_walk_by_move(board: Any, depth: int) -> int:
    """Move by move, as we do."""
    if depth == 0:
        return 1
    leaves = 0
    for move in board.get_legal_moves_vec():
        child = board.clone()
        child.do_move(move)
        leaves += rust_reversi_walk_by_move(child, depth - 1)
    if leaves:
        return leaves
    if board.is_game_over():
        return 1
    child = board.clone()
    child.do_pass()
    return rust_reversi_walk_by_move(child, depth - 1)


def open_spiel_walk(state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    leaves = 0
    for action in state.legal_actions():
        leaves += open_spiel_walk(state.child(action), depth - 1)
    return leaves or 1


def reversi_walk(board: Any, color: str, other: str, depth: int) -> int:
    """One board with undo."""
    if depth == 0:
        return 1
    leaves = 0
    for x, y in board.get_legal_moves(color):
        board.put_disc(color, x, y)
        leaves += reversi_walk(board, other, color, depth - 1)
        board.undo()
    if leaves:
        return leaves
    return reversi_walk(board, other, color, depth - 1) if board.get_legal_moves_bits(other) else 1


def contenders() -> list[Contender]:
    start = pv.game("othello").start()
    return [
        counter("polyversi", DEPTH, lambda depth: polyversi_walk(start, depth)),
        peer_counter("rust-reversi, all children at once", "rust-reversi", DEPTH,
                     lambda rust, depth: rust_reversi_walk(rust.Board(), depth)),
        peer_counter("rust-reversi, move by move", "rust-reversi", DEPTH,
                     lambda rust, depth: rust_reversi_walk_by_move(rust.Board(), depth)),
        peer_counter("open_spiel", "open_spiel", SLOW_PEER_DEPTH,
                     lambda spiel, depth: open_spiel_walk(open_spiel_start(spiel), depth)),
        peer_counter("reversi (y-tetsu)", "reversi", SLOW_PEER_DEPTH,
                     lambda reversi, depth: reversi_walk(reversi.Board(), "black", "white", depth)),
    ]


BENCHMARKS = (
    Benchmark(
        "walk",
        "Othello tree walked from Python, every leaf made",
        "leaves",
        contenders,
        goals=(Goal(1, "rust-reversi, all children at once"), Goal(1, "rust-reversi, move by move")),
    ),
)
