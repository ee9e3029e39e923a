"""`polyversi map`: check, draw and generate maps of Reversi XT."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyversi.games.xtmap import XtMap

T = TypeVar("T")

app = typer.Typer(help="Check, draw and generate maps of Reversi XT.", no_args_is_help=True)


@app.command()
def check(files: Annotated[list[Path], typer.Argument(help="The files to check.")]) -> None:
    """Check maps; say what is wrong, and where, in those that are rejected.

    Example:

      polyversi map check maps/*.txt
    """
    from polyversi.games.errors import PolyversiError
    from polyversi.games.variants import read_map

    rejected = False
    for file in files:
        try:
            typer.echo(f"{file}: {_summary(read_map(file))}")
        except PolyversiError as error:
            typer.echo(str(error), err=True)
            rejected = True
    if rejected:
        raise typer.Exit(1)


@app.command()
def draw(
    source: Annotated[str, typer.Argument(metavar="FILE_OR_KIND", help="A file, or a kind of map.")],
    svg: Annotated[Path | None, typer.Option(help="Write an SVG picture to this file instead.")] = None,
    seed: Annotated[int, typer.Option(help="The seed, for a kind of map.")] = 0,
    players: Annotated[int | None, typer.Option(help="The number of players, for a kind of map.")] = None,
) -> None:
    """Draw a map in the terminal, or as an SVG picture.

    Examples:

      polyversi map draw starfish

      polyversi map draw my.map --svg my.svg
    """
    from polyversi.games.drawing import map_svg, map_terminal
    from polyversi.games.mapkinds import generate
    from polyversi.games.variants import read_map

    is_file = Path(source).exists() or Path(source).suffix or Path(source).name != source
    chart = _or_exit(lambda: read_map(Path(source)) if is_file else generate(source, seed, players))
    if svg is None:
        typer.echo(map_terminal(chart, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    else:
        _write(svg, map_svg(chart))


@app.command(name="generate")
def generate_map(
    kind: Annotated[str, typer.Option(help="The kind of map; `polyversi map kinds` lists them.")],
    seed: Annotated[int, typer.Option(help="Other seeds give other maps of the kind.")] = 0,
    players: Annotated[int | None, typer.Option(help="The number of players.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the map to this file.")] = None,
) -> None:
    """Generate a map of some kind; the same seed always gives the same map.

    Examples:

      polyversi map generate --kind torus --seed 3 --players 5

      polyversi map generate --kind maze --out maze.map
    """
    from polyversi.games.mapkinds import generate

    chart = _or_exit(lambda: generate(kind, seed, players))
    if out is None:
        typer.echo(chart.text, nl=False)
    else:
        _write(out, chart.text)


@app.command()
def kinds() -> None:
    """List the kinds of maps, with the numbers of players each is drawn for."""
    from rich.console import Console
    from rich.table import Table

    from polyversi.games.mapkinds import KINDS

    table = Table("kind", "players", "what it is", box=None, pad_edge=False)
    for kind in KINDS.values():
        table.add_row(kind.name, _numbers(kind.players), kind.sentence)
    Console(highlight=False).print(table)


def _numbers(numbers: tuple[int, ...]) -> str:
    """Numbers in short: a run as its ends.

    >>> _numbers((2, 3, 4)), _numbers((2, 4, 8)), _numbers((8,))
    ('2–4', '2, 4, 8', '8')
    """
    if len(numbers) > 2 and numbers == tuple(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(str, numbers))


def _summary(chart: XtMap) -> str:
    """A map in a line: players, size, cells, stones, transitions and stocks."""
    cells = chart.board().size
    stones = sum(tile in "12345678" for tile in chart.tiles)
    return (
        f"{chart.players} players, {chart.width}×{chart.height}, {cells} cells, {stones} stones, "
        f"{len(chart.transitions)} transitions; each player has {chart.overrides} override stones "
        f"and {chart.bombs} bombs of radius {chart.radius}"
    )


def _or_exit(make: Callable[[], T]) -> T:
    """What the function makes; an error of ours ends the command with its sentence."""
    from polyversi.games.errors import PolyversiError

    try:
        return make()
    except PolyversiError as error:
        typer.echo(f"polyversi map: {error}", err=True)
        raise typer.Exit(1) from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        typer.echo(f"polyversi map: {path} cannot be written: {error.strerror}", err=True)
        raise typer.Exit(1) from None
