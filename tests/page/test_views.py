"""Every view of the page in a real browser: quiet, accessible, on a desk and on a phone, light and dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.testing.browser import DESKTOP, PHONE, Size, Window, check_accessible, take_picture
from tests.testing.marks import slow
from tests.testing.page_server import Served

VIEWS = ["/play", "/watch", "/arena", "/editor", "/settings", "/store"]
PICTURED = ["/play", "/settings"]
"""Views that look best as they are; of the others pictures are taken where something goes on in them."""


@pytest.mark.parametrize(("scheme", "size"), [
    pytest.param("light", DESKTOP, id="light-desktop"), slow("dark", PHONE, id="dark-phone"),
    slow("light", PHONE, id="light-phone"), slow("dark", DESKTOP, id="dark-desktop"),
])
def test_views_are_quiet_and_accessible(window: Callable[..., Window], scheme: str, size: Size) -> None:
    one = window(size=size, color_scheme=scheme)
    for view in VIEWS:
        page = one.open(view)
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_load_state("networkidle")
        check_accessible(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0], view
        if size == DESKTOP and scheme == "light" and view in PICTURED:
            take_picture(page, view[1:])


def test_first_view_is_small(window: Callable[..., Window], server: Served) -> None:
    page = window().page
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    received: list[float] = []
    session.on("Network.loadingFinished", lambda told: received.append(told["encodedDataLength"]))
    page.goto(server.address)
    page.wait_for_load_state("networkidle")
    assert sum(received) < 150_000
