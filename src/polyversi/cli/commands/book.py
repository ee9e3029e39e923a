"""`polyversi book`: opening books, grown by the engine and looked into."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import Annotated

import typer

from polyversi.cli.engine_runner import SETTINGS, parse_argument
from polyversi.cli.options import Cluster, Variant
from polyversi.cli.views.terminal import is_colourful, new_console, new_table, print_board
from polyversi.engines.book import Book, book_for, load
from polyversi.games.errors import PolyversiError
from polyversi.games.variants import game as named
from polyversi.records import Problem
from polyversi.records.opening_names import opening_name

SENTENCE = "Grow an opening book from which the engine plays, or look into one."
app = typer.Typer(help=SENTENCE, no_args_is_help=True)
REPORT_SECONDS = 1.0
FOREVER = 10**9
"""More positions than any book will have."""


@app.callback()
def book() -> None:
    """Grow an opening book from which the engine plays, or look into one."""


@app.command()
def grow(
    out: Annotated[Path, typer.Option(
        "--out", metavar="FILE", help="The book; if it is there, it grows on.")],
    variant: Variant = "othello",
    limit: Annotated[str, typer.Option(
        help="How each position is searched: depth=14, nodes=1000000 or seconds=1.")] = "depth=14",
    until: Annotated[int | None, typer.Option(
        min=1, metavar="POSITIONS",
        help="Stop when the book has so many positions; without it Ctrl-C stops it.")] = None,
    jobs: Annotated[int, typer.Option(
        min=0, help="Positions that are searched at the same time; 0 for one on each processor.")] = 1,
    cluster: Cluster = None,
) -> None:
    """Grow an opening book: the positions that are nearest to best play are searched first.

    Every position gets the values of all its moves, and passes them on to those before it. Ctrl-C stops it
    and keeps what was found; the same command then goes on. Without a time limit the same command makes the
    same book, whatever the number of jobs.

    Examples:

      polyversi book grow --out othello.book --limit depth=16 --until 2000 --jobs 0

      polyversi book grow --variant hex --out hex.book --cluster tcp://10.0.0.1:8786
    """
    from polyversi.contest.book_growth import Growth
    from polyversi.contest.workers import chosen_workers

    count = f" --until {until}" if until else ""
    command = (f"polyversi book grow --variant {shlex.quote(variant)} --out {shlex.quote(out.name)} "
               f"--limit {limit}{count}")
    growth = Growth.resume(out, variant, limit, command) if out.exists() else Growth.begin(
        variant, limit, command)
    workers = chosen_workers(jobs, cluster)
    begin, before, told = time.monotonic(), len(growth.book.positions), float("-inf")

    def show(growth: Growth) -> None:
        nonlocal told
        now = time.monotonic()
        if now > told + REPORT_SECONDS:
            told = now
            size = len(growth.book.positions)
            rate = (size - before) / max(now - begin, 1e-9)
            typer.echo(f"{size:,} positions, {rate:,.1f} a second", err=True)

    status = 0
    try:
        growth.run(until or FOREVER, workers, out, show)
    except KeyboardInterrupt:
        typer.echo("stopped; the same command goes on", err=True)
        status = 130
    typer.echo(f"{out}: {len(growth.book.positions):,} positions of {growth.book.header.spec}")
    raise typer.Exit(status)


@app.command(context_settings=SETTINGS)
def show(
    what: Annotated[str, typer.Argument(
        metavar="[WHAT]", help="Moves from the start, a position, or a variant.")] = "",
    file: Annotated[Path | None, typer.Option(
        "--book", metavar="FILE", help="The book; default: the one that comes with the package.")] = None,
    variant: Annotated[str, typer.Option(help="The variant of moves and positions.")] = "",
) -> None:
    """Show what a book says about a position: its moves with their values, the best first.

    Values are in stones at the end of the game, for the seat to move.

    Examples:

      polyversi book show f5d6

      polyversi book show --book hex.book
    """
    own = load(file) if file else None
    game = named(variant) if variant else own.game if own else None
    item = parse_argument("book show", what or (game.spec if game else "othello"), game)
    state = item.state if isinstance(item, Problem) else item.final
    opened: Book | None = own or book_for(state.game)
    if opened is None:
        raise PolyversiError(f"no book of {state.game.spec} comes with the package; "
                             f"`polyversi book grow --variant {state.game.spec} --out FILE` makes one")
    console = new_console()
    header = opened.header
    console.print(f"a book of {header.spec}: {len(opened.positions):,} positions, each searched with "
                  f"{header.limit} ({header.date})")
    title = ", ".join(filter(None, (state.game.spec, opening_name(state))))
    board = state.draw(color=is_colourful(console), width=console.width)
    print_board(console, [title, *board.split("\n")])
    values = opened.values(state)
    if not values:
        console.print("the book does not have this position")
        return
    table = new_table("move", "value", "in the book", left=("move",))
    for move, value in values.items():
        is_known = bool(opened.values(state.play(move)))
        table.add_row(str(move), f"{value:+}" if value else "0", "yes" if is_known else "")
    console.print(table)
