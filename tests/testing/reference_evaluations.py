"""The evaluations in plain, readable Python, against which those of the core are checked."""

from __future__ import annotations

import random

import polyversi as pv
from polyversi.games.tiles import EMPTY

EIGHT = (
    (20, -3, 11, 8, 8, 11, -3, 20),
    (-3, -7, -4, 1, 1, -4, -7, -3),
    (11, -4, 2, 2, 2, 2, -4, 11),
    (8, 1, 2, -3, -3, 2, 1, 8),
)
SIX = (
    (20, -3, 11, 11, -3, 20),
    (-3, -7, -4, -4, -7, -3),
    (11, -4, 2, 2, -4, 11),
)
AXES = (((0, -1), (0, 1)), ((1, -1), (-1, 1)), ((1, 0), (-1, 0)), ((1, 1), (-1, -1)))
Place = tuple[int, int]


class Grid:
    """A position on a rectangle as stones by column and row: 1 mine, -1 theirs, 0 empty."""

    def __init__(self, state: pv.State, seat: int) -> None:
        board = state.board
        self.width, self.height = board.width, board.height
        self.stones = {
            place: 0 if tile == EMPTY else 1 if tile == seat else -1
            for place, tile in zip(board.coordinates, state.tiles, strict=True)
        }
        self.corners = [(x, y) for x in (0, self.width - 1) for y in (0, self.height - 1)]

    def ray(self, place: Place, step: Place) -> list[int]:
        """What lies on the way from a place to the edge."""
        (x, y), (dx, dy) = place, step
        found = []
        while (x := x + dx, y := y + dy) in self.stones:
            found.append(self.stones[x, y])
        return found

    def near(self, place: Place) -> list[int]:
        """What lies next to a place."""
        return [ray[0] for axis in AXES for step in axis if (ray := self.ray(place, step))]

    def count(self, places: list[Place], owner: int) -> int:
        return sum(self.stones[place] == owner for place in places)

    def of(self, owner: int) -> list[Place]:
        return [place for place, stone in self.stones.items() if stone == owner]


def share(mine: int, theirs: int) -> float:
    if mine > theirs:
        return 100 * mine / (mine + theirs)
    if mine < theirs:
        return -100 * theirs / (mine + theirs)
    return 0.0


def moves_of(state: pv.State, seat: int) -> int:
    """The number of legal moves the seat would have if it were to move."""
    turned = state.game.position(f"{state.text.split()[0]} {'XO'[seat - 1]}")
    return sum(not move.is_pass for move in turned.moves)


def six_factor_terms(state: pv.State, seat: int) -> dict[str, float]:
    grid = Grid(state, seat)
    values = EIGHT + EIGHT[::-1] if grid.width == 8 else SIX + SIX[::-1]
    beside = [stone for corner in grid.corners if grid.stones[corner] == 0 for stone in grid.near(corner)]
    frontier = [sum(0 in grid.near(place) for place in grid.of(owner)) for owner in (1, -1)]
    return {
        "stones": share(len(grid.of(1)), len(grid.of(-1))),
        "corners": 25 * (grid.count(grid.corners, 1) - grid.count(grid.corners, -1)),
        "next to corners": -12.5 * (beside.count(1) - beside.count(-1)),
        "mobility": share(moves_of(state, seat), moves_of(state, 3 - seat)),
        "frontier": -share(*frontier),
        "cells": sum(stone * values[y][x] for (x, y), stone in grid.stones.items()),
    }


def six_factor(state: pv.State, seat: int) -> float:
    weights = (10, 801.724, 382.026, 78.922, 74.396, 10)
    terms = six_factor_terms(state, seat).values()
    return sum(weight * term for weight, term in zip(weights, terms, strict=True))


def safety_terms(state: pv.State, seat: int) -> dict[str, float]:
    grid = Grid(state, seat)
    last = (grid.width - 2, grid.height - 2)
    diagonals = [(x, y) for x in (1, last[0]) for y in (1, last[1])]
    safety = 0
    for owner in (1, -1):
        for place in grid.of(owner):
            safe = [any(set(grid.ray(place, step)) <= {owner} for step in axis) for axis in AXES]
            safety += owner * (1 + sum(safe))
    return {
        "safety": safety,
        "corners": grid.count(grid.corners, 1) - grid.count(grid.corners, -1),
        "next to corners": grid.count(diagonals, 1) - grid.count(diagonals, -1),
    }


def stable_stones(state: pv.State, seat: int) -> set[Place]:
    """The stones of both that no move can turn any more, as far as is plain to see."""
    grid, stable = Grid(state, seat), set[Place]()

    def holds(place: Place, axis: tuple[Place, Place]) -> bool:
        ways = [grid.ray(place, step) for step in axis]
        if not all(ways) or 0 not in ways[0] + ways[1]:
            return True
        beside = [(place[0] + dx, place[1] + dy) for dx, dy in axis]
        return any(next_to in stable and grid.stones[next_to] == grid.stones[place] for next_to in beside)

    while True:
        found = {place for place in grid.of(1) + grid.of(-1)
                 if place not in stable and all(holds(place, axis) for axis in AXES)}
        if not found:
            return stable
        stable |= found


def matrix_terms(state: pv.State, seat: int, matrix: tuple[tuple[int, ...], ...]) -> dict[str, float]:
    grid, stable = Grid(state, seat), list(stable_stones(state, seat))
    return {
        "position": sum(stone * matrix[y][x] for (x, y), stone in grid.stones.items()),
        "stability": grid.count(stable, -1) - grid.count(stable, 1),
    }


def some_states(spec: str, count: int, seed: int = 0) -> list[pv.State]:
    """Positions of random games that are not over, drawn from all parts of them."""
    rng, found = random.Random(f"{spec} {seed}"), list[pv.State]()
    while len(found) < count:
        state, game = pv.game(spec).start(seed=rng.randrange(1000)), list[pv.State]()
        while not state.is_over:
            game.append(state)
            state = state.play(rng.choice(state.moves))
        found += rng.sample(game, min(4, count - len(found)))
    return found
