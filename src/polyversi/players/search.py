"""Search: looking ahead by minimax or alpha-beta in the core, with any evaluation at the leaves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast

from polyversi import _core
from polyversi._core import Move
from polyversi.games.board import rectangle
from polyversi.games.errors import LimitError
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.players.player import Player

Evaluation = Callable[["State", int], float]
"""How good a state is for a seat: the larger, the better. `_core.Evaluation` is one that runs in the core."""
Order = Literal["board", "rings"]
"""The order in which moves are looked at: as they lie on the board, or the outermost ring first and then from
the middle outwards, so that the ring next to the edge comes last. Of equal moves the first one is chosen."""

WON = 1e9
"""A game that is won counts this and its margin; a lost one the same below zero; a draw nothing."""
DEEPEST = 1000
"""Plies; deeper than any game that can be searched."""
SHARE_OF_TIME = 0.9
"""What a search uses of the time it is given; the rest is for the way to the referee and back."""


@dataclass(frozen=True)
class Search:
    """What a search found."""

    move: Move
    """The best move."""
    value: float
    """Its value for the seat to move; beyond WON when that seat wins, whatever the others do."""
    nodes: int
    """How many positions were reached by a move."""
    depth: int
    """The plies that were searched whole; 0 when time ran out before all moves had been looked at once."""


def look_ahead(
    state: State, evaluation: Evaluation, limit: Limit = NO_LIMIT, *, depth: int | None = None,
    pruning: bool = True, order: Order = "board",
) -> Search:
    """The best move by minimax: this seat chooses the highest value, every other seat the lowest.

    Pruning leaves out what cannot change the outcome: the move and its value are the same without it. A
    forced pass is a ply. A depth in the limit counts instead of `depth`. Where seconds or nodes are limited
    it looks one ply ahead, then two, and so on, and the last depth that was finished counts.

    >>> import polyversi as pv
    >>> def mobility(state, seat):
    ...     return len(state.moves) if state.turn == seat else -len(state.moves)
    >>> start = pv.game("othello").start()
    >>> look_ahead(start, mobility, depth=4)
    Search(move=Move('d3'), value=5.0, nodes=130, depth=4)
    >>> look_ahead(start, mobility, depth=4, pruning=False)
    Search(move=Move('d3'), value=5.0, nodes=316, depth=4)
    """
    seconds = time_for_a_move(state, limit)
    plies = limit.depth if limit.depth is not None else depth
    if plies is None and seconds is None and limit.nodes is None:
        raise LimitError("a search without a depth needs a limit of seconds, nodes or depth")
    plies = DEEPEST if plies is None else min(max(1, plies), DEEPEST)
    evaluate = cast("_core.Evaluate", evaluation)
    return Search(*_core.search(state, evaluate, plies, seconds, limit.nodes, pruning, order))


def time_for_a_move(state: State, limit: Limit) -> float | None:
    """The seconds to spend on the next move: of a bank, a share that lets it last for the game."""
    if limit.allowance is None:
        return None
    seconds = limit.allowance
    if limit.bank is not None:
        moves_left = max(4.0, state.tiles.count(EMPTY) / state.game.seats)
        seconds = min(seconds, limit.bank / moves_left + limit.increment)
    return SHARE_OF_TIME * seconds


class Searcher(Player):
    """A player that looks ahead: it plays the move that its search finds."""

    @abstractmethod
    def search(self, state: State, limit: Limit = NO_LIMIT) -> Search:
        """The move with its value, and how many nodes and plies that took."""

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:
        """The move to play; the state is not over."""
        return self.search(state, limit).move


@dataclass
class SearchPlayer(Searcher):
    """Looks ahead by an evaluation of one's own: a function of a state and a seat, the larger the better.

    It plays every game; with more than two seats it takes all others to play against it. A function written
    in Python is slow but right. With depth None it looks as far as the limit allows.

    >>> import polyversi as pv
    >>> def corners(state, seat):
    ...     tiles = [state.tiles[cell] for cell in (0, 7, 56, 63)]
    ...     return tiles.count(seat) - tiles.count(3 - seat)
    >>> careful = SearchPlayer(corners, depth=2)
    >>> finished = pv.play(pv.game("othello").start(), [careful, pv.player("random", seed=1)])
    >>> finished.result.winner
    1
    """

    name = "search"

    evaluation: Evaluation
    depth: int | None = 4
    """Plies to look ahead."""
    pruning: bool = True
    """Whether to leave out what cannot change the outcome."""
    order: Order = "board"

    def search(self, state: State, limit: Limit = NO_LIMIT) -> Search:
        return look_ahead(state, self.evaluation, limit, depth=self.depth, pruning=self.pruning,
                          order=self.order)

    def spec(self) -> str:
        """What it is called in records; a function has no text from which it could be made again."""
        called = getattr(self.evaluation, "__name__", type(self.evaluation).__name__)
        return f"search:evaluation={called}" + (f",depth={self.depth}" if self.depth else "")


def needs_plain_board(game: Game) -> str | None:
    """Why a player that needs corners and edges cannot play a game, or None when it can."""
    board, rules = game.board, game.definition
    if rules.has_stocks or rules.seats != 2 or rules.placing != "capture":
        return "it plays Othello's rules with two seats"
    if board != rectangle(board.width, board.height):
        return "it needs corners and edges: a board of squares without holes or joined edges"
    return None


def needs_xt(game: Game) -> str | None:
    """Why a player of Reversi XT for the most stones cannot play a game, or None when it can."""
    if not game.definition.has_stocks:
        return "it plays Reversi XT only, such as xt:starfish"
    return "it wants the most stones" if game.definition.goal == "fewest" else None
