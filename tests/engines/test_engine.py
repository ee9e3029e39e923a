"""The engine as people use it: analyses that get better, levels, limits, and sentences for what cannot be."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from xml.etree import ElementTree

import pytest

import polyversi as pv
from polyversi import _core
from polyversi.engines import Analysis, Engine, EngineError, Solver
from polyversi.engines.levels import LEVELS, STRONGEST
from polyversi.engines.search import in_opening, random_opening

PLAYED = ("othello-6", "anti-6", "hex:side=4", "octagon", "reversi")
FEW = pv.Limit(nodes=2_000)
COMPARED = "othello-6"
"""In which levels meet."""


def small(game: pv.Game | str, level: int = STRONGEST, *, threads: int = 1, seed: int = 0) -> Engine:
    """An engine that needs little memory."""
    return pv.engine(game, level, threads=threads, megabytes=1, seed=seed)


def random_position(spec: str, empties: int, seed: int = 0) -> pv.State:
    """A position of a random game with so many empty cells, at which somebody has a choice."""
    rng = Random(f"{spec} {seed}")
    while True:
        state = random_opening(pv.game(spec).start(rng.getrandbits(32)), rng)
        while not state.is_over and (state.tiles.count(0) > empties or len(state.moves) < 2):
            stones = [move for move in state.moves if not move.is_pass]
            state = state.play(rng.choice(stones or state.moves))
        if not state.is_over:
            return state


def check_lines(analysis: Analysis) -> None:
    """Every line begins with its move and can be played."""
    for scored in analysis.moves:
        assert scored.principal_variation[0] == scored.move
        state = analysis.state
        for move in scored.principal_variation:
            assert move in state.moves
            state = state.play(move)


@pytest.mark.parametrize("spec", ["othello-4", "anti-4", "othello-5", "hex:side=3,start=ring", "hex:side=3"])
def test_analysis_deepens_until_exact(spec: str) -> None:
    state = random_position(spec, 12)
    analyses = list(small(state.game).analyse(state))
    assert [analysis.is_exact for analysis in analyses] == [False] * (len(analyses) - 1) + [True]
    reached = [(analysis.best.depth, analysis.best.selectivity) for analysis in analyses]
    assert reached == sorted(set(reached)) and reached[-1] == (state.tiles.count(0), 100)
    assert [analysis.nodes for analysis in analyses] == sorted(analysis.nodes for analysis in analyses)
    solver = Solver(state.game, megabytes=1)
    for analysis in analyses:
        assert sorted(map(str, state.moves)) == sorted(str(scored.move) for scored in analysis.moves)
        values = [scored.value for scored in analysis.moves]
        assert values == sorted(values, reverse=True) and analysis.best == analysis.moves[0]
        assert analysis.seconds > 0 and analysis.speed > 0
        check_lines(analysis)
    for scored in analyses[-1].moves:
        assert scored.is_exact and scored.selectivity == 100
        assert scored.value == -solver.solve(state.play(scored.move)).value
        assert scored.value == reached_by(state, scored.principal_variation)


def reached_by(state: pv.State, line: tuple[pv.Move, ...]) -> int:
    """What a line that leads to the end of the game brings the seat that begins it."""
    mover = state.next_seat - 1
    for move in line:
        state = state.play(move)
    assert state.is_over, "the line ends too early"
    lead = state.credited_scores[mover] - state.credited_scores[1 - mover]
    return -lead if "anti" in state.game.spec else lead


@pytest.mark.parametrize("spec", ["othello", "anti", "hex", "octagon"])
def test_depth_limit_ends_analysis(spec: str) -> None:
    state = random_position(spec, 40)
    depths = [analysis.best.depth for analysis in small(state.game).analyse(state, pv.Limit(depth=5))]
    assert depths == [1, 2, 3, 4, 5]
    assert small(state.game).think(state, pv.Limit(depth=3)).best.depth == 3


def test_node_limit_ends_analysis_and_think() -> None:
    state = random_position("othello", 40)
    *_, last = small(state.game).analyse(state, pv.Limit(nodes=50_000))
    *_, further = small(state.game).analyse(state, pv.Limit(nodes=500_000))
    assert last.nodes <= 51_000 < further.nodes <= 501_000 and last.best.depth < further.best.depth
    thought = small(state.game).think(state, pv.Limit(nodes=50_000))
    assert thought.nodes <= 51_000 and len(thought.moves) == 1 and thought.best.move in state.moves
    for nodes in (1, 10, 100, *range(10_000, 50_000, 1_000)):
        thought = small(state.game).think(state, pv.Limit(nodes=nodes))
        assert thought.best.move in state.moves
        check_lines(thought)


@pytest.mark.parametrize(
    "limit", [pv.Limit(seconds=0.0), pv.Limit(seconds=0.02), pv.Limit(bank=0.5, increment=0.01)])
def test_a_move_is_found_within_any_limit(limit: pv.Limit) -> None:
    for spec in PLAYED:
        state = random_position(spec, 20)
        assert small(state.game).choose(state, limit) in state.moves


def test_exact_values_are_proved() -> None:
    """An ending that is broken off on the way is not called exact, wherever that happens."""
    state = random_position("othello", 16)
    value = Solver(state.game, megabytes=1).solve(state).value
    whole = small(state.game).think(state)
    assert whole.best.is_exact and whole.best.value == value
    for nodes in range(1_000, whole.nodes, whole.nodes // 40):
        best = small(state.game).think(state, pv.Limit(nodes=nodes)).best
        assert not best.is_exact or best.value == value
        assert best.is_exact or (best.depth, best.selectivity) < (16, 100), "that far it did not get"
    assert reached_by(state, whole.best.principal_variation) == value


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("spec", PLAYED)
def test_every_level_plays_whole_games(spec: str, level: int) -> None:
    """Against a player who moves at random; `play` refuses what is not legal."""
    rng = Random(f"{spec} {level}")
    engine = small(spec, level)
    state = engine.game.start()
    while not state.is_over:
        is_engines = (state.next_seat + level) % 2
        state = state.play(engine.choose(state, FEW) if is_engines else rng.choice(state.moves))
    assert state.result is not None


def points(one: int, other: int, games: int) -> float:
    """How much of all there is to win one level gets against another, with either seat in each opening."""
    won = 0.0
    for number in range(games):
        rng = Random(number // 2)
        both = small(COMPARED, one, seed=number), small(COMPARED, other, seed=number)
        engines = {1 + number % 2: both[0], 2 - number % 2: both[1]}
        state = pv.game(COMPARED).start()
        for _ in range(4):
            state = state.play(rng.choice(state.moves))
        while not state.is_over:
            state = state.play(engines[state.next_seat].choose(state))
        mine, theirs = state.scores[number % 2], state.scores[1 - number % 2]
        won += (mine > theirs) + (mine == theirs) / 2
    return won / games


@pytest.mark.parametrize(("stronger", "weaker"), [(5, 1), (10, 5)])
def test_higher_levels_win(stronger: int, weaker: int) -> None:
    assert points(stronger, weaker, 20) >= 0.75


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["othello", "othello-6", "anti", "hex"])
def test_the_first_level_is_about_as_strong_as_greedy(spec: str) -> None:
    """Both lose about half of their games; with 100 games, one standard deviation is 5."""
    points = 0.0
    engine = small(spec, level=1)
    for number in range(100):
        greedy = pv.player("greedy", seed=number)
        state = pv.game(spec).start(number)
        seat = 1 + number % 2
        while not state.is_over:
            state = state.play(engine.choose(state) if state.turn == seat else greedy.choose(state))
        assert state.result is not None
        points += state.result.points[seat - 1]
    assert 35 <= points <= 72


def test_every_level_says_what_it_means() -> None:
    meanings = [level.meaning for level in LEVELS.values()]
    assert len(set(meanings)) == len(meanings)
    assert all(meaning.endswith(".") and len(meaning) < 90 for meaning in meanings)
    noisy = [level for level in LEVELS.values() if level.noise]
    assert [*LEVELS.values()][:len(noisy)] == noisy, "mistakes become fewer, and then there are none"
    strength = [(level.depth, level.exact, -level.noise, -level.greed) for level in LEVELS.values()]
    assert strength[:-1] == sorted(strength[:-1]) and strength[-1] == (0, 0, 0, 0)


@pytest.mark.parametrize("level", [1, 5, 9, 12, STRONGEST])
def test_one_thread_gives_the_same_answers(level: int) -> None:
    states = [random_position("othello", empties) for empties in (50, 30, 12)]

    def answers(seed: int) -> list[object]:
        engine = small("othello", level, seed=seed)
        thoughts = [engine.think(state, pv.Limit(nodes=5_000)) for state in states]
        return [(thought.moves, thought.nodes) for thought in thoughts]

    assert answers(1) == answers(1)


def test_noise_depends_on_the_seed_and_is_plausible() -> None:
    """They cost something against the best play, but far less than random moves do."""
    engines = [small("othello", level=6, seed=seed) for seed in range(10)]
    by_lot = lost = different = 0.0
    for number in range(10):
        state = random_position("othello", 34, number)
        *_, analysis = small("othello").analyse(state, pv.Limit(depth=6))
        values = {scored.move: scored.value for scored in analysis.moves}
        chosen = [engine.choose(state) for engine in engines]
        different += len(set(chosen)) > 1
        lost += analysis.best.value - sum(values[move] for move in chosen) / len(chosen)
        by_lot += analysis.best.value - sum(values.values()) / len(values)
    assert different >= 5
    assert 0 < lost < by_lot / 2


@pytest.mark.parametrize(
    "spec", ["othello:width=7,height=4", "othello-7", "blackhole:goal=fewest", "hex:passing=forced"])
def test_games_without_weights_are_played(spec: str) -> None:
    state = random_position(spec, 14)
    assert small(state.game).think(state).best.value == Solver(state.game, megabytes=1).solve(state).value
    early = random_position(spec, 18)
    assert small(state.game).think(early, FEW).best.move in early.moves


def test_opening_moves_are_valued_by_search() -> None:
    state = pv.game("reversi").start()
    engine = small("reversi")
    while in_opening(state):
        (analysis,) = engine.analyse(state, pv.Limit(depth=2))
        assert {scored.move for scored in analysis.moves} == set(state.moves)
        assert analysis.best.value == engine.think(state, pv.Limit(depth=2)).best.value
        state = state.play(analysis.best.move)
    assert engine.choose(state, FEW) in state.moves


FROM_ELSEWHERE = """
import pickle, sys
import polyversi as pv
state = pv.game(sys.argv[1]).start(3)
for place in (0, -1):
    state = state.play(state.moves[place])
sys.stdout.buffer.write(pickle.dumps(state))
"""


@pytest.mark.parametrize("spec", ["othello", "hex:side=4", "anti-6"])
def test_positions_of_an_equal_game_from_another_process(spec: str) -> None:
    """In the hexagon the last move is a pass, which is part of the position."""
    words = [sys.executable, "-c", FROM_ELSEWHERE, spec]
    made = subprocess.run(words, capture_output=True, check=True).stdout
    state = pickle.loads(made)
    engine = small(pv.Game(state.game.spec, state.game.definition))
    assert engine.game is not state.game
    thought = engine.think(state, FEW)
    assert thought.best.move in state.moves
    (first, *_) = engine.analyse(state, FEW)
    assert {scored.move for scored in first.moves} == set(state.moves)


def test_depth_limit_combines_with_other_limits() -> None:
    state = random_position("othello", 14)
    for level in (8, 15, 20):
        best = small("othello", level=level).think(state, pv.Limit(seconds=3600, depth=3)).best
        assert best.depth <= 3 and not best.is_exact
    opening = pv.game("reversi").start()
    assert small("reversi").choose(opening, pv.Limit(depth=1000)) in opening.moves


def test_stop_lasts_until_resume() -> None:
    state = pv.game("othello").start()
    engine = small("othello")
    thoughts: list[Callable[[], object]] = [
        lambda: list(engine.analyse(state)), lambda: engine.think(state, pv.Limit(seconds=3600)),
    ]
    with ThreadPoolExecutor(1) as pool:
        for think in thoughts:
            before = engine.nodes
            thinking = pool.submit(think)
            while engine.nodes < before + 50_000 and not thinking.done():
                pass
            engine.stop()
            assert thinking.result()
            engine.resume()
    engine.stop()    # a moment before the question
    assert list(engine.analyse(state)) == []
    assert engine.think(state, pv.Limit(seconds=3600)).best.depth == 0
    engine.resume()
    *_, last = engine.analyse(state, pv.Limit(depth=3))
    assert last.best.depth == 3


def test_threads_find_the_same_exact_values() -> None:
    state = random_position("othello", 14)
    *_, alone = small("othello").analyse(state)
    *_, together = small("othello", threads=3).analyse(state)
    assert [scored.value for scored in together.moves] == [scored.value for scored in alone.moves]


def test_invalid_arguments_are_refused() -> None:
    othello = pv.game("othello")
    for spec in ("othello-10", "rolit", "torus", "xt:arena,players=2", "othello:width=9,height=4"):
        known = "it searches games of two seats with straight lines, on boards of squares that fit into 8×8"
        with pytest.raises(EngineError, match=f"the engine does not support {spec}: {known}"):
            pv.engine(spec)
    for level in (0, 21, -1, 2.0, "3", None):
        message = f"level={level!r} is not possible; give a whole number from 1 to 20"
        with pytest.raises(EngineError, match=message):
            pv.engine(othello, level)    # type: ignore[arg-type]
    for threads in (0, 257, 1.5, "2"):
        message = f"threads={threads!r} is not possible; give a whole number from 1 to 256"
        with pytest.raises(EngineError, match=message):
            pv.engine(othello, threads=threads)    # type: ignore[arg-type]
    message = "megabytes=0 is not possible; give a whole number from 1 to 1048576"
    with pytest.raises(EngineError, match=message):
        pv.engine(othello, megabytes=0)
    with pytest.raises(EngineError, match="this engine is for othello, not for anti"):
        small(othello).choose(pv.game("anti").start())
    over = pv.game("othello-4").position("X" * 16 + " O")
    with pytest.raises(EngineError, match="the game is over; there is nothing to think about"):
        small("othello-4").choose(over)
    with pytest.raises(EngineError, match="the game is over"):
        small("othello-4").analyse(over)
    with pytest.raises(pv.PolyversiError, match="there is no variant 'chess'"):
        pv.engine("chess")


def test_selectivity_is_in_percent() -> None:
    assert list(_core.SELECTIVITY) == sorted(_core.SELECTIVITY) and _core.SELECTIVITY[-1] == 100


@pytest.mark.parametrize("spec", PLAYED)
def test_evaluations_are_exact_near_the_end(spec: str) -> None:
    state = random_position(spec, 6)
    assert small(spec).evaluate(state) == Solver(state.game, megabytes=1).solve(state).value
    assert small(spec).evaluate(state) == small(spec).evaluate(state)


@pytest.mark.parametrize("spec", ["othello-4", "anti-4"])
def test_a_finished_game_is_evaluated_by_its_result(spec: str) -> None:
    state = pv.game(spec).start()
    while not state.is_over:
        state = state.play(state.moves[0])
    margin = state.scores[state.next_seat - 1] - state.scores[2 - state.next_seat]
    assert small(spec).evaluate(state) == (margin if spec == "othello-4" else -margin)


def test_a_finished_game_is_evaluated_with_its_empty_cells() -> None:
    over = "X" * 62 + "--"
    for spec, values in (("othello", (64, -64)), ("othello:empties=nobody", (62, -62)), ("anti", (-62, 62)),
                         ("anti:empties=winner", (-64, 64))):
        found = tuple(small(spec).evaluate(pv.game(spec).position(f"{over} {turn}")) for turn in "XO")
        assert found == values, spec


def test_evaluations_with_limits_and_levels() -> None:
    state, engine = random_position("othello-6", 20), small("othello-6")
    *_, last = engine.analyse(state, pv.Limit(depth=5))
    assert small("othello-6").evaluate(state, pv.Limit(depth=5)) == last.best.value
    one_ply = small("othello-6").evaluate(state, pv.Limit(depth=1))
    assert {small("othello-6", level=1, seed=seed).evaluate(state) for seed in range(3)} == {one_ply}
    assert isinstance(small("reversi").evaluate(pv.game("reversi").start()), int)
    engine.stop()
    with pytest.raises(EngineError, match="stopped before it found a value"):
        engine.evaluate(state)
    with pytest.raises(EngineError, match="this engine is for othello-6"):
        engine.evaluate(pv.game("othello").start())


def test_a_notebook_shows_an_analysis() -> None:
    state = random_position("othello-6", 20)
    *_, last = small("othello-6").analyse(state, pv.Limit(depth=3))
    words = "".join(ElementTree.fromstring(last._repr_html_()).itertext())
    assert f"{last.best.value:+}" in words and "which is right about 73 times in 100" in words


def test_only_states_can_be_searched() -> None:
    engine = pv.engine("othello-4")
    for ask in (engine.evaluate, engine.analyse, engine.choose):
        with pytest.raises(EngineError, match="'f5' is not a state"):
            ask("f5")  # type: ignore[arg-type]
