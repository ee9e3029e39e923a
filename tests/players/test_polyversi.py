"""The player that the engine is: its options, what it plays, and what it carries to other processes."""

from __future__ import annotations

import pickle
from random import Random

import pytest

import polyversi as pv
from polyversi.engines.search import random_opening
from polyversi.games.errors import PlayerError
from polyversi.players.polyversi import PolyversiPlayer

FEW = pv.Limit(nodes=2_000)
SUITED = (
    "othello", "othello-4", "anti-6", "octagon", "blackhole", "othello:width=7,height=4", "hex", "hex:side=3",
    "hex:passing=forced", "reversi",
)
UNSUITED = (
    "othello-10", "othello:width=9,height=4", "hex:side=6", "rolit", "xt:arena,players=2", "torus",
    "cylinder",
)


def player(**options: int) -> pv.Player:
    return pv.player("polyversi", hash=1, **options)


def test_its_name_and_options() -> None:
    assert pv.player("polyversi").spec() == "polyversi"
    given = pv.player("polyversi:level=5,seed=3")
    assert given == pv.player("polyversi", level=5, seed=3) != pv.player("polyversi:level=5")
    assert isinstance(given, PolyversiPlayer) and (given.level, given.threads, given.seed) == (5, 1, 3)
    assert given.spec() == "polyversi:level=5,seed=3"
    everything = pv.player("polyversi", level=12, threads=2, hash=8, seed=1)
    assert everything.spec() == "polyversi:level=12,threads=2,hash=8,seed=1"
    assert pv.player(everything.spec()) == everything


@pytest.mark.parametrize("level", [0, 21, -3])
def test_levels_that_there_are_not(level: int) -> None:
    message = f"polyversi cannot take level={level}; write level=1–20"
    with pytest.raises(PlayerError, match=message):
        pv.player("polyversi", level=level)


@pytest.mark.parametrize(("options", "message"), [
    ({"threads": 0}, "polyversi cannot take threads=0; write threads=1–256"),
    ({"threads": 999}, "polyversi cannot take threads=999; write threads=1–256"),
    ({"threads": 1.5}, "polyversi cannot take threads=1.5; write threads=1–256"),
    ({"hash": 0}, "polyversi cannot take hash=0; write hash=1–1048576"),
    ({"hash": "64"}, "polyversi cannot take hash='64'; write hash=1–1048576"),
    ({"level": "3"}, "polyversi cannot take level='3'; write level=1–20"),
    ({"level": 2.0}, "polyversi cannot take level=2.0; write level=1–20"),
    ({"seed": "x"}, "polyversi cannot take seed='x'; write seed=whole number"),
    ({"weights": 1}, "polyversi cannot take weights=1; write weights=text"),
])
def test_options_that_are_not_possible(options: dict[str, object], message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        pv.player("polyversi", **options)


@pytest.mark.parametrize("spec", SUITED)
def test_games_that_suit_it(spec: str) -> None:
    game = pv.game(spec)
    assert player().unsuited(game) is None
    state = game.start()
    assert player().choose(state, FEW) in state.moves


@pytest.mark.parametrize("spec", UNSUITED)
def test_games_that_do_not_suit_it(spec: str) -> None:
    game = pv.game(spec)
    assert player().unsuited(game) == (
        "it plays games of two seats with straight lines, on boards of squares that fit into 8×8 and on "
        "hexagons up to side 5")
    with pytest.raises(PlayerError, match="on boards of squares that fit into 8×8"):
        player().choose(game.start(), FEW)


@pytest.mark.parametrize("level", [1, 6, 14, 20])
def test_a_seed_makes_a_game_repeatable(level: int) -> None:
    def game(seed: int) -> list[str]:
        both = [player(level=level, seed=seed), player(level=level, seed=seed + 100)]
        state, moves = pv.game("othello-6").start(), []
        while not state.is_over:
            move = both[state.next_seat - 1].choose(state, FEW)
            moves.append(str(move))
            state = state.play(move)
        return moves

    assert game(1) == game(1)
    assert level > 9 or len({tuple(game(seed)) for seed in range(4)}) > 1


def test_without_a_seed_each_player_makes_mistakes_of_its_own() -> None:
    start = pv.game("othello").start()
    assert len({player(level=1).choose(start) for _ in range(30)}) > 1
    alone = player(level=1)
    assert len({alone.choose(start) for _ in range(30)}) == 1, "the same ones when a move is taken back"


def test_a_copy_from_another_process_plays_the_same() -> None:
    """What it has learnt stays behind."""
    state = random_opening(pv.game("othello").start().play("f5"), Random(0))
    used = player(level=5, seed=2)
    first = used.choose(state)
    copy = pickle.loads(pickle.dumps(used))
    assert copy == used and copy.spec() == used.spec()
    assert len(pickle.dumps(used)) < 1_000
    assert copy.choose(state) == first == player(level=5, seed=2).choose(state)


def test_one_player_for_games_in_turn() -> None:
    one = player(level=10)
    for spec in ("othello-6", "anti-6", "othello-6", "hex:side=3"):
        state = pv.game(spec).start()
        assert one.choose(state, FEW) in state.moves


def test_its_searches_say_what_they_saw() -> None:
    state = pv.game("othello").start().play("f5")
    found = pv.player("polyversi", hash=1).search(state, pv.Limit(depth=5))    # type: ignore[attr-defined]
    assert found.move in state.moves and found.depth == 5 and found.nodes > 5


def test_it_wins_against_others() -> None:
    for seed in range(4):
        seats = [player(level=12), pv.player("greedy")]
        start = pv.game("othello-6").start()
        start = start.play(start.moves[seed])
        finished = pv.play(start, seats if seed % 2 else seats[::-1])
        assert finished.result.winner == (1 if seed % 2 else 2)
