"""Reviews: the value of every move of a game is what solving says, and losses are what moves cost."""

from __future__ import annotations

import json
import random
from xml.etree import ElementTree

import pytest

import polyversi as pv
from polyversi.engines import Engine, EngineError, Review, Solver, judge, review
from polyversi.engines.points import final_points
from polyversi.engines.review import JUDGEMENTS, Total, review_data
from polyversi.records import Record

PASSING = "c4b4a1b1a4d4d2d3d1a3c1a2"
"""A game of othello-4 in which white has to pass."""


def random_game(spec: str, seed: int) -> Record:
    """A whole game of random moves."""
    dice, start, moves = random.Random(seed), pv.game(spec).start(seed), []
    state = start
    while not state.is_over:
        moves.append(dice.choice(state.moves))
        state = state.play(moves[-1])
    return Record(start, tuple(moves))


def exact_value(state: pv.State, seat: int, solver: Solver) -> int:
    """What a position is worth for a seat by solving it, or by counting once the game is over."""
    if not state.is_over:
        value = solver.solve(state).value
        return value if state.next_seat == seat else -value
    stones = state.scores[seat - 1] - state.scores[2 - seat]
    return -stones if state.game.definition.goal == "fewest" else stones


@pytest.mark.parametrize("spec", [
    "othello-4", "othello:width=4,height=5", "anti-4", "anti:width=5,height=4",
    "hex:side=3", "hex:side=3,start=ring",
])
@pytest.mark.parametrize("seed", range(4))
def test_values_of_small_games_equal_the_solver(spec: str, seed: int) -> None:
    record = random_game(spec, seed)
    found = review(record, pv.Limit())
    assert found.is_whole and [reviewed.move for reviewed in found.moves] == list(record.moves)
    assert [reviewed.ply for reviewed in found.moves] == list(range(1, len(record.moves) + 1))
    solver, states = Solver(record.game, megabytes=16), list(record.states())
    for reviewed, before, after in zip(found.moves, states, states[1:], strict=False):
        assert reviewed.state == before and reviewed.is_exact
        assert reviewed.best.value == exact_value(before, reviewed.seat, solver)
        assert reviewed.played.value == exact_value(after, reviewed.seat, solver)
        assert reviewed.best.value == reviewed.played.value + reviewed.loss
        assert reviewed.loss >= 0
        assert reviewed.best.move == reviewed.move or reviewed.loss


@pytest.mark.parametrize(("spec", "seed"), [("othello-4", 1), ("anti-4", 2), ("hex:side=3", 3)])
def test_losses_add_up_over_the_game(spec: str, seed: int) -> None:
    record = random_game(spec, seed)
    found = review(record, pv.Limit())
    first, second = found.totals
    value, last = found.moves[0].best.value, exact_value(record.final, 1, Solver(record.game, megabytes=1))
    assert value - first.loss + second.loss == last
    assert found.nodes > 0 and found.seconds > 0


def test_forced_and_free_passes() -> None:
    forced = review(Record.of("othello-4", PASSING), pv.Limit()).moves[11]
    assert forced.state.must_pass and forced.move.is_pass and forced.is_forced
    assert (forced.played.value, forced.loss, forced.judgement) == (-10, 0, None)
    state = pv.game("hex:side=3").start()
    free = review([state, state.play("pass"), state.play("pass").play("pass")], pv.Limit())
    assert [reviewed.move.is_pass for reviewed in free.moves] == [True, True]
    assert free.moves[1].played.value == state.scores[1] - state.scores[0]
    assert not free.moves[0].is_forced


def test_judgements_and_totals() -> None:
    found = review(Record.of("othello-4", PASSING), pv.Limit())
    for reviewed in found.moves:
        deserved = [judgement for judgement in JUDGEMENTS if reviewed.loss >= judgement.loss]
        assert reviewed.judgement == (deserved[-1] if deserved else None)
    assert [reviewed.judgement.mark for reviewed in found.moves if reviewed.judgement] == ["??", "?", "??"]
    first, second = found.totals
    assert (first.seat, first.choices, first.loss, first.counts) == (1, 6, 12, (0, 1, 0))
    assert (second.seat, second.choices, second.loss, second.counts) == (2, 3, 30, (0, 0, 2))
    assert (first.mean_loss, second.mean_loss) == (2.0, 10.0)


@pytest.mark.parametrize("depth", [5, 6, 7])
def test_later_moves_do_not_bias_the_first(depth: int) -> None:
    """Where nothing is exact, the table must not know the moves that were played better than the others."""
    whole = random_game("othello", 0)
    record = Record(whole.start, whole.moves[:20])
    first = review(record, pv.Limit(depth=depth)).moves[0]
    *_, alone = pv.engine("othello").analyse(record.start, pv.Limit(depth=depth))
    assert not first.is_exact
    found, expected = ([(one.move, one.value) for one in both.moves] for both in (first.analysis, alone))
    assert found == expected


def test_states_and_record_give_the_same_review() -> None:
    record = random_game("othello-4", 5)
    by_states, by_record = review(record.states(), pv.Limit()), review(record, pv.Limit())
    assert [reviewed.move for reviewed in by_states.moves] == list(record.moves)
    assert [reviewed.loss for reviewed in by_states.moves] == [reviewed.loss for reviewed in by_record.moves]


def test_observer_gets_progress_and_can_stop() -> None:
    record, seen = random_game("othello-4", 6), []

    def observe(so_far: Review) -> None:
        seen.append(so_far)
        if len(so_far.moves) == 4:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        review(record, pv.Limit(), engine=Engine(record.game), observe=observe)
    assert [len(so_far.moves) for so_far in seen] == [1, 2, 3, 4]
    last = len(record.moves)
    assert [reviewed.ply for reviewed in seen[-1].moves] == [last - 3, last - 2, last - 1, last]
    assert not seen[-1].is_whole


def test_a_game_without_moves_has_nothing_to_review() -> None:
    found = review(Record(pv.game("othello").start()), pv.Limit())
    assert (found.plies, found.moves, found.is_whole) == (0, (), True)
    assert [total.mean_loss for total in found.totals] == [0.0, 0.0]


def test_invalid_games_are_refused() -> None:
    start = pv.game("othello-4").start()
    with pytest.raises(EngineError, match="a review needs the states"):
        review([], pv.Limit())
    with pytest.raises(EngineError, match="no move leads from"):
        review([start, start.play("b1").play("a1")], pv.Limit())
    with pytest.raises(EngineError, match="nothing can judge rolit"):
        review([pv.game("rolit:goal=fewest").start()], pv.Limit())
    with pytest.raises(EngineError, match="this engine is for othello, not for othello-4"):
        review([start, start.play("b1")], pv.Limit(), engine=Engine("othello"))


def test_a_notebook_shows_a_review() -> None:
    found = review(Record.of("othello-4", "b1c1d1a1"), pv.Limit())
    table = ElementTree.fromstring(found._repr_html_())
    second = [cell.text for cell in list(table)[2]]
    assert second[:7] == ["2", "2", "c1", "??", "-8", "16", "exact"]


def test_accuracy_falls_with_what_moves_cost() -> None:
    losses = [Total(1, 10, loss, (0, 0, 0)).accuracy for loss in (0, 1, 10, 60, 120, 640)]
    assert losses[0] == 100 and losses == sorted(losses, reverse=True)
    assert losses[3:5] == [50, 25] and losses[-1] > 0
    assert Total(1, 10, 20, (0, 0, 0), "points").accuracy == 50
    assert Total(1, 0, 0, (0, 0, 0)).accuracy == 100


@pytest.mark.parametrize("seed", range(3))
def test_a_turning_point_changes_who_wins(seed: int) -> None:
    record = random_game("othello-4", seed)
    found, solver = review(record, pv.Limit()), Solver(record.game, megabytes=1)
    states = list(record.states())
    for reviewed, before, after in zip(found.moves, states, states[1:], strict=False):
        values = [exact_value(state, 1, solver) for state in (before, after)]
        signs = [(value > 0) - (value < 0) for value in values]
        assert reviewed.is_turning_point == (signs[0] != signs[1])
        assert reviewed.is_turning_point == (reviewed.ply in found.turning_points)


@pytest.mark.parametrize("spec", ["rolit", "xt:arena,players=2", "torus:size=4"])
def test_games_that_are_judged_by_points(spec: str) -> None:
    record = random_game(spec, 3)
    found = review(record, pv.Limit(depth=1))
    assert found.is_whole and found.unit == "points"
    for reviewed in found.moves:
        assert reviewed.analysis.unit == "points" and reviewed.loss >= 0
        assert reviewed.best.value == pytest.approx(reviewed.played.value + reviewed.loss, abs=0.005)
        assert reviewed.played.points is not None
        leading = [[points == max(scored.points or ()) for points in scored.points or ()]
                   for scored in (reviewed.best, reviewed.played)]
        if reviewed.is_turning_point:
            assert leading[0] != leading[1] and (reviewed.is_exact or reviewed.judgement)
    last = found.moves[-1]
    assert last.is_exact and last.played.points == final_points(record.final)
    assert len(found.totals) == record.game.seats
    assert sum(total.loss for total in found.totals) == pytest.approx(
        sum(reviewed.loss for reviewed in found.moves if not reviewed.is_forced))
    data = json.loads(json.dumps(review_data(found)))
    assert (data["plies"], data["done"], data["unit"]) == (found.plies, found.plies, "points")
    assert data["thresholds"] == [1, 2, 4] and data["turning_points"] == list(found.turning_points)
    assert [move["mark"] for move in data["moves"]] == [
        reviewed.judgement.mark if reviewed.judgement else "" for reviewed in found.moves]
    assert [move["best_value"] for move in data["moves"]] == [one.best.value for one in found.moves]


def test_a_review_has_the_values_of_analyses() -> None:
    """Cell values and reviews are one implementation: the same settings, the same numbers."""
    for spec in ("othello", "rolit"):
        whole = random_game(spec, 4)
        record = Record(whole.start, whole.moves[:8])
        found = review(record, pv.Limit(depth=3))
        for reviewed in found.moves[:1] if spec == "othello" else found.moves:
            *_, alone = judge(spec).analyse(reviewed.state, pv.Limit(depth=3))
            assert alone.moves == reviewed.analysis.moves
