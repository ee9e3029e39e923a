"""The solver as a whole: larger endings, threads, tables of any size, many positions in a row, stopping."""

from __future__ import annotations

import functools
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

import polyversi as pv
from polyversi.engines import Solver
from polyversi.engines.search import EngineError
from polyversi.games.errors import PolyversiError
from tests.testing.late_positions import played_out, sign

SPECS = (
    "othello", "othello-5", "othello-6", "othello:width=8,height=4", "othello:start=parallel",
    "othello:empties=nobody",
    "anti", "anti-6", "anti-6:empties=winner", "octagon", "octagon-6:goal=fewest", "blackhole",
    "othello-6:holes=a1+c5+f3",
    "hex:passing=forced", "anti-hex:passing=forced", "hex:side=4,start=ring",
    "hex:side=4,start=ring,goal=fewest", "hex:side=4,start=ring,empties=winner",
)
PROBLEMS = {
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X": ("a2", 38),
    "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X": ("h4", 0),
    "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X": ("g2", 6),
}
"""Endings 40 to 42 of the French federation's test set, each with its only best move and what it is worth."""


def ending(spec: str, empties: int, seed: int = 0) -> pv.State:
    """A position of a random game with so many empty cells in which somebody can still move."""
    rng = Random(f"{spec} {seed}")
    while True:
        state = pv.game(spec).start()
        while not state.is_over and state.tiles.count(0) > empties:
            state = state.play(rng.choice(state.moves))
        if not state.is_over:
            return state


@functools.cache
def value(state: pv.State) -> int:
    """What a solver says that knows nothing else."""
    return Solver(state.game, megabytes=1).solve(state).value


@pytest.mark.parametrize("empties", range(9, 16))
@pytest.mark.parametrize("spec", SPECS)
def test_value_equals_the_best_move(spec: str, empties: int) -> None:
    """Values with few empty cells are proved by plain search; from there this goes on upwards."""
    state = ending(spec, empties)
    solution = Solver(state.game, megabytes=1).solve(state)
    assert solution.value == max(-value(state.play(move)) for move in state.moves)
    assert played_out(state, solution.principal_variation) == solution.value


@pytest.mark.parametrize("spec", SPECS)
def test_threads_agree(spec: str) -> None:
    states = [ending(spec, empties) for empties in (14, 15, 16)]
    for threads in (2, 4):
        solver = Solver(states[0].game, threads, megabytes=1)
        for state in states:
            solution = solver.solve(state)
            assert solution.value == value(state), state.text
            assert played_out(state, solution.principal_variation) == solution.value, state.text


@pytest.mark.parametrize("position", PROBLEMS)
def test_problems(position: str) -> None:
    state = pv.game("othello").position(position)
    solution = Solver(state.game, megabytes=64).solve(state)
    assert (str(solution.best), solution.value) == PROBLEMS[position]
    assert played_out(state, solution.principal_variation) == solution.value
    assert solution.nodes > 100_000
    assert solution.seconds > 0


def test_a_wipe_out_is_seen_before_the_long_search() -> None:
    """Position 59 of the test set, with 34 empty cells: found by searching on while almost all is won."""
    state = pv.game("othello").position("-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X")
    for game in (state.game, pv.game("othello:empties=nobody")):
        solution = Solver(game, megabytes=16).solve(game.position(state.text))
        assert solution.value == 64 and str(solution.best) in ("h4", "g8", "e8")
        assert solution.nodes < 2_000_000


def test_a_small_table_and_threads_change_no_value() -> None:
    position, (best, worth) = next(iter(PROBLEMS.items()))
    state = pv.game("othello").position(position)
    for threads, megabytes in ((1, 1), (3, 1), (2, 16)):
        solution = Solver(state.game, threads, megabytes).solve(state)
        assert (str(solution.best), solution.value) == (best, worth)


@pytest.mark.parametrize("threads", [1, 2])
def test_one_solver_for_many_positions(threads: int) -> None:
    """Positions of the same games again and again, from both ends, whole values and winners mixed."""
    rng = Random(threads)
    for spec in ("othello", "anti-6", "hex:side=4,start=ring"):
        states = [ending(spec, empties, seed) for seed in range(3) for empties in (13, 14)]
        states += [state.play(move) for state in states for move in state.moves]
        solver = Solver(states[0].game, threads, megabytes=1)
        for state in rng.choices(states, k=60):
            winner_only = rng.random() < 0.5
            found = solver.solve(state, winner_only=winner_only)
            assert found.value == (sign(value(state)) if winner_only else value(state)), state.text


def test_one_solver_for_many_threads_of_python() -> None:
    states = [ending("othello", 13, seed) for seed in range(16)]
    solver = Solver(states[0].game, threads=2, megabytes=1)
    with ThreadPoolExecutor(4) as pool:
        for state, solution in zip(states * 3, pool.map(solver.solve, states * 3), strict=True):
            assert solution.value == value(state), state.text
            assert played_out(state, solution.principal_variation) == solution.value, state.text


@pytest.mark.parametrize(("spec", "worth", "at_once"), [
    ("othello", 64, 64), ("othello:empties=nobody", 3, 1), ("anti", -3, -1),
    ("anti:empties=winner", -64, -64), ("othello-6", 3, 1), ("othello-6:empties=winner", 36, 36),
])
def test_games_that_end_with_most_cells_empty(spec: str, worth: int, at_once: int) -> None:
    game = pv.game(spec)
    solver = Solver(game, megabytes=1)
    empty = "-" * (game.board.size - 2)
    expected = {"XO" + empty + " X": (worth, "c1"), "XO" + empty + " O": (-worth, "pass c1"),
                "X-" + empty + " O": (-at_once, ""), "--" + empty + " X": (0, "")}
    for text, (value, line) in expected.items():
        solution = solver.solve(game.position(text))
        assert (solution.value, " ".join(map(str, solution.principal_variation))) == (value, line)
        assert solver.solve(game.position(text), winner_only=True).value == sign(value)


def test_a_move_may_be_best_only_if_empty_cells_go_to_the_winner() -> None:
    """After g7 two cells stay empty, after b2 none: the loser gives two stones more away."""
    position = "-OOOOOO---OOXXX---XOOXXO--XOXXXO--XOXOOO-XXOOOOO--XXOO-O----XXX- X"
    for empties, values in (("winner", {"b2": -46, "g7": -48}), ("nobody", {"b2": -46, "g7": -46})):
        state = pv.game(f"othello:empties={empties}").position(position)
        solver = Solver(state.game, megabytes=1)
        solution = solver.solve(state)
        assert solution.value == -46 and played_out(state, solution.principal_variation) == -46
        assert {str(move): -solver.solve(state.play(move)).value for move in state.moves} == values
        assert str(solution.best) == "b2" or values["g7"] == -46


@pytest.mark.parametrize(("spec", "nobody", "winner"), [
    ("othello-4", -8, -10), ("othello-4:start=parallel", -3, -4), ("anti-4", 3, 4), ("othello-5", 13, 13),
    ("hex:side=3,start=ring", -4, -11), ("anti-hex:side=3,start=ring", -2, -9),
])
def test_whole_games_with_both_rules_for_empty_cells(spec: str, nobody: int, winner: int) -> None:
    for empties, worth in (("nobody", nobody), ("winner", winner)):
        game = pv.game(f"{spec}{',' if ':' in spec else ':'}empties={empties}")
        assert Solver(game, megabytes=1).solve(game.start()).value == worth


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_and_resume(threads: int) -> None:
    state = pv.game("othello-6").start()
    solver = Solver(state.game, threads, megabytes=16)
    with ThreadPoolExecutor(1) as pool:
        solving = pool.submit(solver.solve, state)
        seen = {0}
        while len(seen) < 4 and not solving.done():
            seen.add(solver.nodes)
        solver.stop()
        with pytest.raises(EngineError, match="was stopped"):
            solving.result()
    last = ending("othello-6", 8)
    with pytest.raises(EngineError, match="was stopped"):
        solver.solve(last)
    solver.resume()
    assert solver.solve(last).value == value(last)


@pytest.mark.parametrize("spec", [
    "othello-10", "rolit", "torus", "hex:side=6", "xt:arena,players=2", "othello:width=9,height=4",
])
def test_unsupported_games_are_refused(spec: str) -> None:
    known = "it searches games of two seats with straight lines, on boards of squares that fit into 8×8 and "
    known += "on hexagons up to side 5"
    with pytest.raises(EngineError, match=f"the engine does not support {spec}: {known}"):
        Solver(pv.game(spec))


def test_unfinished_openings_are_refused() -> None:
    game = pv.game("reversi")
    state, solver = game.start(), Solver(game, megabytes=1)
    for move in ("d4", "e5", "d5"):
        with pytest.raises(EngineError, match="once its first stones are placed"):
            solver.solve(state)
        state = state.play(move)
    rng = Random("reversi")
    state = state.play("e4")
    while state.tiles.count(0) > 10:
        state = state.play(rng.choice(state.moves))
    assert solver.solve(state).value == max(-value(state.play(move)) for move in state.moves)


def test_invalid_options_are_refused() -> None:
    game = pv.game("othello")
    for threads in (0, -1, 257, 1.5, "2"):
        message = f"threads={threads!r} is not possible; give a whole number from 1 to 256"
        with pytest.raises(EngineError, match=message):
            Solver(game, threads)    # type: ignore[arg-type]
    for megabytes in (0, 0.5, "64"):
        message = f"megabytes={megabytes!r} is not possible; give a whole number from 1 to 1048576"
        with pytest.raises(PolyversiError, match=message):
            Solver(game, megabytes=megabytes)    # type: ignore[arg-type]
