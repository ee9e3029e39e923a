"""Perft: the counts everybody agrees on, from bit positions and from graph positions."""

from __future__ import annotations

from pathlib import Path

import pytest

import polyversi as pv
from polyversi.games.game import Game
from tests.testing.specs import SPECS

TABLE = [
    (spec.rpartition(": ")[0], [int(count) for count in spec.rpartition(": ")[2].split()])
    for spec in (Path(__file__).parent / "perft.txt").read_text().splitlines()
    if not spec.startswith("#")
]


@pytest.mark.parametrize(("spec", "counts"), TABLE, ids=[spec for spec, _ in TABLE])
def test_known_counts(spec: str, counts: list[int]) -> None:
    start = pv.game(spec).start()
    assert [start.perft(depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("spec", "counts"), TABLE, ids=[spec for spec, _ in TABLE])
def test_graph_positions_give_the_same_counts(spec: str, counts: list[int]) -> None:
    start = Game(spec, pv.game(spec).definition, kernel="graph").start()
    assert start.game.kernel == "graph"
    cheap = counts[:6]
    assert [start.perft(depth) for depth in range(1, len(cheap) + 1)] == cheap


def walk(state: pv.State, depth: int) -> int:
    """Perft from the public face alone."""
    if depth == 0 or state.is_over:
        return 1
    return sum(walk(state.play(move), depth - 1) for move in state.moves)


@pytest.mark.parametrize("spec", SPECS)
def test_core_counts_what_moves_and_play_show(spec: str) -> None:
    start = pv.game(spec).start()
    depth = 2 if start.game.definition.has_stocks or start.board.size > 100 else 4
    assert [start.perft(plies) for plies in range(depth)] == [walk(start, plies) for plies in range(depth)]


def test_a_forced_pass_is_a_ply_and_a_finished_game_one_leaf() -> None:
    four = pv.game("othello-4")
    only_black = four.position("XXXX" * 3 + "XXX- O")
    assert only_black.is_over
    assert [only_black.perft(depth) for depth in range(4)] == [1, 1, 1, 1]
    forced = four.position("XO-OOOOOOOOOOOOO O")
    assert [str(move) for move in forced.moves] == ["pass"]
    assert [forced.perft(depth) for depth in range(4)] == [1, 1, 1, 1]
    assert forced.play("pass").play("c1").is_over


def test_depth_is_checked() -> None:
    with pytest.raises(ValueError, match="depth counts plies"):
        pv.game("othello").start().perft(-1)
