"""Random late positions of every game that can be solved: the solver against trying everything plainly."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import polyversi as pv
from polyversi.engines import Solver
from tests import reference as ref
from tests.testing.late_positions import (
    EVERY_GAME,
    GAMES,
    KINDS,
    LATE,
    game_of,
    kinds,
    on_every_kernel,
    played,
    played_out,
    sign,
    thrown,
    tried,
)
from tests.testing.marks import slow_but
from tests.testing.reference_search import Plain


@pytest.mark.parametrize("spec", slow_but(GAMES, "othello", "octagon", "hex:side=4", "ragged-1"))
def test_reference_search_moves_match_the_reference_rules(spec: str) -> None:
    plain, positions = tried(spec)
    board = game_of(spec).board
    deepening_schedule = ref.neighbours(board.layout, board.coordinates)
    rules = ref.RefGame(deepening_schedule, 8 if board.layout == "square" else 6, start=())
    for own, other in positions[:20]:
        tiles = [own >> cell & 1 or (other >> cell & 1) * 2 for cell in range(plain.cells)]
        for cell in range(plain.cells):
            if not tiles[cell]:
                expected = sum(1 << turned for turned in ref.rules.captured(rules, tiles, cell, seat=1))
                assert plain.turned(cell, own, other) == expected


@pytest.mark.slow
@pytest.mark.parametrize("spec", EVERY_GAME)
def test_positions_cover_passes_early_ends_and_wipeouts(spec: str) -> None:
    plain, positions = tried(spec)
    assert {plain.empties(position) for position in positions} >= set(range(LATE + 1))
    assert set[str]().union(*(kinds(plain, position) for position in positions)) == set(KINDS)


@pytest.mark.parametrize("spec", EVERY_GAME)
def test_values_on_every_kernel(spec: str) -> None:
    """One solver for all positions, so that what it remembers of one could spoil the next."""
    plain, positions = tried(spec)
    for game in on_every_kernel(game_of(spec)):
        solver = Solver(game, megabytes=1)
        for number, position in enumerate(positions):
            text = plain.text(position, turn=1 + number % 2)
            value = solver.solve(game.position(text)).value
            assert value == plain.value(*position), (game.kernel, text)


def some_with_values(spec: str) -> Iterator[tuple[pv.State, int]]:
    """Some of the positions that are tried, and what the plain minimax says of them."""
    plain, positions = tried(spec)
    for number, position in enumerate(positions[:200]):
        yield game_of(spec).position(plain.text(position, turn=1 + number % 2)), plain.value(*position)


@pytest.mark.parametrize("spec", EVERY_GAME)
def test_principal_variations_reach_the_value(spec: str) -> None:
    solver = Solver(game_of(spec), megabytes=1)
    for state, _ in some_with_values(spec):
        solution = solver.solve(state)
        assert played_out(state, solution.principal_variation) == solution.value, state.text
        assert solution.best == (solution.principal_variation[0] if solution.principal_variation else None)


@pytest.mark.parametrize("spec", EVERY_GAME)
def test_who_wins_is_the_sign_of_the_value(spec: str) -> None:
    solver = Solver(game_of(spec), megabytes=1)
    for state, value in some_with_values(spec):
        solution = solver.solve(state, winner_only=True)
        assert solution.is_winner_only
        assert solution.value == sign(value), state.text
        assert sign(played_out(state, solution.principal_variation)) == solution.value, state.text


@pytest.mark.parametrize("spec", ["othello-4", "anti-4", "othello-5", "hex:side=3,start=ring", "ragged-0"])
def test_values_with_ten_empty_cells(spec: str) -> None:
    """Everything tried from further away: here the solver orders its moves and remembers what it has seen."""
    game, rng = game_of(spec), Random(spec)
    plain, solver = Plain(game), Solver(game, megabytes=1)
    roots = [played(game, rng, 10), thrown(plain, rng, 10, 0.5), thrown(plain, rng, 10, 0.2)]
    for root in roots:
        plain.value(*root)
    early = [position for position in plain.known if plain.empties(position) > LATE]
    for position in rng.sample(early, min(len(early), 300)):
        text = plain.text(position, turn=1)
        assert solver.solve(game.position(text)).value == plain.value(*position), text
