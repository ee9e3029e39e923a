"""A small alphabet of strokes, with which pictures are lettered on machines that have no fonts."""

from __future__ import annotations

from polyversi.drawing.markup import element, number

HEIGHT = 14.0
"""The height of a digit in the units of the glyphs."""
DIGIT = 0.72
"""The height of a digit as a part of the font size, as in most fonts without serifs."""
GAP = 3.0
"""The space between two characters, from the middle of a stroke to the middle of the next."""
THIN, BOLD = 1.7, 2.7
"""The widths of the strokes."""

_LEFT_BOWL = "M7.6-5a3.8 5 0 1 0-7.6 0a3.8 5 0 1 0 7.6 0"
_RIGHT_BOWL = "M0-5a3.8 5 0 1 1 7.6 0a3.8 5 0 1 1-7.6 0"
_ARCH = "M0-10V0M0-6C0-8.6 1.5-10 3.7-10S7-8.6 7-6.2V0"

GLYPHS: dict[str, tuple[float, str]] = {
    " ": (1.6, ""),
    "0": (8, "M4-14C6.8-14 8-11 8-7S6.8 0 4 0 0-3 0-7 1.2-14 4-14z"),
    "1": (8, "M1.2-11.4L4.8-14V0"),
    "2": (8, "M.4-10.4C.4-12.6 2-14 4.1-14S7.8-12.6 7.8-10.5C7.8-8.6 6.7-7.3 5.2-5.7L.2 0H8"),
    "3": (8, "M.6-11.2C1-13 2.4-14 4.1-14 6.1-14 7.5-12.7 7.5-10.9 7.5-8.9 6-7.7 3.4-7.7 6.2-7.7 8-6.3 8-4"
             " 8-1.6 6.3 0 4 0 1.9 0 .5-1 .1-3"),
    "4": (8, "M6 0V-14L0-4.2H8.2"),
    "5": (8, "M7.2-14H1.4L.8-7.6C1.7-8.5 2.8-9 4.1-9 6.5-9 8-7.2 8-4.6 8-1.8 6.3 0 3.9 0 2 0 .6-1 .2-2.8"),
    "6": (8, "M7.2-12.2C6.6-13.4 5.6-14 4.4-14 1.6-14 .1-11.3.1-6.6.1-2.2 1.6 0 4.1 0 6.4 0 8-1.8 8-4.4"
             " 8-7 6.4-8.7 4.2-8.7 2.4-8.7.8-7.5.2-5.6"),
    "7": (8, "M.2-14H8C5-10 3.2-5.4 2.8 0"),
    "8": (8, "M4-7.6C2-7.6.6-8.9.6-10.8.6-12.7 2-14 4-14S7.4-12.7 7.4-10.8C7.4-8.9 6-7.6 4-7.6"
             " 1.7-7.6 0-6.1 0-3.8 0-1.5 1.7 0 4 0S8-1.5 8-3.8C8-6.1 6.3-7.6 4-7.6z"),
    "9": (8, "M.8-1.8C1.4-.6 2.4 0 3.6 0 6.4 0 7.9-2.7 7.9-7.4 7.9-11.8 6.4-14 3.9-14 1.6-14 0-12.2 0-9.6"
             " 0-7 1.6-5.3 3.8-5.3 5.6-5.3 7.2-6.5 7.8-8.4"),
    "a": (7.6, f"M7.6-10V0{_LEFT_BOWL}"),
    "b": (7.6, f"M0-14.5V0{_RIGHT_BOWL}"),
    "c": (7, "M7-8.2C6.4-9.3 5.3-10 4-10 1.6-10 0-8 0-5S1.6 0 4 0C5.3 0 6.4-.7 7-1.8"),
    "d": (7.6, f"M7.6-14.5V0{_LEFT_BOWL}"),
    "e": (7.4, "M.1-5.3H7.5C7.5-8.2 6-10 3.9-10 1.6-10 0-8 0-5S1.6 0 4 0C5.4 0 6.6-.6 7.2-1.8"),
    "f": (4.6, "M5-14.2C2.9-14.8 1.8-13.8 1.8-11.6V0M0-10H4.6"),
    "g": (7.6, f"M7.6-10V.6C7.6 3 6.2 4.2 3.9 4.2 2.4 4.2 1.2 3.7.5 2.7{_LEFT_BOWL}"),
    "h": (7, f"M0-14.5V-10{_ARCH}"),
    "i": (1, "M.5-10V0M.5-13.9h0"),
    "j": (2.4, "M2-10V1.4C2 3.4.9 4.3-.6 4M2-13.9h0"),
    "k": (6.8, "M0-14.5V0M6.4-10L0-4.2M2.6-6.4L6.8 0"),
    "l": (1, "M.5-14.5V0"),
    "m": (11, "M0-10V0M0-6.4C0-8.8 1.2-10 2.9-10S5.5-8.9 5.5-6.6V0M5.5-6.4C5.5-8.8 6.8-10 8.4-10"
              "S11-8.9 11-6.6V0"),
    "n": (7, _ARCH),
    "o": (7.6, _RIGHT_BOWL),
    "p": (7.6, f"M0-10V4.2{_RIGHT_BOWL}"),
    "q": (7.6, f"M7.6-10V4.2{_LEFT_BOWL}"),
    "r": (4, "M0-10V0M0-5.8C.2-8.6 1.8-10.2 4.2-9.9"),
    "s": (6.4, "M6.2-8.4C5.7-9.4 4.6-10 3.2-10 1.5-10 .4-9 .4-7.6.4-4.2 6.4-6 6.4-2.6 6.4-1 5.1 0 3.3 0"
               " 1.7 0 .5-.7 0-1.9"),
    "t": (4.8, "M2-13V-2.6C2-.6 3-.1 4.8-.2M0-10H4.6"),
    "u": (7, "M0-10V-3.8C0-1.4 1.2 0 3.3 0S7-1.4 7-4V-10M7-10V0"),
    "v": (7, "M0-10L3.5 0 7-10"),
    "w": (11, "M0-10L2.8 0 5.5-9.4 8.2 0 11-10"),
    "x": (6.8, "M0-10L6.8 0M6.8-10L0 0"),
    "y": (7.2, "M0-10L3.7-.4M7.2-10L3.5.6C2.7 3 1.8 4.2-.2 4.1"),
    "z": (6.8, "M.2-10H6.6L0 0H6.9"),
    ",": (1, "M.9-.2L.1 2.6"),
    "×": (6, "M0-8.4L6-2.4M6-8.4L0-2.4"),
}
"""The width and the path of each character, its baseline at 0: all that our drawings are lettered with."""
UNKNOWN = (7.0, "M0-12H7V0H0z")
"""An empty box, for characters that there are no strokes for."""


def written(
    words: str, at: complex, size: float, colour: str, anchor: str = "start", bold: bool = False
) -> str:
    """A line of text as paths: the point lies on its baseline, where `anchor` says.

    >>> written("1", 3 + 4j, 20, "#ffffff").count("<path")
    1
    """
    scale = size * DIGIT / HEIGHT
    glyphs = [GLYPHS.get(character, UNKNOWN) for character in words]
    width = sum(glyph[0] + GAP for glyph in glyphs) - GAP
    # The first stroke stands half its width beside the point, as letters of a font do.
    across = {"start": THIN / 2, "middle": -width / 2, "end": -width - THIN / 2}[anchor]
    paths = []
    for advance, path in glyphs:
        if path:
            paths.append(element("path", d=path, transform=f"translate({number(across)} 0)"))
        across += advance + GAP
    return element(
        "g", *paths, fill="none", stroke=colour, stroke_width=BOLD if bold else THIN,
        stroke_linecap="round", stroke_linejoin="round",
        transform=f"translate({number(at.real)} {number(at.imag)}) scale({scale:.4f})",
    )
