"""The matrix player: cell values and stable stones for the game that the fewest stones win."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from polyversi import _core
from polyversi.games.errors import PlayerError
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players.player import register
from polyversi.players.search import Search, Searcher, look_ahead, needs_plain_board

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

ADJUSTED = (
    (-100, 25, -1, -5, -5, -1, 25, -100),
    (25, 45, -1, -1, -1, -1, 45, 25),
    (-1, -1, -1, -2, -2, -1, -1, -1),
    (-5, -1, -2, -1, -1, -2, -1, -5),
    (-5, -1, -2, -1, -1, -2, -1, -5),
    (-1, -1, -1, -2, -2, -1, -1, -1),
    (25, 45, -1, -1, -1, -1, 45, 25),
    (-100, 25, -1, -5, -5, -1, 25, -100),
)
"""What a stone on each cell is worth: a corner is bad, since it can never be given away."""
ORIGINAL = (
    (-500, 50, *ADJUSTED[0][2:6], 50, -500),
    (50, *ADJUSTED[1][1:7], 50),
    *ADJUSTED[2:6],
    (50, *ADJUSTED[6][1:7], 50),
    (-500, 50, *ADJUSTED[7][2:6], 50, -500),
)
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


@register("matrix")
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

    strength: ClassVar[int] = 75

    gamma: float = 0.7
    """The share of the position in the evaluation, from 0 to 1; the rest is stability."""
    matrix: Matrix = "adjusted"
    """Which cell values it goes by."""
    pruning: bool = True
    """Alpha-beta, or plain minimax."""
    depth: int = 4
    """Plies to look ahead."""

    def __post_init__(self) -> None:
        if not 0 <= self.gamma <= 1:
            raise PlayerError(f"gamma={self.gamma} is not possible; γ is a number from 0 to 1")
        if self.matrix not in MATRICES:
            raise PlayerError(f"matrix={self.matrix} is not possible; there are {' and '.join(MATRICES)}")
        if self.depth < 1:
            raise PlayerError(f"depth={self.depth} is not possible; it looks at least one ply ahead")

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
