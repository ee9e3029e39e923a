"""Players of course projects that look ahead on boards of squares: matrix, six-factor and stock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from polyversi import _core
from polyversi.games.errors import PlayerError
from polyversi.games.family import Number
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.state import State
from polyversi.players.options import HARMLESS
from polyversi.players.player import register_player
from polyversi.players.search import DEEPEST, Search, Searcher, look_ahead, needs_plain_board


def _mirrored(corner: int, beside: int) -> tuple[tuple[int, ...], ...]:
    """A matrix from its first quarter."""
    quarter = ((corner, beside, -1, -5), (beside, 45, -1, -1), (-1, -1, -1, -2), (-5, -1, -2, -1))
    half = tuple((*row, *row[::-1]) for row in quarter)
    return (*half, *half[::-1])


ADJUSTED = _mirrored(corner=-100, beside=25)
"""What a stone on each cell is worth: a corner is bad, since it can never be given away."""
ORIGINAL = _mirrored(corner=-500, beside=50)
"""The first version, with more weight on the corners and the edge cells beside them."""

Matrix = Literal["adjusted", "original"]
MATRICES: dict[Matrix, tuple[tuple[int, ...], ...]] = {"adjusted": ADJUSTED, "original": ORIGINAL}


def matrix_evaluation(gamma: float = 0.7, matrix: Matrix = "adjusted") -> _core.Evaluation:
    """The evaluation: γ·position + (1 − γ)·stability, with the terms

    - *position*: the matrix values of the cells under my stones minus those under theirs;
    - *stability*: their stable stones minus mine. A stone is stable when on each of its four axes it touches
      the edge, lies on a full line, or touches a stable stone of its own colour: nothing can turn it any
      more. The report counts stable stones without saying more; where the fewest stones win, one that is
      there to stay is a burden.

    >>> import polyversi as pv
    >>> corner = pv.game("anti").position("XO------" + "-" * 16 + "---OX------XO---" + "-" * 24 + " X")
    >>> matrix_evaluation().terms(corner, 1)
    {'position': -125.0, 'stability': -1.0}
    >>> round(matrix_evaluation()(corner, 1), 3)
    -87.8
    """
    return _core.matrix_evaluation([value for row in MATRICES[matrix] for value in row], gamma)


@register_player("matrix")
class MatrixPlayer(Searcher):
    """Minimax for Reversed Reversi on cell values and stable stones, from a course report (CS303).

    The report compares three values of γ, two matrices, and describes the search with and without alpha-beta
    pruning; each is an option here. With and without pruning it plays the same moves. It is for 8×8 boards on
    which the fewest stones win: its matrix shuns the corners. A limit of depth counts instead of its own.

    >>> import polyversi as pv
    >>> state = pv.game("anti").start().play("f5")
    >>> pv.player("matrix", depth=3).search(state)
    Search(move=Move('d6'), value=0.0, nodes=50, depth=3)
    >>> pv.player("matrix", depth=3, pruning=False).search(state)
    Search(move=Move('d6'), value=0.0, nodes=78, depth=3)
    """

    label: ClassVar[str] = "Corner dodger"
    sentence: ClassVar[str] = ("Looks a few moves ahead and leaves you the corners, which nobody wants "
                               "where the fewest stones win.")
    strength: ClassVar[int] = 75

    gamma: Annotated[float, HARMLESS] = 0.7
    """The share of the position in the evaluation, from 0 to 1; the rest is stability."""
    matrix: Matrix = "adjusted"
    """Which cell values it goes by."""
    pruning: bool = True
    """Alpha-beta, or plain minimax."""
    depth: Annotated[int, Number(1, DEEPEST), HARMLESS] = 4
    """Plies to look ahead."""

    def __post_init__(self) -> None:
        if not 0 <= self.gamma <= 1:
            raise PlayerError(f"matrix cannot take gamma={self.gamma}; write a number from 0 to 1")

    def search(self, state: State, limit: Limit = NO_LIMIT) -> Search:
        evaluation = matrix_evaluation(self.gamma, self.matrix)
        return look_ahead(state, evaluation, limit, depth=self.depth, pruning=self.pruning)

    def unsuited(self, game: Game) -> str | None:
        if reason := needs_plain_board(game):
            return reason
        if (game.board.width, game.board.height) != (8, 8):
            return "its matrix is for boards of 8×8"
        if game.definition.goal == "most":
            return "its matrix shuns the corners, which is right only where the fewest stones win"
        return None


PLIES_IN_WORDS = (
    "Looks at its own next move only.", "Looks at your reply, too.", "Looks three moves ahead.",
    "Looks four moves ahead.",
)
"""What to expect of levels that are numbers of plies."""


@dataclass
class LevelSearcher(Searcher):
    """Alpha-beta for the most stones."""

    offered: ClassVar[Mapping[str, object]] = {"level": 2}
    levels: ClassVar[Sequence[str]] = PLIES_IN_WORDS
    evaluation: ClassVar[_core.Evaluation]

    level: Literal[1, 2, 3, 4] = 4
    """Plies to look ahead, 4 the strongest."""

    def search(self, state: State, limit: Limit = NO_LIMIT) -> Search:
        return look_ahead(state, self.evaluation, limit, depth=self.level, order="rings")

    def unsuited(self, game: Game) -> str | None:
        if reason := needs_plain_board(game):
            return reason
        return "it plays for the most stones" if game.definition.goal == "fewest" else None


SIX_FACTOR = _core.six_factor_evaluation()
"""The evaluation: 10·p + 801.724·c + 382.026·l + 78.922·m + 74.396·f + 10·d, with the terms, in this order,

- *stones* p: 100·mine/(mine + theirs) when mine are more, −100·theirs/(mine + theirs) when they are fewer,
  and 0 when there are as many;
- *corners* c: 25·(mine − theirs);
- *next to corners* l: −12.5·(mine − theirs), over the three neighbours of each corner that is still empty;
- *mobility* m: as p, on the numbers of legal moves;
- *frontier* f: as p with the sign turned round, on the stones with at least one empty neighbour;
- *cells* d: the values of the cells under my stones minus those under theirs, from a table for 8×8 or 6×6.

Both seats' moves and stones are counted, whoever is to move. `SIX_FACTOR.terms(state, seat)` gives the terms.
"""


@register_player("six-factor")
class SixFactorPlayer(LevelSearcher):
    """Alpha-beta on six factors: stones, corners, cells beside them, mobility, frontier and cell values.

    The heuristic is a public one that two course projects used, a client for 8×8 with levels 1 to 4 and an
    exercise on 6×6, each without some of its conditions; here it is whole. The level is the number of plies
    it looks ahead; a limit of depth counts instead, and a limit of time can only make it stop earlier.

    >>> import polyversi as pv
    >>> state = pv.game("othello").start().play("f5")
    >>> pv.player("six-factor", level=2).search(state)
    Search(move=Move('f4'), value=-621.7523809523818, nodes=15, depth=2)
    >>> {name: term for name, term in SIX_FACTOR.terms(state, 1).items() if term}
    {'stones': 80.0, 'frontier': -80.0, 'cells': -4.0}
    """

    label: ClassVar[str] = "Six factors"
    sentence: ClassVar[str] = "Looks a few moves ahead, guards the corners and leaves you few moves."
    strength: ClassVar[int] = 80
    evaluation: ClassVar[_core.Evaluation] = SIX_FACTOR

    def unsuited(self, game: Game) -> str | None:
        if (game.board.width, game.board.height) not in ((8, 8), (6, 6)):
            return super().unsuited(game) or "its cell values are known for boards of 8×8 and 6×6 only"
        return super().unsuited(game)


SAFETY = _core.safety_evaluation()
"""The evaluation: my stones minus theirs in each of its terms,

- *safety*: for each stone 1, and 1 more for each of its four axes that is safe because on one side there is
  nothing but its own colour up to the edge;
- *corners*, times 64;
- *next to corners*, the cells diagonally beside a corner, times −32.
"""


@register_player("stock")
class StockPlayer(LevelSearcher):
    """Alpha-beta on safe stones and corners: what a course's exercise on 6×6 set out to beat.

    The level is the number of plies it looks ahead; a limit of depth counts instead, and a limit of time can
    only make it stop earlier.

    >>> import polyversi as pv
    >>> state = pv.game("othello-6").start()
    >>> pv.player("stock", level=1).search(state)
    Search(move=Move('c2'), value=3.0, nodes=4, depth=1)
    >>> SAFETY.terms(state, 1)
    {'safety': 0.0, 'corners': 0.0, 'next to corners': 0.0}
    """

    label: ClassVar[str] = "Safe stones"
    sentence: ClassVar[str] = "Looks a few moves ahead and collects corners and stones that are hard to turn."
    strength: ClassVar[int] = 60
    evaluation: ClassVar[_core.Evaluation] = SAFETY
