"""Proofs that can be watched: bounds on what each first move of a game or position is worth, ever tighter."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from polyversi._core import Move
from polyversi.engines.search import GameSearch, final_value
from polyversi.engines.solver import check_opened, default_megabytes
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import game as game_of

GUESSED_TO_THE_END = 36
"""With so many empty cells or fewer, a guess is a selective search to the end: a good one saves questions."""
GUESS_DEPTH = 10
"""Plies of the search that guesses a value otherwise, and which move is the best."""
FIRST_STEP = 2
"""Stones between the guess and the next bound that is tried; each further step is twice as long."""


@dataclass(frozen=True)
class ProvedMove:
    """A first move with what is proved about it, in stones for the seat to move."""

    move: Move
    low: int
    """It is worth at least this."""
    high: int
    """And at most this."""
    same: tuple[Move, ...] = ()
    """Other moves that are symmetric to it and so worth the same."""

    @property
    def is_exact(self) -> bool:
        """Whether its value is proved."""
        return self.low == self.high


@dataclass(frozen=True)
class Proof:
    """What is proved so far about the first moves of a position."""

    state: State
    moves: tuple[ProvedMove, ...]
    """One of each group of symmetric moves, the best first as far as that is known."""
    nodes: int = 0
    seconds: float = 0.0

    @property
    def low(self) -> int:
        """The seat to move gets at least this."""
        return max(proved.low for proved in self.moves)

    @property
    def high(self) -> int:
        """And at most this."""
        return max(proved.high for proved in self.moves)

    @property
    def is_solved(self) -> bool:
        """Whether the value of the position is proved; moves that are no better may still be open."""
        return self.low == self.high

    @property
    def is_done(self) -> bool:
        """Whether the value of every move is proved."""
        return all(proved.is_exact for proved in self.moves)


class Prover(GameSearch):
    """Proves what the first moves of positions of one game are worth, in steps that can be watched.

    Every step is a search to the end of the game without shortcuts that answers one question: is this move
    worth at least so much? First come the questions that settle the value of the position, then those about
    moves that are no better.

    >>> import polyversi as pv
    >>> steps = []
    >>> proof = Prover(pv.game("othello-4")).prove(pv.game("othello-4").start(), observe=steps.append)
    >>> [(str(proved.move), proved.low, proved.high, len(proved.same)) for proved in proof.moves]
    [('b1', -8, -8, 3)]
    >>> proof.is_done, len(steps) > 1
    (True, True)
    """

    def prove(
        self, state: State, *, observe: Callable[[Proof], None] = lambda _: None, every_move: bool = True
    ) -> Proof:
        """The bounds of each first move when all are exact, or when it is stopped.

        `observe` gets the proof so far whenever a bound is tighter; what it raises ends the proof. Without
        `every_move` it ends when the value of the position is proved.
        """
        state = self._own(state)
        check_opened(state)
        return _Proving(self, state, observe).run(every_move)


class _Proving:
    """One proof on its way."""

    def __init__(self, prover: Prover, state: State, observe: Callable[[Proof], None]) -> None:
        self._core, self._observe = prover._core, observe
        self._nodes, self._begin = self._core.nodes, time.perf_counter()
        groups = symmetric_moves(state)
        self._after = {moves[0]: state.play(moves[0]) for moves in groups}
        self._most = len(state.tiles)
        self._proof = Proof(state, tuple(
            ProvedMove(moves[0], *self._known(self._after[moves[0]]), moves[1:]) for moves in groups))
        self._is_stopped = False

    def _known(self, after: State) -> tuple[int, int]:
        """What is known about a move without search."""
        return (-final_value(after),) * 2 if after.is_over else (-self._most, self._most)

    def _guessed(self, move: Move, *, quickly: bool = False) -> int:
        """What a search with shortcuts says about a move."""
        after = self._after[move]
        if after.is_over:
            return -final_value(after)
        empties = after.tiles.count(EMPTY)
        depth = max(1, empties) if empties <= GUESSED_TO_THE_END and not quickly else GUESS_DEPTH
        found = self._core.best_move(after, depth, 0, None, None)
        return -found[1] if found is not None else 0

    def run(self, every_move: bool) -> Proof:
        self._tell()
        ordered = sorted(self._proof.moves, key=lambda proved: -self._guessed(proved.move, quickly=True))
        self._proof = replace(self._proof, moves=tuple(ordered))
        self._tell()
        for proved in self._proof.moves:    # the value of the position: a move must be better than the best
            self._settle(proved.move, above=None if self._proof.low == -self._most else self._proof.low)
        for proved in self._proof.moves if every_move else ():
            if not proved.is_exact:
                self._settle(proved.move, above=None)
        return self._tell()

    def _settle(self, move: Move, above: int | None) -> None:
        """Asks about a move until its value is proved; with `above`, only if it is worth more than that."""
        step, ask = FIRST_STEP, self._guessed(move) if above is None else above + 1
        while not self._is_stopped:
            proved = next(one for one in self._proof.moves if one.move == move)
            if proved.is_exact or (above is not None and proved.high <= above):
                return
            ask = min(max(ask, proved.low + 1), proved.high)
            is_higher = self._is_worth(move, ask)
            if is_higher is None:
                self._is_stopped = True
                return
            self._tighten(replace(proved, low=ask) if is_higher else replace(proved, high=ask - 1))
            if is_higher:
                ask += step if proved.high == self._most else 1
            else:
                ask = ask - step if proved.low == -self._most else proved.low + 1
            step *= 2

    def _is_worth(self, move: Move, least: int) -> bool | None:
        """Whether a move is worth at least so many stones; None when it was stopped."""
        found = self._core.solve(self._after[move], -least, 1 - least)
        return None if found is None else -found[0] >= least

    def _tighten(self, tighter: ProvedMove) -> None:
        moves = (tighter if one.move == tighter.move else one for one in self._proof.moves)
        ordered = sorted(moves, key=lambda one: (-one.low, -one.high))
        self._proof = replace(self._proof, moves=tuple(ordered))
        self._tell()

    def _tell(self) -> Proof:
        seconds = time.perf_counter() - self._begin
        self._proof = replace(self._proof, nodes=self._core.nodes - self._nodes, seconds=seconds)
        self._observe(self._proof)
        return self._proof


def symmetric_moves(state: State) -> list[tuple[Move, ...]]:
    """The moves of a position in groups that a symmetry leads into each other.

    >>> import polyversi as pv
    >>> [" ".join(map(str, moves)) for moves in symmetric_moves(pv.game("othello").start())]
    ['d3 c4 f5 e6']
    """
    groups: dict[State, list[Move]] = {}
    for move in state.moves:
        groups.setdefault(state.play(move).canonical()[0], []).append(move)
    return [tuple(moves) for moves in groups.values()]


def prove(
    what: Game | State | str, *, threads: int = 1, megabytes: int | None = None,
    observe: Callable[[Proof], None] = lambda _: None,
) -> Proof:
    """The value of each first move of a game or position, proved; `observe` gets every step on the way.

    >>> prove("othello-4").low
    -8
    """
    if not isinstance(what, State):
        what = (what if isinstance(what, Game) else game_of(what)).start()
    memory = default_megabytes(what) if megabytes is None else megabytes
    return Prover(what.game, threads, memory).prove(what, observe=observe)


class MoveBounds(msgspec.Struct, frozen=True):
    """A move, and between what its exact value is."""

    move: str
    low: int
    high: int
    same: list[str]
    """Moves that are symmetric to it."""


class ProofFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A proof as it is sent and stored, in stones for the seat to move.

    >>> found = ProofFinding.of(prove("othello-4"))
    >>> found.moves, found.done
    ([MoveBounds(move='b1', low=-8, high=-8, same=['a2', 'd3', 'c4'])], True)
    """

    moves: list[MoveBounds]
    """The best first, as far as that is known."""
    low: int
    high: int
    """Between what the value of the position is."""
    nodes: int
    seconds: float
    solved: bool
    """Whether the value of the position is proved."""
    done: bool
    """Whether the values of all moves are."""

    @classmethod
    def of(cls, proof: Proof) -> ProofFinding:
        """What a proof has found."""
        moves = [MoveBounds(str(proved.move), proved.low, proved.high, list(map(str, proved.same)))
                 for proved in proof.moves]
        return cls(moves=moves, low=proof.low, high=proof.high, nodes=proof.nodes,
                   seconds=round(proof.seconds, 6), solved=proof.is_solved, done=proof.is_done)


def proof_data(proof: Proof) -> dict[str, Any]:
    """A proof as data for JSON: a `ProofFinding`."""
    data: dict[str, Any] = msgspec.to_builtins(ProofFinding.of(proof))
    return data
