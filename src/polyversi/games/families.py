"""The families on squares and hexagons and of Rolit: their options, their definitions and their variants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from polyversi.games.board import Board, centre_cells, hexagon, joined, octagon, rectangle
from polyversi.games.definition import Definition, Goal, Passing
from polyversi.games.errors import VariantError
from polyversi.games.family import Choice, Family, Number, Text, Value, Values, Variant

GOAL = Choice(("most", "fewest"), "most", "Who wins: most or fewest stones")
SEED = Number(0, 2**53, 0, "Seed")
SIZE = 8


def define_square(values: Values) -> Definition:
    """Othello and its relatives on boards of squares."""
    board = _square_board(values)
    places = [board.at(x, y) for x, y in centre_cells(board)]
    if None in places:
        raise VariantError("the four cells in the middle must not be holes")
    centre = cast("list[int]", places)
    stones = {"cross": (2, 1, 1, 2), "parallel": (2, 2, 1, 1), "open": (0, 0, 0, 0)}[str(values["start"])]
    return Definition(
        board,
        start=_tiles(board, dict(zip(centre, stones, strict=True))),
        goal=_goal(values),
        opening=tuple(centre) if values["start"] == "open" else (),
    )


def _square_board(values: Values) -> Board:
    width = int(values["width"] or values["size"])
    height = int(values["height"] or values["size"])
    if values["shape"] == "octagon":
        if width != height or width < 6:
            raise VariantError("an octagon needs equal width and height of at least 6")
        board = octagon(width)
    else:
        board = rectangle(width, height)
    if values["holes"]:
        missing = {board.coordinates[board.cell(name)] for name in str(values["holes"]).split("+")}
        kept = tuple(place for place in board.coordinates if place not in missing)
        board = Board("square", width, height, kept)
    edges = values["edges"]
    return board if edges == "flat" else joined(board, columns=True, rows=edges == "torus")


def define_hexagon(values: Values) -> Definition:
    """HexaReversi, with the course's ten random stones or with a ring of alternating ones."""
    side, seats = int(values["side"]), int(values["seats"])
    board = hexagon(side)
    start = values["start"] or ("random" if seats == 2 else "ring")
    if seats == 3 and (side < 5 or start != "ring"):
        raise VariantError("three seats need a hexagon of side 5 or more and start=ring")
    passing = cast("Passing", values["passing"] or ("free" if start == "random" else "forced"))
    middle = side - 1
    if start == "ring":
        ring = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1))
        stones = {board.at(middle + dx, middle + dy): 1 + i % seats for i, (dx, dy) in enumerate(ring)}
        drawn: tuple[int, ...] = ()
    else:
        # Rows of one to four cells: a triangle round the centre.
        triangle = [(x, y) for y in range(-2, 2) for x in range(-1, y + 2)]
        drawn = tuple(cast("int", board.at(middle + x, middle + y)) for x, y in triangle)
        stones = dict.fromkeys(drawn, 1)
    return Definition(
        board,
        start=_tiles(board, cast("dict[int, int]", stones)),
        drawn=drawn,
        seed=int(values["seed"]),
        seats=seats,
        goal=_goal(values),
        passing=passing,
        bad_move="pass" if passing == "free" else "lose",
    )


def define_rolit(values: Values) -> Definition:
    """Rolit: four colours, one stone of each in the middle."""
    board = rectangle(8, 8)
    clockwise = (1, 2, 4, 3)
    stones = {cast("int", board.at(x, y)): seat
              for (x, y), seat in zip(centre_cells(board), clockwise, strict=True)}
    return Definition(board, start=_tiles(board, stones), seats=4, goal=_goal(values), placing="adjacent")


def _goal(values: Values) -> Goal:
    return cast("Goal", values["goal"])


def _tiles(board: Board, stones: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(stones.get(cell, 0) for cell in range(board.size))


def _one_extent(values: dict[str, Value]) -> None:
    """Gives a board's extent as its size where it is a square, otherwise as width and height."""
    width, height = values["width"] or values["size"], values["height"] or values["size"]
    if width == height:
        values.update(size=width, width=0, height=0)
    else:
        values.update(size=SIZE, width=width, height=height)


SQUARE = Family(
    "square",
    "On squares",
    options={
        "size": Number(4, 26, SIZE, "Size"),
        "width": Number(4, 26, label="Width"),
        "height": Number(4, 26, label="Height"),
        "start": Choice(("cross", "parallel", "open"), "cross", "Start"),
        "shape": Choice(("square", "octagon"), "square", "Shape"),
        "holes": Text(r"[a-z][0-9]{1,2}(\+[a-z][0-9]{1,2}){0,99}", "cells such as c3+f6", label="Holes"),
        "edges": Choice(("flat", "cylinder", "torus"), "flat", "Edges"),
        "goal": GOAL,
    },
    define=define_square,
    number="size",
    normalize=_one_extent,
)

HEXAGON = Family(
    "hexagon",
    "On hexagons",
    options={
        "side": Number(3, 8, 5, "Side"),
        "start": Choice(("random", "ring"), label="Start"),
        "seats": Number(2, 3, 2, "Seats"),
        "passing": Choice(("free", "forced"), label="Passing"),
        "seed": SEED,
        "goal": GOAL,
    },
    define=define_hexagon,
    number="side",
    writes_number=False,
    seats="seats",
)

ROLIT = Family("rolit", "Four colours", {"goal": GOAL}, define_rolit)

VARIANTS = (
    Variant("othello", "Enclose stones to turn them; the most stones win.", SQUARE),
    Variant("anti", "Othello the other way round: the fewest stones win.", SQUARE, {"goal": "fewest"},
            "Anti-Othello"),
    Variant("reversi", "The older opening: players fill the centre first.", SQUARE, {"start": "open"}),
    Variant("octagon", "A board without its corners.", SQUARE, {"shape": "octagon"}),
    Variant("blackhole", "One cell swallows every line that crosses it.", SQUARE, {"holes": "c3"},
            "Black hole"),
    Variant("cylinder", "The left and right edges are joined.", SQUARE, {"edges": "cylinder"}),
    Variant("torus", "All edges are joined: no corners, no edges.", SQUARE, {"edges": "torus"}),
    Variant("hex", "HexaReversi: 61 hexagons, ten random stones, passing at any time.", HEXAGON,
            label="HexaReversi"),
    Variant("rolit", "Four colours; capture if you can, otherwise place next to any stone.", ROLIT),
)
"""A new variant of these families is one more line here."""
