"""Whether everything on a page has its place: measured boxes, in whatever window the page is in.

What is wrong is told in sentences. The rules:

* The page is not wider than its window.
* A text lies within the box of the element it belongs to, and nothing cuts it off. It may be elided
  (`text-overflow: ellipsis`, `line-clamp`), or lie in something that scrolls.
* What is chosen in a list can be read to its end.
* What can be used (links, buttons, fields, whatever takes the focus) can be scrolled to, no two of them
  overlap, and nothing covers them. What stays in place while the rest scrolls may lie over it, but not at
  the end of the page.
* Where a game is played, its whole board is in the window.

Cells of a board are left out, since hexagons lie in each other's boxes. While a dialog is open, only what is
in it counts.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

MEASURE = Path(__file__).with_name("layout.js").read_text()


def misplaced(page: Page, *, has_board: bool = False) -> list[str]:
    """What does not have its place, at the beginning of the page and at its end."""
    page.evaluate("scrollTo(0, 0)")
    found: list[str] = page.evaluate(MEASURE, has_board)
    if page.evaluate("document.documentElement.scrollHeight > innerHeight + 1"):
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        below: list[str] = page.evaluate(MEASURE, False)
        found += [f"at the end of the page: {one}" for one in below if one not in found]
        page.evaluate("scrollTo(0, 0)")
    return found
