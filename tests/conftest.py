"""Fixtures of several folders: a PostgreSQL server, a store in either database, a browser."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.testing.postgres import MISSING, Postgres, place_of_store

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A shell ignores Ctrl-C for what it runs in the background, and commands would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("at any speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("at any speed")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for all tests of this process."""
    if MISSING:
        pytest.skip(MISSING)
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where to open a new store: once a file, once a database of a server."""
    return place_of_store(request, tmp_path)


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """A real Chromium for all tests of this process, and the loop that it is driven by."""
    from playwright.sync_api import sync_playwright

    from tests.testing.browser import ARGUMENTS, CHROMIUM

    if not CHROMIUM:
        pytest.skip("Chromium is not installed; `make system` installs it")
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

    Its loop counts as running in this thread while it lives. Between the tests that use it, it is put
    aside, since others in the same process have loops of their own.
    """
    launched, loop = chromium
    asyncio._set_running_loop(loop)
    yield launched
    asyncio._set_running_loop(None)
