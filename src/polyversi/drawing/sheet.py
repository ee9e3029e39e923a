"""A sheet of text that is written at any row and column, with or without ANSI colours."""

from __future__ import annotations


class Sheet:
    """Pieces of text, each at its row and column and in its style.

    >>> sheet = Sheet(color=False)
    >>> sheet.put(0, 2, "b")
    >>> sheet.put(0, 0, "a")
    >>> sheet.lines()
    ['a b']
    """

    def __init__(self, *, color: bool) -> None:
        self.color = color
        self._rows: dict[int, list[tuple[int, str, str]]] = {}

    def put(self, row: int, column: int, piece: str, look: str = "") -> None:
        """Write a piece; pieces must not lie upon each other."""
        self._rows.setdefault(row, []).append((column, piece, look))

    def lines(self) -> list[str]:
        """The lines from row 0 to the last one written, without spaces at their ends."""
        return [self._line(sorted(self._rows.get(row, []))) for row in range(max(self._rows, default=-1) + 1)]

    def _line(self, pieces: list[tuple[int, str, str]]) -> str:
        written, end, current = "", 0, ""
        for column, piece, look in pieces:
            if column > end:
                written, current = written + reset(current) + " " * (column - end), ""
            if self.color and look != current:
                written, current = written + reset(current) + (f"\x1b[{look}m" if look else ""), look
            written, end = written + piece, column + len(piece)
        return (written + reset(current)) if self.color else written.rstrip()


def style(
    ink: str | None = None, ground: str | None = None, *, bold: bool = False, underline: bool = False
) -> str:
    """The codes of a style: 24-bit colours given as `#rrggbb`.

    >>> style("#ffffff", bold=True)
    '1;38;2;255;255;255'
    """
    codes = ["1"] * bold + ["4"] * underline
    codes += [f"38;2;{_rgb(ink)}"] if ink else []
    codes += [f"48;2;{_rgb(ground)}"] if ground else []
    return ";".join(codes)


DIM = "2"


def shaded(colour: str, factor: float) -> str:
    """A colour made darker.

    >>> shaded("#ff8000", 0.5)
    '#7f4000'
    """
    return "#" + "".join(f"{int(int(colour[at : at + 2], 16) * factor):02x}" for at in (1, 3, 5))


def reset(look: str) -> str:
    """What ends a style."""
    return "\x1b[0m" if look else ""


def _rgb(colour: str) -> str:
    return ";".join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
