"""Judges: every move of every game has a value, endings are exact, and analyses survive a cache."""

from __future__ import annotations

import json
import random
import threading

import pytest

import polyversi as pv
from polyversi.engines import Analysis, EngineError, Judge, can_judge, judge
from polyversi.engines.judge import analysis_data, read_analysis
from polyversi.engines.points import PointsJudge, final_points
from polyversi.engines.xt import new_search
from polyversi.games.result import RANK_POINTS
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from tests.testing.timeout import TIMEOUT

MAP = "2\n0\n1 1\n3 6\n0 0 0 0 0 0\n0 0 1 2 0 0\n0 0 2 1 0 0\n"
"""A small map with one bomb for each of two seats."""
OF_POINTS = ("rolit", "hex:seats=3", "hex:side=6", "othello-10", "torus", "cylinder", "reversi:size=10",
             "xt:arena,players=2", "xt:torus", "xt:starfish")


def late(spec: str, seed: int, left: int) -> pv.State:
    """A position of a random game with so many empty cells left, or the last before its end."""
    dice, state = random.Random(seed), pv.game(spec).start(seed)
    while True:
        after = state.play(dice.choice(state.moves))
        if after.is_over or state.tiles.count(0) <= left:
            return state
        state = after


def points_of_play(state: pv.State) -> tuple[float, ...]:
    """The points of every seat when each plays for its own, by all moves to the end."""
    if state.is_over:
        return final_points(state)
    return max((points_of_play(state.play(move)) for move in state.moves),
               key=lambda points: points[state.turn - 1])


def last_of(judged: Judge, state: pv.State, limit: pv.Limit) -> Analysis:
    *_, last = judged.analyse(state, limit)
    return last


@pytest.mark.parametrize("spec", ["rolit", "othello-10", "torus", "cylinder", "hex:seats=3", "hex:side=6"])
def test_the_search_moves_as_the_rules_do(spec: str) -> None:
    """The rules of Rolit, of hexagons and of joined edges, which Reversi XT does not have."""
    dice, game = random.Random(spec), pv.game(spec)
    state, searched = game.start(), new_search(game.start(), 10)
    for _ in range(game.board.size - 12):
        placed = [move for move in state.moves if not move.is_pass]
        if not placed:
            break
        assert searched.perft(state, 1) == len(placed)
        if not any(reply.is_pass for move in placed for reply in state.play(move).moves):
            # Passes are moves to the rules alone.
            assert searched.perft(state, 2) == state.perft(2)
        for seat in range(game.seats):
            assert searched.measure(state)["stones"][seat] == state.scores[seat]
        state = state.play(dice.choice(placed))


@pytest.mark.parametrize("spec", OF_POINTS)
def test_every_move_has_the_points_of_every_seat(spec: str) -> None:
    game = pv.game(spec)
    assert can_judge(game) is None
    judged = judge(game, megabytes=1)
    for state in (game.start(), late(spec, 1, game.board.size // 2)):
        analyses = list(judged.analyse(state, pv.Limit(depth=2)))
        for found in analyses:
            assert {scored.move for scored in found.moves} == set(state.moves)
            values = [scored.value for scored in found.moves]
            assert values == sorted(values, reverse=True) and found.unit == judged.unit == "points"
            for scored in found.moves:
                assert scored.points is not None and len(scored.points) == game.seats
                assert scored.value == scored.points[state.turn - 1]
                assert all(0 <= points <= RANK_POINTS[0] for points in scored.points)
                after = state
                for move in scored.principal_variation:    # a line that can be played
                    after = after.play(move)
        assert judged.nodes > 0 or all(scored.is_exact for scored in analyses[-1].moves)


@pytest.mark.parametrize("spec", ["torus:size=4", "cylinder:size=4"])
@pytest.mark.parametrize("seed", range(3))
def test_endings_of_two_are_those_of_plain_minimax(spec: str, seed: int) -> None:
    state = late(spec, seed, 6)
    found = last_of(PointsJudge(state.game, megabytes=1), state, pv.Limit())
    assert found.is_exact
    for scored in found.moves:
        after = state.play(scored.move)
        points = points_of_play(after)
        assert scored.value == points[state.turn - 1]
        end = state
        for move in scored.principal_variation:
            end = end.play(move)
        assert end.is_over and final_points(end) == scored.points


@pytest.mark.parametrize("seed", range(3))
def test_endings_of_many_seats_are_played_to_the_end(seed: int) -> None:
    """Each seat plays for its own points: its best move is the one that gives it most."""
    state = late("rolit", seed, 4)
    found = last_of(judge("rolit"), state, pv.Limit())
    assert found.is_exact
    for scored in found.moves:
        after = state
        for move in scored.principal_variation:
            after = after.play(move)
        assert after.is_over and final_points(after) == scored.points


def test_the_last_bombs_are_exact() -> None:
    game = xt_game(XtMap.parse(MAP))
    state = game.position("112221" "121122" "112212 1 phase=bomb bombs=1/1")
    found = last_of(judge(game), state, pv.Limit())
    assert found.is_exact
    for scored in found.moves:
        points = points_of_play(state.play(scored.move))
        assert scored.value == points[0]


def test_iterations_that_are_known_are_skipped() -> None:
    for spec, known in (("othello", (3, 73)), ("rolit", (3, 0)), ("xt:arena,players=2", (3, 0))):
        state = pv.game(spec).start()
        state = state.play(state.moves[0])
        whole = list(judge(spec).analyse(state, pv.Limit(depth=5)))
        rest = list(judge(spec).analyse(state, pv.Limit(depth=5), beyond=known))
        assert [found.best.depth for found in whole] == [1, 2, 3, 4, 5]
        assert [found.best.depth for found in rest] == [4, 5]
        nothing = (whole[-1].best.depth, whole[-1].best.selectivity)
        assert list(judge(spec).analyse(state, pv.Limit(depth=5), beyond=nothing)) == []
        if spec == "rolit":    # a tree begins anew with each iteration: nothing depends on what was before
            assert [found.moves for found in rest] == [found.moves for found in whole[3:]]


@pytest.mark.parametrize("spec", ["othello-4", "anti-4", "hex:side=3", "rolit", "xt:arena,players=2"])
def test_analyses_survive_as_json(spec: str) -> None:
    state = pv.game(spec).start().play(pv.game(spec).start().moves[0])
    found = last_of(judge(spec), state, pv.Limit(depth=3))
    data = json.loads(json.dumps(analysis_data(found)))
    again = read_analysis(state, data)
    assert (again.moves, again.unit, again.nodes) == (found.moves, found.unit, found.nodes)
    assert analysis_data(again) == analysis_data(found)
    assert [type(one.value) for one in again.moves] == [type(one.value) for one in found.moves]


@pytest.mark.parametrize("change", [
    {"unit": "apples"}, {"moves": []}, {"moves": [{"move": "zz"}]}, {"moves": None}, {"nodes": "many"},
])
def test_what_is_no_analysis_is_refused(change: dict[str, object]) -> None:
    state = pv.game("othello-4").start()
    data = analysis_data(last_of(judge("othello-4"), state, pv.Limit()))
    with pytest.raises(EngineError, match="this is not "):
        read_analysis(state, data | change)
    with pytest.raises(EngineError, match="it has other moves"):
        read_analysis(state.play("b1"), data)


def test_what_nothing_can_judge_is_said() -> None:
    for spec in ("anti-10", "rolit:goal=fewest", "xt:arena,goal=fewest"):
        problem = can_judge(pv.game(spec))
        assert problem is not None and problem.startswith(f"nothing can judge {spec}: where the fewest")
        with pytest.raises(EngineError, match="nothing can judge"):
            judge(spec)
    with pytest.raises(EngineError, match="weights from training are for games of two seats"):
        judge("rolit", weights="any.weights")
    with pytest.raises(EngineError, match="this engine is for rolit, not for othello"):
        judge("rolit").analyse(pv.game("othello").start(), pv.Limit())


def test_another_thread_stops_it() -> None:
    for spec in ("rolit", "othello-10", "xt:starfish"):
        judged, state = judge(spec), pv.game(spec).start()
        seen, first = [], threading.Event()

        def look(judged: Judge = judged, state: pv.State = state) -> None:
            for found in judged.analyse(state, pv.Limit()):
                seen.append(found)    # noqa: B023
                first.set()    # noqa: B023

        thread = threading.Thread(target=look)
        thread.start()
        assert first.wait(TIMEOUT)
        judged.stop()
        thread.join(TIMEOUT)
        assert not thread.is_alive() and seen
        assert list(judged.analyse(state, pv.Limit(depth=1))) == []
        judged.resume()
        assert list(judged.analyse(state, pv.Limit(depth=1)))


def test_limits_of_time_and_nodes_end_it() -> None:
    state = pv.game("xt:torus").start()
    assert len(list(judge(state.game).analyse(state, pv.Limit(seconds=0)))) == 1    # there is an answer
    ending = late("torus", 1, 14)
    for milliseconds in range(8):    # whatever it is doing when the time is over
        list(judge("torus", megabytes=1).analyse(ending, pv.Limit(seconds=milliseconds / 1000)))
    few, more = (last_of(judge(state.game), state, pv.Limit(nodes=nodes)) for nodes in (1, 100_000))
    assert (few.best.depth, more.best.depth > 1) == (1, True)
