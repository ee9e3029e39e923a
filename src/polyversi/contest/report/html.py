"""Writing HTML: elements whose attributes and words are escaped, and numbers as people write them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from polyversi.drawing.markup import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def tag(name: str, *content: str, **attributes: str | int | bool | None) -> str:
    """An element around content that is markup already; attributes are escaped, None and False left out.

    >>> tag("a", text("Ann & Bob"), class_="name", data_game='1"', hidden=True)
    '<a class="name" data-game="1&quot;" hidden>Ann &amp; Bob</a>'
    """
    written = "".join(
        f" {key.strip('_').replace('_', '-')}" + ("" if value is True else f'="{text(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return f"<{name}{written}>{''.join(content)}</{name}>"


def named(name: str) -> str:
    """Somebody's name; whatever direction its letters run in, those around it stay where they are.

    >>> named("<Ann>")
    '<bdi>&lt;Ann&gt;</bdi>'
    """
    return tag("bdi", text(name))


def plain(number: float, places: int = 2) -> str:
    """A number with as many decimals as it needs, up to so many.

    >>> plain(1.5), plain(12.0), plain(1 / 3), plain(-0.001)
    ('1.5', '12', '0.33', '0')
    """
    short = f"{number:.{places}f}"
    short = short.rstrip("0").rstrip(".") if places else short
    return "0" if short == "-0" else short


def counted(number: int, noun: str) -> str:
    """So many of something.

    >>> counted(1, "game"), counted(1560, "game")
    ('1 game', '1,560 games')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def game_link(id: str, *content: str, label: str | None = None) -> str:
    """What opens a game of the report.

    >>> game_link("1.2/1", "1")
    '<a href="#game/1.2/1">1</a>'
    """
    return tag("a", *(content or (text(id),)), href=f"#game/{quote(id)}", aria_label=label)


def grid(headings: Sequence[str], rows: Iterable[str], caption: str, kind: str) -> str:
    """A table with a caption for those who hear it; headings and rows are markup."""
    said = tag("caption", text(caption), class_="unseen")
    return tag("table", said, tag("thead", tag("tr", *headings)), tag("tbody", *rows), class_=kind)


def scrolled(content: str, label: str, kind: str = "") -> str:
    """Something wide that scrolls within itself, also by the keyboard."""
    return tag("div", content, class_=f"scroll {kind}".strip(), role="group", aria_label=label, tabindex=0)
