"""A site as a guest finds it: all there is to watch, friends to play with, and nothing else to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from polyversi.site.roles import Role
from tests.testing.browser import Visit, check_accessible
from tests.testing.ladders import Rungs
from tests.testing.page_games import begin, choose_variant, is_my_turn, play, set_seat
from tests.testing.sandbox import needs_sandbox
from tests.testing.site import SiteServer
from tests.testing.uploads import FIRST_MOVE

pytestmark = needs_sandbox
LADDER = """
[[ladders]]
id = "small"
title = "Small Othello"
variant = "othello-4"
games = 0
"""


class Club(SiteServer):
    """A site with two bots on a ladder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, LADDER)
        rungs = Rungs(folder, more=LADDER)
        self.bots = [rungs.climb(name, FIRST_MOVE)[1] for name in ("Ann", "Bob")]
        rungs.store.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with Club(tmp_path_factory.mktemp("club")) as served:
        yield served


@pytest.mark.slow
def test_a_guest_watches_plays_friends_and_does_nothing_else(visit: Visit, site: Club) -> None:
    organiser = site.join("Olga", Role.ORGANISER)
    event = organiser.post("/api/site/events", {"title": "Cup", "settings": {
        "variants": ["othello-4"], "players": ["random", "greedy"], "limit": "depth=1"}})["id"]
    organiser.post(f"/api/site/events/{event}/start", {})
    guest = site.join("Gus", Role.GUEST)
    page = visit("/ladder/small", guest, may_complain="403")
    ranking = page.get_by_role("table", name="Ranking")
    expect(ranking.get_by_role("link", name="Ann's")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Challenge"))).to_have_count(0)
    expect(page.get_by_role("link", name="Organise")).to_have_count(0)
    check_accessible(page)

    page.get_by_role("link", name="Bots", exact=True).click()
    expect(page.get_by_role("table", name="All bots").get_by_role("link", name="Ann's")).to_be_visible()
    expect(page.get_by_role("heading", name="A new bot")).to_have_count(0)
    page.get_by_role("link", name="Ann's").first.click()
    expect(page.get_by_text("Version 1 plays")).to_be_visible()
    for absent in ("Hand in a version", "Source", "Withdraw", "Rename, rest, delete"):
        expect(page.get_by_text(absent)).to_have_count(0)

    page.goto(f"{site.address}/events/{event}")
    expect(page.get_by_role("rowheader", name="greedy")).to_be_visible()
    for absent in ("Pause", "Delete", "Hide results"):
        expect(page.get_by_role("button", name=absent)).to_have_count(0)
    expect(page.get_by_role("link", name="Output of your bots")).to_have_count(0)
    page.get_by_role("link", name="Events", exact=True).click()
    expect(page.get_by_role("link", name=re.compile("Cup"))).to_be_visible()
    expect(page.get_by_role("link", name="New event")).to_have_count(0)

    page.goto(f"{site.address}/people/Ann")
    expect(page.get_by_role("heading", name="Ann", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="Challenge")).to_have_count(0)
    page.goto(f"{site.address}/people/Gus")
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    expect(page.get_by_role("link", name="Hand in a bot")).to_have_count(0)
    for path, sentence in (("/organise", "This is for organisers"),
                           ("/people", "The list of people is for members")):
        page.goto(site.address + path)
        expect(page.get_by_text(re.compile(sentence))).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_have_count(0)

    for path, data in (("/api/site/challenges", {"spec": "othello"}),
                       ("/api/site/bots", {"name": "Mine", "ladder": "small"}),
                       ("/api/site/matches", {"challenger": site.bots[0].id, "challenged": site.bots[1].id}),
                       ("/api/site/events", {"title": "Mine", "settings": {}})):
        answer = guest.ask("POST", path, data)    # whatever the page shows
        assert (answer.status_code, "this is for" in answer.json()["problem"]) == (403, True)

    page.goto(f"{site.address}/play")
    form = choose_variant(page, "Othello")
    set_seat(form, "white", "A friend")
    begin(page, "Play with friends")
    link = page.get_by_role("textbox", name="Link for white").input_value()
    friend = visit("/settings")    # nobody whom the site knows
    friend.goto(link)
    friend.get_by_label("Your name").fill("Fay")
    friend.get_by_role("button", name="Play", exact=True).click()
    assert is_my_turn(page)
    play(page)
    assert is_my_turn(friend)
    expect(page.get_by_text("Fay to move")).to_be_visible()
