"""Films: the positions of a game one after another as a GIF, with few colours and little drawn twice."""

from __future__ import annotations

import io
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from polyversi.drawing.geometry import UNIT, Plan
from polyversi.drawing.raster import Box, Drawing, Part, check_size
from polyversi.drawing.svg import state_svg
from polyversi.games.errors import PolyversiError
from polyversi.games.tiles import HOLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    from polyversi.drawing.marks import Last
    from polyversi.games.state import State

    Pixels: TypeAlias = NDArray[np.uint32]
    """Colours as numbers 0xrrggbb, row by row."""

LARGEST = 1024
"""The longer side of a film in pixels."""
FRAMES, CELLS, PIXELS = 250, 60_000, 100_000_000
"""How many frames a film has at most, and how many cells and pixels they have together: a cell takes about a
sixth of a millisecond, and a pixel a byte of memory while the film is written."""
COLOURS, FLAT = 64, 32
"""Colours of a film, and how many of them are the most frequent ones as they are: stones, cells, lines."""
BORDER = 4
"""Pixels that are drawn round a part and left out."""
STAY = 4
"""How many times as long as the others the last frame stays."""

Moment: TypeAlias = "tuple[State, Last | None]"
"""A position and the move that led to it."""


def most_frames(cells: int, size: int) -> int:
    """How many frames a film of a board with so many cells can have: all of a usual game, few of a large map.

    >>> most_frames(64, 480), most_frames(2500, 480), most_frames(64, 1024)
    (250, 24, 95)
    """
    check_size(size, LARGEST)
    return min(FRAMES, CELLS // cells, PIXELS // size**2)


def gif(moments: Sequence[Moment], seconds: float, size: int) -> bytes:
    """A film that begins again when it is over; each position is shown for so many seconds.

    The last one stays longer. Needs the `server` extra.

    >>> import polyversi as pv
    >>> start = pv.game("othello").start()
    >>> gif([(start, None), (start.play("f5"), None)], 0.5, 200)[:6]
    b'GIF89a'
    """
    if not 0.02 <= seconds <= 60:
        raise PolyversiError(f"a position cannot be shown for {seconds:g} seconds; 0.02 to 60 are possible")
    samples = sorted({0, len(moments) // 2, len(moments) - 1})
    palette = _Palette([_pixels(_drawing(moments[index], size)) for index in samples])
    frames = (palette.applied(frame) for frame in _frames(moments, size))
    stays = [round(seconds * 1000)] * len(moments)
    stays[-1] *= STAY
    out = io.BytesIO()
    next(frames).save(out, "GIF", save_all=True, append_images=frames, duration=stays, loop=0, optimize=True)
    return out.getvalue()


def _frames(moments: Sequence[Moment], size: int) -> Iterator[Pixels]:
    """The film frame by frame; of each only those parts are drawn that are not as they were."""
    frame, plan = _pixels(_drawing(moments[0], size)), Plan(moments[0][0].board)
    yield frame
    for before, after in pairwise(moments):
        drawing = _drawing(after, size)
        for part in _changes(before, after, plan):
            left, top, right, bottom = drawing.pixels(part)
            # A stone that the border of a picture cuts looks a little other there: that border is left out.
            wide = Box(max(0, left - BORDER), max(0, top - BORDER),
                       min(drawing.width, right + BORDER), min(drawing.height, bottom + BORDER))
            drawn = _pixels(drawing, wide)
            frame[top:bottom, left:right] = drawn[top - wide.top :, left - wide.left :][
                : bottom - top, : right - left]
        yield frame


def _changes(before: Moment, after: Moment, plan: Plan) -> list[Part]:
    """Where one position looks other than the one before it: on the board, and the lines below it."""
    everywhere, below = 2 * plan.height + plan.width, plan.height - 5
    (old, old_last), (new, new_last) = before, after
    cells = {cell for cell, (one, other) in enumerate(zip(old.tiles, new.tiles, strict=True)) if one != other}
    if plan.transitions and any(new.tiles[cell] == HOLE for cell in cells):
        return [Part(0, 0, everywhere, everywhere)]    # with a bombed cell its transitions go
    for last in (old_last, new_last):
        cells |= {last.cell, *last.turned} if last else set()
    parts = [Part(0, below, everywhere, everywhere)]
    if cells:
        across, down = zip(*((at.real, at.imag) for at in map(plan.centre, cells)), strict=True)
        reach = 0.65 * UNIT    # more than a cell with its border, or a ring round its stone
        parts.append(Part(min(across) - reach, min(down) - reach, max(across) + reach, max(down) + reach))
    return parts


def _drawing(moment: Moment, size: int) -> Drawing:
    state, last = moment
    return Drawing(state_svg(state, last=last, legal=False), size)


def _pixels(drawing: Drawing, box: Box | None = None) -> Pixels:
    """The colours of a drawing; its round corners filled up."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(drawing.png(box, drawing.ground))) as image:
        red, green, blue = np.moveaxis(np.asarray(image.convert("RGB"), dtype=np.uint32), 2, 0)
    colours: Pixels = (red << 16) | (green << 8) | blue
    return colours


class _Palette:
    """The colours of a film: the most frequent ones exactly, and what lies best between them."""

    def __init__(self, frames: Sequence[Pixels]) -> None:
        import numpy as np
        from PIL import Image

        counts: Counter[int] = Counter()
        for frame in frames:
            found, often = np.unique(frame, return_counts=True)
            counts.update(dict(zip(found.tolist(), often.tolist(), strict=True)))
        chosen = [colour for colour, _ in counts.most_common(FLAT)]
        rest = np.array(sorted(set(counts) - set(chosen)), dtype=np.uint32)
        if len(rest):
            strip = Image.fromarray(_channels(rest)[None].astype(np.uint8))
            mixed = strip.quantize(COLOURS - FLAT, dither=Image.Dither.NONE).getpalette() or []
            chosen += [r << 16 | g << 8 | b for r, g, b in zip(*[iter(mixed)] * 3, strict=True)]
        self.colours = np.array(list(dict.fromkeys(chosen)), dtype=np.uint32)
        # Which entry every colour became, plus one; the system gives memory only to the parts that are used.
        self._entries = np.zeros(1 << 24, dtype=np.uint8)

    def applied(self, frame: Pixels) -> Image:
        """A frame in these colours."""
        import numpy as np
        from PIL import Image

        entries = self._entries[frame]
        missing = np.unique(frame[entries == 0])
        if len(missing):
            apart = _channels(missing)[:, None, :] - _channels(self.colours)[None, :, :]
            self._entries[missing] = (apart**2).sum(axis=2).argmin(axis=1) + 1
            entries = self._entries[frame]
        height, width = frame.shape
        image = Image.frombytes("P", (width, height), (entries - 1).tobytes())
        image.putpalette(_channels(self.colours).astype(np.uint8).tobytes())
        return image


def _channels(colours: Pixels) -> NDArray[np.int32]:
    """Red, green and blue of each colour, along a new last axis."""
    import numpy as np

    return np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=-1).astype(np.int32)
