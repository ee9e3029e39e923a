"""What every game must do: the contract that a variant keeps or is not one."""

from __future__ import annotations

import pickle
import random

import pytest

import polyversi as pv
from polyversi.records import Record
from polyversi.records.transcript import parse, write
from tests.testing.specs import SPECS


def random_game(start: pv.State, seed: int) -> list[tuple[pv.State, pv.Move]]:
    """A random game as states with the move played from each."""
    rng, state, history = random.Random(seed), start, []
    while not state.is_over:
        move = rng.choice(state.moves)
        history.append((state, move))
        state = state.play(move)
    return history


@pytest.fixture(scope="module", params=SPECS)
def history(request: pytest.FixtureRequest) -> list[tuple[pv.State, pv.Move]]:
    """A random game of each variant."""
    return random_game(pv.game(request.param).start(), seed=1)


def some(history: list[tuple[pv.State, pv.Move]]) -> list[tuple[pv.State, pv.Move]]:
    """About twenty of a game's positions, the last one among them."""
    return [*history[:: max(1, len(history) // 20)], history[-1]]


def test_a_move_shows_in_the_state(history: list[tuple[pv.State, pv.Move]]) -> None:
    for state, move in history:
        after = state.play(move)
        assert state.is_legal(move)
        assert after != state
        if move.is_pass:
            assert after.tiles == state.tiles
            assert state.turned(move) == ()
        elif state.phase == "build":
            assert sum(after.scores) >= sum(state.scores)
            assert move.cell not in state.turned(move)
        else:
            assert all(after.tiles[cell] == 9 for cell in state.turned(move))


def test_the_game_ends_with_a_result(history: list[tuple[pv.State, pv.Move]]) -> None:
    last, move = history[-1]
    end = last.play(move)
    result = end.result
    assert result is not None
    assert (end.moves, end.turn, end.is_over) == ((), 0, True)
    assert result.scores == end.scores
    assert len(result.ranks) == len(result.points) == end.game.seats
    assert min(result.ranks) == 1
    assert result.winners == tuple(seat for seat, place in enumerate(result.ranks, 1) if place == 1)
    assert (result.verdict == "win") == (result.winner is not None)
    with pytest.raises(pv.IllegalMoveError, match="the game is over"):
        end.play(move)
    for state, _ in history:
        assert state.result is None
        assert state.moves


def test_illegal_moves_are_refused_with_a_reason(history: list[tuple[pv.State, pv.Move]]) -> None:
    for state, _ in some(history):
        legal = set(state.moves)
        for index in range(0, state.game.actions, 7):
            move = state.game.action(index)
            if state.phase == "bomb" and move.special:
                continue    # the special value of a bomb is ignored
            assert state.is_legal(move) == (move in legal)
            if move not in legal:
                with pytest.raises(pv.IllegalMoveError, match=r"is not legal: .+; legal: "):
                    state.play(move)


def test_states_are_values(history: list[tuple[pv.State, pv.Move]]) -> None:
    for state, move in some(history):
        twin = pickle.loads(pickle.dumps(state))
        assert twin == state
        assert hash(twin) == hash(state)
        assert twin.moves == state.moves
        assert eval(repr(state), {"pv": pv}) == state
        assert state.play(move) == twin.play(pickle.loads(pickle.dumps(move)))
        assert (state == "f5", state == None) == (False, False)  # noqa: E711
        with pytest.raises(AttributeError):
            state.tiles = b""  # type: ignore[misc]
    assert len({state for state, _ in history}) == len(history)


def test_games_are_values(history: list[tuple[pv.State, pv.Move]]) -> None:
    game = history[0][0].game
    twin = pickle.loads(pickle.dumps(game))
    assert (twin, hash(twin), repr(twin)) == (game, hash(game), repr(game))
    assert game != pv.game("othello:width=9,height=4")
    assert [game.action(index).index for index in range(game.actions)] == list(range(game.actions))


def test_text_round_trips(history: list[tuple[pv.State, pv.Move]]) -> None:
    game = history[0][0].game
    for state, move in [*some(history), (history[-1][0].play(history[-1][1]), history[-1][1])]:
        assert "\n" not in state.text
        assert game.position(state.text) == state
        assert game.move(str(move)) == move
        assert game.move(f"  {str(move).upper()} ") == move
    moves = [move for _, move in history]
    line = write(Record(history[0][0], tuple(moves)))
    assert list(parse(line, history[0][0]).moves) == moves


def test_cells_have_names(history: list[tuple[pv.State, pv.Move]]) -> None:
    board = history[0][0].board
    assert [board.cell(board.name(cell)) for cell in range(board.size)] == list(range(board.size))
    if board.has_numbers:
        assert [board.cell(str(board.number(cell))) for cell in range(board.size)] == list(range(board.size))
    for name in ("", "z99", "5f", "é1", "a0", "-1,0", "99,99", "a1a1", "１,２"):
        with pytest.raises(pv.NotationError):
            board.cell(name)


def test_playouts_are_repeatable_games(history: list[tuple[pv.State, pv.Move]]) -> None:
    start = history[0][0]
    assert start.playout(seed=5) == start.playout(seed=5)
    assert start.playout(seed=5).is_over
    assert start.playout(seed=5) != start
