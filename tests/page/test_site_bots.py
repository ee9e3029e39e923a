"""Bots on the page of a site: handing in, the check line by line, versions, and what others see of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from polyversi.server.site.access import COOKIE
from polyversi.site.roles import Role
from tests.testing.browser import PHONE, Visit, Window, check_accessible, take_picture
from tests.testing.ladders import Rungs
from tests.testing.sandbox import needs_sandbox
from tests.testing.site import Member, SiteServer
from tests.testing.timeout import TIMEOUT
from tests.testing.uploads import COURSE_AGENT, FIRST_MOVE, HELD, RELEASE, packed, release

pytestmark = needs_sandbox
SITE = """
[[ladders]]
id = "small"
title = "Small Othello"
variant = "othello-4"
[[ladders]]
id = "xt"
title = "Reversi XT"
variant = "xt:cross,players=2"
"""
CRASH = r"""
import sys
print("\x1b[2J<img src=x onerror=alert(1)>", file=sys.stderr)
input()
1 / 0
"""
ONLY_LATER = f"open('{RELEASE}')\n" + FIRST_MOVE
"""Crashes as long as there is no such file."""
SAYS = "import sys\nprint('<i>depth</i> 9', file=sys.stderr, flush=True)\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    server = SiteServer(tmp_path_factory.mktemp("site"), SITE)
    with server:
        yield server


def new_bot(member: Member, name: str, data: str | bytes = "", file: str = "main.py") -> str:
    """A bot, perhaps with a version."""
    bot = str(member.post("/api/site/bots", {"name": name, "ladder": "small"})["id"])
    if data:
        answer = member.ask("POST", f"/api/site/bots/{bot}/versions", params={"file": file}, content=data,
                            headers={"x-polyversi": "1"})
        assert answer.status_code == 201
    return bot


def version(page: Page, number: int) -> Any:
    return page.get_by_role("listitem", name=f"Version {number}", exact=True)


def test_from_an_archive_to_a_bot_that_plays(visit: Visit, site: SiteServer, tmp_path: Path) -> None:
    page = visit("/bots", site.join("Ann"), size=(1280, 1060))
    page.get_by_label("Its name").fill("Corner taker")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", name="Corner taker")).to_be_visible()
    expect(page.get_by_text("5 s a move, 3 min a game")).to_be_visible()
    archive = tmp_path / "mine.zip"
    archive.write_bytes(packed({"mine/agent.py": COURSE_AGENT, "mine/notes.txt": "mine"}))
    page.get_by_label("Choose a file").first.set_input_files(archive)
    first = version(page, 1)
    expect(first.get_by_text("starts and waits for a request")).to_be_visible()
    expect(first.get_by_text("plays", exact=True)).to_be_visible()
    expect(first.get_by_text("lists exactly the legal moves")).to_be_visible()
    expect(first.get_by_text("mine.zip")).to_be_visible()
    check_accessible(page)
    take_picture(page, "bot")

    with page.expect_download() as download:
        first.get_by_role("link", name="Source").click()
    assert download.value.suggested_filename == "Corner taker 1.zip"

    first.get_by_role("button", name="Withdraw").click()
    expect(first.get_by_text("withdrawn")).to_be_visible()
    first.get_by_role("button", name="Let it play").click()
    expect(first.get_by_text("plays", exact=True)).to_be_visible()
    first.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(first.get_by_text("deleted")).to_be_visible()
    page.get_by_text("Rename, rest, delete").click()
    page.get_by_label("Its name").fill("Edge taker")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.get_by_role("heading", name="Edge taker")).to_be_visible()
    page.get_by_text("Rename, rest, delete").click()
    page.get_by_role("button", name="Delete this bot").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("heading", name="A new bot")).to_be_visible()
    expect(page.get_by_text("Edge taker")).to_have_count(0)


@pytest.mark.slow
def test_whoever_waits_sees_how_many_are_before(browser: Browser, tmp_path: Path) -> None:
    """Two are checked in turns where there is one place; here they are held, so that the others wait."""
    held = SITE.replace('"othello-4"\n', f'"othello-4"\nlimit = "seconds={TIMEOUT:g}"\n')
    with SiteServer(tmp_path, "jobs = 1\n" + held) as site:
        members = [site.join(name) for name in ("Ann", "Bob", "Cid", "Dan")]
        sources = HELD, SAYS + HELD, FIRST_MOVE, FIRST_MOVE
        bots = [new_bot(member, f"{member.person.name}'s", source)
                for member, source in zip(members, sources, strict=True)]
        window = Window(browser, site.address)
        sign_in(window.page, site, members[3])
        page = window.open(f"/bots/{bots[3]}")
        expect(page.get_by_text("waits for its check; 1 version is before it")).to_be_visible()
        assert members[2].get(f"/api/site/bots/{bots[2]}")["versions"][0]["before"] == 0
        check_accessible(page)
        members[2].post(f"/api/site/bots/{bots[2]}/versions/1/withdraw", None)
        expect(page.get_by_text("waits for its check; it is the next")).to_be_visible()
        for bot in bots[:2]:
            release(site.file, bot)
        expect(version(page, 1).get_by_text("plays", exact=True)).to_be_visible()
        sign_in(page, site, members[1])
        page = window.open(f"/bots/{bots[1]}")
        written = version(page, 1).get_by_text("The end of what it wrote to standard error")
        written.first.click()
        expect(version(page, 1).locator("pre").first).to_have_text("<i>depth</i> 9")
        check_accessible(page)
        assert window.complaints == []
        window.close()


def sign_in(page: Page, site: SiteServer, member: Member) -> None:
    """Has a window be somebody's from now on."""
    page.context.clear_cookies()
    page.context.add_cookies([{"name": COOKIE, "value": member.token, "url": site.address}])


@pytest.mark.slow
def test_pasted_code_that_crashes_shows_what_it_wrote_as_text(visit: Visit, site: SiteServer) -> None:
    bob = site.join("Bob")
    page = visit(f"/bots/{new_bot(bob, 'Crash')}", bob, size=PHONE)
    page.get_by_text("Paste code").click()
    page.get_by_label("The whole program").fill(CRASH)
    page.get_by_role("button", name="Hand in").click()
    first = version(page, 1)
    expect(first.locator(".bots-fault")).to_contain_text("ZeroDivisionError")
    first.get_by_text("The end of what it wrote to standard error").click()
    expect(first.locator("pre")).to_contain_text(r"\x1b[2J<img src=x onerror=alert(1)>")
    expect(first.locator("pre")).to_contain_text('File "main.py", line 5')
    expect(first.get_by_role("button", name="Check again")).to_be_visible()
    check_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off"


@pytest.mark.parametrize(("code", "problem"), [
    ("x = 1", re.compile("No bot was found: main.py is not a bot")),
    ("def f(:", re.compile("No bot was found: main.py is not valid Python")),
])
@pytest.mark.slow
def test_what_is_refused_is_told(code: str, problem: re.Pattern[str], visit: Visit, site: SiteServer) -> None:
    name = f"Carol {len(code)}"
    carol = site.join(name)
    page = visit(f"/bots/{new_bot(carol, name)}", carol, may_complain="400")
    page.get_by_text("Paste code").click()
    page.get_by_label("The whole program").fill(code)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("alert")).to_have_text(problem)
    expect(page.get_by_label("The whole program")).to_have_value(code)


@pytest.mark.slow
def test_a_bot_goes_back_rests_goes_on_and_is_checked_again(visit: Visit, site: SiteServer) -> None:
    ivy = site.join("Ivy")
    bot = new_bot(ivy, "Ivy's", FIRST_MOVE)
    page = visit(f"/bots/{bot}", ivy)
    plays = page.get_by_text("plays", exact=True)
    expect(version(page, 1).get_by_text("plays", exact=True)).to_be_visible()
    page.get_by_text("Paste code").click()
    page.get_by_label("The whole program").fill(FIRST_MOVE + "# the second\n")
    page.get_by_role("button", name="Hand in").click()
    expect(version(page, 2).get_by_text("plays", exact=True)).to_be_visible()
    expect(version(page, 1).get_by_text("passed", exact=True)).to_be_visible()

    version(page, 1).get_by_role("button", name="Let it play").click()
    expect(version(page, 1).get_by_text("plays", exact=True)).to_be_visible()
    expect(plays).to_have_count(1)
    stranger = visit(f"/bots/{bot}")
    expect(stranger.get_by_text("Version 1 plays")).to_be_visible()
    assert stranger.get_by_role("button", name=re.compile("Let it|Check again")).count() == 0
    page.get_by_text("Rename, rest, delete").click()
    page.get_by_role("button", name="Let it rest").click()
    expect(page.get_by_text("No version of it plays at present.")).to_be_visible()
    expect(plays).to_have_count(0)
    stranger.reload()
    expect(stranger.get_by_text("No version of it plays at present.")).to_be_visible()
    version(page, 2).get_by_role("button", name="Let it play").click()
    expect(version(page, 2).get_by_text("plays", exact=True)).to_be_visible()

    page.get_by_label("The whole program").fill(ONLY_LATER)
    page.get_by_role("button", name="Hand in").click()
    third = version(page, 3)
    expect(third.locator(".bots-fault")).to_contain_text("FileNotFoundError")
    expect(version(page, 2).get_by_text("plays", exact=True)).to_be_visible()
    assert third.get_by_role("button", name="Let it play").count() == 0
    (site.file.uploads / bot / "3" / RELEASE).touch()    # the machine is not busy any more
    third.get_by_role("button", name="Check again").click()
    expect(third.get_by_text("plays", exact=True)).to_be_visible()
    expect(third.locator(".bots-fault")).to_have_count(0)
    expect(page.get_by_text("3 of 50 versions a day")).to_have_count(0)    # another check counts, too
    expect(page.get_by_text("4 of 50 versions a day")).to_be_visible()
    check_accessible(page)


@pytest.mark.slow
def test_an_archive_that_is_refused_says_why_and_leaves_nothing(
        visit: Visit, site: SiteServer, tmp_path: Path) -> None:
    jon = site.join("Jon")
    bot = new_bot(jon, "Jon's")
    page = visit(f"/bots/{bot}", jon, may_complain="400")
    for name, data, problem in (
        ("out.zip", packed({"main.py": FIRST_MOVE, "../../site.toml": "name = 'mine'"}), "'../../site.toml'"),
        ("half.zip", packed({"main.py": FIRST_MOVE})[:60], "zip"),
        ("none.zip", packed({"notes.txt": "to do"}), "No bot was found"),
    ):
        (tmp_path / name).write_bytes(data)
        page.get_by_label("Choose a file").first.set_input_files(tmp_path / name)
        expect(page.get_by_role("alert")).to_contain_text(problem)
        expect(page.get_by_role("button", name="Choose a file")).to_be_enabled()
    check_accessible(page)
    expect(page.get_by_role("heading", name="Versions")).to_have_count(0)
    assert jon.get(f"/api/site/bots/{bot}")["versions"] == []
    assert not list((site.file.uploads / bot).glob("*"))
    others = visit(f"/bots/{bot}", site.join("Kay"))
    expect(others.get_by_role("heading", name="Jon's")).to_be_visible()
    expect(others.get_by_role("alert")).to_have_count(0)


@pytest.mark.slow
def test_whatever_is_more_than_the_quotas_is_refused_in_a_sentence(browser: Browser, tmp_path: Path) -> None:
    settings = SITE + "[quotas]\nbots = 1\nversions_per_day = 2\nmegabytes = 1\nchallenges = 1\n"
    settings = settings.replace('"othello-4"\n', '"othello-4"\ngames = 0\n')
    rungs = Rungs(tmp_path, more=settings)
    people = {bot.name: person for person, bot in (rungs.climb(name) for name in ("Lea", "Max", "Nia"))}
    *above, own = [ranked.bot for ranked in rungs.ladders.ranking("small")]
    rungs.store.close()
    with SiteServer(tmp_path) as site, site.held():
        member = site.session_of(people[own.name])
        window = Window(browser, site.address, may_complain="400")
        sign_in(window.page, site, member)
        page = window.open("/bots")
        alert = page.get_by_role("alert")
        expect(page.get_by_text("You have 1 of 1 bots.")).to_be_visible()
        page.get_by_label("Its name").fill("One too many")
        page.get_by_role("button", name="Begin").click()
        expect(alert).to_have_text("You have 1 bot, as many as one person may have; delete one first.")

        page = window.open(f"/bots/{own.id}")
        file = tmp_path / "main.py"

        def hand_in(size: int) -> None:
            file.write_text(FIRST_MOVE + "#" * size)
            page.get_by_label("Choose a file").first.set_input_files(file)

        hand_in(1_100_000)
        expect(alert).to_have_text("This is larger than 1 MB.")
        hand_in(999_800)    # which has room, but not beside the first version
        expect(alert).to_contain_text("Your bots may have 1 MB together")
        hand_in(1_000)
        expect(version(page, 2)).to_be_visible()
        expect(page.get_by_text("2 of 2 versions a day")).to_be_visible()
        hand_in(1_000)
        expect(alert).to_contain_text("You have handed in 2 versions within a day")
        expect(version(page, 3)).to_have_count(0)
        check_accessible(page)

        page = window.open("/ladder/small")
        page.get_by_role("button", name=f"Challenge {above[0].name}").click()
        expect(page.get_by_role("region", name="Queue").get_by_text("challenge by")).to_be_visible()
        page.get_by_role("button", name=f"Challenge {above[1].name}").click()
        expect(alert).to_contain_text("1 of your challenges wait already, and 1 may")

        organiser = site.join("Olga", Role.ORGANISER)    # for whom there is only the room of the site
        sign_in(page, site, organiser)
        for name in ("First", "Second"):
            page = window.open("/bots")
            page.get_by_label("Its name").fill(name)
            page.get_by_role("button", name="Begin").click()
            expect(page.get_by_role("heading", name=name)).to_be_visible()
        assert window.complaints == []
        window.close()


@pytest.mark.slow
def test_an_xt_client_is_handed_in_with_its_arguments(visit: Visit, site: SiteServer) -> None:
    page = visit("/bots", site.join("Fay"), may_complain="400")
    page.get_by_label("Its name").fill("Client")
    page.get_by_label("Ladder").select_option("Reversi XT")
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("Paste code").click()
    page.get_by_label("The whole program").fill("print('I have no time')")
    page.get_by_label("Its arguments").fill("-p {port} ../../site.db")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("alert")).to_contain_text("'../../site.db' cannot be an argument")
    page.get_by_label("Its arguments").fill("-h {host} -p {port}")
    page.get_by_role("button", name="Hand in").click()
    first = version(page, 1)
    expect(first.get_by_text("connects and sends its group number")).to_be_visible()
    expect(first.get_by_text("XT client", exact=True)).to_be_visible()
    expect(first.get_by_text("failed", exact=True).first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.slow
def test_what_others_see(visit: Visit, site: SiteServer) -> None:
    dave, eve = site.join("Dave"), site.join("Eve")
    bot = new_bot(dave, "Secret <b>agent", FIRST_MOVE)
    expect(version(visit(f"/bots/{bot}", dave), 1).get_by_text("plays", exact=True)).to_be_visible()
    for member in (eve, site.join("Gus", Role.GUEST), None):
        page = visit(f"/bots/{bot}", member)
        expect(page.get_by_role("heading", name="Secret <b>agent")).to_be_visible()
        expect(page.get_by_text("Version 1 plays")).to_be_visible()
        for hidden in ("Hand in a version", "Source", "Withdraw", "starts and waits"):
            expect(page.get_by_text(hidden)).to_have_count(0)
        expect(page.get_by_text("by Dave")).to_have_count(1 if member else 0)
    page = visit(f"/bots/{bot}", site.join("Olga", Role.ORGANISER))
    expect(version(page, 1).get_by_role("link", name="Source")).to_be_visible()
    expect(page.get_by_text("Hand in a version")).to_have_count(0)
    version(page, 1).get_by_role("button", name="Withdraw").click()
    expect(version(page, 1).get_by_text("withdrawn")).to_be_visible()

    page = visit("/bots", eve)
    expect(page.get_by_role("table", name="All bots")).to_contain_text("Secret <b>agent")
    expect(page.get_by_role("row", name=re.compile("Secret"))).to_contain_text("rests")
    check_accessible(page)
    page = visit("/bots")
    expect(page.get_by_role("heading", name="All bots")).to_be_visible()
    expect(page.get_by_role("heading", name="A new bot")).to_have_count(0)
    page = visit("/bots/nobody", eve, may_complain="404")
    expect(page.get_by_role("alert")).to_have_text("There is no such bot.")
