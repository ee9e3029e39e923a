"""The overhead of a tournament: the players' share of a core's time, games per second, time losses.

Run it with `python -m benchmarks.tournaments`; with `--timeouts 2000` it plays so many games at 20 ms a move
with every core busy, and counts those that a player of ours lost on time.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks import report
from polyversi.contest.openings import Openings
from polyversi.contest.plan import Plan, entrants_of
from polyversi.contest.tournament import Tournament
from polyversi.contest.workers import Workers, cluster_workers, default_jobs, local_workers
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.storage.contests import ContestStore

INSTANT, THINKING = 3000, 40
"""Numbers of games: with players that do not think, and with players that do."""
AT_MOST = 0.0105
"""Seconds per move; the engine uses half of it, 5 ms, to be safe on a busy machine."""


@dataclass(frozen=True)
class Figure:
    """The figures of one tournament."""

    games: int
    seconds: float
    thought: float
    """Seconds that all players thought in total."""
    late: int
    """Games that ended with a timeout."""


def measure(plan: Plan, workers: Workers) -> Figure:
    """Plays a whole tournament in a new store."""
    with tempfile.TemporaryDirectory() as folder:
        store = ContestStore.open(str(Path(folder) / "bench.db"))
        tournament = Tournament.create(store, plan)
        begun = time.perf_counter()
        tournament.run(workers=workers)
        seconds = time.perf_counter() - begun
        records = [game.record for game in tournament.played.values()]
        notes = [note for record in records for note in record.notes]
        thought = sum(note.seconds or 0 for note in notes)
        late = sum(game.verdict.kind == "timeout" for game in tournament.played.values())
        store.close()
    return Figure(len(records), seconds, thought, late)


def instant(games: int) -> Plan:
    """A plan with two players that move at random."""
    return Plan("instant", entrants_of(["random", "random"]), games=games, limit=NO_LIMIT)


def thinking(games: int, seconds: float) -> Plan:
    """A plan with two engines that use their time."""
    engines = entrants_of(["polyversi:hash=4", "polyversi:hash=4,seed=2"])
    return Plan(
        "thinking", engines, games=games, openings=Openings("random", 8), limit=Limit(seconds=seconds)
    )


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tournaments", description=__doc__)
    parser.add_argument("--timeouts", type=int, metavar="GAMES", help="count time losses in this many games")
    asked = parser.parse_args()
    table = Table("", "games", "seconds", "games/s", "time spent thinking", "timeouts", box=box.SIMPLE)

    def add(what: str, figure: Figure, cores: int) -> None:
        share = f"{figure.thought / figure.seconds / cores:.1%}"
        speed = report.three_digits(figure.games / figure.seconds)
        table.add_row(what, str(figure.games), f"{figure.seconds:.1f}", speed, share, str(figure.late))

    if asked.timeouts:
        jobs = default_jobs()
        figure = measure(thinking(asked.timeouts, 0.02), local_workers(jobs))
        add(f"engine, 20 ms a move, {jobs} at a time", figure, jobs)
    else:
        add("engine, 5 ms a move, this process", measure(thinking(THINKING, AT_MOST), local_workers(1)), 1)
        add("random moves, this process", measure(instant(INSTANT), local_workers(1)), 1)
        add("random moves, 2 processes", measure(instant(INSTANT), local_workers(2)), 2)
        from distributed import LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            workers = cluster_workers(cluster.scheduler_address)
            add("random moves, 2 workers of dask", measure(instant(INSTANT), workers), 2)
            add("engine, 5 ms a move, 2 workers of dask", measure(thinking(THINKING, AT_MOST), workers), 2)
        add("engine, 5 ms a move, 2 processes", measure(thinking(THINKING, AT_MOST), local_workers(2)), 2)
    console = Console()
    console.print(table)
    command = "python -m benchmarks.tournaments" + (f" --timeouts {asked.timeouts}" if asked.timeouts else "")
    console.print(report.circumstances(command), highlight=False)


if __name__ == "__main__":
    main()
