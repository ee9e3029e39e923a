"""Makes the solved positions of `polyversi bench --accuracy`.

Run it with `python -m benchmarks.accuracy --positions 500 --empties 24 30 --processes 16`. Each
position is solved by one process. What is in the file already is kept, so that it resumes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import polyversi as pv
from polyversi import _core
from polyversi.engines.accuracy import SHIPPED_POSITIONS
from polyversi.engines.search import DEFAULT_MEGABYTES, random_opening
from polyversi.engines.weights import evaluation_for
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.records.problems import Problem, write

MIN_MOVES = 4
"""Legal moves of a position that has something to choose."""
RANDOM_PLIES = range(6, 15)
PLAY_DEPTH = 4
"""Plies of the searches that play the games on, from a random opening to the position."""


def main() -> None:
    """Writes a line for each position as soon as it is solved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", default="othello")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--empties", type=int, nargs=2, default=(24, 30), metavar=("LEAST", "MOST"))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--hash", type=int, default=256, metavar="MB")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=SHIPPED_POSITIONS)
    options = parser.parse_args()
    least, most = options.empties
    empties = [least + number % (most - least + 1) for number in range(options.positions)]
    done = len(options.out.read_text().splitlines()) if options.out.exists() else 0
    texts = [state.text for state in game_positions(pv.game(options.variant), empties, options.seed)][done:]
    tasks = [(options.variant, text, options.hash) for text in texts]
    begin = time.monotonic()
    with (ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool,
          options.out.open("a") as out):
        for number, line in enumerate(pool.map(solve, tasks), done + 1):
            print(line, file=out, flush=True)
            print(f"{number} of {options.positions}, {time.monotonic() - begin:.0f} s", file=sys.stderr)


def solve(task: tuple[str, str, int]) -> str:
    """The line of a position: its value, with all moves that reach it."""
    variant, text, megabytes = task
    return write(solved(pv.game(variant).position(text), megabytes))


def game_positions(game: Game, empties: Iterable[int], seed: int) -> Iterator[State]:
    """Positions of games that begin randomly and go on sensibly, one for each number of empty cells."""
    for number, wanted in enumerate(empties):
        random, search = Random(f"accuracy {seed} {number}"), _search(game, 1)
        state = _played(game, search, wanted, random)
        while state is None:
            state = _played(game, search, wanted, random)
        yield state


def _played(game: Game, search: _core.Search, empties: int, random: Random) -> State | None:
    """A game up to this number of empty cells; None where it passed that number or has too few moves."""
    state = random_opening(game.start(random.getrandbits(32)), random)
    plies = random.choice(RANDOM_PLIES)
    while not state.is_over and state.tiles.count(EMPTY) > empties:
        found = search.best_move(state, PLAY_DEPTH, 0, None, None) if plies <= 0 else None
        state = state.play(found[0] if found is not None else random.choice(state.moves))
        plies -= 1
    return state if not state.is_over and len(state.moves) >= MIN_MOVES else None


def solved(state: State, megabytes: int = DEFAULT_MEGABYTES) -> Problem:
    """A position with its exact value and all moves that reach it."""
    search, most = _search(state.game, megabytes), len(state.tiles)
    best = _value(search, state, -most, most)
    # A null window is enough: it only matters whether a move reaches the value.
    reaching = [move for move in state.moves if _value(search, state.play(move), -best, 1 - best) == -best]
    return Problem(state, tuple((move, best) for move in reaching))


def _search(game: Game, megabytes: int) -> _core.Search:
    return _core.Search(game.start(), 1, megabytes, evaluation_for(game))


def _value(search: _core.Search, state: State, low: int, high: int) -> int:
    found = search.solve(state, low, high)
    assert found is not None, "nothing stops it"
    return found[0]


if __name__ == "__main__":
    main()
