"""A game as an animated GIF, one frame a position."""

from __future__ import annotations

import io
import math
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from polyversi.drawing.geometry import UNIT, Layout
from polyversi.drawing.palette import theme
from polyversi.drawing.raster import Box, check_size, png
from polyversi.drawing.svg import state_svg
from polyversi.games.errors import PolyversiError
from polyversi.games.extras import PICTURES, require
from polyversi.games.tiles import HOLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PIL import Image

    from polyversi.drawing.marks import Last
    from polyversi.games.state import State

MAX_SIZE = 1024
"""The longer side of a film in pixels."""
FRAMES, CELLS, PIXELS = 250, 60_000, 100_000_000
"""The most frames of a film, and the most cells and pixels in all of them together, if that allows two."""
COLOURS, FLAT = 64, 32
"""Colours of a film, and how many of them are exact: the most frequent ones, of stones, cells and lines."""
APART = 11
"""The least distance between two colours of a film: Pillow confuses closer ones."""
BORDER = 4
"""Pixels drawn around a part and cut off again: a stone looks slightly different at the edge of a picture."""
STAY = 4
"""How much longer the last frame is shown than the others."""

Moment: TypeAlias = "tuple[State, Last | None]"
"""A position and the move that led to it."""


def max_frames(cells: int, size: int) -> int:
    """How many frames a film of a board with this many cells can have; few for a large map.

    >>> max_frames(64, 480), max_frames(2500, 480), max_frames(64, 1024), max_frames(90_000, 480)
    (250, 24, 95, 2)
    """
    check_size(size, MAX_SIZE)
    return max(2, min(FRAMES, CELLS // cells, PIXELS // size**2))


def gif(moments: Sequence[Moment], seconds: float, size: int, colours: str = "") -> bytes:
    """A film that runs in a loop; each position is shown for `seconds`.

    The last one stays longer. `colours` are other looks of the stones than the board's own. Needs the
    `server` extra.

    >>> import polyversi as pv
    >>> start = pv.game("othello").start()
    >>> gif([(start, None), (start.play("f5"), None)], 0.5, 200)[:6]
    b'GIF89a'
    """
    if not 0.02 <= seconds <= 60:
        raise PolyversiError(f"a position cannot be shown for {seconds:g} seconds; give 0.02 to 60")
    require(PICTURES)
    from PIL import Image

    samples = sorted({0, len(moments) // 2, len(moments) - 1})
    palette = _palette([frame_of(moments[index], size, colours) for index in samples])
    frames = (frame.quantize(palette=palette, dither=Image.Dither.NONE)
              for frame in frames_of(moments, size, colours))
    stays = [round(seconds * 1000)] * len(moments)
    stays[-1] *= STAY
    out = io.BytesIO()
    next(frames).save(out, "GIF", save_all=True, append_images=frames, duration=stays, loop=0, optimize=True)
    return out.getvalue()


def frames_of(moments: Sequence[Moment], size: int, colours: str = "") -> Iterator[Image.Image]:
    """The film frame by frame; only the parts that changed are drawn, which takes half as long."""
    frame = frame_of(moments[0], size, colours)
    yield frame
    for before, after in pairwise(moments):
        for box in _changes(before, after, frame):
            frame.paste(frame_of(after, size, colours, box), box)
        yield frame


def _changes(before: Moment, after: Moment, frame: Image.Image) -> list[Box]:
    """Where a position looks different from the one before it: on the board, and in the lines below it."""
    (old, old_last), (new, new_last) = before, after
    layout = Layout(new.board)
    scale = frame.width / layout.width
    cells = {cell for cell, (one, other) in enumerate(zip(old.tiles, new.tiles, strict=True)) if one != other}
    if layout.transitions and any(new.tiles[cell] == HOLE for cell in cells):
        return [Box(0, 0, *frame.size)]    # with a bombed cell its transitions go
    for last in (old_last, new_last):
        cells |= {last.cell, *last.turned} if last else set()
    boxes = [Box(0, int((layout.height - 5) * scale), *frame.size)]
    if cells:
        places = [layout.centre(cell) for cell in cells]
        reach = 0.65 * UNIT    # more than a cell with its border, or a ring round its stone
        across, down = sorted(at.real for at in places), sorted(at.imag for at in places)
        sides = (across[0] - reach, down[0] - reach, across[-1] + reach, down[-1] + reach)
        boxes.append(Box(*(max(0, round(side * scale)) for side in sides)))
    return boxes


def frame_of(moment: Moment, size: int, colours: str = "", box: Box | None = None) -> Image.Image:
    """A position, or a part of its picture; the round corners of the board's frame filled up."""
    from PIL import Image

    state, last = moment
    drawing = state_svg(state, last=last, legal=False, colours=colours)
    if box:
        box = Box(box.left - BORDER, box.top - BORDER, box.right + BORDER, box.bottom + BORDER)
    drawn = png(drawing, size, background=theme(state.board).frame, box=box)
    image = Image.open(io.BytesIO(drawn)).convert("RGB")
    return image.crop((BORDER, BORDER, image.width - BORDER, image.height - BORDER)) if box else image


def _palette(frames: Sequence[Image.Image]) -> Image.Image:
    """The colours of a film: the most frequent ones exactly, and mixtures for the rest."""
    from PIL import Image

    counts: Counter[Any] = Counter()
    for frame in frames:
        for often, colour in frame.getcolors(frame.width * frame.height) or []:
            counts[colour] += often
    flat = [colour for colour, _ in counts.most_common(FLAT)]
    rest = Image.new("RGB", (len(counts), 1))
    rest.putdata(list(counts))
    mixed = rest.quantize(COLOURS - FLAT, dither=Image.Dither.NONE).getpalette() or []
    chosen: list[tuple[int, ...]] = []
    for colour in (*flat, *zip(*[iter(mixed)] * 3, strict=True)):
        if all(math.dist(colour, other) > APART for other in chosen):
            chosen.append(colour)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in chosen for part in colour])
    return palette
