"""`python -m tests.soak.fuzz [--inputs N] [--seed S] [parser ...]`: a million inputs for each parser."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.soak.fuzz.parsers import PARSERS
from tests.soak.fuzz.running import Failure, run

PORTION = 5000
SHOWN = 20


def main() -> int:
    """Runs the parsers that were named, or all of them; 1 when anything failed."""
    arguments = _arguments()
    names = arguments.parsers or list(PARSERS)
    console = Console(stderr=True)
    failures: list[Failure] = []
    read = dict.fromkeys(names, 0)
    columns = (TextColumn("{task.description:12}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with ProcessPoolExecutor(arguments.processes) as pool, Progress(*columns, console=console) as progress:
        tasks = {name: progress.add_task(name, total=arguments.inputs) for name in names}
        parts = -(-arguments.inputs // PORTION)
        jobs = [
            pool.submit(run, name, arguments.seed, part, min(PORTION, arguments.inputs - part * PORTION))
            for name in names
            for part in range(parts)
        ]
        for job in as_completed(jobs):
            portion = job.result()
            read[portion.parser] += portion.read
            failures += portion.failures
            progress.update(tasks[portion.parser], advance=portion.inputs)
    for name in names:
        print(f"{name}: {arguments.inputs:,} inputs, {read[name]:,} read and written again")
    for failure in failures[:SHOWN]:
        print(failure)
    print(f"{len(failures)} failures (seed {arguments.seed})")
    return 1 if failures else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.fuzz", description="Fuzz the parsers.")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="inputs for each parser")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same inputs")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("parsers", nargs="*", metavar="parser", help=f"one of {', '.join(PARSERS)}")
    arguments = parser.parse_args()
    for name in arguments.parsers:
        if name not in PARSERS:
            parser.error(f"there is no parser '{name}'; there are {', '.join(PARSERS)}")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
