"""Bit positions: every processor's kernel against the others and against graph positions."""

from __future__ import annotations

import random

import pytest

import polyversi as pv
from polyversi import _core
from polyversi.games.game import Game

BIT_GAMES = (
    "othello", "othello-6", "othello-5", "othello:width=8,height=4", "octagon", "blackhole",
    "hex:side=3,start=ring", "hex:side=4,start=ring", "hex:side=5,start=ring",
)


def random_words(game: Game, rng: random.Random) -> tuple[int, int, list[int]]:
    """Stones thrown onto the board, denser or sparser, reachable or not."""
    density = rng.random()
    tiles = [rng.choice((1, 2)) if rng.random() < density else 0 for _ in range(game.board.size)]
    bits = _core.cell_bits(game)
    own = sum(1 << bit for bit, tile in zip(bits, tiles, strict=True) if tile == 1)
    other = sum(1 << bit for bit, tile in zip(bits, tiles, strict=True) if tile == 2)
    return own, other, tiles


@pytest.mark.parametrize("spec", BIT_GAMES)
def test_kernels_agree_with_each_other_and_with_graph_positions(spec: str) -> None:
    game = pv.game(spec)
    graph = Game(spec, game.definition, bit_positions=False)
    bits = _core.cell_bits(game)
    names = _core.kernels(game)
    assert names[0] == "portable"
    assert game.kernel == names[-1]
    rng = random.Random(spec)
    for _ in range(300):
        own, other, tiles = random_words(game, rng)
        text = "".join("-XO"[tile] for tile in tiles) + " X"
        state = graph.position(text)
        stones = [move for move in state.moves if not move.is_pass]
        expected_moves = sum(1 << bits[move.cell] for move in stones)
        for name in names:
            assert _core.kernel_moves(game, name, own, other) == expected_moves, (name, text)
            for move in stones:
                expected = sum(1 << bits[cell] for cell in state.turned(move))
                flips = _core.kernel_flips(game, name, bits[move.cell], own, other)
                assert flips == expected, (name, text, move)
        assert game.position(text).moves == state.moves


@pytest.mark.parametrize("spec", BIT_GAMES)
def test_kernels_count_alike(spec: str) -> None:
    game = pv.game(spec)
    tiles, bits = game.start().tiles, _core.cell_bits(game)
    own = sum(1 << bit for bit, tile in zip(bits, tiles, strict=True) if tile == 1)
    other = sum(1 << bit for bit, tile in zip(bits, tiles, strict=True) if tile == 2)
    counts = {_core.kernel_perft(game, name, own, other, 7) for name in _core.kernels(game)}
    assert counts == {game.start().perft(7)}


def test_large_boards_and_joined_edges_take_graph_positions() -> None:
    for spec in ("othello-9", "torus", "cylinder", "rolit", "hex:side=6", "xt:arena"):
        game = pv.game(spec)
        assert game.kernel == "graph"
        assert _core.kernels(game) == []
        with pytest.raises(ValueError, match="no bit positions"):
            _core.kernel_moves(game, "portable", 0, 0)
