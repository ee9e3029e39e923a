"""How long it takes to import the package and to start the command line."""

from __future__ import annotations

import subprocess
import sys
import time

from benchmarks.harness import Benchmark, Contender, Goal

FIRST_STATE = "import polyversi; polyversi.game('othello').start().moves"
HELP = "from polyversi.cli.main import main; main()"


def start(*arguments: str) -> None:
    """Starts a new interpreter once."""
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def contenders() -> list[Contender]:
    return [
        Contender("polyversi --help", lambda: start("-c", HELP, "--help")),
        Contender("import polyversi", lambda: start("-c", "import polyversi")),
        Contender("import polyversi, and a first state", lambda: start("-c", FIRST_STATE)),
        Contender("Python alone", lambda: start("-c", "pass")),
    ]


BENCHMARKS = (
    Benchmark(
        "startup",
        "Start-up",
        "start",
        contenders,
        goals=(Goal(0.15),),
        timed=True,
        clock=time.perf_counter,
    ),
)
