"""Families: from a variant's options to the definition of a game, one function for each kind of board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from polyversi.games.board import Board, centre_cells, hexagon, joined, octagon, rectangle
from polyversi.games.definition import Definition, Goal, Passing
from polyversi.games.errors import VariantError
from polyversi.games.options import Choice, Number, Option, Text, Value, Values

if TYPE_CHECKING:
    from polyversi.games.xtmap import XtMap

GOAL = Choice(("most", "fewest"))


@dataclass(frozen=True)
class Family:
    """Games that share a kind of board and a set of options."""

    options: Mapping[str, Option]
    defaults: Mapping[str, Value]
    define: Callable[[Values], Definition]
    shorthand: str = ""
    """The option that a number behind the name stands for, as in `othello-6`."""


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


def define_xt(xt_map: XtMap, goal: Goal = "most") -> Definition:
    """Reversi XT on a map."""
    return Definition(
        xt_map.board(),
        start=xt_map.start(),
        seats=xt_map.players,
        goal=goal,
        passing="skip",
        overrides=xt_map.overrides,
        bombs=xt_map.bombs,
        radius=xt_map.radius,
        bad_move="disqualify",
    )


def _goal(values: Values) -> Goal:
    return cast("Goal", values["goal"])


def _tiles(board: Board, stones: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(stones.get(cell, 0) for cell in range(board.size))


SQUARE = Family(
    options={
        "size": Number(4, 26),
        "width": Number(4, 26),
        "height": Number(4, 26),
        "start": Choice(("cross", "parallel", "open")),
        "shape": Choice(("square", "octagon")),
        "holes": Text(r"[a-z][0-9]{1,2}(\+[a-z][0-9]{1,2}){0,99}", "cells such as c3+f6"),
        "edges": Choice(("flat", "cylinder", "torus")),
        "goal": GOAL,
    },
    defaults={"size": 8, "width": 0, "height": 0, "start": "cross", "shape": "square", "holes": "",
              "edges": "flat", "goal": "most"},
    define=define_square,
    shorthand="size",
)

HEXAGON = Family(
    options={
        "side": Number(3, 8),
        "start": Choice(("random", "ring")),
        "seats": Number(2, 3),
        "passing": Choice(("free", "forced")),
        "seed": Number(0, 2**53),
        "goal": GOAL,
    },
    defaults={"side": 5, "start": "", "seats": 2, "passing": "", "seed": 0, "goal": "most"},
    define=define_hexagon,
    shorthand="side",
)

ROLIT = Family(options={"goal": GOAL}, defaults={"goal": "most"}, define=define_rolit)
