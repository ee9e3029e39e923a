"""Weights of one's own: engines, solvers and players that go by a file, beside others that do not."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.engines import Analysis, Engine, EngineError, Solver
from polyversi.engines.weights import SHIPPED, cached, load
from polyversi.games.errors import PlayerError, RecordError
from tests.testing.weights import made

FEW = pv.Limit(nodes=2_000)
SPEC = "othello-6"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Random weights."""
    path = tmp_path / "own.weights"
    made(SPEC).save(path)
    return path


def first_look(engine: Engine) -> dict[str, float]:
    """What every first reply is worth, one ply ahead."""
    state = engine.game.start().play("c2")
    analysis: Analysis = next(engine.analyse(state, pv.Limit(depth=1)))
    return {str(scored.move): scored.value for scored in analysis.moves}


def thought(engine: Engine) -> tuple[object, int]:
    """What is thought of a position, and how many nodes that takes."""
    found = engine.think(engine.game.start().play("c2"), FEW)
    return found.moves, found.nodes


def test_engine_uses_given_weights(file: Path) -> None:
    shipped = first_look(pv.engine(SPEC, megabytes=1))
    by_file = first_look(pv.engine(SPEC, megabytes=1, weights=file))
    assert by_file != shipped
    for same in (str(file), load(file), load(file)):
        assert first_look(pv.engine(SPEC, megabytes=1, weights=same)) == by_file
    assert first_look(pv.engine(SPEC, megabytes=1, weights=SHIPPED / f"{SPEC}.weights")) == shipped
    assert first_look(pv.engine(f"{SPEC}:start=parallel", megabytes=1, weights=file))


def test_engines_with_different_weights_are_independent(file: Path) -> None:
    game = pv.game(SPEC)
    alone = thought(Engine(game, megabytes=1)), thought(Engine(game, megabytes=1, weights=file))
    shipped, own = Engine(game, megabytes=1), Engine(game, megabytes=1, weights=file)
    assert (thought(shipped), thought(own)) == alone
    own, shipped = Engine(game, megabytes=1, weights=file), Engine(game, megabytes=1)
    assert (thought(shipped), thought(own)) == alone
    assert alone[0] != alone[1]


def test_changed_file_is_read_again(file: Path) -> None:
    first = first_look(pv.engine(SPEC, megabytes=1, weights=file))
    assert cached(file) is cached(file)
    changed = made(SPEC)
    replace(changed, values=-changed.values).save(file)
    assert first_look(pv.engine(SPEC, megabytes=1, weights=file)) != first


def test_solver_values_do_not_depend_on_weights(tmp_path: Path) -> None:
    file = tmp_path / "own.weights"
    made("othello-5").save(file)
    start = pv.game("othello-5").start()
    shipped, own = Solver(start.game, megabytes=1), Solver(start.game, megabytes=1, weights=file)
    assert own.solve(start).value == shipped.solve(start).value == 13
    assert own.nodes != shipped.nodes


@pytest.mark.parametrize(("spec", "weights", "kind", "message"), [
    (SPEC, "nowhere.weights", RecordError, "the weights in nowhere.weights cannot be read: No such file"),
    (SPEC, __file__, RecordError, "test_own_weights.py is not a file of weights: it does not begin"),
    ("anti-6", SHIPPED / "othello-6.weights", RecordError, "weights of othello-6 do not fit anti-6"),
    ("rolit", SHIPPED / "othello-6.weights", EngineError, "the engine does not support rolit"),
    (SPEC, 6, EngineError, "weights=6 is not possible; give a file, or weights read by `load`"),
])
def test_invalid_weights_are_refused(
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


def test_player_uses_its_file_and_the_opponent_does_not(file: Path) -> None:
    def own() -> pv.Player:
        return pv.player("polyversi", hash=1, weights=str(file))

    def shipped() -> pv.Player:
        return pv.player("polyversi", hash=1)

    moves = moves_of(shipped(), own())
    assert moves == moves_of(shipped(), own())
    fresh, state = shipped(), pv.game(SPEC).start()
    for move in moves:    # where nobody has other weights it would have played the same
        if state.next_seat == 1:
            assert fresh.choose(state, FEW) == move
        state = state.play(move)
    assert moves != moves_of(shipped(), shipped()) != moves_of(own(), own())


def test_player_with_a_file_has_a_spec_and_pickles(file: Path) -> None:
    one = pv.player("polyversi", level=12, weights=str(file))
    assert one.spec() == f"polyversi:level=12,weights={file}"
    assert pv.player(one.spec()) == one != pv.player("polyversi:level=12")
    one.prepare(pv.game(SPEC))
    assert len(pickle.dumps(one)) < 1_000
    copy, state = pickle.loads(pickle.dumps(one)), pv.game(SPEC).start()
    assert copy == one and copy.choose(state, FEW) == one.choose(state, FEW)


def test_player_reports_a_bad_file(file: Path, tmp_path: Path) -> None:
    for weights, message in (
        ("nowhere.weights", "the weights in nowhere.weights cannot be read: No such file"),
        (__file__, "is not a file of weights"),
        (str(tmp_path), "cannot be read: it is not an ordinary file"),
    ):
        with pytest.raises(PlayerError, match=message):
            pv.player("polyversi", weights=weights)
    one = pv.player("polyversi", weights=str(file))
    assert one.unsuited(pv.game(SPEC)) is None
    assert one.unsuited(pv.game(f"{SPEC}:start=parallel")) is None
    assert one.unsuited(pv.game("othello")) == (
        "its weights are of othello-6, and of no use for this game")
    with pytest.raises(PlayerError, match="weights of othello-6 do not fit othello"):
        one.choose(pv.game("othello").start())
