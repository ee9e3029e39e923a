"""Settings that take effect at once: boards and stones, names of columns, marks, language."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import polyversi as pv
from tests.testing.browser import PHONE, Window, check_accessible
from tests.testing.page_server import Served

PREVIEW = (Path(pv.__file__).parent / "page" / "views" / "settings" / "preview.js").read_text()

DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => null)"
"""Waits until boards have drawn what they were told."""


def preview(page: Page) -> None:
    """Waits for the board that shows what settings do."""
    expect(page.get_by_role("grid")).to_be_visible()


def test_the_preview_shows_real_positions() -> None:
    frames = re.findall(r'^  \["([^"]+)", "([^"]+)", "([^"]+)"\]', PREVIEW, re.MULTILINE)
    game = pv.game("othello-6")
    states = [game.position(line) for line, _, _ in frames]
    for state, (_, _, legal) in zip(states, frames, strict=True):
        assert sorted(map(str, state.moves)) == sorted(legal.split())
    for before, after, (_, last, _) in zip(states, states[1:], frames[1:], strict=False):
        assert before.play(last).tiles == after.tiles


def test_boards_and_stones(window: Callable[..., Window], server: Served) -> None:
    one = window()
    page = one.open("/settings")
    preview(page)
    stack = page.locator(".settings-preview .board-stack")
    cell = page.locator(".settings-preview .board-cells")
    expect(stack).to_have_class(re.compile(r"\bfelt\b"))
    seen = set()
    for name in ("Green felt", "Wood", "Sand", "Slate", "Ocean", "Violet"):
        page.get_by_role("group", name="Boards").get_by_label(name, exact=True).check()
        page.evaluate(DRAWN)
        seen.add(cell.evaluate("(one) => getComputedStyle(one).fill"))
    assert len(seen) == 6
    drawn = set()
    for name in ("Flat", "Glass", "Turned", "Coin", "Domed"):
        page.get_by_role("group", name="Stones").get_by_label(name, exact=True).check()
        page.evaluate(DRAWN)
        drawn.add(page.locator(".settings-preview defs").first.inner_html()
                  + page.locator(".settings-preview .board-stone").first.inner_html())
    assert len(drawn) == 5
    label = page.locator(".settings-preview .board-labels text").first
    small = label.evaluate("(one) => one.getBoundingClientRect().height")
    page.get_by_label("Large", exact=True).check()
    expect(stack).to_have_class(re.compile("board-named-large"))
    assert label.evaluate("(one) => one.getBoundingClientRect().height") > small
    page.get_by_label("None", exact=True).check()
    expect(label).to_be_hidden()
    expect(page.locator(".settings-preview .board-below .board-legal")).to_be_visible()
    page.get_by_label("Mark possible moves").uncheck()
    expect(page.locator(".settings-preview .board-below .board-legal")).to_be_hidden()
    page.get_by_role("button", name="Next move").click()
    check_accessible(page)
    # All of it holds for games too, and after a reload.
    new = server.new_game("othello", "me", "me")
    page = one.open(f"/game/{new['game']}#{new['token']}")
    game = page.locator(".board-stack")
    expect(game).to_have_class(re.compile(r"violet"))
    expect(game).to_have_class(re.compile(r"board-unnamed"))
    expect(page.locator(".board-below .board-legal")).to_be_hidden()


def test_the_language_is_the_browsers_and_can_be_changed(window: Callable[..., Window]) -> None:
    one = window(locale="de-AT", size=PHONE)
    page = one.page
    page.add_init_script("""
      window.shown = new Set();
      new MutationObserver(() => { shown.add(document.querySelector("nav a")?.textContent ?? ""); })
        .observe(document, { childList: true, subtree: true, characterData: true });
    """)
    one.open("/settings")
    expect(page.get_by_role("heading", level=1)).to_have_text("Einstellungen")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert "Play" not in page.evaluate("[...shown]"), "it was in English for a moment"
    check_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Sprache").select_option("日本語")
    expect(page.get_by_role("heading", level=1)).to_have_text("設定")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page).to_have_title("設定 · Polyversi")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("設定")
    page.get_by_label("言語").select_option("English")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")


@pytest.mark.parametrize(("preferred", "heading"), [("fr-FR", "Settings"), ("ja", "設定")])
def test_other_browsers(window: Callable[..., Window], preferred: str, heading: str) -> None:
    page = window(locale=preferred).open("/settings")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
