"""The games of the package as the plain reference knows them."""

from __future__ import annotations

import polyversi as pv
from tests import reference as ref


def derived_steps(board: pv.Board) -> ref.Steps:
    """The steps of a board worked out from its coordinates and links alone."""
    links = [(link.cell, link.direction, link.to, link.entry) for link in board.links]
    return ref.neighbours(board.layout, board.coordinates, links)


def reference_game(game: pv.Game) -> ref.RefGame:
    """The rules of a game, for the plain reference."""
    rules = game.definition
    return ref.RefGame(
        steps=derived_steps(rules.board),
        directions=8 if rules.board.layout == "square" else 6,
        start=rules.start,
        seats=rules.seats,
        goal=rules.goal,
        passing=rules.passing,
        placing=rules.placing,
        opening=rules.opening,
        overrides=rules.overrides,
        bombs=rules.bombs,
        radius=rules.radius,
    )


def reference_state(state: pv.State) -> ref.RefState:
    """A position in the middle of a game, for the plain reference to go on from."""
    return ref.RefState(
        reference_game(state.game), tuple(state.tiles), state.turn, state.overrides, state.bombs, state.phase,
        state.passes, state.out, state.last)
