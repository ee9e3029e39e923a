"""Reasons: each is true of the lines that are compared, counted again, and found where it is true."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import polyversi as pv
from polyversi.engines import Analysis, MoveValue, judge
from polyversi.engines.reasons import (
    TEXTS,
    Reason,
    reason_data,
    reasons,
    region_sizes,
    safe_cells,
    safe_stones,
)


def random_state(spec: str, seed: int, plies: int) -> pv.State:
    """A position of a random game, with a choice."""
    dice, state = random.Random(seed), pv.game(spec).start(seed)
    for _ in range(plies):
        after = state.play(dice.choice(state.moves))
        if after.is_over:
            return state
        state = after
    return state


def analysed(state: pv.State, depth: int) -> Analysis:
    *_, last = judge(state.game, megabytes=1).analyse(state, pv.Limit(depth=depth))
    return last


def line_states(state: pv.State, line: tuple[pv.Move, ...]) -> list[pv.State]:
    found = [state]
    for move in line:
        found.append(found[-1].play(move))
    return found


def count_moves(state: pv.State) -> int:
    return len([move for move in state.moves if not move.is_pass])


def check(reason: Reason, state: pv.State, best: MoveValue, played: MoveValue) -> str:
    """Counts again what a reason says; its text."""
    text, values = reason.sentence.text, reason.sentence.values
    lines = [line_states(state, one.principal_variation) for one in (best, played)]
    after, seat = [line[1] for line in lines], state.turn
    counted = int(values.get("kept", 0)), int(values.get("given", 0))
    if "can be taken at once" in text:
        assert str(values["corner"]) not in map(str, after[0].moves)
        assert str(values["corner"]) in map(str, after[1].moves) and after[1].turn != seat
    elif "the corner" in text:
        there = [line[min(8, *(len(one) - 1 for one in lines))][str(values["corner"])] for line in lines]
        assert (there[0] == seat != there[1]) if "one gets" in text else (
            there[0] in (0, seat) and there[1] not in (0, seat))
    elif "takes a corner" in text:
        assert best.move.cell in safe_cells(state.board)
    elif text.startswith("Moves of the next"):
        assert counted == tuple(map(count_moves, after)) and counted[0] < counted[1]
    elif text.startswith("Moves of one's own"):
        assert counted == tuple(count_moves(line[2]) for line in lines) and counted[0] > counted[1]
        assert all(line[2].turn == seat for line in lines)
    elif "last move" in text:
        assert all(line[-1].is_over for line in lines)
    elif "regions" in text:
        assert [any(size % 2 for size in region_sizes(one)) for one in after] == [False, True]
    else:
        safe = [safe_stones(line[int(values["plies"])]) for line in lines]
        own = [stones[seat - 1] for stones in safe]
        others = [sum(stones) - stones[seat - 1] for stones in safe]
        assert counted == tuple(own if "own" in text else others)
        is_more = counted[0] > counted[1]
        assert is_more == (("own" in text) == (state.game.definition.goal == "most"))
    assert "{" not in str(reason) and str(best.move) in str(reason)
    assert reason_data(reason) == {"kind": reason.kind, "text": text, "values": values}
    return text


def test_every_reason_is_true_and_every_kind_is_found() -> None:
    found: Counter[str] = Counter()
    early = [random_state(spec, seed, 8 + 6 * seed)
             for spec in ("othello", "anti-6", "hex", "rolit", "octagon") for seed in range(6)]
    late = [random_state("othello-6", seed, 20 + seed % 8) for seed in range(24)]
    for state in (*early, *late):
        if state.must_pass:
            continue
        analysis = analysed(state, 3 if state in early else 12)
        for scored in analysis.moves[1:]:
            if scored.value < analysis.best.value:
                answers = scored.principal_variation[1:]
                for reason in reasons(state, scored.move, analysis.best, answers=answers):
                    found[check(reason, state, analysis.best, scored)] += 1
    assert found.keys() == set(TEXTS), found


def test_a_corner_that_is_given_away() -> None:
    """Only b2 opens the corner a1, which O takes along the long diagonal."""
    state = pv.game("othello").position(
        "--------" "--------" "--O-----" "---XX---" "---XO---" "-----O--" "--------" "--------" " X")
    bad, better = (state.game.move(name) for name in ("b2", "f5"))
    line = MoveValue(better, 1, 1, 73, False, (better,))
    texts = [str(reason) for reason in reasons(state, bad, line, answers=()) if reason.kind == "corner"]
    assert texts == ["After b2 the corner a1 can be taken at once; after f5 it cannot."]
    worse = MoveValue(bad, 1, 1, 73, False, (bad,))
    assert not any(reason.kind == "corner" for reason in reasons(state, better, worse, answers=()))


def test_nothing_is_said_where_nothing_can_be() -> None:
    state = pv.game("othello").start()
    best = analysed(state, 2).best
    assert reasons(state, best.move, best) == ()
    other = next(move for move in state.moves if move != best.move)
    assert reasons(state, other, best) == ()    # symmetric moves
    xt = pv.game("xt:torus").start()
    found = analysed(xt, 1)
    assert reasons(xt, found.moves[-1].move, found.best) == ()
    torus = analysed(pv.game("torus").start(), 2)
    assert not any(reason.kind == "corner" for scored in torus.moves
                   for reason in reasons(torus.state, scored.move, torus.best))


@pytest.mark.parametrize("spec", ["othello", "othello-6", "hex", "rolit", "octagon", "torus"])
def test_safe_stones_are_never_turned(spec: str) -> None:
    dice = random.Random(spec)
    for seed in range(4):
        state = random_state(spec, seed, 20)
        while not state.is_over:
            counts = safe_stones(state)
            assert all(safe <= stones for safe, stones in zip(counts, state.scores, strict=True))
            state = state.play(dice.choice(state.moves))
            grown = safe_stones(state)
            assert all(now >= before for now, before in zip(grown, counts, strict=True))
        if state.ending == "board full":
            assert safe_stones(state) == state.scores
