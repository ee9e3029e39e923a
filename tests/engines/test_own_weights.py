"""Weights of one's own: engines, solvers and players that go by a file, beside others that do not."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.engines import Analysis, Engine, EngineError, Solver
from polyversi.engines.weights import SHIPPED, Weights, load, loaded
from polyversi.games.errors import PlayerError, RecordError
from tests.testing.weights import made

FEW = pv.Limit(nodes=2_000)
SPEC = "othello-6"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Weights drawn by lot."""
    path = tmp_path / "own.weights"
    made(SPEC).save(path)
    return path


def first_look(engine: Engine) -> dict[str, int]:
    """What every first reply is worth, one ply ahead."""
    state = engine.game.start().play("c2")
    analysis: Analysis = next(engine.analyse(state, pv.Limit(depth=1)))
    return {str(valued.move): valued.value for valued in analysis.moves}


def thought(engine: Engine) -> tuple[object, int]:
    """What is thought of a position, and how many nodes that takes."""
    found = engine.think(engine.game.start().play("c2"), FEW)
    return found.moves, found.nodes


def test_an_engine_goes_by_the_weights_it_is_given(file: Path) -> None:
    usual = first_look(pv.engine(SPEC, megabytes=1))
    by_file = first_look(pv.engine(SPEC, megabytes=1, weights=file))
    assert by_file != usual
    for same in (str(file), load(file), load(file)):
        assert first_look(pv.engine(SPEC, megabytes=1, weights=same)) == by_file
    assert first_look(pv.engine(SPEC, megabytes=1, weights=SHIPPED / f"{SPEC}.weights")) == usual
    assert first_look(pv.engine(f"{SPEC}:start=parallel", megabytes=1, weights=file))


def test_one_engine_does_not_change_another(file: Path) -> None:
    game = pv.game(SPEC)
    alone = thought(Engine(game, megabytes=1)), thought(Engine(game, megabytes=1, weights=file))
    usual, own = Engine(game, megabytes=1), Engine(game, megabytes=1, weights=file)
    assert (thought(usual), thought(own)) == alone
    own, usual = Engine(game, megabytes=1, weights=file), Engine(game, megabytes=1)
    assert (thought(usual), thought(own)) == alone
    assert alone[0] != alone[1]


def test_a_file_that_was_made_anew_is_read_anew(file: Path) -> None:
    first = first_look(pv.engine(SPEC, megabytes=1, weights=file))
    assert loaded(file) is loaded(file)
    changed = made(SPEC)
    Weights(changed.header, -changed.values).save(file)
    assert first_look(pv.engine(SPEC, megabytes=1, weights=file)) != first


def test_a_solver_finds_the_same_values(tmp_path: Path) -> None:
    file = tmp_path / "own.weights"
    made("othello-5").save(file)
    start = pv.game("othello-5").start()
    usual, own = Solver(start.game, megabytes=1), Solver(start.game, megabytes=1, weights=file)
    assert own.solve(start).value == usual.solve(start).value == 13
    assert own.nodes != usual.nodes


@pytest.mark.parametrize(("spec", "weights", "kind", "message"), [
    (SPEC, "nowhere.weights", RecordError, "the weights in nowhere.weights cannot be read: No such file"),
    (SPEC, __file__, RecordError, "test_own_weights.py holds no weights: it does not begin with the line"),
    ("anti-6", SHIPPED / "othello-6.weights", RecordError, "weights of othello-6 say nothing about anti-6"),
    ("rolit", SHIPPED / "othello-6.weights", EngineError, "the engine does not know rolit"),
    (SPEC, 6, EngineError, "6 is no weights; give a file of them or what `load` has read from one"),
])
def test_weights_that_cannot_be_say_so(
    spec: str, weights: str | Path, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        pv.engine(spec, weights=weights)
    with pytest.raises(kind, match=message):
        Solver(pv.game(spec), weights=weights)


def moves_of(first: pv.Player, second: pv.Player) -> list[pv.Move]:
    """The moves of a game."""
    state, moves = pv.game(SPEC).start(), []
    while not state.is_over:
        moves.append((first, second)[state.next_seat - 1].choose(state, FEW))
        state = state.play(moves[-1])
    return moves


def test_a_player_goes_by_a_file_and_the_other_side_does_not(file: Path) -> None:
    def own() -> pv.Player:
        return pv.player("polyversi", hash=1, weights=str(file))

    def usual() -> pv.Player:
        return pv.player("polyversi", hash=1)

    moves = moves_of(usual(), own())
    assert moves == moves_of(usual(), own())
    fresh, state = usual(), pv.game(SPEC).start()
    for move in moves:    # where nobody has other weights it would have played the same
        if state.next_seat == 1:
            assert fresh.choose(state, FEW) == move
        state = state.play(move)
    assert moves != moves_of(usual(), usual()) != moves_of(own(), own())


def test_a_player_with_a_file_can_be_written_and_copied(file: Path) -> None:
    one = pv.player("polyversi", level=12, weights=str(file))
    assert one.spec() == f"polyversi:level=12,weights={file}"
    assert pv.player(one.spec()) == one != pv.player("polyversi:level=12")
    one.prepare(pv.game(SPEC))
    assert len(pickle.dumps(one)) < 1_000
    copy, state = pickle.loads(pickle.dumps(one)), pv.game(SPEC).start()
    assert copy == one and copy.choose(state, FEW) == one.choose(state, FEW)


def test_a_player_says_what_is_wrong_with_its_file(file: Path, tmp_path: Path) -> None:
    for weights, message in (
        ("nowhere.weights", "the weights in nowhere.weights cannot be read: No such file"),
        (__file__, "holds no weights"),
        (str(tmp_path), "cannot be read: it is no ordinary file"),
    ):
        with pytest.raises(PlayerError, match=message):
            pv.player("polyversi", weights=weights)
    one = pv.player("polyversi", weights=str(file))
    assert one.unsuited(pv.game(SPEC)) is None
    assert one.unsuited(pv.game(f"{SPEC}:start=parallel")) is None
    assert one.unsuited(pv.game("othello")) == (
        "its weights are of othello-6, and say nothing about this game")
    with pytest.raises(PlayerError, match="weights of othello-6 say nothing about othello"):
        one.choose(pv.game("othello").start())
