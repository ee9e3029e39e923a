"""Reversi XT for checking its player: small maps, random games, and what a search knows in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import polyversi as pv
from polyversi import _core
from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players.xt import XtPlayer
from tests import reference as ref
from tests.reference.rules import FREE, captured

DEFAULT = {name: weight.value for name, weight in XtPlayer.WEIGHTS.items()}
"""The weights of the player."""


def engine(state: pv.State, weights: dict[str, float] = DEFAULT, method: str = "paranoid") -> _core.XtEngine:
    return _core.XtEngine(state, [weights[name] for name in _core.XT_WEIGHTS], method, table_bits=12)


def xt(head: str, *rows: str, links: tuple[str, ...] = ()) -> pv.State:
    """The start of a game on a map written row by row without spaces."""
    return xt_game(XtMap.parse(map_text(head, *rows, links=links))).start()


def map_text(head: str, *rows: str, links: tuple[str, ...] = ()) -> str:
    return "\n".join([head, f"{len(rows)} {len(rows[0])}", *(" ".join(row) for row in rows), *links])


def is_building(state: pv.State) -> bool:
    return not state.is_over and state.phase == "build"


def random_line(state: pv.State, chance: Random) -> Iterator[pv.State]:
    """The building states of a random game; now and then a seat is disqualified."""
    while is_building(state):
        yield state
        state = state.play(chance.choice(state.moves))
        if is_building(state) and chance.random() < 0.01:
            state = state.disqualify(chance.choice(sorted(set(seats_of(state)) - set(state.out))))


def seats_of(state: pv.State) -> range:
    return range(1, state.game.seats + 1)


def crowded_map(chance: Random) -> str:
    """A small map with any tiles, and any transitions that fit."""
    players, height, width = chance.randint(2, 8), chance.randint(1, 6), chance.randint(2, 6)
    stones = "12345678"[:players]
    symbols = stones * 2 + "000" * players + "-cibx" + chance.choice(["", "-", "cc", "ii", "bb", "xx"])
    tiles = [chance.choice(symbols) for _ in range(height * width)]
    tiles[0] = "0"
    at = [(place % width, place // width) for place, tile in enumerate(tiles) if tile != "-"]
    open_sides = [
        f"{x} {y} {side}" for x, y in at for side, (dx, dy) in enumerate(SQUARE_DIRECTIONS)
        if (x + dx, y + dy) not in at
    ]
    chance.shuffle(open_sides)
    ends = open_sides[: 2 * chance.randint(0, 20)]
    links = [f"{one} <-> {other}" for one, other in list(pairwise(ends))[::2]]
    head = f"{players} {chance.randint(0, 3)} 1 1 {height} {width}"
    return "\n".join([head, " ".join(tiles), *links])


def count(state: pv.State, depth: int) -> int:
    """The ways in which the building can go on for so many moves, by the rules."""
    if depth == 0 or not is_building(state):
        return 1
    return sum(count(state.play(move), depth - 1) for move in state.moves)


def mobility(rules: ref.RefGame, tiles: tuple[int, ...], seat: int) -> int:
    """The free cells on which the seat would capture something."""
    return sum(tile in FREE and bool(captured(rules, tiles, cell, seat)) for cell, tile in enumerate(tiles))


def margin_of(state: pv.State, seat: int, known: dict[pv.State, int]) -> int:
    """The stones by which a seat of two wins when both play as well as can be."""
    if state.is_over:
        return state.scores[seat - 1] - state.scores[2 - seat]
    if state not in known:
        values = [margin_of(state.play(move), seat, known) for move in state.moves]
        known[state] = max(values) if state.turn == seat else min(values)
    return known[state]
