"""Writing SVG and HTML: elements with escaped attributes, short numbers and path texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that an XML document cannot hold, not even escaped."""


def element(name: str, *content: str, **attributes: str | float | None) -> str:
    """An element around content that is already markup; attributes are escaped, `None` leaves one out.

    >>> element("text", text("a<b"), x=1.5, text_anchor="middle")
    '<text x="1.5" text-anchor="middle">a&lt;b</text>'
    """
    written = "".join(
        f' {key.strip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(content)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def text(words: str) -> str:
    """Text as markup.

    >>> text("a < b\\x00")
    'a &lt; b\ufffd'
    """
    return escape(NOT_XML.sub("\ufffd", words))


def figure(picture: str, *parts: str) -> str:
    """A picture and what stands below it, both as markup, for a notebook.

    >>> figure("<svg/>", element("p", text("black to move")))
    '<figure style="margin: 0; max-width: 40em"><svg/><p>black to move</p></figure>'
    """
    return element("figure", picture, *parts, style="margin: 0; max-width: 40em")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts.

    >>> table(["move"], [["f5"]])
    '<table><tr><th>move</th></tr><tr><td>f5</td></tr></table>'
    """
    first = element("tr", *(element("th", text(head)) for head in heads))
    rest = (element("tr", *(element("td", text(cell)) for cell in row)) for row in rows)
    return element("table", first, *rest)


def label(words: str, at: complex, **attributes: str | float | None) -> str:
    """A line of text whose middle lies at the height of a point.

    >>> label("f5", 3 + 4j)
    '<text x="3" y="4" dy="0.35em">f5</text>'
    """
    return element("text", text(words), x=at.real, y=at.imag, dy="0.35em", **attributes)


def number(value: float) -> str:
    """A number with at most one decimal: finer than any screen, and the same on every machine.

    >>> number(20.0), number(-0.04), number(13.333)
    ('20', '0', '13.3')
    """
    short = f"{value:.1f}".removesuffix(".0")
    return "0" if short == "-0" else short


def point(place: complex) -> str:
    """A point in a path."""
    return f"{number(place.real)} {number(place.imag)}"


def repeated(places: Iterable[complex], shape: str) -> str:
    """A path that draws the same relative shape at many places."""
    return "".join(f"M{point(place)}{shape}" for place in places)


def _value(value: str | float) -> str:
    return text(value) if isinstance(value, str) else number(value)
