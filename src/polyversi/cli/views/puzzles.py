"""Puzzles in the terminal: the list, one of them on the board, and the dialogue in which it is solved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from polyversi.cli.views.board import seat_name
from polyversi.cli.views.terminal import is_colourful, new_table, print_board
from polyversi.drawing import Last
from polyversi.engines.puzzles import GRADES, KINDS, Answer, Puzzle, Step
from polyversi.gameplay.human import PersonLeft
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import title

HELP = """\
  moves      lists the legal moves
  solution   shows the solution
  quit       ends it"""


def puzzles_table(puzzles: Sequence[Puzzle]) -> Table:
    """A row for each puzzle."""
    table = new_table("puzzle", "kind", "grade", "empty", "moves to find", left=("puzzle", "kind"))
    for one in puzzles:
        empty = one.state.tiles.count(EMPTY)
        table.add_row(one.id, one.kind, str(one.grade), str(empty), str(len(one.steps)))
    return table


def kinds_table(puzzles: Sequence[Puzzle]) -> Table:
    """How many puzzles there are of each kind and grade."""
    table = new_table("kind", *(f"grade {grade}" for grade in GRADES), "all", left=("kind",))
    counts = Counter((one.kind, one.grade) for one in puzzles)
    for kind in KINDS:
        row = [counts[kind, grade] for grade in GRADES]
        table.add_row(kind, *map(str, row), str(sum(row)))
    return table


def outcome(puzzle: Puzzle, value: int) -> str:
    """What a value means for the seat that is to move.

    >>> import polyversi as pv
    >>> puzzle = pv.puzzles("othello", kind="win", grade=1)[0]
    >>> outcome(puzzle, 4), outcome(puzzle, 0), outcome(puzzle, -1)
    ('wins by 4', 'draws', 'loses by 1')
    """
    if puzzle.is_wipeout and value == puzzle.game.board.size:
        return "forces a wipe-out"
    return f"wins by {value}" if value > 0 else f"loses by {-value}" if value else "draws"


class PuzzleView:
    """One puzzle on a console."""

    def __init__(self, console: Console, puzzle: Puzzle) -> None:
        self._console, self._puzzle = console, puzzle

    def show_task(self) -> None:
        """The board and what is to be found."""
        puzzle = self._puzzle
        name = f"{title(puzzle.game.spec)}, puzzle {puzzle.id}"
        self._console.print(f"{name}, grade {puzzle.grade} of {GRADES[-1]}", style="bold")
        self._draw(puzzle.state)
        self._console.print(puzzle.task.format(seat=seat_name(puzzle.game, puzzle.state.next_seat)))

    def show_solution(self) -> None:
        """The right moves, the line to the end of the game, and what all moves are worth."""
        puzzle, console = self._puzzle, self._console
        moves = [str(step.solution.move) for step in puzzle.steps]
        console.print(f"solution: {' … '.join(moves)}, which {outcome(puzzle, puzzle.value)}")
        console.print(f"line: {' '.join(map(str, puzzle.line))}")
        self._show_values(puzzle.steps[0])

    def is_found(self) -> bool:
        """Lets a person find the moves; whether that worked at once and without help."""
        is_clean = True
        for step in self._puzzle.steps:
            if step is not self._puzzle.steps[0]:
                self._draw(step.state)
            answer = self._tried(step)
            while answer is not None and answer != step.solution:
                is_clean = False
                self._console.print(f"{answer.move} is wrong: it {self._consequence(answer)}; try again")
                answer = self._tried(step)
            if answer is None:
                self.show_solution()
                return False
            self._console.print(f"{answer.move} is right: it {self._consequence(answer)}", style="green")
        self._show_values(self._puzzle.steps[0])
        return is_clean

    def ask_for_next(self) -> None:
        """Waits until the person wants another one; PersonLeft if that is not so."""
        self._ask("Enter for the next puzzle, or quit: ")

    def _tried(self, step: Step) -> Answer | None:
        """The next move that a person tries, or None for somebody who wants to see the solution."""
        while True:
            words = self._ask("your move, or ? for help: ")
            if words == "solution":
                return None
            if words in ("?", "help"):
                self._console.print(HELP)
            elif words == "moves":
                self._console.print(" ".join(map(str, step.state.moves)))
            elif words:
                try:
                    return step.answer(words)
                except PolyversiError as error:
                    self._console.print(str(error))

    def _ask(self, question: str) -> str:
        try:
            line = self._console.input(question)
        except EOFError:
            raise PersonLeft from None
        words = "".join(filter(str.isprintable, line)).strip().lower()
        if words in ("quit", "exit", "q"):
            raise PersonLeft
        return words

    def _consequence(self, answer: Answer) -> str:
        said = outcome(self._puzzle, answer.value)
        return said if answer.reply is None else f"{said}; the best reply is {answer.reply}"

    def _show_values(self, step: Step) -> None:
        values = (f"{one.move} {one.value:+}" for one in step.answers)
        counts = ", with empty cells for the winner" if self._puzzle.is_wipeout else ""
        self._console.print(f"exact values{counts}: {', '.join(values)}")

    def _draw(self, state: State) -> None:
        last = self._last(state)
        drawn = state.draw(color=is_colourful(self._console), width=self._console.width, last=last)
        print_board(self._console, drawn.split("\n"))

    def _last(self, state: State) -> Last | None:
        """The move that led to a position of the line, to be marked."""
        states = self._puzzle.states
        at = states.index(state)
        return Last.of(states[at - 1], self._puzzle.line[at - 1]) if at else None
