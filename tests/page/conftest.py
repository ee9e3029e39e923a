"""A browser and a server for all tests of the page in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.page.browsing import ARGUMENTS, CHROMIUM, Window
from tests.server.served import Served


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """A real Chromium for all tests, and the loop that it is driven by."""
    if not Path(CHROMIUM).exists():
        pytest.skip("needs Chromium, which `make test` installs where it may")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield launched, loop
        asyncio._set_running_loop(loop)
        launched.close()


@pytest.fixture
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The Chromium, for one test.

    Its loop counts as running in this thread for as long as it lives. Between the tests of the page it is put
    aside, since others in the same process have loops of their own.
    """
    launched, loop = chromium
    asyncio._set_running_loop(loop)
    yield launched
    asyncio._set_running_loop(None)


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
