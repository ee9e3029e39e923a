"""Drawings as PNG, which looks the same on every machine: the font comes with the package."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from polyversi.games.errors import PolyversiError
from polyversi.games.extras import PICTURES, require

MIN_SIZE, MAX_SIZE = 16, 4096
"""The longer side of a picture in pixels."""
FONT = "DejaVu Sans Condensed"
FONTS = [str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
SIDES = re.compile(r'(?<=viewBox=")0 0 ([\d.]+) ([\d.]+)" width="([\d.]+)" height="([\d.]+)')


class Box(NamedTuple):
    """A part of a picture, in pixels."""

    left: int
    top: int
    right: int
    bottom: int


def png(svg: str, size: int | None = None, *, background: str | None = None, box: Box | None = None) -> bytes:
    """A drawing of ours, or a part of it, as PNG, its longer side `size` pixels; needs the `server` extra.

    >>> import polyversi as pv
    >>> png(pv.game("othello").start().svg(), 200)[:4]
    b'\\x89PNG'
    """
    if size is not None:
        check_size(size, MAX_SIZE)
    require(PICTURES)
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(
        svg_string=_scaled(svg, size, box), background=background, skip_system_fonts=True, font_files=FONTS,
        sans_serif_family=FONT,
    ))


def check_size(size: int, largest: int) -> None:
    """Refuses pictures that are too small to see, and those that would fill the memory."""
    if not MIN_SIZE <= size <= largest:
        raise PolyversiError(f"a picture cannot be {size} pixels long; give {MIN_SIZE} to {largest}")


def _scaled(svg: str, size: int | None, box: Box | None) -> str:
    """The drawing with sides of whole pixels: otherwise a fine line stays free at the edges."""

    def sides(found: re.Match[str]) -> str:
        across, down, width, height = map(float, found.groups())
        scale = 1.0 if size is None else size / max(width, height)
        width, height = (max(1, round(side * scale)) for side in (width, height))
        left, top, right, bottom = box or (0, 0, width, height)
        across, down = across / width, down / height    # of a pixel
        seen = " ".join(f"{side:.5f}" for side in (
            left * across, top * down, (right - left) * across, (bottom - top) * down))
        return f'{seen}" preserveAspectRatio="none" width="{right - left}" height="{bottom - top}'

    return SIDES.sub(sides, svg, count=1)
