"""Every view in windows of every size, light and dark: all in its place, accessible, a quiet console."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page

from tests.testing.browser import Size, Window, inaccessible, take_picture
from tests.testing.layout import misplaced
from tests.testing.page_server import Served
from tests.testing.page_views import VIEWS, View

SIZES: list[Size] = [(1440, 900), (1280, 720), (844, 390), (390, 844)]
USUAL = (1280, 720), "light"
COMMON = (
    "home", "set-up", "game that is over", "XT with eight seats", "arena", "watch", "position editor",
    "rules",
)
"""The views that every run looks at."""


def test_common_views_have_everything_in_its_place(window: Callable[..., Window], server: Served) -> None:
    size, scheme = USUAL
    page = window(size=size, color_scheme=scheme, reduced_motion="reduce").page
    common = [view for view in VIEWS if view.name in COMMON]
    assert len(common) == len(COMMON)
    found = [problem for view in common for problem in _problems(page, server, view)]
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "scheme"), list(product(SIZES, ("light", "dark"))))
def test_everything_has_its_place(
    window: Callable[..., Window], server: Served, size: Size, scheme: str
) -> None:
    page = window(size=size, color_scheme=scheme, reduced_motion="reduce").page
    found = []
    for view in VIEWS:
        found += _problems(page, server, view)
        if view.picture and (size, scheme) == USUAL:
            take_picture(page, view.picture)
    assert not found, "\n".join(found)


def _problems(page: Page, server: Served, view: View) -> list[str]:
    view.open(page, server)
    problems = misplaced(page, has_board=view.has_board) + inaccessible(page)
    return [f"{view.name}: {problem}" for problem in problems]


FAULTS = """<!doctype html><html lang="en"><title>Faults</title><style>
  body { margin: 0; font: 16px sans-serif; }
  button { position: absolute; width: 80px; height: 40px; padding: 0; }
</style>
<button style="left: 0; top: 0">One</button><button style="left: 60px; top: 20px">Two</button>
<a href="#" style="position: absolute; left: -200px; top: 100px">Nowhere</a>
<p style="position: absolute; top: 150px; width: 60px; overflow: hidden; white-space: nowrap">
  A text that is cut off</p>
<p style="position: absolute; top: 200px; width: 60px; white-space: nowrap">A text that sticks out</p>
<p style="position: absolute; top: 250px; width: 60px; overflow: hidden; white-space: nowrap;
  text-overflow: ellipsis">A text that is elided</p>
<button style="left: 0; top: 300px">Under</button>
<div style="position: absolute; left: 0; top: 290px; width: 90px; height: 60px; background: grey"></div>
<label style="position: absolute; top: 360px">Cut <select style="width: 90px">
  <option>A choice that is cut off</option></select></label>
<label style="position: absolute; top: 390px">Whole <select>
  <option selected>short</option><option>A choice that is not chosen</option></select></label>
<label style="position: absolute; top: 420px">Narrow <select style="width: 90px">
  <option selected>short</option><option>A choice that is not chosen</option></select></label>
<div style="position: absolute; top: 450px; width: 3000px; height: 5px"></div>"""


def test_what_has_not_its_place_is_told(window: Callable[..., Window]) -> None:
    page = window().page
    page.set_content(FAULTS)
    found = "\n".join(misplaced(page, has_board=True))
    for sentence in (
        "the page is 3000 wide", "button 'One' and button 'Two' overlap", "'Nowhere' (-200,",
        "nobody can scroll to", "'A text that is cut off'", "is cut off by p", "'A text that sticks out'",
        "is wider than its box",
        "button 'Under' (0,300–80,340) is covered by div", "there is no board",
        "the choice 'A choice that is cut off'",
    ):
        assert sentence in found
    assert "elided" not in found and "'short'" not in found
