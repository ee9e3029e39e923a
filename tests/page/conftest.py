"""A server of the page for all tests in this process, and windows on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.testing.browser import Window
from tests.testing.page_server import Served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A real server of the page."""
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture
def window(browser: Browser, server: Served) -> Iterator[Callable[..., Window]]:
    """Opens windows on the server; at the end of a test every one of them must have been quiet."""
    opened: list[Window] = []

    def open_window(**options: Any) -> Window:
        opened.append(Window(browser, server.address, **options))
        return opened[-1]

    yield open_window
    complaints = [complaint for one in opened for complaint in one.complaints]
    for one in opened:
        print(one.seen())    # which is shown when the test failed
        one.close()
    assert complaints == []
