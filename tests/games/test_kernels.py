"""Bit positions: every processor's kernel against the others and against graph positions."""

from __future__ import annotations

import random

import pytest

import polyversi as pv
from polyversi import _core
from polyversi.games.board import Board
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
    graph = Game(spec, game.definition, kernel="graph")
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


FREE = ("hex", "hex:side=3", "hex:side=4,start=ring,passing=free")


@pytest.mark.parametrize("spec", [*BIT_GAMES, *FREE, "reversi"])
def test_whole_games_are_the_same_on_every_kernel(spec: str) -> None:
    definition = pv.game(spec).definition
    names = [*_core.kernels(pv.game(spec)), "graph"]
    games = [Game(spec, definition, kernel=name) for name in names]
    assert [game.kernel for game in games] == names
    assert len({game.start().perft(5) for game in games}) == 1
    batches = [pv.batch(game, 30, seed=5) for game in games[:-1]]
    while not batches[0].done.all():
        actions = batches[0].random_actions()
        for other in batches[1:]:
            assert (other.random_actions() == actions).all()
        for each in batches:
            each.play(actions)
            assert (each.tiles == batches[0].tiles).all()
            assert (each.legal == batches[0].legal).all()
            assert (each.done == batches[0].done).all()
            assert (each.scores == batches[0].scores).all()
    playouts = [pv.playouts(game.start(), 200, seed=1).tolist() for game in games[:-1]]
    assert all(scores == playouts[0] for scores in playouts)
    texts = [[game.start().playout(seed).text for seed in range(20)] for game in games[:-1]]
    assert all(lines == texts[0] for lines in texts)
    states = [game.start() for game in games]
    rng = random.Random(spec)
    while not states[0].is_over:
        assert len({tuple(map(str, state.moves)) for state in states}) == 1
        move = rng.choice(states[0].moves)
        assert len({state.turned(move) for state in states}) == 1
        states = [state.play(move) for state in states]
        assert len({state.text for state in states}) == 1
    assert len({state.result for state in states}) == 1


@pytest.mark.parametrize("spec", [
    "othello-4", "anti-5", "hex:side=3,start=ring", "hex:side=4,start=ring",
    "hex:side=3,start=ring,passing=free",
])
def test_every_kernel_solves_alike(spec: str) -> None:
    game = pv.game(spec)
    values = {Game(spec, game.definition, kernel=name).start().solve() for name in _core.kernels(game)}
    assert len(values) == 1


def test_unknown_kernels() -> None:
    with pytest.raises(ValueError, match="no kernel with that name"):
        Game("othello", pv.game("othello").definition, kernel="abacus")
    with pytest.raises(ValueError, match="no bit positions"):
        Game("torus", pv.game("torus").definition, kernel="portable")


def test_long_lines_of_hexagons_take_graph_positions() -> None:
    # The flood of bit positions follows at most eight stones in a row.
    board = Board("hexagon", 14, 1, tuple((x, 0) for x in range(14)))
    start = pv.Game("line", pv.Definition(board, (1, *[2] * 12, 0))).start()
    assert start.game.kernel == "graph"
    assert [str(move) for move in start.moves] == ["n1"]
    assert start.play("n1").scores == (14, 0)


def test_large_boards_and_joined_edges_take_graph_positions() -> None:
    for spec in ("othello-9", "torus", "cylinder", "rolit", "hex:side=6", "xt:arena"):
        game = pv.game(spec)
        assert game.kernel == "graph"
        assert _core.kernels(game) == []
        with pytest.raises(ValueError, match="no bit positions"):
            _core.kernel_moves(game, "portable", 0, 0)
