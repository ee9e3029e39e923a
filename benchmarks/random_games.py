"""Random games to the end: with each package's own generator, and with moves chosen from a list in Python."""

from __future__ import annotations

import itertools
import random
from typing import Any

import polyversi as pv
from benchmarks import peers
from benchmarks.harness import Benchmark, Contender, Goal
from benchmarks.leaf_counting import open_spiel_start

GAMES = 10_000
FIRST_MOVE = (3, 2)


def rust_reversi_game(board: Any) -> None:
    """Its generator raises an error when there is no move, which is faster than asking first."""
    play, pick = board.do_move, board.get_random_move
    while True:
        try:
            while True:
                play(pick())
        except ValueError:
            if board.is_game_over():
                return
            board.do_pass()


def rust_reversi_game_by_lists(board: Any) -> None:
    while True:
        moves = board.get_legal_moves_vec()
        if moves:
            board.do_move(random.choice(moves))
        elif board.is_game_over():
            return
        else:
            board.do_pass()


def open_spiel_game(state: Any) -> None:
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))


def reversi_game(board: Any) -> None:
    color, other, passed = "black", "white", False
    while True:
        moves = board.get_legal_moves(color)
        if moves:
            board.put_disc(color, *random.choice(moves))
        elif passed:
            return
        passed = not moves
        color, other = other, color


def polyversi_game(state: pv.State) -> None:
    while moves := state.moves:
        state = state.play(random.choice(moves))


def own_generators() -> list[Contender]:
    start, seeds = pv.game("othello").start(), itertools.count()
    rust, reversi = peers.load("rust-reversi"), peers.load("reversi")
    board = reversi and reversi.Board()
    return [
        Contender("polyversi, state.playout(seed)", lambda: start.playout(next(seeds))),
        Contender("polyversi, pv.playouts(state, games)",
                  lambda: pv.playouts(start, GAMES, next(seeds)), GAMES),
        Contender("rust-reversi", rust and (lambda: rust_reversi_game(rust.Board()))),
        Contender("reversi (y-tetsu)", reversi and (
            lambda: reversi.ReversiMethods.playout("black", board, FIRST_MOVE))),
    ]


def move_lists() -> list[Contender]:
    start = pv.game("othello").start()
    rust, spiel, reversi = peers.load("rust-reversi"), peers.load("open_spiel"), peers.load("reversi")
    return [
        Contender("polyversi", lambda: polyversi_game(start)),
        Contender("rust-reversi", rust and (lambda: rust_reversi_game_by_lists(rust.Board()))),
        Contender("open_spiel", spiel and (lambda: open_spiel_game(open_spiel_start(spiel)))),
        Contender("reversi (y-tetsu)", reversi and (lambda: reversi_game(reversi.Board()))),
    ]


BENCHMARKS = (
    Benchmark(
        "games",
        "Random games of Othello, moves chosen by each package's own generator",
        "games",
        own_generators,
        goals=(Goal(2, "rust-reversi"),),
    ),
    Benchmark(
        "games-in-python",
        "Random games of Othello, moves chosen from a list in Python",
        "games",
        move_lists,
        goals=(Goal(1, "rust-reversi"),),
    ),
)
