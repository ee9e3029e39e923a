"""Endings solved exactly, compared with Edax: positions of the French federation's test set.

Run it with `python -m benchmarks.endings` for positions 40 to 49, beside Edax with `--edax EXECUTABLE`, or
with other numbers: those from 50 on take minutes, and fewer with `--hash 1024`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from math import log2
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks import report
from benchmarks.harness import stay_on_one_core
from polyversi.engines import Solver
from polyversi.engines.search import DEFAULT_MEGABYTES, MAX_MEGABYTES, MAX_THREADS
from polyversi.records import Problem

PROBLEMS = Path(__file__).with_suffix(".obf")
"""Each position has its best moves, their value, and its number."""
NUMBERS = range(40, 50)
"""The numbers of the positions that are solved by default."""
GOAL = 1.5
"""The goal: our time with one thread for all of these, as a multiple of Edax's."""
DISTURBED = 1.1
"""If a search takes more than this multiple of its processor time by the clock, the machine was busy."""
EDAX_ENTRY = 27
"""Bytes of an entry of Edax's table; the number of entries is a power of two."""
EDAX_HEADER = 64
"""Bytes in Edax's evaluation file before the weights, and how many bytes of weights are looked at."""
EDAX_ANSWER = re.compile(r"^ *1\| +(\S+) +([+-]\d+) +([\d:]+\.\d+) +(\d+) ", re.MULTILINE)
"""Depth, score, time and nodes in Edax's answer to the first problem of a file."""


@dataclass(frozen=True)
class Figure:
    """The cost of solving a position."""

    seconds: float
    nodes: int

    def __add__(self, other: Figure) -> Figure:
        return Figure(self.seconds + other.seconds, self.nodes + other.nodes)

    def cells(self) -> tuple[str, str, str]:
        """Time, nodes and speed for a table.

        >>> Figure(0.5, 30_000_000).cells()
        ('0.50 s', '30.0 M', '60.0 M/s')
        """
        return (f"{report.three_digits(self.seconds)} s", report.prefixed(self.nodes),
                f"{report.prefixed(self.nodes / max(self.seconds, 1e-9))}/s")


def solve(problem: Problem, threads: int, megabytes: int) -> Figure:
    """Solves a position with a new solver."""
    solution = Solver(problem.game, threads, megabytes).solve(problem.state)
    check("polyversi", problem, solution.value)
    best = [move for move, score in problem.answers if score == best_score(problem)]
    if solution.best not in best:
        raise SystemExit(f"in position {problem.comment} polyversi moves {solution.best}, not {best[0]}")
    return Figure(solution.seconds, solution.nodes)


def solve_with_edax(executable: Path, problem: Problem, threads: int, megabytes: int) -> Figure:
    """Solves a position in a new process of Edax, timed by its own clock, with a table of nearly our size."""
    bits = round(log2((megabytes << 20) / EDAX_ENTRY))
    with tempfile.NamedTemporaryFile("w", suffix=".obf", encoding="utf-8") as file:
        file.write(problem.state.text + ";\n")
        file.flush()
        output = run_edax(executable, "-solve", file.name, "-l", "60", "-n", str(threads),
                          "-h", str(bits), "-verbose", "1")
    answer = EDAX_ANSWER.search(output)
    # A depth followed by a percent sign is not exact.
    if not answer or answer[1] != str(problem.state.tiles.count(0)):
        raise SystemExit(f"Edax did not solve position {problem.comment}; it said:\n{output}")
    check("Edax", problem, int(answer[2]))
    minutes, _, seconds = answer[3].rpartition(":")
    return Figure(60 * int(minutes) + float(seconds), int(answer[4]))


def run_edax(executable: Path, *words: str) -> str:
    """The output of Edax; it runs in its own folder, where it finds its evaluation."""
    done = subprocess.run([executable, *words], cwd=executable.parent, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout


def edax_version(executable: Path) -> str:
    """The name and version of Edax, with a warning if its evaluation is missing."""
    lines = run_edax(executable, "-version").splitlines()
    version = " ".join(lines[0].split()[:3]) if lines else "Edax"
    return version if has_evaluation(executable) else f"{version} WITHOUT AN EVALUATION, which slows it down"


def has_evaluation(executable: Path) -> bool:
    """Whether any weight is not zero: a file of zeros is enough to start Edax, but not to order its moves."""
    weights = executable.parent / "data" / "eval.dat"
    return not weights.is_file() or bool(weights.read_bytes()[EDAX_HEADER:].strip(b"\0"))


def check(name: str, problem: Problem, score: int) -> None:
    """Ends the benchmark if a score is wrong."""
    known = best_score(problem)
    if score != known:
        raise SystemExit(f"position {problem.comment} is worth {known:+}, but {name} says {score:+}")


def best_score(problem: Problem) -> int:
    return int(max(score for _, score in problem.answers if score is not None))


def new_table(with_edax: bool) -> Table:
    table = Table(title="Endings of Othello solved exactly", box=box.SIMPLE, title_justify="left",
                  caption_justify="left")
    for name in ("", "empty", "score", "polyversi", "nodes", "speed"):
        table.add_column(name, justify="right")
    for name in ("Edax", "nodes", "speed", "times Edax") if with_edax else ():
        table.add_column(name, justify="right")
    return table


def measured(
    console: Console, problems: list[Problem], edax: Path | None, threads: int, megabytes: int
) -> Table:
    """Solves every position with our solver and then with Edax, so that a slow spell affects both."""
    table, busy = new_table(edax is not None), time.process_time()
    ours = theirs = Figure(0, 0)
    for problem in problems:
        with console.status(f"Position {problem.comment}"):
            mine = solve(problem, threads, megabytes)
            empty = problem.state.tiles.count(0)
            row = [problem.comment, str(empty), f"{best_score(problem):+}", *mine.cells()]
            if edax:
                other = solve_with_edax(edax, problem, threads, megabytes)
                row += [*other.cells(), times(mine, other)]
                theirs += other
        ours += mine
        table.add_row(*row)
    table.add_section()
    table.add_row("all", "", "", *ours.cells(), *((*theirs.cells(), times(ours, theirs)) if edax else ()))
    notes = []
    are_default = [int(one.comment) for one in problems] == [*NUMBERS]
    if edax and has_evaluation(edax) and threads == 1 and are_default:
        verdict = "reached" if ours.seconds <= GOAL * theirs.seconds else "missed"
        notes.append(f"Goal: at most {GOAL}× the time of Edax; {verdict}.")
    if ours.seconds > DISTURBED * (time.process_time() - busy) / threads:
        notes.append("Other work kept the processor busy: these times are too long.")
    table.caption = " ".join(notes) or None
    return table


def times(ours: Figure, theirs: Figure) -> str:
    """Our time as a multiple of Edax's."""
    return f"{ours.seconds / max(theirs.seconds, 1e-3):.2f}×"


def main() -> None:
    """Solves one position after another with our solver and with Edax, and prints the times."""
    known = {int(problem.comment): problem
             for problem in map(Problem.of, PROBLEMS.read_text(encoding="utf-8").splitlines())}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endings", description=__doc__)
    parser.add_argument("numbers", nargs="*", type=int,
                        help=f"{min(known)} to {max(known)}, default {min(NUMBERS)} to {max(NUMBERS)}")
    parser.add_argument("--edax", type=Path,
                        help="the executable of Edax, with its evaluation in data/ next to it")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash", type=int, default=DEFAULT_MEGABYTES, metavar="MB",
                        help="size of each transposition table")
    asked = parser.parse_args()
    if unknown := [number for number in asked.numbers if number not in known]:
        parser.error(f"there is no position {unknown[0]}; there are {min(known)} to {max(known)}")
    edax: Path | None = asked.edax and asked.edax.resolve()
    if edax and not (edax.is_file() and os.access(edax, os.X_OK)):
        parser.error(f"{asked.edax} cannot be run; --edax takes the executable of Edax")
    if not 1 <= asked.threads <= MAX_THREADS:
        parser.error(f"{asked.threads} threads are not possible; take 1 to {MAX_THREADS}")
    if not 1 <= asked.hash <= MAX_MEGABYTES:
        parser.error(f"a table of {asked.hash} MB is not possible; take 1 to {MAX_MEGABYTES} MB")
    if asked.threads == 1:
        stay_on_one_core()

    console = Console()
    problems = [known[number] for number in asked.numbers or NUMBERS]
    console.print(measured(console, problems, edax, asked.threads, asked.hash))
    command = " ".join(["python -m benchmarks.endings", *sys.argv[1:]])
    beside = f", {edax_version(edax)}" if edax else ""
    circumstances = report.circumstances(command, asked.threads) + beside
    console.print(f"{circumstances} · tables of {asked.hash} MB, time by the clock", highlight=False)


if __name__ == "__main__":
    main()
