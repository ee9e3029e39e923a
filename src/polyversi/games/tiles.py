"""What can lie on a cell, as the small numbers that the core, positions and maps share."""

EMPTY = 0
"""A free cell; 1 to 8 are the stones of the seats."""
HOLE = 9
"""A cell that was bombed away."""
CHOICE = 10
INVERSION = 11
BONUS = 12
EXPANSION = 13
"""A stone that belongs to nobody."""

TILE_NAMES: dict[int, str] = {
    EMPTY: "empty",
    HOLE: "bombed",
    CHOICE: "choice",
    INVERSION: "inversion",
    BONUS: "bonus",
    EXPANSION: "expansion stone",
}
"""What each tile is called, other than the stones of the seats."""

XT_SYMBOLS: dict[int, str] = {
    EMPTY: "0",
    **{seat: str(seat) for seat in range(1, 9)},
    HOLE: "-",
    CHOICE: "c",
    INVERSION: "i",
    BONUS: "b",
    EXPANSION: "x",
}
"""The character of each tile in XT maps and XT position lines."""

XT_TILES: dict[str, int] = {symbol: tile for tile, symbol in XT_SYMBOLS.items()}
