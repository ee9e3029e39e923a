"""`polyversi convert`: games and problems from one format to another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from polyversi import records
from polyversi.games.errors import RecordError
from polyversi.games.variants import game as named
from polyversi.records.formats import Item

STANDARD = Path("-")
"""Standard input or output."""


def convert(
    source: Annotated[Path, typer.Argument(help="The file to read; - for standard input.")],
    target: Annotated[Path, typer.Argument(help="The file to write; - for standard output.")] = STANDARD,
    from_: Annotated[str | None, typer.Option(
        "--from", metavar="FORMAT", help="Format of the source, by default recognised.")] = None,
    to: Annotated[str | None, typer.Option(
        "--to", metavar="FORMAT", help="Format of the target, by default from its name, or jsonl.")] = None,
    variant: Annotated[str | None, typer.Option(help="The game, if the file does not say so.")] = None,
    jou: Annotated[Path | None, typer.Option(
        help="WTHOR file of the players, by default the one beside the source.")] = None,
    trn: Annotated[Path | None, typer.Option(
        help="WTHOR file of the tournaments, by default the one beside the source.")] = None,
    skip: Annotated[bool, typer.Option("--skip", help="Skip what cannot be read.")] = False,
) -> None:
    """Convert games and problems from one format to another.

    The formats are jsonl (ours), ggf, wthor, xt-log (logs of XT servers), problems (.obf), map (XT) and
    transcript. They are recognised by the content and the names of the files.

    Examples:
      polyversi convert WTH_2004.wtb games.jsonl
      polyversi convert games.ggf --to transcript
      polyversi convert moves.txt games.jsonl --variant anti
      polyversi convert evening.log games.jsonl
    """
    failures: list[RecordError] = []
    items = records.read(
        sys.stdin.buffer if source == STANDARD else source,
        from_,
        game=named(variant) if variant else None,
        jou=jou,
        trn=trn,
        on_error=failures.append if skip else None,
    )
    if sys.stderr.isatty():
        items = _with_progress(items)
    if target == STANDARD:
        count = records.write(items, sys.stdout.buffer, to or "jsonl")
    else:
        count = records.write(items, target, to)
    for failure in failures[:10]:
        typer.echo(f"skipped: {failure}", err=True)
    if len(failures) > 10:
        typer.echo(f"skipped: {len(failures) - 10} more", err=True)
    if target != STANDARD:
        typer.echo(f"{count:,} written to {target}", err=True)


def _with_progress(items: Iterator[Item]) -> Iterator[Item]:
    """The items, with a count of them on a terminal while the work lasts."""
    columns = SpinnerColumn(), TextColumn("{task.completed:,} converted"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield from progress.track(items)
