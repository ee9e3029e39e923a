"""The ladder on the page: somebody challenges, watches, and looks at what a game came to; others see less."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from polyversi.site.roles import Role
from polyversi.site.sessions import Sessions
from tests.testing.browser import PHONE, Visit, check_accessible, take_picture
from tests.testing.ladders import CRASHES, Rungs
from tests.testing.sandbox import needs_sandbox
from tests.testing.site import Member, SiteServer

pytestmark = needs_sandbox
LADDER = """
jobs = 1
[[ladders]]
id = "small"
title = "Small Othello"
variant = "othello-4"
limit = "seconds=3,bank=90"
games = 0
"""
SLEEPER = "import sys, time\ninput()\ntime.sleep(3600)\n"


class Course(SiteServer):
    """A site with a ladder and three bots on it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, LADDER)
        rungs = Rungs(folder, more=LADDER)
        self.members: dict[str, Member] = {}
        for name, source in (("Ann", CRASHES), ("Bob", SLEEPER)):
            person, _ = rungs.climb(name, source)
            token = Sessions(rungs.store, rungs.file.settings).start(person.id)
            self.members[f"{name}'s"] = Member("", person, token)
        rungs.store.close()

    def start(self) -> None:
        """Begins to serve; members ask there."""
        super().start()
        for member in self.members.values():
            member.address = self.address


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    with Course(tmp_path_factory.mktemp("course")) as served:
        yield served


@pytest.mark.slow
def test_a_challenge_from_the_ranking_to_the_replay(site: Course, visit: Visit) -> None:
    nobody = visit("/ladder/small", size=PHONE)
    rows = nobody.get_by_role("table", name="Ranking").get_by_role("row")
    expect(rows).to_have_count(3)
    high, low = (str(rows.nth(place).get_by_role("link").first.text_content()) for place in (1, 2))
    expect(nobody.get_by_role("button", name=re.compile("Challenge"))).to_have_count(0)
    check_accessible(nobody)

    owner = visit("/ladder", site.members[low])
    expect(owner.get_by_text("3 s a move, 1.5 min a game · 1,024 MiB of memory · one thread")).to_be_visible()
    owner.get_by_role("button", name=f"Challenge {high}").click()
    queue = owner.get_by_role("region", name="Queue")
    expect(queue.get_by_text(f"challenge by {low.removesuffix(chr(39) + 's')}")).to_be_visible()
    expect(nobody.get_by_role("region", name="Queue").get_by_text(low, exact=True)).to_be_visible()

    owner.get_by_role("region", name="Being played").get_by_role("link").first.click()
    expect(owner.get_by_text("Bob's v1", exact=True)).to_be_visible()
    expect(owner.get_by_role("heading", name=re.compile("won"))).to_be_visible()
    owner.go_back()
    games = owner.get_by_role("table", name="Games")
    expect(games.get_by_role("row")).to_have_count(3)
    expect(games.get_by_text("Bob's won: Ann's crashed")).to_have_count(1)
    expect(games.get_by_text("Ann's won on time")).to_have_count(1)
    check_accessible(owner)
    take_picture(owner, "ladder")


@pytest.mark.slow
def test_a_cancelled_challenge_says_why_to_whoever_asked_for_it(site: Course, visit: Visit) -> None:
    ranking = site.members["Ann's"].get("/api/site/ladders/small")["ranking"]
    high, low = (one["bot"] for one in ranking[:2])
    owner, rival = site.members[low["name"]], site.members[high["name"]]
    with site.held():
        for who, reason in (("owner", "Whoever challenged has cancelled it."),
                            ("organiser", "An organiser has cancelled it.")):
            owner.post("/api/site/matches", {"challenger": low["id"], "challenged": high["id"]})
            others = visit("/ladder/small", rival)
            expect(others.get_by_role("region", name="Queue").get_by_text("challenge by")).to_be_visible()
            for stranger in (others, visit("/ladder/small")):
                queue = stranger.get_by_role("region", name="Queue")
                expect(queue.get_by_text(low["name"], exact=True)).to_be_visible()
                assert stranger.get_by_role("button", name="Cancel").count() == 0
                assert stranger.get_by_text("has cancelled it").count() == 0
            assert stranger.get_by_role("region", name="Your last challenges").count() == 0, "of nobody"
            page = visit("/ladder/small", owner if who == "owner" else site.join("Oscar", Role.ORGANISER))
            page.get_by_role("region", name="Queue").get_by_role("button", name="Cancel").click()
            expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
            told = page if who == "owner" else visit("/ladder/small", owner)
            mine = told.get_by_role("region", name="Your last challenges")
            expect(mine.get_by_role("listitem").first).to_contain_text(reason)
            check_accessible(told)
    ended = owner.get("/api/site/ladders/small/challenges")["challenges"]
    assert [one["phase"] for one in ended[:2]] == ["cancelled"] * 2


@pytest.mark.slow
def test_what_a_bot_wrote_is_for_its_owner_and_shown_as_text(site: Course, visit: Visit) -> None:
    for member, texts in ((site.members["Ann's"], 1), (site.members["Bob's"], 0),
                          (site.join("Olga", Role.ORGANISER), 1)):
        page = visit("/ladder/small", member)
        for game in page.get_by_role("button", name=re.compile("^Details of")).all()[:2]:
            game.click()
            dialog = page.get_by_role("dialog")
            expect(dialog.get_by_text(re.compile("won"))).to_be_visible()
            own = {"Ann's": 1, "Bob's": 1}.get(member.person.name + "'s", 2)
            expect(dialog.get_by_role("heading", name=re.compile("^What .* wrote"))).to_have_count(own)
            if dialog.get_by_text("Ann's crashed").count():
                expect(dialog.get_by_text("no <b>way</b>")).to_have_count(texts)
            dialog.get_by_role("button", name="Close").click()
