"""Makes the solved positions of `polyversi bench --accuracy`.

Run it with `python -m benchmarks.accuracy --positions 500 --empties 24 30 --processes 16`. Each
position is solved by one process. What is in the file already is kept, so that it resumes.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import polyversi as pv
from polyversi.engines.accuracy import SHIPPED_POSITIONS, game_positions, solved
from polyversi.records.problems import write


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


if __name__ == "__main__":
    main()
