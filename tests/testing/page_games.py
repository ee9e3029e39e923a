"""What people do in a game on the page, found by roles and labels: choose, click, wait."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from polyversi.gameplay.events import event_data
from polyversi.server.messages import Welcome
from tests.testing.page_server import Served

YOURS = re.compile(r"^(Your move|Throw a bomb)")
ENDED = re.compile(r"^(You (won|lost|resigned|came|were)|Draw|Not finished)| won\b")
SPECIAL_TILES = {0: "empty", 9: "bombed", 10: "choice", 11: "inversion", 12: "bonus", 13: "expansion stone"}
MARKS = r"(, last move)?(, legal.*)?(, value .*)?$"
"""What is said of a cell besides what lies on it."""
SHOWS = r"""([title, words, marks]) => {
  const grid = [...document.querySelectorAll('[role=grid]')].find((one) => one.ariaLabel === title);
  const cells = [...(grid?.querySelectorAll('[role=gridcell]') ?? [])].map((cell) => cell.ariaLabel ?? '');
  const told = new Set(cells.map((cell) => cell.replace(new RegExp(marks), '')));
  return words.length === told.size && words.every((word) => told.has(word));
}"""

DRAWN = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  for (let frames = 0; frames < 5; frames++) await frame();
}"""
"""True when the board has drawn everything that the page shows next to it."""


def choose_variant(page: Page, name: str) -> Locator:
    """Clicks the card of a variant in the gallery; the form of the game that is set up."""
    page.get_by_role("link", name=re.compile(rf"^{name}\b")).first.click()
    form = page.get_by_role("form", name="Your game")
    form.get_by_role("heading", name=name, exact=True).wait_for()
    return form


def set_option(form: Locator, name: str, value: str) -> None:
    """Sets an option of the variant that is set up."""
    number = form.get_by_role("spinbutton", name=name, exact=True)
    choice = form.get_by_role("combobox", name=name, exact=True)
    if not number.or_(choice).is_visible():
        form.get_by_text("Options for this variant").click()
    number.or_(choice).wait_for()
    if choice.is_visible():
        choice.select_option(value)
    else:
        number.fill(value)
        number.blur()


def set_seat(form: Locator, seat: str, kind: str, player: str = "") -> None:
    """Chooses who plays a seat: 'You', 'A friend' or 'Computer'."""
    form.get_by_role("group", name=f"Who plays {seat}").get_by_text(kind, exact=True).click()
    if player:
        form.get_by_label(f"Player for {seat}").select_option(player)


def begin(page: Page, button: str = "Play") -> str:
    """Presses the button and waits for the game; its id."""
    page.get_by_role("form", name="Your game").get_by_role("button", name=button, exact=True).click()
    page.wait_for_url("**/game/*")
    grid(page).wait_for()
    return game_of(page)


def game_of(page: Page) -> str:
    """The id of the game that is shown."""
    return page.url.partition("/game/")[2].partition("?")[0].partition("#")[0]


def grid(page: Page) -> Locator:
    """The board of a game."""
    return page.get_by_role("grid", name="Board", exact=True)


def cell(page: Page, name: str) -> Locator:
    """A cell of the board."""
    return grid(page).get_by_role("gridcell", name=re.compile(rf"^{re.escape(name)}, "))


def possible(page: Page) -> Locator:
    """The cells on which one can move."""
    return grid(page).get_by_role("gridcell", name=re.compile(", legal"))


def played(page: Page) -> list[str]:
    """The moves of the list, in the order they were played."""
    texts = page.get_by_role("region", name="Moves").get_by_role("button").all_text_contents()
    found = [re.match(r"\s*Move (\d+), [^:]+:\s*(\S+?)(?:turns|no legal|\s|$)", text) for text in texts]
    return [one[2] for one in sorted(filter(None, found), key=lambda one: int(one[1]))]


def await_ply(page: Page, number: int) -> None:
    """Waits until a move is in the list."""
    page.get_by_role("button", name=re.compile(rf"^Move {number},")).wait_for()


def is_my_turn(page: Page) -> bool:
    """Waits until it is the visitor's turn; False if the game is over instead."""
    over = page.get_by_role("heading", level=2, name=ENDED)
    page.get_by_text(YOURS).or_(over).first.wait_for()
    return not over.is_visible()


def play(page: Page, name: str = "") -> None:
    """Clicks a cell, or the first possible one, answers what it asks, and waits for the confirmation."""
    number = len(played(page)) + 1
    target = cell(page, name) if name else wanted(page)
    if target.count() == 0:
        page.get_by_role("button", name="Pass", exact=True).click()
    else:
        words = target.get_attribute("aria-label") or ""
        is_special = page.get_by_text("Your move").is_visible() and re.search("choice|bonus", words)
        target.click()
        if is_special:
            page.get_by_role("dialog").get_by_role("button").first.click()
    await_ply(page, number)


def wanted(page: Page) -> Locator:
    """The first possible cell, one that asks for more if there is any, as soon as the board is up to date."""
    moves = played(page)
    marked = grid(page).get_by_role("gridcell", name=re.compile(", last move"))
    if moves and moves[-1] != "pass":
        last = re.escape(moves[-1].partition(":")[0])
        expect(marked).to_have_accessible_name(re.compile(f"^{last},", re.IGNORECASE))
    else:
        expect(marked).to_have_count(0)
    if not page.get_by_role("button", name="Pass", exact=True).is_visible():
        possible(page).first.wait_for()
    elif possible(page).count() == 0:
        page.evaluate(DRAWN)
    special = grid(page).get_by_role("gridcell", name=re.compile("(choice|bonus), legal"))
    return (special if special.count() else possible(page)).first


def play_to_the_end(page: Page) -> None:
    """Plays to the end, whenever it is the visitor's turn."""
    while is_my_turn(page):
        play(page)


def words_of(info: dict[str, Any], line: str = "", empty: str = "empty") -> list[str]:
    """Every cell with what lies on it, as the page says it, in the position that the server has."""
    description = info["description"]
    seats = [seat["name"] for seat in description["plan"]["seats"]]
    names = SPECIAL_TILES | {0: empty} | dict(enumerate(seats, 1))
    tiles = (line or info["position"]).split()[0]
    told = [names[description["symbols"][tile]] for tile in tiles]
    return [", ".join(filter(None, words)) for words in zip(description["plan"]["names"], told, strict=True)]


def await_position(
    page: Page, info: dict[str, Any], line: str = "", *, title: str = "Board", empty: str = "empty"
) -> None:
    """Waits until the board shows a position of the server's, cell for cell."""
    page.wait_for_function(SHOWS, arg=[title, words_of(info, line, empty), MARKS])


def expected_title(ranks: list[int], scores: list[int], own: int | None) -> re.Pattern[str]:
    """What the result panel says to whoever has one seat, or to somebody who watches or has several."""
    first = [seat for seat, rank in enumerate(ranks) if rank == 1]
    if len(ranks) > 2:
        if own is not None and ranks[own] > 1:
            return re.compile(f"^You came {ranks[own]}.. of {len(ranks)}$")
        return re.compile("^Draw" if len(first) > 1 else " won$" if own is None else "^You won$")
    seat = first[0] if own is None else own
    score = f"{scores[seat]}–{scores[1 - seat]}"
    if len(first) > 1:
        return re.compile(f"^Draw, {score}$")
    did = "won" if seat == first[0] else "lost"
    return re.compile(f"^You {did} {score}$" if own is not None else f". won {score}$")


def check_result(page: Page, server: Served, game: str) -> dict[str, Any]:
    """The result panel says what the server has; the game as the server has it."""
    info: dict[str, Any] = server.get(f"/api/games/{game}")
    result = info["result"]
    assert info["phase"] == "over"
    await_position(page, info)
    seats = [seat["name"] for seat in info["description"]["plan"]["seats"]]
    own = [number for number, seat in enumerate(seats)
           if page.get_by_role("region", name=seat, exact=True).get_by_text("you", exact=True).count()]
    title = expected_title(result["ranks"], result["scores"], own[0] if len(own) == 1 else None)
    expect(page.get_by_role("heading", level=2, name=title)).to_be_visible()
    if len(seats) > 2:
        ranks = page.get_by_role("list", name="Result").get_by_role("listitem").all()
        numbers = [one.locator(".number").all_text_contents() for one in ranks]
        told = [(int(one[0].rstrip("stndrh")), int(one[-1])) for one in numbers]
        assert told == sorted(zip(result["ranks"], result["scores"], strict=True), key=lambda one: one[0])
    assert len(played(page)) == info["plies"]
    return info


def events_of(server: Served, game: str) -> list[dict[str, Any]]:
    """All events of a game, as a spectator hears them."""
    with server.visit(game) as visitor:
        count = visitor.hear(Welcome).events
        return [{"kind": event.kind, **event_data(event)} for event in (visitor.hear() for _ in range(count))]
