"""A server of the page for all tests in this process, and windows on it or on the site of a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from polyversi.server.site.access import COOKIE
from tests.testing.browser import Visit, Window
from tests.testing.page_server import Served
from tests.testing.site import Member, SiteServer


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A real server of the page."""
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


@contextmanager
def quiet() -> Iterator[list[Window]]:
    """A list for the windows of a test; at its end every one of them must have been quiet."""
    opened: list[Window] = []
    yield opened
    complaints = [complaint for one in opened for complaint in one.complaints]
    for one in opened:
        print(one.seen())    # which is shown when the test failed
        one.close()
    assert complaints == []


@pytest.fixture
def window(browser: Browser, server: Served) -> Iterator[Callable[..., Window]]:
    """Opens windows on the server."""
    with quiet() as opened:
        def open_window(**options: Any) -> Window:
            opened.append(Window(browser, server.address, **options))
            return opened[-1]

        yield open_window


@pytest.fixture
def visit(browser: Browser, site: SiteServer) -> Iterator[Visit]:
    """Opens a path of the module's site as somebody, or as nobody in particular."""
    with quiet() as opened:
        def open_page(path: str, member: Member | None = None, **options: Any) -> Page:
            opened.append(Window(browser, site.address, **options))
            if member is not None:
                context = opened[-1].page.context
                context.add_cookies([{"name": COOKIE, "value": member.token, "url": site.address}])
            return opened[-1].open(path)

        yield open_page
