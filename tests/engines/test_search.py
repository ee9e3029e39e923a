"""The search of the core: no part of it changes a value, limits are kept, and it can be stopped."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

import polyversi as pv
from polyversi import _core
from polyversi.engines.search import random_opening
from polyversi.engines.weights import evaluation_for
from tests.testing.late_positions import EVERY_GAME, GAMES, game_of, on_every_kernel, played, thrown, tried
from tests.testing.marks import slow, slow_but
from tests.testing.reference_search import Plain, Position, seen_by_mover
from tests.testing.weights import made

FEATURES = {
    "transposition table": 1, "enhanced transposition cutoff": 2, "stability cutoff": 4, "move ordering": 8,
    "iterative deepening": 16, "ProbCut": 32, "endgame solver": 64,
}
"""Techniques of the search that can be switched off, as core/engine/search.hpp numbers them."""
EVERY = sum(FEATURES.values())
LONG = EVERY - FEATURES["endgame solver"]
"""All but the endgame solver, which would leave little to the others."""
MASKS = {
    "all": EVERY, "none": 0, "all but endgame solver": LONG,
    **{f"only {name}": bit for name, bit in FEATURES.items()},
    **{f"without {name}": EVERY - bit for name, bit in FEATURES.items() if bit != FEATURES["endgame solver"]},
    **{f"without endgame solver and {name}": LONG - bit for name, bit in FEATURES.items() if bit & LONG},
    "tables only": FEATURES["transposition table"] + FEATURES["enhanced transposition cutoff"],
}
EXACT = len(_core.SELECTIVITY) - 1
OF_EACH = 150
"""Positions of a game that are tried with every mask."""
LIMITED = (
    "othello", "othello-6", "anti", "anti-6", "octagon", "blackhole", "othello-6:holes=a1+c5+f3",
    "othello:width=8,height=4", "reversi", "hex", "hex:side=4", "hex:passing=forced", "anti-hex",
    "anti-hex:side=4",
)
"""Games whose searches of a few plies are compared with plain ones."""


def search_of(game: pv.Game, *, threads: int = 1, features: int = EVERY) -> _core.Search:
    """A search with the weights that come with the package, if there are any, and a small table."""
    return _core.Search(game.start(), threads, 1, evaluation_for(game), features)


def most(game: pv.Game) -> int:
    return game.board.size


def solved(search: _core.Search, state: pv.State) -> int:
    found = search.solve(state, -most(state.game), most(state.game))
    assert found is not None
    return found[0]


def best_of(search: _core.Search, state: pv.State, depth: int, selectivity: int = EXACT) -> _core.ScoredMove:
    found = search.best_move(state, depth, selectivity, None, None)
    assert found is not None
    return found


def values_of(search: _core.Search, state: pv.State, depth: int, selectivity: int = EXACT) -> dict[str, int]:
    """What each move is worth."""
    found = search.multi_pv(state, depth, selectivity, None, None)
    return {str(choice[0]): choice[1] for choice in found if choice is not None}


def on_the_way(
    spec: str, count: int, *, min_empties: int = 1, max_empties: int = 64
) -> Iterator[pv.State]:
    """Positions of random games in which somebody can put a stone down."""
    rng, game = Random(spec), game_of(spec)
    for _ in range(count):
        states: list[pv.State] = []
        while not states:
            state = random_opening(game.start(rng.getrandbits(32)), rng)
            while not state.is_over:
                if min_empties <= state.tiles.count(0) <= max_empties and not state.moves[0].is_pass:
                    states.append(state)
                stones = [move for move in state.moves if not move.is_pass]
                state = state.play(rng.choice(stones or state.moves))
        yield rng.choice(states)


@pytest.mark.parametrize("spec", slow_but(
    GAMES, "othello", "anti-6", "hex:side=4", "ragged-0", "othello:empties=nobody"))
def test_no_feature_changes_a_value(spec: str) -> None:
    """Every part of the search alone, left away, and all together, against trying everything plainly."""
    plain, positions = tried(spec)
    for game in on_every_kernel(game_of(spec)):
        states = [game.position(plain.text(position, 1)) for position in positions[:OF_EACH]]
        values = [plain.value(*position) for position in positions[:OF_EACH]]
        for name, mask in MASKS.items():
            search = _core.Search(game.start(), 1, 1, None, mask)
            wrong = [(state.text, found, value) for state, value in zip(states, values, strict=True)
                     if (found := solved(search, state)) != value]
            assert not wrong, (game.kernel, name, min(wrong, key=lambda one: -len(one[0].replace("-", ""))))


@pytest.mark.parametrize("spec", EVERY_GAME)
def test_probcut_entries_do_not_change_exact_values(spec: str) -> None:
    """What selective searches wrote into the table is not taken for proved."""
    plain, positions = tried(spec)
    game = game_of(spec)
    for mask in (EVERY, LONG):
        search = _core.Search(game.start(), 1, 1, evaluation_for(game), mask)
        for position in positions[:OF_EACH]:
            state = game.position(plain.text(position, 1))
            if state.is_over or not plain.empties(position):
                continue
            for selectivity in range(EXACT):
                best_of(search, state, plain.empties(position), selectivity)
            assert best_of(search, state, plain.empties(position))[1] == plain.value(*position), state.text
            assert max(values_of(search, state, plain.empties(position)).values()) == plain.value(*position)


ENDINGS = ("othello", "anti", "octagon", "othello-6:holes=a1+c5+f3", "hex:passing=forced", "anti-6")
FREE_ENDINGS = ("hex", "hex:side=4", "anti-hex:side=4")


@pytest.mark.parametrize("spec", slow_but([*ENDINGS, *FREE_ENDINGS], "anti-6", "hex:side=4"))
def test_features_agree_on_longer_endgames(spec: str) -> None:
    """With more empty cells, where searches before the exact one and the table for large trees come in."""
    empties = 12 if spec in FREE_ENDINGS else 16
    for state in on_the_way(spec, 2, min_empties=empties, max_empties=empties):
        values = {name: solved(search_of(state.game, features=mask), state)
                  for name, mask in MASKS.items() if name == "all" or name.startswith("without ")}
        assert len(set(values.values())) == 1, (state.text, values)


def rounded(parts: int) -> int:
    """Whole stones from 1/32 of a stone, halves away from nothing."""
    return (abs(parts) + 16) // 32 * (1 if parts >= 0 else -1)


@pytest.mark.parametrize("spec", slow_but(LIMITED, "othello-6", "anti-6", "octagon", "hex:side=4"))
def test_shallow_values_equal_plain_minimax(spec: str) -> None:
    """Without the table, which would answer with what was seen further ahead, and without stable stones,
    which would show that an evaluation promises more than there can be."""
    game = game_of(spec)
    plain = Plain(game)
    evaluation = evaluation_for(game) or made(spec).evaluation(game)

    @functools.cache
    def judge(own: int, other: int) -> int:
        return rounded(round(32 * evaluation.value(game.position(plain.text((own, other), 1)))))

    unlike = FEATURES["transposition table"] + FEATURES["stability cutoff"]
    searches = [_core.Search(game.start(), 1, 1, evaluation, mask)
                for mask in (EVERY - unlike, LONG - unlike, EVERY - unlike - FEATURES["move ordering"], 0)]
    for state in on_the_way(spec, 30):
        empties = state.tiles.count(0)
        for depth in (1, 2, 3) if empties > 6 else range(1, empties + 1):
            expected = plain.ahead(*seen_by_mover(state), depth, judge)
            for search in searches:
                assert best_of(search, state, depth)[1] == expected, (depth, state.text)


@pytest.mark.parametrize("spec", LIMITED)
@pytest.mark.parametrize("depth", [2, 3, 5])
def test_multi_pv_values_equal_the_positions_after(spec: str, depth: int) -> None:
    game = game_of(spec)
    search = search_of(game, features=EVERY - FEATURES["transposition table"])
    for state in on_the_way(spec, 6, min_empties=depth):
        values = values_of(search, state, depth)
        assert values.keys() == {str(move) for move in state.moves}
        assert best_of(search, state, depth)[1] == max(values.values())
        is_free = game.definition.passing == "free" and depth < state.tiles.count(0)
        for move, value in values.items():
            after = state.play(move)
            if after.is_over:
                seat, sign = state.next_seat, 1 if game.definition.goal == "most" else -1
                assert value == sign * (after.scores[seat - 1] - after.scores[2 - seat])
            elif move != "pass" or is_free:
                assert value == -best_of(search, after, depth - 1)[1], (state.text, move)


@pytest.mark.parametrize("spec", slow_but(LIMITED, "othello-6", "octagon", "hex:side=4"))
def test_multi_pv_to_the_end(spec: str) -> None:
    """With a table, since exact values cannot be mixed up, and the best move first."""
    search = search_of(game_of(spec))
    for state in on_the_way(spec, 6, min_empties=6, max_empties=9):
        empties = state.tiles.count(0)
        moves = search.multi_pv(state, empties, EXACT, None, None)
        found = [choice for choice in moves if choice is not None]
        assert [value for _, value, _ in found] == sorted((value for _, value, _ in found), reverse=True)
        assert found[0][1] == solved(search, state)
        for move, value, line in found:
            assert line[0] == move
            after = state.play(move)
            if not after.is_over:
                assert value == -solved(search, after), (state.text, str(move))


@pytest.mark.parametrize("spec", LIMITED)
def test_principal_variations_are_legal(spec: str) -> None:
    search = search_of(game_of(spec))
    for state in on_the_way(spec, 10):
        for choice in [best_of(search, state, 6, 0), *search.multi_pv(state, 5, 0, None, None)]:
            assert choice is not None
            now = state
            for move in choice[2]:
                assert move in now.moves, (state.text, choice[2])
                now = now.play(move)


def asked(search: _core.Search, spec: str) -> list[object]:
    """What a search answers to some questions in turn, and what each costs."""
    found: list[object] = []
    for state in on_the_way(spec, 4):
        depth = min(8, state.tiles.count(0))
        found += [best_of(search, state, depth, 0), search.nodes]
        found += [search.multi_pv(state, depth, 2, None, None), search.nodes]
    for state in on_the_way(spec, 2, min_empties=8, max_empties=12):
        found += [search.solve(state, -1, 1), search.nodes]
    return found


@pytest.mark.parametrize("spec", ["othello", "anti-6", "octagon", "hex", "hex:side=4"])
def test_one_thread_is_deterministic_on_every_kernel(spec: str) -> None:
    once = asked(search_of(game_of(spec)), spec)
    assert asked(search_of(game_of(spec)), spec) == once
    counts: list[list[tuple[int, int]]] = []
    for game in on_every_kernel(game_of(spec)):
        search = search_of(game)
        counts.append([
            (best_of(search, game.position(state.text), min(8, state.tiles.count(0)), 0)[1], search.nodes)
            for state in on_the_way(spec, 6)])
    assert all(count == counts[0] for count in counts)


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("spec", ["othello", "anti", "octagon", "hex:side=4", "hex:passing=forced"])
def test_threads_change_no_exact_value(spec: str, threads: int) -> None:
    empties = 12 if spec == "hex:side=4" else 16
    search, alone = search_of(game_of(spec), threads=threads), search_of(game_of(spec))
    for state in on_the_way(spec, 2, min_empties=empties, max_empties=empties):
        value = solved(alone, state)
        assert best_of(search, state, empties)[1] == value
        assert max(values_of(search, state, empties).values()) == value
        assert solved(search, state) == value


def test_node_limits_are_kept() -> None:
    """By one thread always at the same place; ordering a node and the last cells are not broken off."""
    state = pv.game("othello").start().play("f5")
    costs = []
    for allowed in (1, 100, 1_000, 10_000, 100_000):
        search = search_of(state.game)
        for _ in range(2):
            before = search.nodes
            search.best_move(state, 30, 0, None, allowed)
            assert allowed <= search.nodes - before <= allowed + 1_000
        costs.append(search.nodes)
        again = search_of(state.game)
        for _ in range(2):
            again.best_move(state, 30, 0, None, allowed)
        assert again.nodes == search.nodes
    assert costs == sorted(costs)


def test_unreached_moves_are_none() -> None:
    state = pv.game("othello").start()
    search = search_of(state.game)
    assert search.best_move(state, 20, EXACT, None, 1) is None
    assert search.multi_pv(state, 20, EXACT, None, 1) == [None] * 4
    assert search.multi_pv(state, 20, EXACT, 0.0, None) == [None] * 4
    cheap = search_of(state.game)
    values_of(cheap, state, 10)
    found = search.multi_pv(state, 10, EXACT, None, cheap.nodes // 2)
    assert len(found) == 4 and None in found and found[0] is not None
    assert [choice is None for choice in found] == sorted(choice is None for choice in found)


@pytest.mark.parametrize(("parts", "least"), [(6, 5), slow(60, 50)])
def test_interrupted_search_returns_a_valid_bound(parts: int, least: int) -> None:
    """Wherever an ending is broken off, the value that it has by then is one that the move reaches."""
    known = 0
    for state in on_the_way("othello", 6, min_empties=15, max_empties=15):
        values = values_of(search_of(state.game), state, 15)
        whole = search_of(state.game)
        best_of(whole, state, 15)
        for part in range(1, parts):
            search = search_of(state.game)
            choice = search.best_move(state, 15, EXACT, None, whole.nodes * part // parts)
            if choice is not None and search.was_interrupted:
                known += 1
                assert choice[1] <= values[str(choice[0])]
    assert known > least


def test_exact_pv_keeps_its_limits() -> None:
    """A whole one reaches the value; where there is no time or nothing may be looked at, there is none."""
    for state in on_the_way("othello", 4, min_empties=16, max_empties=16):
        search = search_of(state.game)
        value = solved(search, state)
        assert search_of(state.game).exact_pv(state, value, 0.0, 1_000_000) == []
        assert search_of(state.game).exact_pv(state, value, None, 1) == []
        end = state
        for move in search.exact_pv(state, value, None, 1_000_000):
            end = end.play(move)
        mover = state.next_seat - 1
        assert end.is_over and end.scores[mover] - end.scores[1 - mover] == value


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_from_another_thread(threads: int) -> None:
    state = pv.game("othello").start()
    search = search_of(state.game, threads=threads)
    with ThreadPoolExecutor(1) as pool:
        thinking = pool.submit(search.multi_pv, state, 40, EXACT, None, None)
        while search.nodes < 100_000 and not thinking.done():
            pass
        search.stop()
        assert None in thinking.result()
    assert search.best_move(state, 2, 0, None, None) is None, "it stays stopped"
    assert search.solve(state, -64, 64) is None
    search.resume()
    assert len(values_of(search, state, 4)) == 4


def test_a_search_serves_one_game_whose_opening_is_over() -> None:
    search = search_of(pv.game("reversi"))
    with pytest.raises(ValueError, match="made for another game"):
        search.best_move(pv.game("othello").start(), 2, 0, None, None)
    with pytest.raises(ValueError, match="the opening is not over"):
        search.best_move(pv.game("reversi").start(), 2, 0, None, None)
    with pytest.raises(ValueError, match="the depth must be at least 1 and the selectivity from 0 to 5"):
        search.best_move(random_opening(pv.game("reversi").start(), Random(1)), 0, 0, None, None)


def test_free_passes_are_answered() -> None:
    """After a pass the other seat ends the game or puts a stone down, whichever is better for it."""
    game = game_of("hex:side=4")
    plain, positions = tried("hex:side=4")
    search = search_of(game)
    ended = 0
    for own, other in positions:
        state = game.position(plain.text((own, other), 1))
        if not state.is_over and plain.empties((own, other)):
            expected = plain.answer_to_pass(other, own)
            assert solved(search, state.play("pass")) == expected, state.text
            ended += expected == plain.now(other, own)
    assert 0 < ended < len(positions)


@pytest.mark.parametrize("spec", ["othello-4", "anti-4", "hex:side=3,start=ring"])
def test_values_with_ten_empty_cells_and_one_feature_off(spec: str) -> None:
    game, rng = game_of(spec), Random(spec)
    plain = Plain(game)
    roots: list[Position] = [played(game, rng, 10), thrown(plain, rng, 10, 0.5)]
    for root in roots:
        plain.value(*root)
    early = [position for position in plain.known if plain.empties(position) > 8]
    for name, mask in MASKS.items():
        search = search_of(game, features=mask)
        for position in rng.sample(early, min(len(early), 40)):
            text = plain.text(position, 1)
            assert solved(search, game.position(text)) == plain.value(*position), (name, text)
