"""The moves of a game with the states they were played in, of which some are kept where boards are large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from polyversi._core import Move
from polyversi.games.state import State
from polyversi.players import Limit

SMALL = 256
"""Cells of a board up to which every state is kept."""
MAX_INTERVAL = 16
"""Moves that are played again at most to find a state of a larger board."""


class Ply(NamedTuple):
    """A move that was played: from where, how long it took, and what everybody had left before it."""

    before: State
    move: Move
    seconds: float
    limits: tuple[Limit, ...] = ()


class _Kept(NamedTuple):
    """What is kept of every move."""

    seat: int
    move: Move
    seconds: float
    limits: tuple[Limit, ...]


class Plies(Sequence[Ply]):
    """The moves so far; a state that is not kept is played again from the last one before it that is.

    >>> import polyversi as pv
    >>> start, plies = pv.game("othello").start(), Plies(64)
    >>> plies.append(Ply(start, start.moves[0], 0.5))
    >>> plies[0].before == start, plies.seats, len(plies)
    (True, [1], 1)
    """

    def __init__(self, cells: int, disqualified: Sequence[tuple[int, int]] = ()) -> None:
        """The moves on a board with so many cells; 0 keeps every state.

        `disqualified` are the seats that go out, as a GameLog has them; it may grow with the game.
        """
        self._interval = min(MAX_INTERVAL, max(1, cells // SMALL))
        self._disqualified = disqualified
        self._kept: list[_Kept] = []
        self._states: dict[int, State] = {}

    @property
    def keeps_all(self) -> bool:
        """Whether the board is so small that every state is kept."""
        return self._interval == 1

    @property
    def seats(self) -> list[int]:
        """Who played each move."""
        return [kept.seat for kept in self._kept]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves alone."""
        return tuple([kept.move for kept in self._kept])

    @property
    def seconds(self) -> list[float]:
        """How long each took."""
        return [kept.seconds for kept in self._kept]

    def copy(self, disqualified: Sequence[tuple[int, int]]) -> Plies:
        """The same moves, to be continued by themselves."""
        copy = Plies(0, disqualified)
        copy._interval, copy._kept, copy._states = self._interval, list(self._kept), dict(self._states)
        return copy

    def append(self, ply: Ply) -> None:
        """Adds the next move; its state is kept at least until there is another."""
        last = len(self._kept) - 1
        if last % self._interval:
            self._states.pop(last, None)
        self._states[last + 1] = ply.before
        self._kept.append(_Kept(ply.before.turn, *ply[1:]))

    def cut(self, left: int) -> None:
        """Takes back all moves but the first so many."""
        for number in range(left, len(self._kept)):
            self._states.pop(number, None)
        del self._kept[left:]

    def states(self) -> Iterator[State]:
        """The states before each move, in order, each played at most once."""
        state: State | None = None
        for number in range(len(self._kept)):
            known = self._states.get(number)
            if known is None:
                assert state is not None, "the first state is always kept"
                known = self._after(state, number - 1)
            state = known
            yield state

    def __len__(self) -> int:
        return len(self._kept)

    @overload
    def __getitem__(self, index: int) -> Ply: ...
    @overload
    def __getitem__(self, index: slice) -> list[Ply]: ...

    def __getitem__(self, index: int | slice) -> Ply | list[Ply]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self._kept))[index]
        return Ply(self._before(number), *self._kept[number][1:])

    def __iter__(self) -> Iterator[Ply]:
        for state, kept in zip(self.states(), self._kept, strict=True):
            yield Ply(state, *kept[1:])

    def _before(self, number: int) -> State:
        first = next(known for known in range(number, -1, -1) if known in self._states)
        state = self._states[first]
        for played in range(first, number):
            state = self._after(state, played)
        return state

    def _after(self, state: State, number: int) -> State:
        state = state.play(self._kept[number].move)
        for place, seat in self._disqualified:
            if place == number + 1:
                state = state.disqualify(seat)
        return state
