"""Puzzles: a position, the moves to be found one after the other, and the exact value of every move."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

from polyversi._core import Move
from polyversi.engines.search import final_value
from polyversi.games.errors import RecordError
from polyversi.games.game import Game
from polyversi.games.state import State

Kind: TypeAlias = Literal["win", "best", "wipeout"]
KINDS: dict[Kind, str] = {
    "win": "one move wins, and all others do not",
    "best": "one move is the best by a clear margin",
    "wipeout": "one move forces a wipe-out, and all others do not",
}
"""What there is to find, by the name of the kind."""
LABELS: dict[Kind, str] = {"win": "Winning move", "best": "Best move", "wipeout": "Wipe-out"}
"""What lists call the kinds."""
TASKS: dict[Kind, str] = {
    "win": "Find the only move with which {seat} wins.",
    "best": "Find the best move of {seat}.",
    "wipeout": "Find the only move with which {seat} takes every stone of the other side.",
}
"""What is to be done, with a place for the seat's name."""
TASKS_FOR_FEWEST = TASKS | {"wipeout": "Find the only move with which {seat} gets rid of all its stones."}
FAILURES: dict[Kind, str] = {
    "win": "{move} does not win.",
    "best": "There is a better move than {move}.",
    "wipeout": "{move} does not force a wipe-out.",
}
"""What is wrong with another move."""
MARGIN = 4
"""By how many stones the first move of a `best` puzzle is better than the second-best."""
MIN_CHOICES = 3
"""Moves other than passes among which the first one is found; with two, a guess is right too often."""
MAX_STEPS = 5
"""Moves that are to be found in one puzzle."""
GRADE_POINTS = (4, 7, 10, 14)
"""Points from which on a puzzle has the grades 2 to 5."""
GRADES = range(1, len(GRADE_POINTS) + 2)


def grade_of(plies: int, lure: int, steps: int) -> int:
    """How hard a puzzle is, from 1 to 5.

    One point for each of the `plies` that a search must look ahead to see the solution and to stay with it,
    half a point for each stone of the `lure`, which is how much better the best wrong move looks after two
    plies, and one point for each further move to be found.

    >>> grade_of(plies=1, lure=0, steps=1), grade_of(plies=5, lure=4, steps=2), grade_of(12, 10, 3)
    (1, 3, 5)
    """
    points = plies + lure / 2 + (steps - 1)
    return 1 + sum(points >= least for least in GRADE_POINTS)


@dataclass(frozen=True)
class Answer:
    """A move that can be tried, and what it leads to."""

    move: Move
    value: int
    """The exact result for the seat that moves, in stones; in wipe-outs empty cells count for the winner."""
    reply: Move | None
    """The best reply; None where the game is over."""


@dataclass(frozen=True)
class Step:
    """A move to be found: the position, and every legal move with its exact value, the right one first."""

    state: State
    answers: tuple[Answer, ...]

    @property
    def solution(self) -> Answer:
        """The right move."""
        return self.answers[0]

    def answer(self, move: Move | str) -> Answer:
        """What a move leads to; an IllegalMoveError says why it is not legal.

        >>> import polyversi as pv
        >>> step = pv.puzzles("othello", kind="win")[0].steps[0]
        >>> step.solution.value > 0 >= max(step.answer(one.move).value for one in step.answers[1:])
        True
        """
        wanted = self.state.as_move(move)
        self.state.play(wanted)
        return next(one for one in self.answers if one.move == wanted)


@dataclass(frozen=True)
class Puzzle:
    """A position in which one move is right, perhaps with further moves to be found after the best replies.

    >>> import polyversi as pv
    >>> puzzle = pv.puzzles("othello", kind="win")[0]
    >>> puzzle.solution in puzzle.state.moves, puzzle.line[0] == puzzle.solution, puzzle.grade in GRADES
    (True, True, True)
    """

    kind: Kind
    line: tuple[Move, ...]
    """Best play of both sides, from the position to the end of the game."""
    steps: tuple[Step, ...]
    """The moves to be found, in the order in which the line has them."""
    plies: int
    """The depth from which on every search prefers the solution: how many plies one must see ahead."""
    lure: int
    """By how many stones the best wrong move looks better than the solution to a search of two plies."""
    number: int = 0
    """The number of the game in which it was found."""

    def __post_init__(self) -> None:
        check(self)

    @property
    def state(self) -> State:
        """The position."""
        return self.steps[0].state

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    @property
    def solution(self) -> Move:
        """The right move in the position."""
        return self.steps[0].solution.move

    @property
    def value(self) -> int:
        """What the right moves lead to, for the seat that moves: see `Answer.value`."""
        return self.steps[0].solution.value

    @property
    def grade(self) -> int:
        """How hard it is, from 1 to 5: see `grade_of`."""
        return grade_of(self.plies, self.lure, len(self.steps))

    @property
    def task(self) -> str:
        """What is to be done, with a place for the name of the `{seat}` that moves."""
        tasks = TASKS_FOR_FEWEST if self.game.definition.goal == "fewest" else TASKS
        return tasks[self.kind]

    @property
    def is_wipeout(self) -> bool:
        """Whether it is won by a wipe-out, for which empty cells count for the winner."""
        return self.kind == "wipeout"

    @cached_property
    def key(self) -> str:
        """The same text for all puzzles that differ only by a symmetry or by the colours."""
        return key_of(self.state)

    @cached_property
    def id(self) -> str:
        """A short name that stays the same: it is made from the game and the position."""
        return hashlib.sha256(f"{self.game.spec} {self.key}".encode()).hexdigest()[:10]

    @property
    def states(self) -> tuple[State, ...]:
        """The positions of the line, from that of the puzzle to the end of the game."""
        return states_of(self.state, self.line)

    def _repr_svg_(self) -> str:
        return self.state.svg()


def states_of(state: State, line: tuple[Move, ...]) -> tuple[State, ...]:
    """A position, and those to which moves lead one after the other."""
    states = [state]
    for move in line:
        states.append(states[-1].play(move))
    return tuple(states)


def key_of(state: State) -> str:
    """The same text for all positions that differ only by a symmetry or by the colours of the stones.

    >>> import polyversi as pv
    >>> start = pv.game("othello").start()
    >>> len({key_of(start.play(move)) for move in start.moves} | {key_of(start.play("f5").flip())})
    1
    """
    return (state if state.next_seat == 1 else state.flip()).canonical()[0].text


def counting_game(game: Game, kind: Kind) -> Game:
    """The game by whose count the values of a kind of puzzle are exact.

    A wipe-out is worth all cells when the empty ones count for the winner, and nothing else is; by the count
    of a game in which they count for nobody, other results could be worth more.

    >>> import polyversi as pv
    >>> counting_game(pv.game("othello-6"), "wipeout").definition.empties
    'winner'
    """
    is_counted = kind != "wipeout" or game.definition.empties == "winner"
    return game if is_counted else _for_the_winner(game)


@lru_cache(maxsize=64)
def _for_the_winner(game: Game) -> Game:
    return Game(game.spec, replace(game.definition, empties="winner"))


def is_right(kind: Kind, values: list[int], cells: int, *, is_first: bool) -> bool:
    """Whether the first of these values of all moves makes its move the only solution.

    >>> is_right("win", [2, 0, -4], 64, is_first=True), is_right("win", [2, 1], 64, is_first=True)
    (True, False)
    >>> is_right("best", [-2, -4], 64, is_first=True), is_right("best", [-2, -4], 64, is_first=False)
    (False, True)
    """
    best, second = values[0], max(values[1:])
    if kind == "win":
        return best > 0 >= second
    if kind == "wipeout":
        return best == cells > second
    return best - second >= (MARGIN if is_first else 1)


def check(puzzle: Puzzle) -> None:
    """Raises a RecordError unless the parts of a puzzle agree by the rules; values need the solver."""
    states = puzzle.states
    if not states[-1].is_over:
        raise RecordError("the line does not lead to the end of the game")
    if len([move for move in puzzle.state.moves if not move.is_pass]) < MIN_CHOICES:
        raise RecordError(f"there must be {MIN_CHOICES} moves or more to choose from")
    seat = puzzle.state.next_seat
    end = counting_game(puzzle.game, puzzle.kind).position(states[-1].text)
    result = final_value(end) if end.next_seat == seat else -final_value(end)
    ply = -1
    for step in puzzle.steps:
        ply = next((at for at, state in enumerate(states) if at > ply and state == step.state), len(states))
        if ply >= len(puzzle.line) or puzzle.line[ply] != step.solution.move:
            raise RecordError("the line does not go through the moves that are to be found")
        _check_step(puzzle, step, seat, result)


def _check_step(puzzle: Puzzle, step: Step, seat: int, result: int) -> None:
    """Raises a RecordError unless a step has all moves of its position and one right one."""
    state, answers = step.state, step.answers
    if state.is_over or state.next_seat != seat:
        raise RecordError("in one of the positions somebody else is to move")
    if {one.move for one in answers} != {*state.moves} or len(answers) != len(state.moves):
        raise RecordError("the answers are not the legal moves of their position")
    values = [one.value for one in answers]
    is_first = step is puzzle.steps[0]
    if len(values) < 2 or not is_right(puzzle.kind, values, state.board.size, is_first=is_first):
        raise RecordError(f"no single move is right: this is not a puzzle of the kind '{puzzle.kind}'")
    if values[0] != result:
        raise RecordError("the line does not lead to the value of its first move")
    if step.solution.move.is_pass:
        raise RecordError("a pass is not a move to be found")
    for one in answers:
        after = state.play(one.move)
        if (one.reply is None) != after.is_over or (one.reply is not None and not after.is_legal(one.reply)):
            raise RecordError(f"the reply to {one.move} is not a legal one")
