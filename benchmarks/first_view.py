"""How long the page's first view takes to appear in Chromium, near and on a slow line, and how much it loads.

Run it with `python -m benchmarks.first_view`: it starts a server of its own.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from benchmarks.page import QUIET
from tests.testing.browser import CHROMIUM
from tests.testing.page_server import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TIMES = """async () => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return [paint.startTime, window.playable];
}"""
WATCH = """
const look = new MutationObserver(() => {
  const begin = document.querySelector("main button.primary");
  if (begin && document.querySelectorAll("main img").length && !window.playable) {
    requestAnimationFrame(() => { window.playable = performance.now(); });
    look.disconnect();
  }
});
look.observe(document, { childList: true, subtree: true });
"""


SLOW = {"offline": False, "latency": 100, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
"""A line of 10 Mbit/s with 100 ms to the answer of each request, as Chromium emulates it."""
Visit = tuple[float, float, float, int]


def visit(browser: Browser, address: str, line: dict[str, float] | None = None) -> Visit:
    """Opens the page in a browser without a cache: milliseconds to paint and to play, bytes, requests.

    The browser has been at the server before, for its logo, so that its own start of a process for a new site
    is not counted.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    page = context.new_page()
    page.goto(f"{address}/page/logo.svg")
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    if line:
        session.send("Network.emulateNetworkConditions", line)
    received: list[float] = []
    session.on("Network.loadingFinished", lambda message: received.append(message["encodedDataLength"]))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_function("window.playable && performance.getEntriesByName('first-contentful-paint').length")
    painted, playable = page.evaluate(TIMES)
    context.close()
    return painted, playable, sum(received), len(received)


def main() -> None:
    """Prints the medians of several visits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=15)
    visits = parser.parse_args().visits
    with (tempfile.TemporaryDirectory() as folder, Served(Path(folder)) as server,
          sync_playwright() as playwright):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        visit(browser, server.address)    # the first one also reads the files and draws the pictures
        load = os.getloadavg()[0]
        for named, line in (("on loopback", None), ("with 100 ms and 10 Mbit/s", SLOW)):
            report(named, [visit(browser, server.address, line) for _ in range(visits)])
        browser.close()
    print(f"The machine's load was {load:.1f} at the beginning.")


def report(named: str, measured: list[Visit]) -> None:
    """Prints the medians of some visits."""
    painted, playable, size, requests = (list(column) for column in zip(*measured, strict=True))
    print(f"{len(measured)} visits with an empty cache {named}, 1280×860:")
    print(f"  first contentful paint  {statistics.median(painted):6.0f} ms, worst {max(painted):.0f} ms")
    print(f"  ready to play           {statistics.median(playable):6.0f} ms, worst {max(playable):.0f} ms")
    print(f"  transferred             {statistics.median(size) / 1000:6.1f} KB in {max(requests)} requests")


if __name__ == "__main__":
    main()
