"""Late positions of every game that can be solved, random and thrown, with their values by plain search."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from random import Random

import polyversi as pv
from polyversi import _core
from polyversi.games.board import rectangle
from tests.testing.marks import slow_but
from tests.testing.reference_search import Plain, Position, seen_by_mover

SPECS = (
    "othello", "othello-4", "othello-5", "othello-6", "othello-7",
    "othello:width=5,height=4", "othello:width=4,height=7", "othello:width=8,height=4",
    "othello:start=parallel", "othello-6:holes=a1+c5+f3",
    "anti", "anti-4", "anti-5", "anti-6", "anti:width=6,height=4", "anti-4:start=parallel",
    "octagon", "octagon-6:goal=fewest", "blackhole", "blackhole:goal=fewest",
    "hex:side=3,start=ring", "hex:side=4,start=ring", "hex:side=5,start=ring", "hex:passing=forced",
    "hex:side=3,start=ring,goal=fewest", "hex:side=4,start=ring,goal=fewest", "anti-hex:passing=forced",
    "hex", "hex:side=4", "hex:side=3,start=ring,passing=free", "anti-hex", "anti-hex:side=4",
)
OTHER_EMPTIES = tuple(
    f"{spec}{',' if ':' in spec else ':'}empties={other}" for spec in SPECS
    for other in ("nobody", "winner") if pv.game(spec).definition.empties != other)
"""The same games with the other rule for cells that stay empty."""
RAGGED = tuple(f"ragged-{number}" for number in range(12))
"""Boards that nobody plays on, with holes anywhere."""
GAMES = (*SPECS, *OTHER_EMPTIES, *RAGGED)
EVERY_GAME = slow_but(
    GAMES, "othello", "othello-5", "anti-6", "octagon", "blackhole", "othello-6:holes=a1+c5+f3",
    "hex:side=3,start=ring", "hex:side=4", "anti-hex:side=4", "ragged-0", "ragged-1",
    "othello:empties=nobody", "othello-5:empties=winner", "anti-6:empties=winner",
    "hex:side=4,empties=winner")
"""All of them for `parametrize`, most of them marked slow."""
LATE = 8
"""Empty cells of the positions from which everything is tried."""
THROWN = ((LATE, 0.5), (LATE - 1, 0.5), (LATE, 0.1), (LATE, 0.95))
"""Empty cells of boards that stones are thrown onto, and the share of them of the seat to move."""
KINDS = ("pass", "over with empty cells", "wipe-out")
A_LAYER = 12
"""Positions checked of each number of empty cells below one from which everything was tried."""


def ragged(spec: str) -> pv.Game:
    """A rectangle with a few cells taken out, for the most or the fewest stones."""
    rng = Random(spec)
    width, height = rng.randint(4, 8), rng.randint(3, 8)
    holes = rng.sample(rectangle(width, height).coordinates, rng.randint(1, 4))
    board = rectangle(width, height, holes)
    return pv.Game(spec, pv.Definition(board, (0,) * board.size, goal=rng.choice(("most", "fewest")),
                                       empties=rng.choice(("nobody", "winner"))))


@functools.cache
def game_of(spec: str) -> pv.Game:
    return ragged(spec) if spec in RAGGED else pv.game(spec)


def on_every_kernel(game: pv.Game) -> Iterator[pv.Game]:
    """The same game served by the code for each kind of processor that this one can run."""
    assert game.kernel != "graph"
    for kernel in _core.kernels(game):
        yield pv.Game(game.spec, game.definition, kernel=kernel)


def played(game: pv.Game, rng: Random, empties: int) -> Position:
    """Where a random game stands when so many cells are empty, or where it ended before."""
    state = game.start(rng.getrandbits(32))
    while not state.is_over and state.tiles.count(0) > empties:
        stones = [move for move in state.moves if not move.is_pass]    # two free passes would end it early
        state = state.play(rng.choice(stones or state.moves))
    return seen_by_mover(state)


def thrown(plain: Plain, rng: Random, empties: int, share: float) -> Position:
    """Stones thrown onto the board, whether or not a game could come to this."""
    cells = rng.sample(range(plain.cells), max(0, plain.cells - empties))
    own = sum(1 << cell for cell in cells if rng.random() < share)
    return own, sum(1 << cell for cell in cells) & ~own


def kinds(plain: Plain, position: Position) -> set[str]:
    """What is special about a position."""
    following, answers = plain.following(*position), plain.following(*position[::-1])
    found = set()
    if answers and not following:
        found.add("pass")
    if not answers and not following and plain.empties(position):
        found.add("over with empty cells")
    if any(not own for own, _ in following):
        found.add("wipe-out")
    return found


def thrown_until(kind: str, plain: Plain, rng: Random, empties: int) -> Position:
    """The first of ever new positions that is of this kind."""
    shares = itertools.cycle((0.5, 0.9, 0.97))
    throws = (thrown(plain, rng, empties, share) for share in shares)
    return next(position for position in throws if kind in kinds(plain, position))


@functools.cache
def tried(spec: str) -> tuple[Plain, list[Position]]:
    """Late positions of a game in any order, with their values."""
    game, rng = game_of(spec), Random(spec)
    plain, chosen = Plain(game), set[Position]()
    roots = [played(game, rng, LATE) for _ in range(2)]
    roots += [thrown(plain, rng, empties, share) for empties, share in THROWN]
    for root in roots:
        before = len(plain.known)
        plain.value(*root)
        layers: dict[int, list[Position]] = {}
        for position in itertools.islice(plain.known, before, None):
            layers.setdefault(plain.empties(position), []).append(position)
        for layer in layers.values():
            chosen.update(rng.sample(layer, min(len(layer), A_LAYER)))
    chosen.update(thrown(plain, rng, empties, rng.random()) for empties in range(LATE) for _ in range(4))
    for kind in KINDS:
        for empties in range(2, 7):
            chosen.add(thrown_until(kind, plain, rng, empties))
    positions = sorted(chosen)
    rng.shuffle(positions)
    for position in positions:
        plain.value(*position)
    return plain, positions


def played_out(state: pv.State, line: tuple[_core.Move, ...]) -> int:
    """What a line is worth to the seat that begins it; its moves must be legal and end the game."""
    seat, better = state.next_seat, 1 if state.game.definition.goal == "most" else -1
    credits_winner = state.game.definition.empties == "winner"
    for move in line:
        assert move in state.moves, state
        state = state.play(move)
    assert state.is_over, state
    ahead = state.scores[seat - 1] - state.scores[2 - seat]
    return better * (ahead + sign(ahead) * state.tiles.count(0) * credits_winner)


def sign(value: int) -> int:
    return (value > 0) - (value < 0)
