"""Windows of a real browser that must stay quiet: no message in the console, no request to another host."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

from tests.testing.timeout import TIMEOUT

ROOT = Path(__file__).parents[2]
AXE = ROOT / "tests" / "page" / "node_modules" / "axe-core" / "axe.min.js"
PICTURES = ROOT / "docs" / "pictures"
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or ""
"""Without windows of its own it takes two thirds of the time; empty where there is none."""
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]
DESKTOP, PHONE = (1280, 860), (390, 844)
PACED = """try {
  if (!localStorage.getItem('polyversi.pace')) localStorage.setItem('polyversi.pace', '"PACE"');
} catch {}"""
"""Sets the pace at which moves are shown; most tests do not want to wait."""
ALL_ANNOUNCED = """addEventListener('DOMContentLoaded', () => {
  const region = document.getElementById('announcer');
  const keep = () => { region.dataset.all = (region.dataset.all ?? '') + region.textContent; };
  if (region) new MutationObserver(keep).observe(region, { childList: true });
});"""
"""Keeps what is announced to screen readers, which may be followed by more before a test looks."""
SMALLEST_DESK = 500
"""Windows whose shorter side has fewer pixels are those of phones, with touch."""
Size = tuple[int, int]
Visit = Callable[..., Page]
"""The fixture `visit` of the tests of the page."""
expect.set_options(timeout=1000 * TIMEOUT)


class Window:
    """A browser window of its own: other storage, other links, nothing shared with other windows."""

    def __init__(
        self, browser: Browser, address: str, *, size: Size = DESKTOP, may_complain: str = "",
        pace: str = "instant", **more: Any
    ) -> None:
        self.address = address
        is_phone = min(size) < SMALLEST_DESK
        self._context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, has_touch=is_phone, is_mobile=is_phone,
            device_scale_factor=2 if is_phone else 1, **more,
        )
        self._context.add_init_script(PACED.replace("PACE", pace))
        self._context.add_init_script(ALL_ANNOUNCED)
        self._context.set_default_timeout(1000 * TIMEOUT)
        self.page: Page = self._context.new_page()
        self.complaints: list[str] = []
        self._may_complain = may_complain
        self.watch(self.page)

    def seen(self) -> str:
        """What its tabs show and have complained about."""
        shown = [f"{page.url}\n{page.locator('body').inner_text()}" for page in self._context.pages]
        return "\n".join([*shown, *self.complaints])

    def close(self) -> None:
        """Closes it with all its tabs."""
        self._context.close()

    def watch(self, page: Page) -> None:
        """Writes down whatever should not be."""
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._asked)

    def open(self, path: str) -> Page:
        """Goes to a view of the server."""
        self.page.goto(self.address + path)
        return self.page

    def another(self, path: str) -> Page:
        """A second tab of the same browser, with the same storage."""
        page = self._context.new_page()
        self.watch(page)
        page.goto(self.address + path)
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        if not self._may_complain or self._may_complain not in message.text:
            self.complaints.append(f"{message.type}: {message.text} {message.location.get('url', '')}")

    def _asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(self.address).netloc:
            self.complaints.append(f"a request to {request.url}")


def expect_announced(page: Page, said: str | re.Pattern[str]) -> None:
    """Waits until this has been announced to screen readers, whatever has been announced since."""
    wanted = said if isinstance(said, re.Pattern) else re.compile(re.escape(said))
    expect(page.locator("#announcer")).to_have_attribute("data-all", wanted)


def inaccessible(page: Page) -> list[str]:
    """What axe-core finds wrong with what the page shows now."""
    page.evaluate(AXE.read_text() + "; null")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


def check_accessible(page: Page) -> None:
    """Has axe-core look at what the page shows now; it must find nothing."""
    assert inaccessible(page) == []


def take_picture(page: Page, name: str) -> None:
    """Keeps what the page shows for docs/, when the pictures are to be taken anew (`make pictures`)."""
    if os.environ.get("POLYVERSI_PICTURES"):
        page.screenshot(path=PICTURES / f"page-{name}.png", animations="disabled")
