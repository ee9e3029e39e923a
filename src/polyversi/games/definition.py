"""The definition of a game: the data that makes one Reversi different from another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from polyversi.games.board import Board
from polyversi.games.errors import VariantError
from polyversi.games.result import DISQUALIFIED_POINTS, RANK_POINTS, shared_point
from polyversi.games.tiles import EMPTY, TILE_NAMES

Goal = Literal["most", "fewest"]
Empties = Literal["nobody", "winner"]
Passing = Literal["forced", "free", "skip"]
Placing = Literal["capture", "adjacent"]
BadMove = Literal["lose", "pass", "disqualify"]
Scoring = Literal["win", "ranks"]
Phase = Literal["build", "bomb"]

GOALS: dict[tuple[Goal, Scoring], str] = {
    ("most", "win"): "Most stones win.",
    ("fewest", "win"): "Fewest stones win.",
    ("most", "ranks"): "Most stones win; ranks give points.",
    ("fewest", "ranks"): "Fewest stones win; ranks give points.",
}
"""What people are told that they play for."""


@dataclass(frozen=True)
class Definition:
    """Everything the rules core needs to know about a game.

    >>> from polyversi.games.board import rectangle
    >>> Definition(rectangle(4, 4), start=(0,) * 5 + (2, 1, 0, 0, 1, 2) + (0,) * 5).seats
    2
    """

    board: Board
    start: tuple[int, ...]
    """What lies on each cell at the start."""
    random_cells: tuple[int, ...] = ()
    """Cells that get a stone of a random seat, 1 or 2, at the start."""
    seed: int = 0
    """The seed of the random stones, where `Game.start` is given no other."""
    seats: int = 2
    goal: Goal = "most"
    """Whether the most or the fewest stones win."""
    passing: Passing = "forced"
    """A pass only without a move (`forced`), at any time (`free`), or silently (`skip`).

    With `skip` come the phases, stocks and special tiles of XT.
    """
    placing: Placing = "capture"
    """A stone must capture, or when nothing can be captured may lie next to any stone (`adjacent`)."""
    opening: tuple[int, ...] = ()
    """Cells the players fill first, without capturing, in board order."""
    overrides: int = 0
    """Override stones of each seat at the start."""
    bombs: int = 0
    """Bombs of each seat at the start."""
    radius: int = 0
    """How many steps a bomb reaches."""
    bad_move: BadMove = "lose"
    """What an illegal move costs: the game, nothing but the turn, or the seat."""
    scoring: Scoring = "win"
    """One point for the winners to share, or points for every rank."""
    empties: Empties = "nobody"
    """Who gets the cells that stay empty: `nobody`, or the `winner`, whose margin grows by them.

    Who wins is the same with both. The engine's values are not.
    """

    def __post_init__(self) -> None:
        for name, kind in (("goal", Goal), ("passing", Passing), ("placing", Placing), ("bad_move", BadMove),
                           ("scoring", Scoring), ("empties", Empties)):
            if getattr(self, name) not in get_args(kind):
                possible = ", ".join(get_args(kind))
                raise VariantError(f"{name}={getattr(self, name)!r} is not possible; write one of {possible}")
        if self.empties == "winner" and self.seats != 2:
            raise VariantError("empty cells can go to the winner only where there are two seats")
        if len(self.start) != self.board.size:
            raise VariantError(f"the start has {len(self.start)} tiles for {self.board.size} cells")
        possible_tiles = {EMPTY, *range(1, self.seats + 1), *(TILE_NAMES if self.has_special_tiles else ())}
        for cell, tile in enumerate(self.start):
            if tile not in possible_tiles:
                raise VariantError(f"{self.board.name(cell)} cannot hold the tile {tile!r} at the start; "
                                   f"write 0 for an empty cell, or a seat from 1 to {self.seats}")
        if any(not 0 <= cell < self.board.size for cell in (*self.random_cells, *self.opening)):
            raise VariantError(f"a drawn or opening cell is outside the cells 0 to {self.board.size - 1}")

    @property
    def goal_in_words(self) -> str:
        """The goal as a sentence for a card or beside a board.

        >>> import polyversi as pv
        >>> [pv.game(spec).definition.goal_in_words for spec in ("hex", "anti")]
        ['Most stones win.', 'Fewest stones win.']
        """
        return GOALS[self.goal, self.scoring]

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The phases of a game in order: building, and in XT bombing after it."""
        return ("build", "bomb") if self.passing == "skip" else ("build",)

    @property
    def has_stocks(self) -> bool:
        """Whether seats hold override stones and bombs, now or perhaps later."""
        return self.passing == "skip"

    @property
    def has_special_tiles(self) -> bool:
        """Whether a cell may hold something else than a stone or nothing."""
        return self.passing == "skip"

    def points(self, ranks: tuple[int, ...], out: tuple[int, ...] = ()) -> tuple[float, ...]:
        """What the ranks of a finished game bring each seat; `out` are the seats that were disqualified.

        >>> import polyversi as pv
        >>> pv.game("othello").definition.points((1, 1))
        (0.5, 0.5)
        >>> pv.game("xt:torus").definition.points((1, 2, 2, 4), out=(4,))
        (25.0, 11.0, 11.0, -50.0)
        """
        if self.scoring == "win":
            return shared_point(ranks)
        return tuple(DISQUALIFIED_POINTS if seat in out else RANK_POINTS[place - 1]
                     for seat, place in enumerate(ranks, 1))
