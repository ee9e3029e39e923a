"""Every view in windows of every size, light and dark: all in its place, accessible, a quiet console."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from tests.testing.browser import Size, Window, inaccessible, take_picture
from tests.testing.layout import misplaced
from tests.testing.marks import slow_but
from tests.testing.page_server import Served
from tests.testing.page_views import VIEWS

SIZES: list[Size] = [(1440, 900), (1280, 720), (844, 390), (390, 844)]
USUAL = (1280, 720), "light"


@pytest.mark.parametrize(("size", "scheme"), slow_but(product(SIZES, ("light", "dark")), USUAL))
def test_everything_has_its_place(
    window: Callable[..., Window], server: Served, size: Size, scheme: str
) -> None:
    page = window(size=size, color_scheme=scheme, reduced_motion="reduce").page
    found = []
    for view in VIEWS:
        view.open(page, server)
        problems = misplaced(page, has_board=view.has_board) + inaccessible(page)
        found += [f"{view.name}: {problem}" for problem in problems]
        if view.picture and (size, scheme) == USUAL:
            take_picture(page, view.picture)
    assert not found, "\n".join(found)
