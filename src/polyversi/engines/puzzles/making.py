"""Making puzzles: the engine plays against itself, and the solver proves where one move alone is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from random import Random

from polyversi._core import Move
from polyversi.engines.engine import Engine
from polyversi.engines.puzzles.model import (
    GRADES,
    KINDS,
    MAX_STEPS,
    MIN_CHOICES,
    Answer,
    Kind,
    Puzzle,
    Step,
    counting_game,
    is_right,
    states_of,
)
from polyversi.engines.search import EngineError, final_value, in_opening, random_opening
from polyversi.engines.solver import Solver
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY

OPENING_PLIES = range(4, 13)
"""Random plies at the start of a game."""
LEVELS = range(1, 13)
"""The levels that play, one drawn for both seats: all of them make mistakes."""
UNEVEN, WEAK, STRONG = 0.5, LEVELS[:3], LEVELS[-3:]
"""The share of games between a weak level and a strong one, in which one side may get wiped out."""
FEWEST, MOST = 5, 18
"""Empty cells of the positions that are looked at."""
BEST_FROM = 8
"""Empty cells from which on a position can be a `best` puzzle: with fewer one only has to count."""
LOPSIDED = 1 / 3
"""The share of the cells by which a game is so clearly won that the `best` move is of no interest."""
LURE_DEPTH = 2
"""Plies of the search whose opinion the lure is."""
MAX_LURE = 20
"""Stones of a lure that count."""
MAX_PLIES = 12
"""Plies up to which is measured how deep a search must look; what none of them sees has one more."""
MEGABYTES = 8
GAMES_PER_PUZZLE = 250
"""Games after which the search for as many puzzles as are wanted ends."""


def make(
    game: Game, count: int, seed: int = 0, known: Sequence[Puzzle] = (),
    observe: Callable[[int], None] = lambda _: None,
) -> Iterator[Puzzle]:
    """Finds puzzles until there are `count` of them with those that are `known` from an earlier run.

    There is at most one from each game, and there are not many of the same kind and grade. `observe` gets the
    number of games played. The same arguments give the same puzzles, also when they are made in several runs.

    >>> import polyversi as pv
    >>> [puzzle.game.spec for puzzle in make(pv.game("othello-6"), 1, seed=1)]
    ['othello-6']
    """
    found = list(known)
    for number in range(max((one.number for one in found), default=-1) + 1, count * GAMES_PER_PUZZLE):
        if len(found) >= count:
            return
        chosen = choose(puzzles_in(game, seed, number), found, count)
        observe(number + 1)
        if chosen is not None:
            found.append(chosen)
            yield chosen


def choose(candidates: Sequence[Puzzle], found: Sequence[Puzzle], count: int) -> Puzzle | None:
    """The candidate of a kind and grade of which there are fewest so far; none where there are enough."""
    keys, cells = {one.key for one in found}, Counter((one.kind, one.grade) for one in found)
    most = ceil(1.5 * count / (len(KINDS) * len(GRADES)))
    new = [one for one in candidates if one.key not in keys and cells[one.kind, one.grade] < most]
    return min(new, key=lambda one: (cells[one.kind, one.grade], -one.grade), default=None)


def played(game: Game, seed: int, number: int) -> list[State]:
    """The positions of a game of the engine against itself, from a random opening, with mistakes.

    >>> import polyversi as pv
    >>> states = played(pv.game("othello-6"), 1, 1)
    >>> states[-1].is_over, states == played(pv.game("othello-6"), 1, 1)
    (True, True)
    """
    random = Random(f"{seed} {game.spec} {number}")
    state = random_opening(game.start(random.getrandbits(32)), random)
    states = [state]
    for _ in range(random.choice(OPENING_PLIES)):
        if not state.is_over:
            moves = _placed(state) or list(state.moves)
            states.append(state := state.play(random.choice(moves)))
    levels = [random.choice(LEVELS)] * 2
    if random.random() < UNEVEN:
        levels = [random.choice(WEAK), random.choice(STRONG)]
        random.shuffle(levels)
    # New engines for each game: what one remembers of another game could change its choice.
    engines = [Engine(game, one, megabytes=1, seed=random.getrandbits(32)) for one in levels]
    while not state.is_over:
        states.append(state := state.play(engines[state.turn - 1].choose(state)))
    return states


def puzzles_in(game: Game, seed: int, number: int) -> list[Puzzle]:
    """Every puzzle in the game of this number.

    >>> import polyversi as pv
    >>> [(puzzle.kind, puzzle.grade) for puzzle in puzzles_in(pv.game("othello-6"), seed=1, number=0)]
    [('wipeout', 3), ('win', 1)]
    """
    finders: dict[Kind, _Finder] = {}
    for kind in KINDS:
        counting = counting_game(game, kind)
        known = next((one for one in finders.values() if one.counting is counting), None)
        finders[kind] = known or _Finder(game, counting)
    found = []
    for state in reversed(played(game, seed, number)):    # from the end: what is known of it helps before
        empties = state.tiles.count(EMPTY)
        has_choice = len(_placed(state)) >= MIN_CHOICES and not state.passes and not in_opening(state)
        if not has_choice or not FEWEST <= empties <= MOST:
            continue
        for kind in _possible(finders["win"].value(state), state, empties):
            puzzle = finders[kind].puzzle(state, kind, number)
            if puzzle is not None:
                found.append(puzzle)
                break
    return found


def _possible(value: int, state: State, empties: int) -> Iterator[Kind]:
    """The kinds that a position can be a puzzle of, by the value of its best move."""
    if value > sum(state.scores):    # after a wipe-out all of these stones are the winner's
        yield "wipeout"
    if value > 0:
        yield "win"
    if empties >= BEST_FROM and 0 <= value <= LOPSIDED * state.board.size:
        yield "best"


def _placed(state: State) -> list[Move]:
    """The moves other than passes."""
    return [move for move in state.moves if not move.is_pass]


class _Finder:
    """Looks for puzzles in the positions of one game, by exact values."""

    def __init__(self, game: Game, counting: Game) -> None:
        self.counting = counting
        self._game = game
        self._solver = Solver(counting, megabytes=MEGABYTES)

    def value(self, state: State) -> int:
        """The exact value of a position for the seat to move."""
        return self._solver.solve(self._counted(state)).value

    def puzzle(self, state: State, kind: Kind, number: int) -> Puzzle | None:
        """The puzzle of a kind that a position is, if it is one."""
        step = self._step(state, kind, is_first=True)
        if step is None:
            return None
        steps, line, seat = [step], list[Move](), state.next_seat
        while True:
            line.append(steps[-1].solution.move)
            line += self._until(seat, steps[-1])
            after = states_of(state, tuple(line))[-1]
            has_choice = not after.is_over and len(_placed(after)) > 1
            step = self._step(after, kind, is_first=False) if has_choice and len(steps) < MAX_STEPS else None
            if step is None:
                break
            steps.append(step)
        if not after.is_over:
            line += self._solver.solve(self._counted(after)).principal_variation
        plies, lure = self._sight(state, steps[0].solution.move)
        return Puzzle(kind, tuple(line), tuple(steps), plies, lure, number)

    def _step(self, state: State, kind: Kind, *, is_first: bool) -> Step | None:
        """All moves of a position with their values, if one of them is the only right one."""
        cells, solution = state.board.size, self._solver.solve(self._counted(state))
        best = solution.best
        if best is None or best.is_pass:
            return None
        answers = [self._answer(state, best)]
        others = sorted((move for move in state.moves if move != best), key=self._promise(state))
        for move in others:
            answers.append(self._answer(state, move))
            if not is_right(kind, [answers[0].value, answers[-1].value], cells, is_first=is_first):
                return None
        answers[1:] = sorted(answers[1:], key=lambda one: -one.value)
        return Step(state, tuple(answers))

    def _promise(self, state: State) -> Callable[[Move], int]:
        """Sorts moves so that those come first that probably are as good as the best: they end the search."""
        return lambda move: len(state.play(move).moves)

    def _answer(self, state: State, move: Move) -> Answer:
        after = state.play(move)
        if after.is_over:
            value = final_value(self._counted(after))
            return Answer(move, -value if after.next_seat != state.next_seat else value, None)
        solution = self._solver.solve(self._counted(after))
        return Answer(move, -solution.value, solution.best)

    def _until(self, seat: int, step: Step) -> Iterator[Move]:
        """The best reply to a solution, and what follows until the seat has a choice again."""
        state, reply = step.state.play(step.solution.move), step.solution.reply
        while not state.is_over and (state.next_seat != seat or len(state.moves) == 1):
            move = reply or self._solver.solve(self._counted(state)).best
            reply = None
            if move is None:
                raise EngineError("the solver found no move in a game that goes on")
            yield move
            state = state.play(move)

    def _sight(self, state: State, solution: Move) -> tuple[int, int]:
        """How deep a search must look to prefer the solution, and how tempting another move is at first."""
        deepest = min(MAX_PLIES, state.tiles.count(EMPTY) - 1)
        plies, lure = 1, 0
        # A new engine: what the solver has left in a table would tell a shallow search the end.
        engine = Engine(self.counting, megabytes=1)
        for analysis in engine.analyse(self._counted(state), Limit(depth=deepest)):
            values = {one.move: one.value for one in analysis.moves}
            ahead = max(value for move, value in values.items() if move != solution) - values[solution]
            depth = analysis.best.depth
            if ahead >= 0:
                plies = depth + 1
            if depth == LURE_DEPTH:
                lure = int(min(max(ahead, 0), MAX_LURE))
        return plies, lure

    def _counted(self, state: State) -> State:
        """The position in the game by whose count its value is exact."""
        return state if self.counting is self._game else self.counting.position(state.text)
