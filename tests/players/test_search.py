"""The search: alpha-beta against minimax and a plain one in Python, limits, evaluations of one's own."""

from __future__ import annotations

import threading

import pytest

import polyversi as pv
from polyversi.players.minimax import SAFETY, SIX_FACTOR, matrix_evaluation
from polyversi.players.search import (
    WON,
    Evaluation,
    Order,
    Search,
    SearchPlayer,
    look_ahead,
    needs_plain_board,
    time_for_a_move,
)
from tests.testing.marks import slow_but
from tests.testing.reference_evaluations import six_factor, some_states


def stones(state: pv.State, seat: int) -> float:
    """My stones against those of the best of the others: many positions are equal by it."""
    others = [count for other, count in enumerate(state.scores, 1) if other != seat]
    return state.scores[seat - 1] - max(others)


def nothing(state: pv.State, seat: int) -> float:
    """Every position is equal, so that only the order of the moves decides."""
    return 0.0


def final(state: pv.State, seat: int) -> float:
    sign = 1 if state.game.definition.goal == "most" else -1
    others = [count for other, count in enumerate(state.scores, 1) if other != seat]
    margin = min(sign * (state.scores[seat - 1] - other) for other in others)
    return 0 if margin == 0 else margin + (WON if margin > 0 else -WON)


def plain(state: pv.State, evaluation: Evaluation, depth: int, seat: int) -> tuple[float, pv.Move | None]:
    """Minimax over the public face: the value for the seat, and the first of the best moves."""
    if state.is_over:
        return final(state, seat), None
    if depth == 0:
        return evaluation(state, seat), None
    values = [(plain(state.play(move), evaluation, depth - 1, seat)[0], move) for move in state.moves]
    best = (max if state.turn == seat else min)(value for value, _ in values)
    return best, next(move for value, move in values if value == best)


VARIANTS = ("othello", "othello-4", "othello-6", "anti", "anti-6", "reversi", "octagon", "torus", "hex",
            "hex:side=3,start=ring", "hex:side=5,seats=3", "rolit", "xt:arena,players=2")


@pytest.mark.parametrize("spec", VARIANTS)
def test_it_is_minimax(spec: str) -> None:
    for state in some_states(spec, 6):
        found = look_ahead(state, stones, depth=2, pruning=False)
        assert (found.value, found.move) == plain(state, stones, 2, state.turn)


@pytest.mark.parametrize("order", ["board", "rings"])
@pytest.mark.parametrize("spec", VARIANTS)
def test_pruning_changes_nothing_but_the_nodes(spec: str, order: Order) -> None:
    """Values that are often equal, so that a wrong treatment of ties would show in the moves."""
    plain_nodes = pruned_nodes = 0
    for state in some_states(spec, 12, seed=1):
        for depth in (1, 2, 3):
            minimax = look_ahead(state, stones, depth=depth, pruning=False, order=order)
            pruned = look_ahead(state, stones, depth=depth, order=order)
            assert (pruned.move, pruned.value) == (minimax.move, minimax.value)
            assert pruned.nodes <= minimax.nodes
            plain_nodes, pruned_nodes = plain_nodes + minimax.nodes, pruned_nodes + pruned.nodes
    assert pruned_nodes < 0.8 * plain_nodes


EVALUATIONS = {
    "othello": (SIX_FACTOR, SAFETY),
    "othello-6": (SIX_FACTOR, SAFETY),
    "othello:start=parallel": (SIX_FACTOR,),
    "othello-10": (SAFETY,),
    "anti": (matrix_evaluation(), matrix_evaluation(0.5, "original"), matrix_evaluation(0.0)),
}


@pytest.mark.parametrize("spec", slow_but(EVALUATIONS, "othello-6"))
def test_pruning_with_the_evaluations_of_the_core(spec: str) -> None:
    for evaluation in EVALUATIONS[spec]:
        plain_nodes = pruned_nodes = 0
        for number, state in enumerate(some_states(spec, 100, seed=2)):
            depth = 4 if number % 5 == 0 else 3
            minimax = look_ahead(state, evaluation, depth=depth, pruning=False)
            for order in ("board", "rings"):
                pruned = look_ahead(state, evaluation, depth=depth, order=order)
                assert pruned.value == minimax.value
                if order == "board":
                    assert pruned.move == minimax.move
                plain_nodes, pruned_nodes = plain_nodes + minimax.nodes, pruned_nodes + pruned.nodes
        assert pruned_nodes < plain_nodes / 2


def test_nodes_are_the_positions_of_the_tree() -> None:
    for spec in ("othello", "othello-6", "hex:side=4,start=ring", "reversi"):
        state = pv.game(spec).start()
        found = look_ahead(state, stones, depth=4, pruning=False)
        assert found.nodes == sum(state.perft(depth) for depth in (1, 2, 3, 4))
        assert found.depth == 4


@pytest.mark.parametrize("spec", ["othello-4", "anti-4", "othello-6", "anti-6", "hex:side=3,start=ring"])
def test_to_the_end_it_finds_the_exact_value(spec: str) -> None:
    for state in some_states(spec, 40, seed=3):
        if state.tiles.count(0) <= 8:
            exact = state.solve()
            expected = 0 if exact == 0 else exact + (WON if exact > 0 else -WON)
            assert look_ahead(state, stones, depth=20).value == expected


def test_a_won_game_outranks_every_evaluation() -> None:
    """c6 takes both white stones; c4, which comes first, takes one and looks nearly as good."""
    state = pv.game("othello-6").position("-" * 18 + "X-----" + "-O----" + "XO----" + " X")
    assert [str(move) for move in state.moves] == ["c4", "c6"]

    def dazzled(state: pv.State, seat: int) -> float:
        return 0.999 * WON

    assert look_ahead(state, dazzled, depth=1) == Search(state.game.move("c6"), WON + 5, nodes=2, depth=1)


def test_a_lost_game_is_the_last_resort() -> None:
    def gloomy(state: pv.State, seat: int) -> float:
        return -0.999 * WON

    for state in some_states("othello-4", 60, seed=4):
        found = look_ahead(state, gloomy, depth=2)
        lost = {move for move in state.moves if _loses_at_once(state.play(move), state.turn)}
        assert found.move not in lost or lost == set(state.moves)


def _loses_at_once(state: pv.State, seat: int) -> bool:
    ends = [state] if state.is_over else [state.play(move) for move in state.moves]
    return any(end.result is not None and end.result.winner == 3 - seat for end in ends)


def test_a_forced_pass_is_a_ply() -> None:
    # Black cannot take the corner a1; white can take b1 from c1.
    state = pv.game("othello-4").position("OX-- ---- ---- ----".replace(" ", "") + " X")
    assert [str(move) for move in state.moves] == ["pass"]
    one, two = (look_ahead(state, stones, depth=depth) for depth in (1, 2))
    assert (str(one.move), one.value, one.nodes) == ("pass", 0, 1)    # still one stone each
    assert (two.value, two.nodes) == (-WON - 3, 2)                    # white c1 takes the last black stone


@pytest.mark.parametrize("spec", ["othello-6", "othello-8", "torus", "hex", "xt:starfish"])
def test_of_equal_moves_the_first_in_order_is_chosen(spec: str) -> None:
    for state in some_states(spec, 20, seed=5):
        if any(state.play(move).is_over for move in state.moves):
            continue
        assert look_ahead(state, nothing, depth=1).move == state.moves[0]
        outward = look_ahead(state, nothing, depth=1, order="rings").move
        if state.board.layout == "square" and not state.game.definition.has_stocks and spec != "torus":
            assert outward == min(state.moves, key=lambda move: _rank(state, move))


def _rank(state: pv.State, move: pv.Move) -> int:
    """The outermost ring first, then from the middle outwards."""
    if move.is_pass:
        return 0
    x, y = state.board.coordinates[move.cell]
    ring = min(x, y, state.board.width - 1 - x, state.board.height - 1 - y)
    return -ring if ring else -100


@pytest.mark.parametrize("spec", ["othello", "othello-6", "reversi-6"])
def test_an_evaluation_in_python_finds_what_the_core_finds(spec: str) -> None:
    """The same evaluation written in Python, and the core's own called from Python."""
    for number, state in enumerate(some_states(spec, 25, seed=6)):
        core = look_ahead(state, SIX_FACTOR, depth=2)
        assert look_ahead(state, lambda leaf, seat: SIX_FACTOR(leaf, seat), depth=2) == core
        if number < 5:
            written = look_ahead(state, six_factor, depth=2)
            assert written.value == pytest.approx(core.value)


def test_the_evaluation_sees_whole_states() -> None:
    """Leaves are states like any other, of games with bit positions and without."""
    for spec in ("othello", "hex", "xt:arena,players=2", "rolit"):
        state, seen = pv.game(spec).start(), list[pv.State]()

        def remember(leaf: pv.State, seat: int, own: int = state.turn, kept: list[pv.State] = seen) -> float:
            assert seat == own
            kept.append(leaf)
            return 0.0

        look_ahead(state, remember, depth=1, pruning=False)
        assert seen == [state.play(move) for move in state.moves]


def test_limits() -> None:
    state = pv.game("othello").start().play("f5")
    by_depth = [look_ahead(state, SIX_FACTOR, depth=depth) for depth in range(1, 7)]
    assert [found.depth for found in by_depth] == [1, 2, 3, 4, 5, 6]
    assert look_ahead(state, SIX_FACTOR, pv.Limit(depth=5), depth=2) == by_depth[4]
    for nodes in (1, 2, 10, 50, 300, 1000):
        found = look_ahead(state, SIX_FACTOR, pv.Limit(nodes=nodes))
        assert found.nodes == nodes
        if found.depth:
            whole = by_depth[found.depth - 1]
            assert (found.move, found.value) == (whole.move, whole.value)
    deepened = look_ahead(state, SIX_FACTOR, pv.Limit(nodes=10**9), depth=4)
    assert (deepened.move, deepened.value, deepened.depth) == (by_depth[3].move, by_depth[3].value, 4)
    assert deepened.nodes == sum(found.nodes for found in by_depth[:4])
    for limit in (pv.Limit(seconds=0), pv.Limit(nodes=0), pv.Limit(bank=0), pv.Limit(seconds=0.01)):
        assert look_ahead(state, SIX_FACTOR, limit).move in state.moves
    with pytest.raises(pv.LimitError, match="needs a limit"):
        look_ahead(state, SIX_FACTOR)


def test_with_time_it_stops_where_there_is_no_more_to_see() -> None:
    state = pv.game("othello-4").start()
    found = look_ahead(state, stones, pv.Limit(nodes=10**9))
    assert found.value == -WON - 8
    assert found.depth <= 2 * 12    # a pass for each of twelve cells at the most
    forced = pv.game("othello-4").position("OX-- ---- ---- ----".replace(" ", "") + " X")
    assert look_ahead(forced, stones, pv.Limit(seconds=1000)).depth == 1


def test_a_bank_lasts_for_the_game() -> None:
    state = pv.game("othello").start()
    assert time_for_a_move(state, pv.Limit(depth=3)) is None
    assert time_for_a_move(state, pv.Limit(bank=60)) == pytest.approx(0.9 * 2)
    assert time_for_a_move(state, pv.Limit(bank=60, increment=1)) == pytest.approx(0.9 * 3)
    assert time_for_a_move(state, pv.Limit(bank=60, seconds=1)) == pytest.approx(0.9)
    assert time_for_a_move(state, pv.Limit(bank=0.5, increment=9)) == pytest.approx(0.45)


def test_errors_of_an_evaluation_come_through() -> None:
    state = pv.game("othello").start()
    with pytest.raises(ZeroDivisionError):
        look_ahead(state, lambda _, seat: 1 / (seat - 1), depth=2)
    for value in (float("nan"), float("inf"), 1e9, -1e9):
        with pytest.raises(ValueError, match="must be a number between -1e9 and 1e9"):
            look_ahead(state, lambda _, __, value=value: value, depth=2)    # type: ignore[misc]
    with pytest.raises(TypeError):
        look_ahead(state, lambda _, __: "much", depth=2)    # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match="called with a state and a seat"):
        look_ahead(state, 3, depth=2)    # type: ignore[arg-type]


def test_what_cannot_be_searched_or_evaluated_says_so() -> None:
    over = pv.game("othello-4").start().playout(seed=1)
    with pytest.raises(ValueError, match="the game is over"):
        look_ahead(over, stones, depth=2)
    with pytest.raises(ValueError, match="8x8 and 6x6 boards"):
        look_ahead(pv.game("othello-10").start(), SIX_FACTOR, depth=2)
    for spec in ("torus", "octagon", "blackhole", "hex", "rolit", "xt:starfish"):
        with pytest.raises(ValueError, match="two seats and a square board"):
            SAFETY(pv.game(spec).start(), 1)
        assert needs_plain_board(pv.game(spec))
    with pytest.raises(ValueError, match="a value for every cell"):
        matrix_evaluation()(pv.game("anti-6").start(), 1)
    with pytest.raises(ValueError, match="no such seat"):
        SAFETY(pv.game("othello").start(), 3)


def test_threads_do_not_disturb_each_other() -> None:
    states = some_states("othello", 8, seed=7) + some_states("othello-6", 8, seed=7)
    alone = [look_ahead(state, SIX_FACTOR, depth=4) for state in states]
    found = dict[int, list[Search]]()

    def think(number: int) -> None:
        found[number] = [look_ahead(state, SIX_FACTOR, depth=4) for state in states]

    threads = [threading.Thread(target=think, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(found.values()) == [alone] * 4


@pytest.mark.parametrize("spec", ["othello-6", "hex", "rolit", "xt:arena,players=2", "hex:side=5,seats=3"])
def test_a_player_with_an_evaluation_of_ones_own(spec: str) -> None:
    start = pv.game(spec).start()
    others = [pv.player("random", seed=seed) for seed in range(1, start.game.seats)]
    finished = pv.play(start, [SearchPlayer(stones, depth=1), *others])
    assert finished.verdict.kind in ("win", "draw")
    assert finished.record.players[0] == "search:evaluation=stones,depth=1"
    assert SearchPlayer(SIX_FACTOR, depth=None).spec() == "search:evaluation=Evaluation"
