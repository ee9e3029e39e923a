"""The boards of a report: each drawn once without stones, with the looks of its tiles to copy from."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from polyversi.drawing.layers import STONE, SYMBOLS, Scene
from polyversi.drawing.markup import element, number, point
from polyversi.drawing.palette import INK, NOBODY
from polyversi.games.tiles import EXPANSION, HOLE, XT_SYMBOLS

if TYPE_CHECKING:
    from polyversi.games.game import Game


class BoardDrawing:
    """The drawing of a game's board; `prefix` keeps its names apart from those of other boards in the page.

    >>> import polyversi as pv
    >>> drawing = BoardDrawing(pv.game("hex"), "hex")
    >>> drawing.facts["cells"][0], drawing.svg()[:4], len(drawing.facts["x"])
    ('a1', '<svg', 61)
    """

    def __init__(self, game: Game, prefix: str) -> None:
        self._scene = Scene(game.board, bytes(game.board.size), game.seats)
        self._prefix = prefix

    @property
    def facts(self) -> dict[str, Any]:
        """What a script needs to put tiles onto the board."""
        plan, board = self._scene.plan, self._scene.board
        centres = [plan.centre(cell) for cell in range(board.size)]
        return {
            "seats": [look.name for look in self._scene.looks],
            "cells": [board.name(cell) for cell in range(board.size)],
            "x": [_rounded(at.real) for at in centres],
            "y": [_rounded(at.imag) for at in centres],
            "links": [[link.cell, link.to] for link in plan.transitions],
        }

    def svg(self) -> str:
        """The board without stones, with layers for what is put onto it."""
        scene = self._scene
        width, height = scene.plan.width, scene.plan.height
        return element(
            "svg",
            element("defs", *(self._model(tile) for tile in self._tiles())),
            element("rect", width=width, height=height, rx=10, fill=scene.theme.frame),
            scene.cells(),
            scene.edges(),
            _layer("specials"),
            scene.arcs(),
            _layer("stones"),
            _layer("marks", fill="none", stroke=scene.theme.mark),
            viewBox=f"0 0 {number(width)} {number(height)}",
            width=width,
            height=height,
            role="img",
            font_family="Helvetica, Arial, sans-serif",
        )

    def _tiles(self) -> list[int]:
        specials = list(SYMBOLS) if self._scene.board.notation == "pairs" else []
        return [*range(1, self._scene.seats + 1), *specials]

    def _model(self, tile: int) -> str:
        """How a tile looks round 0,0."""
        scene = self._scene
        drawn = self._special(tile) if tile in SYMBOLS else scene.stone(scene.looks[tile - 1], [0j])
        return element("g", drawn, id=f"{self._prefix}-{XT_SYMBOLS[tile]}")

    def _special(self, tile: int) -> str:
        scene, under, ends = self._scene, "", "round"
        if tile == HOLE:
            corners, line = scene.plan.outline, scene.theme.line
            shape = "".join(f"l{point(end - start)}" for start, end in pairwise(corners))
            under = element("path", d=f"M{point(corners[0])}{shape}z", fill=scene.theme.hole, stroke=line)
        elif tile == EXPANSION:
            under = element("circle", r=STONE, fill=NOBODY)
        colour = {HOLE: scene.theme.cell, EXPANSION: INK}.get(tile, scene.theme.symbol)
        return under + element(
            "path", d=f"M0 0{SYMBOLS[tile]}", fill="none", stroke=colour, stroke_width=3, stroke_linecap=ends,
            stroke_linejoin=ends,
        )


def _layer(name: str, **attributes: str) -> str:
    return element("g", " ", class_=f"board-{name}", **attributes)


def _rounded(value: float) -> float:
    return float(number(value))
