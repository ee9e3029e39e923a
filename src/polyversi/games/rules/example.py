"""An example of a rule: a real position, and moves that are played in it by the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from polyversi._core import Move
from polyversi.games.rules.sentence import Sentence
from polyversi.games.state import State


@dataclass(frozen=True)
class Example:
    """A position, the moves that follow, and what they show."""

    name: str
    section: str
    """The section of the rules that it belongs to."""
    sentences: tuple[Sentence, ...]
    start: State
    moves: tuple[Move, ...]

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The position at the start and after each move."""
        states = [self.start]
        for move in self.moves:
            states.append(states[-1].play(move))
        return tuple(states)

    @property
    def plies(self) -> Iterator[tuple[State, Move, State]]:
        """Each move with the positions before and after it."""
        return zip(self.states, self.moves, self.states[1:], strict=False)
