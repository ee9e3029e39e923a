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
    """Check map files; say what is wrong, and where.

    Examples:
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
    out: Annotated[Path | None, typer.Option(
        metavar="FILE.svg", help="Write an SVG picture to this file instead.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=MAX_SEED, help="Seed of the map, for a kind.")] = 0,
    count: Annotated[int | None, typer.Option("--players", help="Number of players, for a kind.")] = None,
) -> None:
    """Draw a map in the terminal, or as an SVG picture.

    If a file has the same name as a kind, write ./NAME for the file.

    Examples:
      polyversi map draw starfish
      polyversi map draw my.map --out my.svg
    """
    path = Path(source)
    is_file = not is_kind(source) and (path.exists() or path.suffix or os.sep in source)
    chart = read_map(path) if is_file else generate(source, seed, count)
    if out is None:
        typer.echo(map_terminal(chart, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    elif out.suffix.lower() == ".svg":
        write_whole(out, map_svg(chart).encode())
    else:
        raise PolyversiError(f"a map is drawn as SVG; name the file {out.with_suffix('.svg').name}")


@app.command(name="generate")
def generate_map(
    kind: Annotated[str, typer.Option(help="Kind of map; `polyversi map kinds` lists them.")],
    seed: Annotated[int, typer.Option(min=0, max=MAX_SEED, help="Seed of the map.")] = 0,
    count: Annotated[int | None, typer.Option("--players", help="Number of players.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the map to this file.")] = None,
) -> None:
    """Generate a map; the same kind and seed always give the same map.

    Examples:
      polyversi map generate --kind torus --seed 3 --players 5
      polyversi map generate --kind maze --out maze.map
    """
    chart = generate(kind, seed, count)
    if out is None:
        typer.echo(chart.text, nl=False)
    else:
        write_whole(out, chart.text.encode())


@app.command()
def kinds() -> None:
    """List the kinds of maps with the numbers of players.

    Examples:
      polyversi map kinds
    """
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
