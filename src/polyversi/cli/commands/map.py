"""`polyversi map`: check, draw and generate maps of Reversi XT."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from polyversi.cli.views.terminal import new_console, new_table
from polyversi.drawing import map_svg, map_terminal
from polyversi.drawing.words import summary
from polyversi.games.errors import PolyversiError
from polyversi.games.files import write_whole
from polyversi.games.mapkinds import KINDS, generate
from polyversi.games.xt import is_kind, read_map

MAX_SEED = 2**53
"""The largest seed, as in the specification of a game."""

app = typer.Typer(help="Check, draw and generate maps of Reversi XT.", no_args_is_help=True)


@app.command()
def check(files: Annotated[list[Path], typer.Argument(help="The files to check.")]) -> None:
    """Check maps; say what is wrong, and where, in those that are rejected.

    Example:

      polyversi map check maps/*.txt
    """
    status = 0
    for file in files:
        try:
            typer.echo(f"{file}: {summary(read_map(file))}")
        except PolyversiError as error:
            typer.echo(str(error), err=True)
            status = 1
    raise typer.Exit(status)


@app.command()
def draw(
    source: Annotated[str, typer.Argument(metavar="KIND_OR_FILE", help="A kind of map, or a file.")],
    svg: Annotated[Path | None, typer.Option(help="Write an SVG picture to this file instead.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=MAX_SEED, help="The seed, for a kind of map.")] = 0,
    players: Annotated[int | None, typer.Option(help="The number of players, for a kind of map.")] = None,
) -> None:
    """Draw a map in the terminal, or as an SVG picture.

    A file that is called like a kind is drawn as ./NAME.

    Examples:

      polyversi map draw starfish

      polyversi map draw my.map --svg my.svg
    """
    path = Path(source)
    is_file = not is_kind(source) and (path.exists() or path.suffix or os.sep in source)
    chart = read_map(path) if is_file else generate(source, seed, players)
    if svg is None:
        typer.echo(map_terminal(chart, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    else:
        write_whole(svg, map_svg(chart).encode())


@app.command(name="generate")
def generate_map(
    kind: Annotated[str, typer.Option(help="The kind of map; `polyversi map kinds` lists them.")],
    seed: Annotated[int, typer.Option(min=0, max=MAX_SEED, help="Other seeds give other maps.")] = 0,
    players: Annotated[int | None, typer.Option(help="The number of players.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the map to this file.")] = None,
) -> None:
    """Generate a map of some kind; the same seed always gives the same map.

    Examples:

      polyversi map generate --kind torus --seed 3 --players 5

      polyversi map generate --kind maze --out maze.map
    """
    chart = generate(kind, seed, players)
    if out is None:
        typer.echo(chart.text, nl=False)
    else:
        write_whole(out, chart.text.encode())


@app.command()
def kinds() -> None:
    """List the kinds of maps, with the numbers of players each is drawn for."""
    headings = "kind", "players", "what it is"
    table = new_table(*headings, left=headings)
    for kind in KINDS.values():
        table.add_row(kind.name, _numbers(kind.players), kind.sentence)
    new_console().print(table)


def _numbers(numbers: tuple[int, ...]) -> str:
    """Numbers in short: a run as its ends.

    >>> _numbers((2, 3, 4)), _numbers((2, 4, 8)), _numbers((8,))
    ('2–4', '2, 4, 8', '8')
    """
    if len(numbers) > 2 and numbers == tuple(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(str, numbers))
