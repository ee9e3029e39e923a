"""`polyversi explorer`: games of files counted by their positions, and what was played in one of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from polyversi.cli.engine_runner import SETTINGS, parse_argument
from polyversi.drawing.words import counted
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.variants import game as named
from polyversi.records import Problem
from polyversi.server.serve import default_explorer, default_store

if TYPE_CHECKING:
    from polyversi.storage.explorer import Added, Explorer

SENTENCE = "Count the games of files, and see what was played in a position."
app = typer.Typer(help=SENTENCE, no_args_is_help=True)
Databases = Annotated[list[str] | None, typer.Option("--db", metavar="DATABASE", help=(
    "A file, or a URL such as postgresql://…; repeat it for several. Default: those in your data folder."))]
MAX_TOLD = 10
"""Games that cannot be read and are told one by one."""


@app.callback()
def explorer() -> None:
    """Count the games of files, and see what was played in a position."""


@app.command("import")
def import_games(
    files: Annotated[list[Path], typer.Argument(
        metavar="FILE...", help="Games in any format: .wtb, .ggf, .jsonl, .txt, .log.")],
    db: Annotated[str, typer.Option("--db", metavar="DATABASE", help=(
        "Where to count them: a file, or a URL such as postgresql://…; default: in your data folder."))] = "",
    variant: Annotated[str | None, typer.Option(help="The game, if a file does not say so.")] = None,
) -> None:
    """Count the games of files.

    A game that was counted before, from this file or another one, is not counted again. Ctrl-C stops it; the
    same command then goes on with what is missing. Games that cannot be read are told and left out.

    Examples:

      polyversi explorer import WTH_*.wtb games.ggf

      polyversi explorer import lines.txt --variant anti --db anti.db
    """
    from polyversi.storage.explorer import Explorer

    game = named(variant) if variant else None
    with closing(Explorer.open(db or str(default_explorer()))) as opened:
        for file in files:
            failures: list[RecordError] = []
            try:
                with _progress(file) as shown:
                    added = opened.add_file(file, game=game, on_error=failures.append, progress=shown)
            except KeyboardInterrupt:
                typer.echo("stopped; what was counted is kept, and the same command goes on", err=True)
                raise typer.Exit(130) from None
            for failure in failures[:MAX_TOLD]:
                typer.echo(f"left out: {file.name}: {failure}", err=True)
            if len(failures) > MAX_TOLD:
                typer.echo(f"left out: {len(failures) - MAX_TOLD:,} more", err=True)
            typer.echo(f"{file.name}: {_told(added)}")
        games, moves = opened.size
        typer.echo(f"{opened.name} has {counted(games, 'game')} with {moves:,} moves in different positions")


def _told(added: Added | None) -> str:
    if added is None:
        return "counted before"
    known = f", {added.known:,} had been counted before" if added.known else ""
    return f"{counted(added.games, 'game')} counted{known}"


@contextmanager
def _progress(file: Path) -> Iterator[Callable[[int, Added], None]]:
    """How far it has come, on a terminal."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"{file.name}: reading …")

        def show(read: int, added: Added) -> None:
            progress.update(task, description=f"{file.name}: {read:,} games read, {_told(added)} …")

        yield show


@app.command(context_settings=SETTINGS)
def show(
    what: Annotated[str, typer.Argument(
        metavar="[WHAT]", help="Moves from the start, a position, or a variant.")] = "othello",
    db: Databases = None,
    variant: Annotated[str | None, typer.Option(help="The variant of moves and positions.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write a line of JSON.")] = False,
) -> None:
    """Show what was played in a position, how often, by whom and with what result.

    Positions are found however they were reached and however the board is turned. Results and scores are for
    the seat to move.

    Examples:

      polyversi explorer show f5d6

      polyversi explorer show hex --db games.explorer.db

      polyversi explorer show f5d6c3 --json
    """
    from polyversi.cli.views import explorer as view
    from polyversi.cli.views.terminal import new_console
    from polyversi.storage.explorer import merged

    item = parse_argument("explorer show", what, named(variant) if variant else None)
    state = item.state if isinstance(item, Problem) else item.final
    with _opened(db or []) as explorers:
        report = merged(state, (explorer.at(state) for explorer in explorers))
    if as_json:
        typer.echo(json.dumps(view.data(report), ensure_ascii=False))
    else:
        view.show(new_console(), report)


@contextmanager
def _opened(places: Sequence[str]) -> Iterator[list[Explorer]]:
    """The databases that are named, or those in the user's data folder."""
    from polyversi.storage.explorer import Explorer
    from polyversi.storage.explorer_feed import beside

    if not places:
        usual = default_explorer(), Path(beside(str(default_store())))
        places = [str(file) for file in usual if file.is_file()]
    if not places:
        raise PolyversiError("no games have been counted yet; `polyversi explorer import FILES` does that")
    with ExitStack() as stack:
        yield [stack.enter_context(closing(Explorer.open_read_only(place))) for place in places]


@app.command()
def rebuild(
    where: Annotated[str, typer.Argument(
        metavar="[STORE]", help="The page's store: a file, or a URL such as postgresql://…; default: in your "
                                "data folder.")] = "",
) -> None:
    """Count the games of the page's store anew, those that it still has.

    The server counts games as they end, and those of an older store when it starts. Stop it first.

    Examples:

      polyversi explorer rebuild games.db
    """
    from polyversi.storage.explorer import Explorer
    from polyversi.storage.explorer_feed import beside, count_all
    from polyversi.storage.games import Store

    with (closing(Store.open(where or str(default_store()))) as store, store.reserved(),
          closing(Explorer.open(beside(store.where))) as opened):
        opened.clear()
        count_all(store, opened, progress=lambda done, all: typer.echo(f"{done:,} of {all:,} …", err=True))
        typer.echo(f"{opened.name} has {counted(opened.size[0], 'game')}")
