"""Options of commands that search with the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from polyversi.contest.workers import default_jobs
from polyversi.engines.search import MAX_MEGABYTES, MAX_THREADS

Threads = Annotated[int | None, typer.Option(
    min=1, max=MAX_THREADS, help="Threads of the search, by default one for each processor.")]
Megabytes = Annotated[int, typer.Option(
    "--hash", metavar="MB", min=1, max=MAX_MEGABYTES,
    help="Size of the transposition table, rounded down to a power of two.")]
WeightsFile = Annotated[Path | None, typer.Option(
    "--weights", metavar="FILE", help="Use these weights, made by `polyversi train`.")]


def default_threads() -> int:
    """One for each processor, as far as the search takes them."""
    return min(default_jobs(), MAX_THREADS)
