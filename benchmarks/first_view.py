"""How long the page's first view takes to appear in Chromium on loopback, and how much it loads.

Run it with `python -m benchmarks.first_view`: it starts a server of its own.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from benchmarks.page import QUIET
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


def visit(browser: Browser, address: str) -> tuple[float, float, float, int]:
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
    received: list[float] = []
    session.on("Network.loadingFinished", lambda message: received.append(message["encodedDataLength"]))
    page.goto(address)
    page.wait_for_load_state("networkidle")
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
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(QUIET))
        visit(browser, server.address)    # the first one also reads the files and draws the pictures
        measured = [visit(browser, server.address) for _ in range(visits)]
        browser.close()
    painted, playable, size, requests = (list(column) for column in zip(*measured, strict=True))
    print(f"{visits} visits with an empty cache, 1280×860:")
    print(f"  first contentful paint  {statistics.median(painted):6.0f} ms, worst {max(painted):.0f} ms")
    print(f"  ready to play           {statistics.median(playable):6.0f} ms, worst {max(playable):.0f} ms")
    print(f"  transferred             {statistics.median(size) / 1000:6.1f} KB in {max(requests)} requests")


if __name__ == "__main__":
    main()
