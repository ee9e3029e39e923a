"""Boards as step maps: where a line goes when it leaves a cell in a direction, and how it turns there."""

from collections.abc import Iterable, Sequence

Coordinate = tuple[int, int]
Steps = dict[tuple[int, int], tuple[int, int]]
"""(cell, direction) -> (next cell, direction of travel there); what is missing is an edge."""

# (dx, dy) of each direction, y growing downwards. On the hexagon x and y are the column and the row of the
# numbering 10 * row + column, less one each, so that -10 is (0, -1) and +11 is (1, 1).
OFFSETS: dict[str, tuple[Coordinate, ...]] = {
    "square": ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)),
    "hexagon": ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)),
}


def opposite(direction: int, directions: int) -> int:
    """The direction straight back.

    >>> opposite(1, 8), opposite(5, 6)
    (5, 2)
    """
    return (direction + directions // 2) % directions


def neighbours(
    layout: str, coordinates: Sequence[Coordinate], links: Iterable[tuple[int, int, int, int]] = ()
) -> Steps:
    """The step map of cells at these coordinates, with links (cell, direction, to, entry) that run both ways.

    >>> steps = neighbours("square", [(0, 0), (1, 0)], [(0, 6, 1, 1)])
    >>> steps[0, 2], steps[0, 6], steps[1, 1]  # a step right; the link out of the left side, and back
    ((1, 2), (1, 5), (0, 2))
    """
    offsets = OFFSETS[layout]
    cell_at = {place: cell for cell, place in enumerate(coordinates)}
    steps: Steps = {}
    for (x, y), cell in cell_at.items():
        for direction, (dx, dy) in enumerate(offsets):
            if (x + dx, y + dy) in cell_at:
                steps[cell, direction] = (cell_at[x + dx, y + dy], direction)
    for cell, direction, to, entry in links:
        steps[cell, direction] = (to, opposite(entry, len(offsets)))
        steps[to, entry] = (cell, opposite(direction, len(offsets)))
    return steps


def rectangle_cells(width: int, height: int) -> list[Coordinate]:
    """The coordinates of a rectangle, row by row from the top.

    >>> rectangle_cells(2, 2)
    [(0, 0), (1, 0), (0, 1), (1, 1)]
    """
    return [(x, y) for y in range(height) for x in range(width)]


def rectangle(width: int, height: int) -> Steps:
    """The step map of a rectangle.

    >>> rectangle(3, 3)[4, 1], (0, 0) in rectangle(3, 3)
    ((2, 1), False)
    """
    return neighbours("square", rectangle_cells(width, height))


def torus(width: int, height: int) -> Steps:
    """The step map of a rectangle whose opposite sides are joined.

    >>> torus(4, 3)[0, 7]
    (11, 7)
    """
    return {
        (y * width + x, direction): ((y + dy) % height * width + (x + dx) % width, direction)
        for x, y in rectangle_cells(width, height)
        for direction, (dx, dy) in enumerate(OFFSETS["square"])
    }


def hexagon_cells(side: int) -> list[Coordinate]:
    """The coordinates of a hexagon, row by row from the top.

    >>> hexagon_cells(2)
    [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2)]
    """
    span = range(2 * side - 1)
    return [(x, y) for y in span for x in span if abs(x - y) < side]


def hexagon(side: int) -> Steps:
    """The step map of a hexagon.

    >>> hexagon(2)[3, 2]
    (6, 2)
    """
    return neighbours("hexagon", hexagon_cells(side))
