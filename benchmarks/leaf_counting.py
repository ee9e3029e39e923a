"""Perft with bulk counting of the leaves: the core's loop against the fastest of each peer from Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polyversi as pv
from benchmarks import peers
from benchmarks.harness import Benchmark, Contender, Goal

if TYPE_CHECKING:
    from collections.abc import Callable

DEPTH = 11
PEER_DEPTH = 8
SLOW_PEER_DEPTH = 7


def rust_reversi_leaves(board: Any, depth: int) -> int:
    """Children made in Rust, the last ply counted from the bits of the legal moves."""
    if depth == 1:
        return board.get_legal_moves().bit_count() or 1
    children = board.get_child_boards()
    if children is None:
        if board.is_game_over():
            return 1
        board = board.clone()
        board.do_pass()
        return rust_reversi_leaves(board, depth - 1)
    leaves = 0
    if depth == 2:
        for child in children:
            leaves += child.get_legal_moves().bit_count() or 1
    else:
        for child in children:
            leaves += rust_reversi_leaves(child, depth - 1)
    return leaves


def open_spiel_start(spiel: Any) -> Any:
    return spiel.load_game("othello").new_initial_state()


def open_spiel_leaves(state: Any, depth: int) -> int:
    """Passes are actions there; the last ply is the length of the list."""
    actions = state.legal_actions()
    if depth == 1 or not actions:
        return len(actions) or 1
    leaves = 0
    for action in actions:
        leaves += open_spiel_leaves(state.child(action), depth - 1)
    return leaves


def reversi_leaves(board: Any, color: str, other: str, depth: int) -> int:
    """One board with undo; the last ply counted from the bits of the legal moves."""
    if depth == 1:
        return board.get_legal_moves_bits(color).bit_count() or 1
    moves = board.get_legal_moves(color)
    if not moves:
        return reversi_leaves(board, other, color, depth - 1) if board.get_legal_moves_bits(other) else 1
    leaves = 0
    for x, y in moves:
        board.put_disc(color, x, y)
        leaves += reversi_leaves(board, other, color, depth - 1)
        board.undo()
    return leaves


def counter(name: str, depth: int, count: Callable[[int], int]) -> Contender:
    """A contender that counts to a depth; it is tried once first, and a wrong count is an error."""
    leaves, found = pv.game("othello").start().perft(depth), count(depth)
    if found != leaves:
        raise AssertionError(f"{name} found {found:,} leaves at depth {depth}; there are {leaves:,}")
    return Contender(name, lambda: count(depth), leaves)


def peer_counter(name: str, package: str, depth: int, count: Callable[[Any, int], int]) -> Contender:
    """The same for a peer; `count` takes its module first."""
    module = peers.load(package)
    return counter(name, depth, lambda plies: count(module, plies)) if module else Contender(name, None)


def contenders() -> list[Contender]:
    return [
        counter(f"polyversi, state.perft({DEPTH})", DEPTH, pv.game("othello").start().perft),
        peer_counter("rust-reversi", "rust-reversi", PEER_DEPTH,
                     lambda rust, depth: rust_reversi_leaves(rust.Board(), depth)),
        peer_counter("open_spiel", "open_spiel", SLOW_PEER_DEPTH,
                     lambda spiel, depth: open_spiel_leaves(open_spiel_start(spiel), depth)),
        peer_counter("reversi (y-tetsu)", "reversi", SLOW_PEER_DEPTH,
                     lambda reversi, depth: reversi_leaves(reversi.Board(), "black", "white", depth)),
    ]


BENCHMARKS = (
    Benchmark(
        "perft",
        "Othello perft, leaves counted",
        "leaves",
        contenders,
        goals=(Goal(10, "rust-reversi"),),
    ),
)
