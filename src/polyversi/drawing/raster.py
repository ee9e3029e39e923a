"""Drawings as pixels: a drawing of ours, or a part of one, as PNG that looks the same on every machine."""

from __future__ import annotations

from typing import NamedTuple
from xml.etree import ElementTree

from polyversi.drawing.strokes import written
from polyversi.games.errors import PolyversiError

SMALLEST, LARGEST = 16, 4096
"""The longer side of a picture in pixels."""
NAMESPACE = "http://www.w3.org/2000/svg"


class Box(NamedTuple):
    """A part of a picture, in pixels."""

    left: int
    top: int
    right: int
    bottom: int


class Part(NamedTuple):
    """A part of a drawing, in the drawing's units."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, x: float, y: float, across: float, down: float) -> bool:
        """Whether something reaches into it that lies round a point.

        >>> Part(0, 0, 10, 10).touches(12, 5, across=3, down=3)
        True
        """
        return (self.left - across < x < self.right + across) and (self.top - down < y < self.bottom + down)


def png(svg: str, size: int | None = None) -> bytes:
    """A drawing of ours as PNG, `size` pixels along its longer side.

    Needs the `server` extra. Fonts of the machine are not looked for: text is drawn with strokes of our own.

    >>> import polyversi as pv
    >>> png(pv.game("othello").start().svg(), 200)[:4]
    b'\\x89PNG'
    """
    if size is not None:
        check_size(size, LARGEST)
    return Drawing(svg, size).png()


def check_size(size: int, largest: int) -> None:
    """Refuses pictures that nobody can see, and those that would fill the memory."""
    if not SMALLEST <= size <= largest:
        raise PolyversiError(f"a picture cannot be {size} pixels long; {SMALLEST} to {largest} are possible")


class Drawing:
    """A drawing of ours, to be rendered whole or in part with its longer side so many pixels long.

    >>> import polyversi as pv
    >>> drawing = Drawing(pv.game("othello").start().svg(), 200)
    >>> drawing.width, drawing.height
    (181, 200)
    """

    def __init__(self, svg: str, size: int | None = None) -> None:
        self._root = ElementTree.fromstring(svg)
        width, height = (float(self._root.get(side, 0)) for side in ("width", "height"))
        scale = 1.0 if size is None else size / max(width, height)
        self.width, self.height = (max(1, round(side * scale)) for side in (width, height))
        """Its size in pixels."""
        box = self._root.get("viewBox", "").split()
        self._scale = self.width / float(box[2]), self.height / float(box[3])

    @property
    def ground(self) -> str | None:
        """The colour behind the board."""
        frame = self._root.find(f"{{{NAMESPACE}}}rect")
        return None if frame is None else frame.get("fill")

    def pixels(self, part: Part) -> Box:
        """The pixels on which a part of the drawing lies."""
        across, down = self._scale
        return Box(
            max(0, int(part.left * across)), max(0, int(part.top * down)),
            min(self.width, int(part.right * across) + 1), min(self.height, int(part.bottom * down) + 1),
        )

    def png(self, box: Box | None = None, background: str | None = None) -> bytes:
        """The drawing, or what lies on those of its pixels, as PNG."""
        try:
            import resvg_py
        except ImportError:
            raise PolyversiError(
                "PNG and GIF need the extra 'server': pip install 'polyversi[server]'; SVG needs nothing"
            ) from None
        pixels = box or Box(0, 0, self.width, self.height)
        across, down = self._scale
        seen = Part(pixels.left / across, pixels.top / down, pixels.right / across, pixels.bottom / down)
        root = _stroked(self._root, {}, seen)
        width, height = seen.right - seen.left, seen.bottom - seen.top
        root.set("viewBox", f"{seen.left:.5f} {seen.top:.5f} {width:.5f} {height:.5f}")
        root.set("width", str(pixels.right - pixels.left))
        root.set("height", str(pixels.bottom - pixels.top))
        root.set("preserveAspectRatio", "none")    # sides are whole pixels: otherwise a fine line stays free
        text = ElementTree.tostring(root, encoding="unicode")
        return bytes(resvg_py.svg_to_bytes(svg_string=text, background=background, skip_system_fonts=True))


def _stroked(element: ElementTree.Element, inherited: dict[str, str], seen: Part) -> ElementTree.Element:
    """A copy with strokes for text, in the size and colour that the groups round it have set.

    Stones and text that are not seen are left out: most of a large map when a move is drawn.
    """
    here = inherited | element.attrib
    copy = ElementTree.Element(element.tag, element.attrib)
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name == "circle":
            x, y, reach = (float(child.get(key, 0)) for key in ("cx", "cy", "r"))
            if seen.touches(x, y, reach + 4, reach + 4):
                copy.append(child)
        elif name == "text":
            if (strokes := _strokes(child, here | child.attrib, seen)) is not None:
                copy.append(strokes)
        elif name != "title":
            copy.append(_stroked(child, here, seen))
    return copy


def _strokes(text: ElementTree.Element, look: dict[str, str], seen: Part) -> ElementTree.Element | None:
    x, y, size = (float(look.get(key, 0)) for key in ("x", "y", "font-size"))
    y += float(look.get("dy", "0em").removesuffix("em")) * size
    words = text.text or ""
    if not seen.touches(x, y, size * len(words), 2 * size):    # no letter is wider than it is high
        return None
    bold, anchor = look.get("font-weight") == "bold", look.get("text-anchor", "start")
    strokes = written(words, complex(x, y), size, look.get("fill", "#000000"), anchor, bold)
    return ElementTree.fromstring(strokes.replace("<g", f'<g xmlns="{NAMESPACE}"', 1))
