"""Lines: a game that is played move by move and taken back again, the mutable partner of a state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from polyversi._core import Move
from polyversi.games.errors import IllegalMoveError, PolyversiError, RecordError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.variants import start_state
from polyversi.records.record import Record, read_move


class Line:
    """Moves from a start, one after the other: push plays one, pop takes the last one back.

    States never change; a line does, and holds the state that its moves lead to. It begins from a state, a
    game or the specification of one. The moves come one by one or as a transcript.

    >>> Line("othello", ["f5", "d6"]) == Line("othello", "f5d6")
    True
    >>> line = Line("othello", ["f5", "d6"])
    >>> line.push("c3")
    Move('c3')
    >>> line.state.scores, len(line), line.peek()
    ((5, 2), 3, Move('c3'))
    >>> line.pop(), line.state.scores, [str(move) for move in line]
    (Move('c3'), (3, 3), ['f5', 'd6'])
    """

    def __init__(self, start: State | Game | str = "othello", moves: str | Iterable[Move | str] = ()) -> None:
        self._states = [start_state(start)]
        self._moves: list[Move] = []
        if isinstance(moves, str):
            moves = Record.of(self.start, moves).moves if moves else ()
        for move in moves:
            self.push(move)

    @property
    def start(self) -> State:
        """The state before the first move."""
        return self._states[0]

    @property
    def state(self) -> State:
        """The state after the last move."""
        return self._states[-1]

    @property
    def states(self) -> tuple[State, ...]:
        """All states, from the start to the last: one more than there are moves."""
        return tuple(self._states)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves, passes included."""
        return tuple(self._moves)

    def push(self, move: Move | str) -> Move:
        """Plays a move, given as a Move or as text, and returns it; an error leaves the line as it was."""
        if isinstance(move, str):
            move = read_move(self.start.game, move)
        self._states.append(self.state.play(move))
        self._moves.append(move)
        return move

    def pop(self) -> Move:
        """Takes the last move back and returns it; an IndexError when there is none."""
        move = self.peek()
        del self._moves[-1], self._states[-1]
        return move

    def peek(self) -> Move:
        """The last move; an IndexError when there is none."""
        if not self._moves:
            raise IndexError("the line has no moves")
        return self._moves[-1]

    def follow(self, move: Move | str) -> None:
        """Plays a move as files have them: the forced passes before it may be missing.

        A pass after the end of the game is left out.

        >>> line = Line("othello-4")
        >>> for move in ["b1", "c1", "d3", "a1", "a3"]:    # after a1 black has no move
        ...     line.follow(move)
        >>> [str(move) for move in line.moves[-2:]]
        ['pass', 'a3']
        """
        if isinstance(move, str):
            move = read_move(self.start.game, move)
        while not (move.is_pass and self.state.is_over):
            try:
                self.push(move)
                return
            except IllegalMoveError:
                if not self.state.must_pass:
                    raise
                self.push(self.state.moves[0])    # with more than two seats, several may pass in a row

    def follow_all(self, moves: Iterable[Move | str]) -> None:
        """Follows moves one after another; a RecordError names the first that cannot be played."""
        for number, move in enumerate(moves, 1):
            try:
                self.follow(move)
            except PolyversiError as error:
                raise RecordError(f"move {number}: {error}") from None

    def record(self, players: Sequence[str] = ()) -> Record:
        """The line as a record, with a name for each seat if they are known.

        >>> Line("othello", ["f5"]).record(["Ann", "Bob"]).players
        ('Ann', 'Bob')
        """
        return Record.played(self._states, start=self.start, moves=self.moves, players=tuple(players))

    def copy(self) -> Line:
        """Another line that has come as far as this one, to go on by itself."""
        other = Line(self.start)
        other._states, other._moves = list(self._states), list(self._moves)
        return other

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Line):
            return NotImplemented
        return self.start == other.start and self._moves == other._moves

    __hash__ = None  # type: ignore[assignment]    # it changes

    def __repr__(self) -> str:
        return f"pv.Line({self.start!r}, {[str(move) for move in self._moves]})"

    def __str__(self) -> str:
        return str(self.state)
