"""Random games and records for the tests of the formats."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import strategies as st

import polyversi as pv
from polyversi.records import Note, Outcome, Problem, Record

if TYPE_CHECKING:
    from polyversi import Move, State

SMALL_MAP = """3
1
1 1
6 6
0 0 0 0 0 0
0 0 1 2 0 0
c 3 x 3 2 0
0 2 1 x 1 i
b 0 3 2 0 0
0 0 - 0 0 b
0 0 6 <-> 5 0 2
"""

SPECS = (
    "othello", "othello-4", "othello-6", "othello-10", "othello:width=5,height=4", "othello:start=parallel",
    "reversi", "octagon", "octagon-10", "blackhole", "cylinder", "torus", "anti", "anti-6", "hex",
    "hex:side=3,start=ring", "hex:side=6,seats=3", "rolit", "xt:starfish",
)
TAGS = (
    "event", "site", "date", "round", "time", "time-1", "rating-2", "comment", "type", "ggf:XX", "odd",
)

words = st.text(st.characters(codec="utf-8"), max_size=12)
latin = st.text(st.characters(codec="latin-1", exclude_characters="\0"), max_size=19)
seeds = st.integers(0, 2**32)


def played(start: State, seed: int, plies: int) -> tuple[Move, ...]:
    """Random moves from a state, up to so many; passes come up where they are free, but seldom."""
    choose = random.Random(seed)
    moves: list[Move] = []
    state = start
    while len(moves) < plies and not state.is_over:
        options = state.moves
        move = options[choose.randrange(len(options))]
        if move.is_pass and len(options) > 1 and choose.random() < 0.9:
            continue
        moves.append(move)
        state = state.play(move)
    return tuple(moves)


def begun(spec: str, seed: int) -> State:
    """A state to begin from: where games are drawn from a seed, that of this seed."""
    return pv.game(spec).start(seed=seed) if spec == "hex" else pv.game(spec).start()


@st.composite
def records(draw: st.DrawFn, specs: tuple[str, ...] = SPECS) -> Record:
    """Games of any variant, played by chance, to the end or not, with everything a record can have."""
    spec = draw(st.sampled_from(specs))
    seed = draw(seeds)
    start = begun(spec, seed)
    moves = played(start, seed, draw(st.sampled_from((0, 1, 5, 20, 70, 400))))
    number = st.none() | st.floats(-1e6, 1e6) | st.integers(-64, 64)
    notes = st.builds(Note, words, number, number)
    seats = start.game.seats
    return Record(
        start,
        moves,
        draw(st.just(()) | st.tuples(*[words | latin] * seats)),
        tuple(draw(st.dictionaries(st.sampled_from(TAGS), words | st.just("2004"), max_size=4)).items()),
        draw(st.just(()) | st.tuples(*[notes] * len(moves))) if len(moves) < 20 else (),
        draw(st.none() | st.builds(Outcome, words | st.sampled_from(("", "resigned", "timeout")), number)),
    )


@st.composite
def problems(draw: st.DrawFn, specs: tuple[str, ...] = SPECS) -> Problem:
    """Positions of any variant with some of their moves and scores."""
    record = draw(records(specs))
    state = record.final
    scores = st.none() | st.integers(-64, 64) | st.floats(-64, 64).map(lambda score: round(score, 2))
    moves = draw(st.lists(st.sampled_from(state.moves), unique=True, max_size=5)) if state.moves else []
    return Problem(state, tuple((move, draw(scores)) for move in moves), draw(words))
