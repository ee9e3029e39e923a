"""Shows the figures: tables for the terminal and for docs/benchmarks.md."""

from __future__ import annotations

import datetime
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

import polyversi as pv
from benchmarks import peers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.harness import Benchmark, Figure, Goal

DOCUMENT = Path(__file__).parents[1] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
HEADER = ("", "figure", "spread", "slower by")


def amount(seconds: float, benchmark: Benchmark) -> str:
    """A figure with three digits and its unit.

    >>> from benchmarks.harness import Benchmark
    >>> amount(1.25e-8, Benchmark("perft", "", "leaves", list))
    '80.0 M leaves/s'
    >>> amount(2.5e-4, Benchmark("xt", "", "position", list, timed=True))
    '250 µs'
    """
    value = seconds if benchmark.timed else 1 / seconds
    unit = "s" if benchmark.timed else f" {benchmark.unit}/s"
    return f"{prefixed(value)}{unit}".replace("  ", " ")


def prefixed(value: float) -> str:
    """
    >>> prefixed(19_594_055), prefixed(0.00025)
    ('19.6 M', '250 µ')
    """
    scale, prefix = next((step for step in PREFIXES if value >= step[0]), PREFIXES[-1])
    return f"{three_digits(value / scale)} {prefix}"


def three_digits(value: float) -> str:
    """
    >>> three_digits(1.2345), three_digits(12.345), three_digits(1234.5)
    ('1.23', '12.3', '1,234')
    """
    return f"{value:,.{2 if value < 10 else 1 if value < 100 else 0}f}"


def rows(benchmark: Benchmark, figures: Sequence[Figure]) -> Iterable[tuple[str, str, str, str]]:
    """The cells of a table, with one row for each contender."""
    first = figures[0].seconds
    for figure in figures:
        if figure.seconds is None or first is None:
            yield figure.name, "not installed", "", ""
        else:
            ratio = "" if figure is figures[0] else f"{three_digits(figure.seconds / first)}×"
            yield figure.name, amount(figure.seconds, benchmark), f"{figure.spread:.0%}", ratio


def verdict(goal: Goal, benchmark: Benchmark, figures: Sequence[Figure]) -> str:
    """A sentence that says whether a goal is reached."""
    ours = figures[0].seconds
    peer = next((figure.seconds for figure in figures if figure.name == goal.peer), None)
    if ours is None or (goal.peer and peer is None):
        return f"Goal: {goal.least:g}× {goal.peer}, which is not installed."
    if peer is None:
        reached, aim = ours <= goal.least, f"at most {amount(goal.least, benchmark)}"
    else:
        reached, aim = peer / ours >= goal.least, f"at least {goal.least:g}× {goal.peer}"
    return f"Goal: {aim}; {'reached' if reached else 'missed'}."


def terminal_table(benchmark: Benchmark, figures: Sequence[Figure]) -> Table:
    """The table of a benchmark for the terminal."""
    goals = " ".join(verdict(goal, benchmark, figures) for goal in benchmark.goals)
    table = Table(title=benchmark.title, caption=goals or None, box=box.SIMPLE, title_justify="left",
                  caption_justify="left")
    for index, name in enumerate(HEADER):
        table.add_column(name, justify="right" if index else "left")
    for row in rows(benchmark, figures):
        table.add_row(*row)
    return table


def markdown_table(benchmark: Benchmark, figures: Sequence[Figure]) -> str:
    """The table of a benchmark for the document."""
    lines = [f"### {benchmark.title}", "", f"`{benchmark.name}`", "", "| " + " | ".join(HEADER) + " |",
             "| --- | ---: | ---: | ---: |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows(benchmark, figures)]
    lines += ["", *(verdict(goal, benchmark, figures) for goal in benchmark.goals)]
    return "\n".join(lines).rstrip()


def circumstances(command: str, cores: int = 1) -> str:
    """When, where and how the figures were measured, and with which versions."""
    versions = ", ".join(f"{name} {version}" for name, version in peers.versions().items())
    return (
        f"{datetime.datetime.now(datetime.UTC).date()} · {processor()}, "
        f"{'one' if cores == 1 else cores} of {os.cpu_count()} cores, "
        f"kernel {pv.game('othello').kernel} · {platform.system()}, Python {platform.python_version()} · "
        f"`{command}` · polyversi {pv.__version__}{', ' if versions else ''}{versions}"
    )


def processor() -> str:
    """The name of the processor."""
    try:
        facts = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        facts = ""
    names = (line.partition(":")[2].strip() for line in facts.splitlines() if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def write(text: str) -> None:
    """Writes the figures between the markers of the document."""
    document = DOCUMENT.read_text(encoding="utf-8")
    before, found, rest = document.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise SystemExit(f"{DOCUMENT} needs a line {BEGIN} and a later line {END}")
    DOCUMENT.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
