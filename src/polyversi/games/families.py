"""The families on squares and hexagons and of Rolit: their options, their definitions and their variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from polyversi.games.board import HEXAGON_DIRECTIONS, Board, centre_cells, hexagon, joined, octagon, rectangle
from polyversi.games.definition import Definition, Empties, Goal, Passing
from polyversi.games.errors import VariantError
from polyversi.games.family import Choice, Family, Number, Text, Value, Values, Variant

GOAL = Choice(("most", "fewest"), "most", "Goal",
              "Whether the most or the fewest stones win.", ("Most stones win", "Fewest stones win"))
EMPTIES = Choice(("nobody", "winner"), "nobody", "Empty cells at the end",
                 "Whom cells count for that stay empty: in Othello on 8×8 the winner, in other games nobody.",
                 ("Count for nobody", "Count for the winner"), "As usual in this game")
SEED = Number(0, 2**53, 0, "Seed",
              "The same number always draws the same start; 0 draws a new one for every game.")
SIZE = 8


def define_square(values: Values) -> Definition:
    """Othello and its relatives on boards of squares."""
    board = _square_board(values)
    centre = centre_cells(board)
    if not {*centre} <= {*board.coordinates}:
        raise VariantError("the four cells in the middle must not be holes")
    stones = {"cross": (2, 1, 1, 2), "parallel": (2, 2, 1, 1), "open": (0, 0, 0, 0)}[str(values["start"])]
    return Definition(
        board,
        start=_tiles(board, dict(zip(centre, stones, strict=True))),
        goal=cast("Goal", values["goal"]),
        opening=_cells(board, centre) if values["start"] == "open" else (),
        empties=cast("Empties", values["empties"] or _usual_empties(values)),
    )


def _usual_empties(values: Values) -> Empties:
    """Whom empty cells count for unless that is said: in Othello on 8×8 the winner, as in its tournaments."""
    othello = {"goal": "most", "shape": "square", "holes": "", "edges": "flat"}
    is_othello = values["start"] != "open" and all(values[key] == value for key, value in othello.items())
    is_full_size = all((values[side] or values["size"]) == SIZE for side in ("width", "height"))
    return "winner" if is_othello and is_full_size else "nobody"


def _square_board(values: Values) -> Board:
    width, height = (int(values[side] or values["size"]) for side in ("width", "height"))
    if values["shape"] == "octagon":
        if width != height or width < 6:
            raise VariantError("an octagon needs equal width and height of at least 6")
        board = octagon(width)
    else:
        board = rectangle(width, height)
    if values["holes"]:
        missing = {board.coordinates[board.cell(name)] for name in str(values["holes"]).split("+")}
        board = replace(board, coordinates=tuple(at for at in board.coordinates if at not in missing))
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
    ring = [(middle + dx, middle + dy) for dx, dy in HEXAGON_DIRECTIONS]
    triangle = [(middle + x, middle + y) for y in range(-2, 2) for x in range(-1, y + 2)]    # a triangle
    stones = {place: 1 + number % seats for number, place in enumerate(ring)}
    return Definition(
        board,
        start=_tiles(board, stones if start == "ring" else dict.fromkeys(triangle, 1)),
        random_cells=_cells(board, triangle) if start == "random" else (),
        seed=int(values["seed"]),
        seats=seats,
        goal=cast("Goal", values["goal"]),
        passing=passing,
        bad_move="pass" if passing == "free" else "lose",
        empties=cast("Empties", values["empties"]),
    )


def define_rolit(values: Values) -> Definition:
    """Rolit: four colours, one stone of each in the middle."""
    board = rectangle(8, 8)
    stones = dict(zip(centre_cells(board), (1, 2, 4, 3), strict=True))    # clockwise
    goal = cast("Goal", values["goal"])
    return Definition(board, start=_tiles(board, stones), seats=4, goal=goal, placing="adjacent")


def _tiles(board: Board, stones: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
    return tuple(stones.get(place, 0) for place in board.coordinates)


def _cells(board: Board, places: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(cell for cell, place in enumerate(board.coordinates) if place in places)


def _normalize_square(values: dict[str, Value]) -> None:
    """Gives a board's extent as its size where it is a square, otherwise as width and height.

    Whom empty cells count for is left out where it is usual.
    """
    width, height = values["width"] or values["size"], values["height"] or values["size"]
    if width == height:
        values.update(size=width, width=0, height=0)
    else:
        values.update(size=SIZE, width=width, height=height)
    if values["empties"] == _usual_empties(values):
        values["empties"] = ""


SQUARE = Family(
    "square",
    "On squares",
    options={
        "size": Number(4, 26, SIZE, "Size", "Columns and rows."),
        "width": Number(4, 26, label="Width", meaning="Columns, if there are not as many as rows."),
        "height": Number(4, 26, label="Height", meaning="Rows, if there are not as many as columns."),
        "start": Choice(("cross", "parallel", "open"), "cross", "Start", "The stones at the start.",
                        ("Crossed stones", "Parallel stones", "An empty centre"), is_pictured=True),
        "shape": Choice(("square", "octagon"), "square", "Shape", "An octagon has no cells in the corners.",
                        ("Square", "Octagon"), is_pictured=True),
        "holes": Text(r"[a-z][0-9]{1,2}(\+[a-z][0-9]{1,2}){0,99}", "cells such as c3+f6", label="Holes",
                      meaning="Cells that do not exist."),
        "edges": Choice(("flat", "cylinder", "torus"), "flat", "Edges",
                        "A cylinder joins the left and right edges, a torus the upper and lower ones too.",
                        ("Plain", "Left and right joined", "All joined"), is_pictured=True),
        "goal": GOAL,
        "empties": replace(EMPTIES, default=""),
    },
    define=define_square,
    number="size",
    normalize=_normalize_square,
)

HEXAGON = Family(
    "hexagon",
    "On hexagons",
    options={
        "side": Number(3, 8, 5, "Side", "Cells of each side."),
        "start": Choice(("random", "ring"), label="Start", meaning="The stones at the start.",
                        words=("Ten random stones", "A ring of stones"), usual="As usual", is_pictured=True),
        "seats": Number(2, 3, 2, "Seats", "How many play."),
        "passing": Choice(("free", "forced"), label="Passing", meaning="Whether a player may pass "
                          "at any time or only without another move; follows the start.",
                          words=("At any time", "Only without a move"), usual="As usual for this start"),
        "seed": SEED,
        "goal": GOAL,
        "empties": EMPTIES,
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
