"""Whole positions: whose turn it is, what may be played, what follows, and how the game ends."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .rules import (
    BONUS,
    BONUS_BOMB,
    BONUS_OVERRIDE,
    CHOICE,
    EMPTY,
    EXPANSION,
    FREE,
    HOLE,
    INVERSION,
    RefGame,
    captured,
    crater,
    inverted,
    specials,
    swapped,
    touches_a_stone,
)

Move = tuple[int, int]
"""A cell and a special value."""
PASS: Move = (-1, 0)
XT_POINTS = (25, 11, 5, 2, 1, 0, 0, 0)
XT_POINTS_WHEN_OUT = -50


@dataclass(frozen=True)
class RefResult:
    """Why and how a game ended, with one rank and one number of points a seat.

    >>> RefResult("board full", ranks=(1, 1), points=(0.5, 0.5), winners=(1, 2)).verdict
    'draw'
    """

    reason: str
    ranks: tuple[int, ...]
    points: tuple[float, ...]
    winners: tuple[int, ...]

    @property
    def verdict(self) -> str:
        """A "draw" when several share the first place, otherwise a "win"."""
        return "draw" if len(self.winners) > 1 else "win"


@dataclass(frozen=True)
class RefState:
    """A position that never changes: every move makes a new one.

    >>> from .boards import rectangle
    >>> state = RefState.start(RefGame(rectangle(4, 1), 8, (1, 2, 0, 0)))
    >>> state.play(2).tiles, state.play(2).reason
    ((1, 1, 1, 0), 'no moves')
    """

    game: RefGame
    tiles: tuple[int, ...]
    turn: int
    overrides: tuple[int, ...]
    bombs: tuple[int, ...]
    phase: str = "build"
    passes: int = 0
    out: tuple[int, ...] = ()
    last: int = 0
    reason: str = ""

    @staticmethod
    def start(game: RefGame, tiles: Sequence[int] | None = None, turn: int = 1) -> "RefState":
        """The beginning of a game, or of one from other tiles or with another seat to move.

        >>> from .boards import rectangle
        >>> RefState.start(RefGame(rectangle(3, 1), 8, (1, 2, 0))).legal_moves()
        [(2, 0)]
        """
        stones = tuple(game.start if tiles is None else tiles)
        state = RefState(game, stones, turn, (game.overrides,) * game.seats, (game.bombs,) * game.seats)
        return state._turn_of_next(turn - 1)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.reason != ""

    # What may be played

    def turned(self, cell: int, seat: int | None = None) -> set[int]:
        """The cells that a stone put down here turns, or that a bomb thrown here destroys."""
        if self.phase == "bomb":
            return crater(self.game, self.tiles, cell)
        if self._opening_cells():
            return set()
        return captured(self.game, self.tiles, cell, self.turn if seat is None else seat)

    def legal_moves(self) -> list[Move]:
        """Everything the seat to move may play, in board order, a pass last."""
        if self.over:
            return []
        if self.phase == "bomb":
            return [(cell, 0) for cell, tile in enumerate(self.tiles) if tile != HOLE]
        moves = self._stone_moves(self.turn)
        if not moves or (self.game.passing == "free" and not self._opening_cells()):
            moves.append(PASS)
        return moves

    def _opening_cells(self) -> list[int]:
        return sorted(cell for cell in self.game.opening if self.tiles[cell] == EMPTY)

    def _stone_moves(self, seat: int) -> list[Move]:
        """The moves that put a stone of this seat on the board."""
        if opening := self._opening_cells():
            return [(cell, 0) for cell in opening]
        cells = [cell for cell in range(len(self.tiles)) if self._may_place(cell, seat)]
        if not cells and self.game.placing == "adjacent":
            empty = [cell for cell, tile in enumerate(self.tiles) if tile == EMPTY]
            cells = [cell for cell in empty if touches_a_stone(self.game, self.tiles, cell)]
        return [(cell, special) for cell in cells for special in specials(self.game, self.tiles[cell])]

    def _may_place(self, cell: int, seat: int) -> bool:
        """Whether a stone here follows the rule of capturing, with an override stone where it needs one."""
        tile = self.tiles[cell]
        if tile == HOLE:
            return False
        if tile not in FREE and self.overrides[seat - 1] == 0:
            return False
        return tile == EXPANSION or bool(self.turned(cell, seat))

    # What follows

    def play(self, cell: int, special: int = 0) -> "RefState":
        """The position after a legal move of the seat to move."""
        if (cell, special) not in self.legal_moves():
            raise ValueError(f"Seat {self.turn} cannot play cell {cell} with special value {special} here.")
        if (cell, special) == PASS:
            passes = self.passes + 1 if self.game.passing == "free" else 0
            return replace(self, passes=passes)._turn_of_next(self.turn)
        moved = self._bombed(cell) if self.phase == "bomb" else self._placed(cell, special)
        last = self.turn if self.game.passing == "skip" else 0
        return replace(moved, passes=0, last=last)._turn_of_next(self.turn)

    def disqualify(self, seat: int) -> "RefState":
        """The position after a seat has been thrown out: its stones stay, its turns do not."""
        is_last = len(self.out) == self.game.seats - 1
        if (self.over and not is_last) or seat in self.out:
            raise ValueError(f"Seat {seat} cannot be disqualified: it is out already or the game is over.")
        state = replace(self, out=tuple(sorted((*self.out, seat))))
        if len(state.out) >= self.game.seats - 1:
            return state._ended("no seat left" if is_last else "one seat left")
        return state._turn_of_next(seat) if seat == self.turn else state

    def _placed(self, cell: int, special: int) -> "RefState":
        """After a stone: captures first, then the effect of the tile it was put on."""
        seat = self.turn
        before = self.tiles[cell]
        mine = self.turned(cell) | {cell}
        tiles = tuple(seat if here in mine else tile for here, tile in enumerate(self.tiles))
        overrides, bombs = list(self.overrides), list(self.bombs)
        if before not in FREE:
            overrides[seat - 1] -= 1
        if before == CHOICE:
            tiles = swapped(tiles, seat, special)
        elif before == INVERSION:
            tiles = inverted(tiles, self.game.seats)
        elif before == BONUS:
            bombs[seat - 1] += special == BONUS_BOMB
            overrides[seat - 1] += special == BONUS_OVERRIDE
        return replace(self, tiles=tiles, overrides=tuple(overrides), bombs=tuple(bombs))

    def _bombed(self, cell: int) -> "RefState":
        hit = self.turned(cell)
        tiles = tuple(HOLE if here in hit else tile for here, tile in enumerate(self.tiles))
        bombs = tuple(count - (seat == self.turn) for seat, count in enumerate(self.bombs, start=1))
        return replace(self, tiles=tiles, bombs=bombs)

    def _turn_of_next(self, seat: int) -> "RefState":
        """The turn handed on from this seat, or the end of the phase or of the game."""
        if self.game.passing == "skip":
            return self._skipping_turn(seat)
        if EMPTY not in self.tiles:
            return self._ended("board full")
        if self.game.passing == "free" and self.passes >= self.game.seats:
            return self._ended("passes")
        following = self.game.order_after(seat)
        if self.game.passing == "forced" and not any(self._stone_moves(other) for other in following):
            return self._ended("no moves")
        return replace(self, turn=following[0])

    def _skipping_turn(self, seat: int) -> "RefState":
        """The next seat that can build; if there is none, bombing goes on, or begins after the last mover."""
        if self.phase == "build":
            for other in self.game.order_after(seat):
                if other not in self.out and self._stone_moves(other):
                    return replace(self, turn=other)
            return replace(self, phase="bomb")._skipping_turn(self.last)
        if all(tile == HOLE for tile in self.tiles):
            return self._ended("no tiles left")
        for other in self.game.order_after(seat):
            if other not in self.out and self.bombs[other - 1] > 0:
                return replace(self, turn=other)
        return self._ended("bombs used")

    def _ended(self, reason: str) -> "RefState":
        return replace(self, turn=0, reason=reason)

    # How it ends

    def scores(self) -> tuple[int, ...]:
        """The stones of each seat."""
        return tuple(self.tiles.count(seat) for seat in range(1, self.game.seats + 1))

    def result(self) -> RefResult | None:
        """Why and how the game ended; None while it goes on."""
        if not self.over:
            return None
        ranks = self._ranks()
        winners = tuple(seat for seat, rank in enumerate(ranks, start=1) if rank == 1)
        points: tuple[float, ...]
        if self.game.passing == "skip":
            points = tuple(
                XT_POINTS_WHEN_OUT if seat in self.out else XT_POINTS[rank - 1]
                for seat, rank in enumerate(ranks, start=1)
            )
        else:
            points = tuple(1 / len(winners) if rank == 1 else 0 for rank in ranks)
        return RefResult(self.reason, ranks, points, winners)

    def _ranks(self) -> tuple[int, ...]:
        """Ties share the better rank; who is out shares the rank after everybody else, or the last."""
        if len(self.out) == self.game.seats:
            return (self.game.seats,) * self.game.seats
        sign = 1 if self.game.goal == "most" else -1
        value = {
            seat: sign * score for seat, score in enumerate(self.scores(), start=1) if seat not in self.out
        }
        return tuple(
            1 + sum(other > value[seat] for other in value.values()) if seat in value else len(value) + 1
            for seat in range(1, self.game.seats + 1)
        )

    def perft(self, depth: int) -> int:
        """The number of ways the game can go on for so many plies; one that ends before counts once.

        >>> from .boards import rectangle
        >>> RefState.start(RefGame(rectangle(4, 1), 8, (0, 1, 2, 0))).perft(4)
        1
        """
        if depth == 0 or self.over:
            return 1
        return sum(self.play(*move).perft(depth - 1) for move in self.legal_moves())
