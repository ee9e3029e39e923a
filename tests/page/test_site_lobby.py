"""The lobby of a site in the browser: people find each other, play on their seats, and are rated."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from polyversi.site.ratings import record_game
from polyversi.site.roles import Role
from polyversi.site.store import SiteStore
from polyversi.storage.games import Store, Transaction
from polyversi.storage.stored import Summary
from tests.testing.browser import PHONE, Visit, check_accessible, take_picture
from tests.testing.site import Member, SiteServer

GAME = re.compile(r"/game/[\w-]+$")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """A site on a real server."""
    with SiteServer(tmp_path_factory.mktemp("site")) as served:
        yield served


@pytest.fixture
def people(site: SiteServer, request: pytest.FixtureRequest) -> Iterator[list[Member]]:
    """Three members whom no other test knows."""
    which = request.node.name.removeprefix("test_")[:20]
    yield [site.join(f"{name} {which}") for name in ("Ann", "Bob", "Carla")]


def want(page: Page, variant: str, clock: str, opponent: str = "", *, is_rated: bool = True) -> None:
    """Fills in what somebody wants to play."""
    form = page.get_by_role("form", name="New game")
    form.get_by_label("Variant").select_option(label=variant)
    form.get_by_label("Clock").select_option(label=clock)
    form.get_by_label("Opponent").fill(opponent)
    form.get_by_label("Rated").set_checked(is_rated)


def entry(page: Page, heading: str, words: str) -> Any:
    """A challenge in a list."""
    return page.get_by_role("region", name=heading).get_by_role("listitem").filter(has_text=words)


def test_an_open_challenge_becomes_a_rated_game(visit: Visit, people: list[Member]) -> None:
    ann, bob, carla = people
    hers, his = visit("/lobby", ann), visit("/lobby", bob)
    want(hers, "Othello", "5 min")
    hers.get_by_role("button", name="Open a challenge").click()
    expect(entry(hers, "Your challenges", "Waits for anybody.")).to_be_visible()
    found = entry(his, "Open challenges", ann.person.name)
    expect(found).to_contain_text("Othello")
    expect(found).to_contain_text("5 min")
    check_accessible(his)
    found.get_by_role("button", name="Play").click()
    for page in (hers, his):    # Ann is taken there too
        expect(page).to_have_url(GAME)
    expect(his.locator(".game.running")).to_be_visible()
    for page, member in ((hers, ann), (his, bob)):
        mine = page.locator(".game").get_by_text("you", exact=True)
        expect(mine).to_have_count(1)
        expect(page.locator(".game")).to_contain_text(member.person.name)
    path = hers.url.removeprefix(ann.address)
    watching = visit(path, carla)
    expect(watching.locator(".game")).to_contain_text(ann.person.name)
    expect(watching.get_by_role("button", name="Resign")).to_have_count(0)
    phone = visit(path, ann, size=PHONE)    # another device, which was never told a token
    expect(phone.get_by_role("button", name="Resign")).to_be_visible()
    assert phone.evaluate("localStorage.getItem('polyversi.games')") is None
    his.get_by_role("button", name="Resign").click()
    his.get_by_role("button", name="Resign").last.click()
    expect(hers.get_by_role("button", name="Rematch")).to_be_visible()
    expect(hers.locator(".seat-card").filter(has_text=ann.person.name)).to_contain_text("1662 ± 569")
    expect(hers.locator(".seat-card").filter(has_text=bob.person.name)).to_contain_text("-162")
    hers.goto(f"{ann.address}/lobby")
    row = hers.get_by_role("region", name="Ranking").get_by_role("row").filter(has_text=ann.person.name)
    expect(row).to_contain_text("1662 ± 569")
    hers.goto(f"{ann.address}/people/{ann.person.name}")
    expect(hers.get_by_role("img", name="Rating of Othello")).to_be_visible()
    check_accessible(hers)


@pytest.mark.slow
def test_quick_pairing_finds_the_next_one_who_wants_the_same(visit: Visit, people: list[Member]) -> None:
    ann, bob, _ = people
    hers, his = visit("/lobby", ann), visit("/lobby", bob, size=PHONE)
    for page in (hers, his):
        want(page, "Anti-Othello", "No limit", is_rated=False)
    hers.get_by_role("button", name="Quick pairing").click()
    expect(hers.get_by_text("Looking for somebody who wants the same")).to_be_visible()
    his.get_by_role("button", name="Quick pairing").click()
    for page in (hers, his):
        expect(page).to_have_url(GAME)
    expect(hers.locator(".game")).to_contain_text(bob.person.name)


@pytest.mark.slow
def test_a_direct_challenge_reaches_somebody_anywhere(visit: Visit, people: list[Member]) -> None:
    ann, bob, carla = people
    hers, his = visit("/lobby", ann), visit("/puzzles", bob)
    news = his.get_by_role("status").filter(has_text=f"{ann.person.name} challenges you")

    def challenge() -> None:
        want(hers, "Othello", "No limit", bob.person.name)
        hers.get_by_role("button", name="Challenge", exact=True).click()
        expect(entry(hers, "Your challenges", f"Waits for {bob.person.name}.")).to_be_visible()

    challenge()
    news.get_by_role("button", name="Decline").click()
    told = entry(hers, "Your challenges", f"{bob.person.name} has declined.")
    told.get_by_role("button", name="Remove").click()
    expect(told).to_have_count(0)
    challenge()
    others = visit("/lobby", carla).get_by_role("region", name="Open challenges")
    expect(others).not_to_contain_text(ann.person.name)
    news.get_by_role("button", name="Accept").click()
    expect(his).to_have_url(GAME)
    expect(hers).to_have_url(GAME)


@pytest.mark.slow
def test_a_challenge_is_taken_back_and_a_game_has_a_rematch(visit: Visit, people: list[Member]) -> None:
    ann, bob, carla = people
    hers, his = visit("/lobby", ann), visit("/lobby", bob)
    for name in ("Torus", "Othello"):
        want(hers, name, "No limit")
        hers.get_by_role("button", name="Open a challenge").click()
        expect(entry(his, "Open challenges", ann.person.name).filter(has_text=name)).to_be_visible()
    assert his.get_by_role("button", name="Take back").count() == 0
    entry(hers, "Your challenges", "Torus").get_by_role("button", name="Take back").click()
    expect(entry(hers, "Your challenges", "Torus")).to_have_count(0)
    found = entry(his, "Open challenges", ann.person.name)
    expect(found).to_have_count(1)
    found.get_by_role("button", name="Play").click()
    for page in (hers, his):
        expect(page).to_have_url(GAME)
    first = hers.url
    watching = visit(first.removeprefix(ann.address), carla)
    his.get_by_role("button", name="Resign").click()
    his.get_by_role("group", name="Resign the game?").get_by_role("button", name="Resign").click()
    hers.get_by_role("button", name="Rematch").click()
    expect(his.get_by_text(f"{ann.person.name} would like a rematch.").first).to_be_visible()
    assert watching.get_by_role("button", name="Accept").count() == 0
    assert watching.get_by_role("button", name="Rematch").count() == 0
    his.get_by_role("button", name="Accept").click()
    for page in (hers, his):
        expect(page).not_to_have_url(first)
        expect(page).to_have_url(GAME)
        expect(page.get_by_role("button", name="Resign")).to_be_visible()
    hers.go_back()
    expect(hers.get_by_role("link", name="Go to the rematch")).to_be_visible()
    check_accessible(hers)
    assert hers.evaluate("localStorage.getItem('polyversi.games')") is None, "the browser keeps no seats"
    hers.get_by_role("link", name="Go to the rematch").click()
    expect(hers).to_have_url(his.url)
    expect(hers.get_by_role("button", name="Resign")).to_be_visible()


@pytest.mark.slow
def test_a_game_is_claimed_whose_rival_has_left(
        visit: Visit, site: SiteServer, people: list[Member]) -> None:
    ann, bob, carla = people
    made = ann.post("/api/site/challenges", {"spec": "othello", "opponent": bob.person.name})["challenge"]
    game = bob.post(f"/api/site/challenges/{made}/accept", {})["game"]
    site.stop()
    # So that nobody waits for three days.
    with closing(Store.open(site.store)) as store, store.writing() as connection:
        Transaction(store, connection).change_game(game, summary=Summary(grace=0.01))
    site.start()
    his = visit(f"/game/{game}", bob)
    hers, watching = visit(f"/game/{game}", ann), visit(f"/game/{game}", carla)
    claim = hers.get_by_role("button", name="Claim the game")
    expect(his.get_by_role("button", name="Resign")).to_be_visible()
    expect(hers.get_by_text("1 watching")).to_be_visible()
    expect(claim).to_have_count(0)
    his.goto(f"{site.address}/settings")
    expect(hers.get_by_text(f"{bob.person.name} left and has not come back.")).to_be_visible()
    check_accessible(hers)
    expect(watching.get_by_role("button", name="Claim the game")).to_have_count(0)
    his.goto(f"{site.address}/game/{game}")    # whoever comes back in time plays on
    expect(claim).to_have_count(0)
    his.goto(f"{site.address}/settings")
    claim.click()
    expect(hers.get_by_role("heading", name="You won")).to_be_visible()
    expect(watching.get_by_role("heading", name=f"{ann.person.name} won")).to_be_visible()
    his.goto(f"{site.address}/game/{game}")
    expect(his.get_by_role("heading", name="You lost")).to_be_visible()


@pytest.mark.slow
def test_what_cannot_be_is_said(visit: Visit, people: list[Member]) -> None:
    page = visit("/lobby", people[0], may_complain="404")
    want(page, "Othello", "No limit", "Nobody of that name")
    page.get_by_role("button", name="Challenge", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("There is no member called 'Nobody of that name'.")


@pytest.mark.slow
def test_a_challenge_that_is_gone_is_said_so(visit: Visit, people: list[Member]) -> None:
    ann, bob, _ = people
    made = ann.post("/api/site/challenges", {"spec": "torus"})["challenge"]
    page = visit("/lobby", bob, may_complain="404")
    found = entry(page, "Open challenges", ann.person.name)
    expect(found).to_be_visible()

    def be_late(route: Route) -> None:
        ann.post(f"/api/site/challenges/{made}/withdraw", {})
        route.continue_()

    page.route("**/accept", be_late)
    found.get_by_role("button", name="Play").click()
    expect(page.get_by_role("region", name="Open challenges").get_by_role("alert")).to_contain_text(
        "This challenge is not open any more")


def test_guests_look_and_strangers_sign_in(visit: Visit, site: SiteServer, people: list[Member]) -> None:
    ann = people[0]
    made = ann.post("/api/site/challenges", {"spec": "hex", "limit": "bank=600,increment=5"})["challenge"]
    guest = visit("/lobby", site.join("A guest of the lobby", Role.GUEST))
    found = entry(guest, "Open challenges", ann.person.name)
    expect(found).to_be_visible()
    expect(guest.get_by_role("button", name="Play")).to_have_count(0)
    expect(guest.get_by_role("form", name="New game")).to_have_count(0)
    check_accessible(guest)
    ann.post(f"/api/site/challenges/{made}/withdraw", {})
    expect(found).to_have_count(0)
    stranger = visit("/lobby")
    expect(stranger.get_by_text("Here people of the site find others to play with.")).to_be_visible()
    expect(stranger.get_by_role("main").get_by_role("link", name="Sign in")).to_be_visible()


@pytest.mark.slow
def test_the_lobby_on_a_phone(visit: Visit, site: SiteServer) -> None:
    ann, bob, carla = (site.join(name) for name in ("Ann Lee", "Bob Ray", "Carla Díaz"))
    with closing(SiteStore.open(site.store)) as store, store.writing() as connection:
        for number, (one, other) in enumerate([(ann, bob), (ann, carla), (carla, bob), (bob, ann)] * 5):
            players = [one.person.player, other.person.player]
            record_game(connection, f"game {number}", "octagon", players, [1, 2], time.time())
    bob.post("/api/site/challenges", {"spec": "othello", "opponent": ann.person.name})
    bob.post("/api/site/challenges", {"spec": "rolit", "is_rated": False})
    carla.post("/api/site/challenges", {"spec": "octagon", "limit": "bank=300"})
    page = visit("/lobby", ann, size=PHONE)
    expect(entry(page, "You are challenged", bob.person.name)).to_be_visible()
    expect(entry(page, "Open challenges", "1 of 4 players")).to_be_visible()
    expect(page.get_by_role("region", name="Ranking").get_by_role("row").nth(1)).to_contain_text("Ann Lee")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_accessible(page)
    desk = visit("/lobby", ann)
    expect(entry(desk, "You are challenged", bob.person.name)).to_be_visible()
    expect(desk.get_by_role("region", name="Ranking").get_by_role("row").nth(1)).to_contain_text("Ann Lee")
    take_picture(desk, "lobby")
