"""The command line of the benchmarks: `python -m benchmarks [name ...] [--quick] [--write]`."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console

from benchmarks import (
    batch_steps,
    kernels,
    leaf_counting,
    python_walk,
    random_games,
    referee,
    report,
    startup,
    xt_moves,
    xt_search,
)
from benchmarks.harness import FULL, QUICK, measure, stay_on_one_core

BENCHMARKS = {
    benchmark.name: benchmark
    for module in (
        leaf_counting, python_walk, random_games, batch_steps, kernels, xt_moves, xt_search, referee, startup
    )
    for benchmark in module.BENCHMARKS
}


def main() -> None:
    """Runs the named benchmarks, or all of them, and prints a table for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help="a few short rounds, for a first impression")
    parser.add_argument("--write", action="store_true", help="put a full run into docs/benchmarks.md")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in BENCHMARKS]:
        parser.error(f"there is no benchmark called {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    if asked.write and (asked.names or asked.quick):
        parser.error("--write takes no names and no --quick: the document shows one full run")

    stay_on_one_core()
    console, sections = Console(), []
    for name in asked.names or BENCHMARKS:
        benchmark = BENCHMARKS[name]
        with console.status(benchmark.title):
            figures = measure(benchmark, QUICK if asked.quick else FULL)
        console.print(report.terminal_table(benchmark, figures))
        sections.append(report.markdown_table(benchmark, figures))
    circumstances = report.circumstances(" ".join(["python -m benchmarks", *sys.argv[1:]]))
    console.print(circumstances, highlight=False)
    if asked.write:
        report.write("\n\n".join([circumstances, *sections]))


if __name__ == "__main__":
    main()
