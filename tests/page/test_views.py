"""What the first view of the page costs somebody who comes for the first time."""

from __future__ import annotations

from collections.abc import Callable

from tests.testing.browser import Window
from tests.testing.page_server import Served

MAX_BYTES, MAX_REQUESTS = 150_000, 20


def test_first_view_is_small(window: Callable[..., Window], server: Served) -> None:
    page = window().page
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    asked: dict[str, str] = {}
    received: dict[str, float] = {}    # by address: running games are asked for again and again
    session.on("Network.requestWillBeSent",
               lambda told: asked.update({told["requestId"]: told["request"]["url"]}))
    session.on("Network.loadingFinished",
               lambda told: received.update({asked[told["requestId"]]: told["encodedDataLength"]}))
    page.goto(server.address)
    page.locator(".stage .board").wait_for()
    page.wait_for_load_state("networkidle")
    assert sum(received.values()) < MAX_BYTES
    fixed = [address for address in received if "/api/games/" not in address]    # the boards of running games
    assert len(fixed) <= MAX_REQUESTS, "\n".join(fixed)
