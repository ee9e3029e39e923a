"""The layout of a board for the page: where cells, labels and transitions lie, and how stones look."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from polyversi.drawing.geometry import UNIT
from polyversi.drawing.layers import ARC_COLOURS, ARC_DASHES, Scene
from polyversi.drawing.palette import FELT, SAND, SLATE
from polyversi.games.board import Link
from polyversi.games.game import Game

CROPPED_MARGIN = 6.0
"""Between the cells of a part of a board and the edge of its drawing."""
THEMES = {FELT: "felt", SAND: "sand", SLATE: "slate"}


def board_layout(game: Game, colours: str = "") -> dict[str, Any]:
    """The layout of a game's board, ready for JSON; its fields are explained in `page/board/README.md`.

    `colours` are other looks of the stones than the board's own; one of `palette.COLOURS`.

    >>> import polyversi as pv
    >>> layout = board_layout(pv.game("othello"))
    >>> layout["layout"], layout["width"], layout["rows"][0], layout["names"][37]
    ('square', 376.0, [0, 1, 2, 3, 4, 5, 6, 7], 'f5')
    """
    board = game.board
    scene = Scene(board, bytes(game.definition.start), game.seats, colours)
    layout, cells = scene.layout, range(board.size)
    rows = [list(row) for _, row in groupby(cells, key=lambda cell: board.coordinates[cell][1])]
    x, y = zip(*(_place(layout.centre(cell)) for cell in cells), strict=True)
    return {
        "layout": board.layout,
        "width": round(layout.width, 1),
        "height": round(layout.height, 1),
        "theme": THEMES[scene.theme],
        "rows": rows,
        "x": list(x),
        "y": list(y),
        "names": [board.name(cell) for cell in cells],
        "outline": [_place(corner) for corner in layout.outline],
        "labels": [[*_place(at), name] for at, name in layout.labels()],
        "dots": [_place(at) for at in layout.dots()],
        "joined": [[*_place(start), *_place(end)] for start, end in layout.joined()],
        "links": [_link(scene, count, link) for count, link in enumerate(layout.transitions)],
        "seats": [
            {"name": look.name, "fill": look.fill, "ink": look.ink, "sign": look.sign} for look in scene.looks
        ],
    }


def cropped(layout: dict[str, Any], cells: Sequence[int]) -> dict[str, Any]:
    """The part of a layout that has these cells, in board order; labels, dots and edges are left out.

    >>> import polyversi as pv
    >>> part = cropped(board_layout(pv.game("othello")), [27, 28, 35, 36])
    >>> part["names"], part["rows"], part["width"]
    (['d4', 'e4', 'd5', 'e5'], [[0, 1], [2, 3]], 92.0)
    """
    if len(cells) == len(layout["names"]):
        return layout
    place = {cell: at for at, cell in enumerate(cells)}
    middles = [complex(layout["x"][cell], layout["y"][cell]) for cell in cells]
    edge = UNIT / 2 + CROPPED_MARGIN
    if layout["layout"] == "hexagon":
        edge = UNIT / 3**0.5 + CROPPED_MARGIN
    left, top = min(at.real for at in middles) - edge, min(at.imag for at in middles) - edge
    rows = ([place[cell] for cell in row if cell in place] for row in layout["rows"])
    return {
        **layout,
        "width": round(max(at.real for at in middles) + edge - left, 1),
        "height": round(max(at.imag for at in middles) + edge - top, 1),
        "rows": [row for row in rows if row],
        "x": [round(at.real - left, 1) for at in middles],
        "y": [round(at.imag - top, 1) for at in middles],
        "names": [layout["names"][cell] for cell in cells],
        **{what: [] for what in ("labels", "dots", "joined", "links")},
    }


def _link(scene: Scene, count: int, link: Link) -> dict[str, Any]:
    start, _, _, end = scene.layout.arc(link)
    return {
        "number": count + 1,
        "path": scene.route(link),
        "ends": [[link.cell, *_place(start)], [link.to, *_place(end)]],
        "title": scene.route_words(link),
        "colour": count % len(ARC_COLOURS),
        "dash": count // len(ARC_COLOURS) % len(ARC_DASHES),
    }


def _place(at: complex) -> list[float]:
    """A point with at most one decimal, which is finer than any screen."""
    return [round(at.real, 1), round(at.imag, 1)]
