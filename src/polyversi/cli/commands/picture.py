"""`polyversi picture`: a recorded game, or the start of a variant, as SVG, PNG or GIF."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from polyversi import records
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.files import write_whole
from polyversi.games.game import Game
from polyversi.games.variants import game as named
from polyversi.records import Record, pictures
from polyversi.records.sources import is_file

ENDINGS = (".svg", ".png", ".gif")
FILM = 480
"""The longer side of a GIF in pixels, unless another size is asked for."""


def picture(
    source: Annotated[str, typer.Argument(
        metavar="FILE|VARIANT", help="A file of games or problems, or a variant for its start position.")],
    out: Annotated[Path, typer.Option(help="The picture: .svg or .png, or .gif for the whole game.")],
    ply: Annotated[int | None, typer.Option(
        min=0, help="Show the position after this many plies, by default after the last one.")] = None,
    number: Annotated[int, typer.Option(min=1, help="Which game of the file.")] = 1,
    variant: Annotated[str | None, typer.Option(help="The game, if the file does not say so.")] = None,
    size: Annotated[int | None, typer.Option(
        metavar="PIXELS", min=1, help="Length of the longer side.")] = None,
    seconds: Annotated[float, typer.Option(
        metavar="SECONDS", help="How long a GIF shows each position.")] = 0.8,
) -> None:
    """Make a picture of a game or a position: SVG, PNG or an animated GIF.

    The file may be in any format that `polyversi convert` reads. PNG and GIF need
    `pip install 'polyversi[server]'`.

    Examples:
      polyversi picture hex --out hex.svg
      polyversi picture game.jsonl --out game.gif
      polyversi picture games.ggf --number 3 --ply 20 --out position.png
    """
    ending = out.suffix.lower()
    if ending not in ENDINGS:
        raise PolyversiError(f"a picture cannot be named {out}; its name must end in {' '.join(ENDINGS)}")
    if ending == ".gif" and ply is not None:
        raise PolyversiError("a GIF shows the whole game; for the position after --ply write a .png or .svg")
    record = _record(source, number, named(variant) if variant else None)
    if ending == ".gif":
        data = pictures.gif(record, seconds=seconds, size=size or FILM)
    elif ending == ".png":
        data = pictures.png(record, ply, size=size)
    else:
        data = pictures.svg(record, ply, size=size).encode()
    write_whole(out, data)


def _record(source: str, number: int, game: Game | None) -> Record:
    """The game to show: one of a file, or a problem's or a variant's start position without moves."""
    if not is_file(source):
        return records.Record(named(source).start())
    item = next(islice(records.read(Path(source), game=game), number - 1, None), None)
    if item is None:
        raise RecordError(f"{source} has no game {number}")
    return item if isinstance(item, records.Record) else records.Record(item.state)
