"""What a game is, and what a single stone or bomb does to the tiles of a board."""

from collections.abc import Sequence
from dataclasses import dataclass

from .boards import Steps

EMPTY = 0
HOLE, CHOICE, INVERSION, BONUS, EXPANSION = 9, 10, 11, 12, 13
STONES = range(1, 9)
FREE = (EMPTY, CHOICE, INVERSION, BONUS)
"""Tiles that a stone is put down on without an override stone, and that end a line."""
BONUS_BOMB, BONUS_OVERRIDE = 20, 21


@dataclass(frozen=True)
class RefGame:
    """A variant as plain data: the board's steps, the tiles at the start, and the choices among the rules.

    >>> RefGame(steps={}, directions=8, start=(0, 1, 2)).seats
    2
    """

    steps: Steps
    directions: int
    start: tuple[int, ...]
    seats: int = 2
    goal: str = "most"
    passing: str = "forced"
    placing: str = "capture"
    opening: tuple[int, ...] = ()
    overrides: int = 0
    bombs: int = 0
    radius: int = 0

    def order_after(self, seat: int) -> list[int]:
        """All seats in the order of their turns, beginning after this one (0: from the first).

        >>> RefGame({}, 8, (), seats=4).order_after(2)
        [3, 4, 1, 2]
        """
        return [(seat + i) % self.seats + 1 for i in range(self.seats)]


def enclosed(game: RefGame, tiles: Sequence[int], cell: int, direction: int, seat: int) -> list[int]:
    """The cells that a stone of this seat put down here would turn in one direction.

    >>> from .boards import rectangle
    >>> enclosed(RefGame(rectangle(4, 1), 8, ()), [0, 2, 2, 1], cell=0, direction=2, seat=1)
    [1, 2]
    """
    collected: list[int] = []
    here = (cell, direction)
    # Every step can be taken back, so a line that never ends has to come back to where it began, within as
    # many steps as there are: the limit only guards against steps that are not of that kind.
    for _ in range(len(game.steps) + 1):
        if here not in game.steps:
            return []
        here = game.steps[here]
        tile = tiles[here[0]]
        if here[0] == cell or tile in FREE or tile == HOLE:
            return []
        if tile == seat:
            return collected
        collected.append(here[0])
    raise ValueError(
        f"The line from cell {cell} in direction {direction} never ends: a step cannot be taken back."
    )


def captured(game: RefGame, tiles: Sequence[int], cell: int, seat: int) -> set[int]:
    """The cells that a stone of this seat put down here would turn, all directions together.

    >>> from .boards import rectangle
    >>> captured(RefGame(rectangle(5, 1), 8, ()), [1, 2, 0, 2, 1], cell=2, seat=1)
    {1, 3}
    """
    return {
        turned
        for direction in range(game.directions)
        for turned in enclosed(game, tiles, cell, direction, seat)
    }


def touches_a_stone(game: RefGame, tiles: Sequence[int], cell: int) -> bool:
    """Whether a stone of any seat lies next to this cell.

    >>> from .boards import rectangle
    >>> game = RefGame(rectangle(3, 1), 8, ())
    >>> [touches_a_stone(game, [0, 0, 2], cell) for cell in (0, 1)]
    [False, True]
    """
    steps = (game.steps.get((cell, direction)) for direction in range(game.directions))
    return any(step is not None and tiles[step[0]] in STONES for step in steps)


def specials(game: RefGame, tile: int) -> list[int]:
    """The special values that a stone on such a tile can be put down with.

    >>> specials(RefGame({}, 8, (), seats=3), CHOICE), specials(RefGame({}, 8, ()), EMPTY)
    ([1, 2, 3], [0])
    """
    if tile == CHOICE:
        return list(range(1, game.seats + 1))
    if tile == BONUS:
        return [BONUS_BOMB, BONUS_OVERRIDE]
    return [0]


def swapped(tiles: Sequence[int], one: int, other: int) -> tuple[int, ...]:
    """The tiles after two seats have exchanged all their stones.

    >>> swapped([1, 2, 3, 1, 0], 1, 3)
    (3, 2, 1, 3, 0)
    """
    exchange = {one: other, other: one}
    return tuple(exchange.get(tile, tile) for tile in tiles)


def inverted(tiles: Sequence[int], seats: int) -> tuple[int, ...]:
    """The tiles after every seat has handed its stones to the next.

    >>> inverted([1, 2, 3, 0, 13], 3)
    (2, 3, 1, 0, 13)
    """
    return tuple(tile % seats + 1 if tile in STONES else tile for tile in tiles)


def crater(game: RefGame, tiles: Sequence[int], cell: int) -> set[int]:
    """The cells that a bomb on this one destroys: all within the radius, by ways that avoid holes.

    >>> from .boards import rectangle
    >>> sorted(crater(RefGame(rectangle(6, 1), 8, (), radius=2), [0, 0, 1, 0, 9, 0], cell=2))
    [0, 1, 2, 3]
    """
    reached = {cell}
    border = {cell}
    for _ in range(game.radius):
        leaving = {(here, direction) for here in border for direction in range(game.directions)}
        border = {game.steps[step][0] for step in leaving if step in game.steps}
        border = {here for here in border - reached if tiles[here] != HOLE}
        reached |= border
    return reached
