"""People of a site in the browser: links, passwords, profiles, and what each role finds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from polyversi.server.messages import ErrorMessage
from polyversi.site.ratings import MAX_GAMES, begin_game
from polyversi.site.roles import Role
from polyversi.site.store import SiteStore
from tests.testing.browser import PHONE, Visit, Window, check_accessible, take_picture
from tests.testing.site import Member, SiteServer

PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    with SiteServer(tmp_path_factory.mktemp("site")) as served:
        yield served


@pytest.fixture(scope="module")
def organiser(site: SiteServer) -> Member:
    return site.join("Olga", Role.ORGANISER)


@pytest.mark.slow
def test_from_an_organisers_list_to_a_profile(visit: Visit, organiser: Member, tmp_path: Path) -> None:
    page = visit("/organise", organiser)
    page.get_by_label("A name on each line").fill("Ann Lee\nBob")
    page.get_by_role("button", name="Add and make links").click()
    links = page.locator(".organise-links li")
    expect(links).to_have_count(2)
    expect(page.get_by_role("row", name="Ann Lee").get_by_text("invited until")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV").click()
    saved.value.save_as(tmp_path / "links.csv")
    table = (tmp_path / "links.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(table) == 3
    check_accessible(page)
    take_picture(page, "organise")
    address = links.first.locator("code").inner_text()
    assert f'"Ann Lee","{address}"' in table

    path = f"/sign-in{address.partition('/sign-in')[2]}"
    asked: list[str] = []
    student = visit("/settings", may_complain="400")
    student.on("request", lambda request: asked.append(request.url))
    student.goto(address)
    expect(student.get_by_role("heading", name="Welcome, Ann Lee")).to_be_visible()
    check_accessible(student)
    student.get_by_label("New password").fill(PASSWORD)
    student.get_by_role("button", name="Sign in", exact=True).click()
    expect(student.get_by_role("heading", name="Ann Lee", level=1)).to_be_visible()
    expect(student.get_by_role("link", name="Ann Lee")).to_be_visible()
    expect(student.get_by_role("link", name="Organise")).to_have_count(0)
    assert not any(path.partition("#")[2] in url for url in asked), "a token is never part of an address"
    check_accessible(student)

    student.get_by_role("button", name="Sign out", exact=True).click()
    expect(student.get_by_role("link", name="Sign in")).to_be_visible()
    student.get_by_role("link", name="Sign in").click()
    student.get_by_label("Name").fill("ann lee")
    student.get_by_label("Password").fill("not this one")
    student.get_by_role("button", name="Sign in").click()
    expect(student.get_by_role("alert")).to_contain_text("The name or the password is wrong")


@pytest.mark.slow
def test_older_games_of_a_profile(visit: Visit, site: SiteServer, organiser: Member) -> None:
    player = site.join("Pia")
    players = [player.person.player, organiser.person.player]
    with closing(SiteStore.open(site.store)) as store, store.writing() as connection:
        for number in range(2 * MAX_GAMES + 5):
            begin_game(connection, f"game{number}", "othello", players, 1e6 + number, is_rated=False)
    page = visit("/people/Pia", player, size=PHONE)
    games = page.get_by_role("table", name="Games").get_by_role("rowheader")
    for count in (MAX_GAMES, 2 * MAX_GAMES):
        expect(games).to_have_count(count)
        check_accessible(page)
        page.get_by_role("button", name="Earlier games").click()
    expect(games).to_have_count(2 * MAX_GAMES + 5)
    links = {link.get_attribute("href") for link in games.get_by_role("link").all()}
    assert links == {f"/game/game{number}" for number in range(2 * MAX_GAMES + 5)}, "each of them once"
    expect(page.get_by_role("button", name="Earlier games")).to_have_count(0)


@pytest.mark.slow
def test_a_link_works_once(visit: Visit, organiser: Member) -> None:
    added = organiser.post("/api/site/organise/people", {"list": "Cleo"})["people"][0]
    page = visit(f"/sign-in#{added['token']}")
    page.get_by_role("button", name="Sign in without a password").click()
    expect(page.get_by_role("heading", name="Cleo")).to_be_visible()
    page.get_by_text("Choose a password").click()
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("Changed.")).to_be_visible()
    late = visit(f"/sign-in#{added['token']}", may_complain="400")
    expect(late.get_by_role("alert")).to_contain_text("used already")
    late.get_by_role("link", name="Sign in with a password").click()
    late.get_by_label("Name").fill("Cleo")
    late.get_by_label("Password").fill(PASSWORD)
    late.get_by_role("button", name="Sign in").click()
    expect(late.get_by_role("heading", name="Cleo")).to_be_visible()


@pytest.mark.slow
def test_passwords_are_changed_and_forgotten(visit: Visit, site: SiteServer, organiser: Member) -> None:
    member, other = site.join("Petra"), "another horse"
    member.post("/api/site/me/password", {"new": PASSWORD})
    elsewhere = site.session_of(member.person)

    def sign_in(page: Page, password: str) -> None:
        page.get_by_label("Name").fill("petra")
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Sign in").click()

    page = visit("/people/Petra", member, may_complain="400")
    page.get_by_text("Change the password").first.click()
    form = page.locator("form").filter(has=page.get_by_label("Old password"))
    change = form.get_by_role("button", name="Change the password")
    expect(change).to_be_disabled()
    for old, new, problem in (("a guess", other, "The old password is wrong"),
                              (PASSWORD, "short", "A password has at least 8 characters")):
        form.get_by_label("Old password").fill(old)
        form.get_by_label("New password").fill(new)
        change.click()
        expect(form.get_by_role("alert")).to_contain_text(problem)
    check_accessible(page)
    form.get_by_label("New password").fill(other)
    change.click()
    expect(page.get_by_text("Changed. You are signed out everywhere else.")).to_be_visible()
    assert elsewhere.get("/api/site/me")["account"] is None
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("link", name="Sign in").click()
    sign_in(page, PASSWORD)
    expect(page.get_by_role("alert")).to_contain_text("The name or the password is wrong")
    expect(page.get_by_label("Name")).to_have_value("petra")
    sign_in(page, other)
    expect(page.get_by_role("heading", name="Petra", level=1)).to_be_visible()

    office = visit("/organise", organiser)
    office.get_by_role("button", name="Make a link for Petra").click()
    address = office.locator(".organise-links code").inner_text()
    forgetful = visit("/settings", may_complain="400")
    forgetful.goto(address)
    expect(forgetful.get_by_text("Choose another password.")).to_be_visible()
    expect(forgetful.get_by_role("button", name="Sign in without a password")).to_have_count(0)
    check_accessible(forgetful)
    forgetful.get_by_label("New password").fill("Petra")
    forgetful.get_by_role("button", name="Sign in").click()
    expect(forgetful.get_by_role("alert")).to_contain_text("A password has at least 8 characters")
    forgetful.get_by_label("New password").fill("a third horse")
    forgetful.get_by_role("button", name="Sign in").click()
    expect(forgetful.get_by_role("heading", name="Petra", level=1)).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    page.goto(f"{site.address}/sign-in")
    sign_in(page, other)
    expect(page.get_by_role("alert")).to_contain_text("The name or the password is wrong")
    sign_in(page, "a third horse")
    expect(page.get_by_role("heading", name="Petra", level=1)).to_be_visible()


def test_an_organiser_reads_a_table_of_people(visit: Visit, organiser: Member, tmp_path: Path) -> None:
    page = visit("/organise", organiser, may_complain="400")
    add = page.locator("form").filter(has=page.get_by_role("heading", name="Add people"))

    def read(text: str) -> None:
        (tmp_path / "course.csv").write_bytes(text.encode("utf-8-sig"))
        add.get_by_label("Read a file").set_input_files(tmp_path / "course.csv")
        expect(add.get_by_label("A name on each line")).to_have_value(text.replace("\r", ""))
        add.get_by_role("button", name="Add and make links").click()

    for text, problem in (
        ("name,role\r\nZoë Ort,member\r\nYann,teacher\r\n", "Line 3: "),
        ("name\nZoë Ort\n\nzoë  ort\n", "Line 4: 'zoë ort' is in line 2 too"),
        ("id;name\n7;Zoë Ort\n8;\n", "Line 3: "),
        ("name\nZoë Ort\nOlga\n", "There is somebody called 'Olga' already"),
    ):
        read(text)
        expect(add.get_by_role("alert")).to_contain_text(problem)
        expect(add.get_by_role("button", name="Add and make links")).to_be_enabled()
        expect(page.get_by_role("row", name="Zoë Ort")).to_have_count(0)    # all of a list or nothing
    check_accessible(page)
    read('number;Name;Role\r\n7;"Ort; Zoë";organiser\r\n8;Yann <b>Ulm;\r\n')
    links = page.locator(".organise-links li")
    expect(links).to_have_count(2)
    expect(page.get_by_label("Role of Ort; Zoë")).to_have_value("organiser")
    expect(page.get_by_label("Role of Yann <b>Ulm")).to_have_value("member")
    expect(add.get_by_role("alert")).to_have_count(0)
    page.goto(links.last.locator("code").inner_text())
    expect(page.get_by_role("heading", name="Welcome, Yann <b>Ulm")).to_be_visible()


def test_an_organiser_mends_a_name(visit: Visit, site: SiteServer, organiser: Member) -> None:
    member, _ = site.join("Ida Smiht"), site.join("Ines")
    page = visit("/organise", organiser, may_complain="400")
    page.get_by_role("button", name="Rename Ida Smiht").click()
    dialog = page.get_by_role("dialog", name="Rename Ida Smiht")
    expect(dialog.get_by_role("button", name="Rename")).to_be_disabled()
    check_accessible(page)
    dialog.get_by_label("Name").fill("ines")
    dialog.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("alert")).to_contain_text("There is somebody called 'Ines' already")
    page.get_by_role("button", name="Rename Ida Smiht").click()
    dialog.get_by_label("Name").fill("Ida <b>Smith")
    dialog.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("link", name="Ida <b>Smith")).to_be_visible()
    assert member.get("/api/site/me")["account"]["name"] == "Ida <b>Smith"


@pytest.mark.slow
def test_organisers_change_keep_out_and_delete(visit: Visit, site: SiteServer, organiser: Member) -> None:
    member = site.join("Dan")
    page = visit("/organise", organiser)
    page.get_by_label("Search").fill("dan")
    expect(page.get_by_role("row")).to_have_count(2)
    page.get_by_label("Role of Dan").select_option("organiser")
    expect(page.get_by_label("Role of Dan")).to_have_value("organiser")
    page.get_by_role("button", name="Make a link for Dan").click()
    expect(page.get_by_role("heading", name="Links to hand out")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Keep out Dan").click()
    expect(page.get_by_text("kept out")).to_be_visible()
    assert member.get("/api/site/me")["account"] is None
    page.get_by_role("button", name="Let in Dan again").click()
    page.get_by_role("button", name="Delete Dan").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("Nobody is called that.")).to_be_visible()
    page.get_by_role("link", name="Changes").click()
    expect(page.get_by_role("cell", name="person.delete").first).to_be_visible()
    check_accessible(page)
    page.get_by_role("link", name="Storage").click()
    expect(page.get_by_role("row", name="Free on the disk")).to_be_visible()
    check_accessible(page)


def test_what_each_role_finds(visit: Visit, site: SiteServer) -> None:
    member, guest = site.join("Eve"), site.join("Finn", Role.GUEST)
    nobody = visit("/people/Eve")
    expect(nobody.get_by_text("Profiles are for people of the site.")).to_be_visible()
    nobody.goto(f"{site.address}/organise")
    expect(nobody.get_by_role("alert")).to_contain_text("for organisers")
    for one in (guest, member):
        page = visit("/organise", one)
        expect(page.get_by_role("alert")).to_contain_text("for organisers")
        page.goto(f"{site.address}/people/Eve")
        expect(page.get_by_role("heading", name="Eve")).to_be_visible()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    page.goto(f"{site.address}/people/Finn")
    expect(page.get_by_text("Guest since")).to_be_visible()
    expect(page.get_by_role("heading", name="Your account")).to_have_count(0)
    page.goto(f"{site.address}/people")
    expect(page.get_by_role("main").get_by_role("link", name="Eve")).to_be_visible()
    check_accessible(page)


@pytest.mark.parametrize("name", ["a <img src=x onerror=alert(1)>", "W" * 40, "שלום & ‹b›"])
@pytest.mark.slow
def test_names_are_text(visit: Visit, site: SiteServer, organiser: Member, name: str) -> None:
    member = site.join(name)
    page = visit("/organise", organiser, size=PHONE)
    expect(page.get_by_role("link", name=name)).to_be_visible()
    page.goto(f"{site.address}/organise/changes")
    expect(page.get_by_role("cell", name=name).first).to_be_visible()
    own = visit("/people", member, size=PHONE)
    own.get_by_role("main").get_by_role("link", name=name).click()
    expect(own.get_by_role("heading", name=name, level=1)).to_be_visible()
    for one in (page, own):
        assert one.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert one.locator("main img").count() == 0


@pytest.mark.slow
def test_a_next_address_stays_on_the_site(visit: Visit, site: SiteServer) -> None:
    for number, wanted in enumerate(("//evil.example", "https://evil.example", "/\\evil.example")):
        member = site.join(f"Gil {number}")
        member.post("/api/site/me/password", {"new": PASSWORD})
        page = visit(f"/sign-in?next={wanted}")
        page.get_by_label("Name").fill(member.person.name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name=member.person.name)).to_be_visible()
        assert page.url.startswith(site.address)


@pytest.mark.slow
def test_where_only_people_with_accounts_play(browser: Browser, tmp_path: Path) -> None:
    with SiteServer(tmp_path, "guests_may_play = false\n") as closed:
        window = Window(browser, closed.address, may_complain="401")
        page = window.open("/")
        page.get_by_role("button", name="Play the computer").click()
        expect(page.get_by_role("alert")).to_contain_text("Sign in first")

        host, friend = closed.join("Hal", Role.GUEST), closed.join("Fay", Role.GUEST)
        friend.post("/api/site/me/password", {"new": PASSWORD})
        new = host.post("/api/games", {"spec": "othello-4", "seats": [{"kind": "me"}, {"kind": "friend"}]})
        link = new["links"]["2"]
        with closed.visit(new["game"], link.partition("#")[2], "Mallory") as refused:
            assert "sign in first" in refused.hear(ErrorMessage).sentence
        page.goto(closed.address + link)
        expect(page.get_by_role("heading", name="Sign in to play")).to_be_visible()
        expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(0)
        check_accessible(page)
        assert closed.get(f"/api/games/{new['game']}")["players"][1] == ""
        watching = window.another(f"/game/{new['game']}")
        expect(watching.get_by_role("heading", name="Sign in to play")).to_be_visible()

        page.get_by_role("main").get_by_role("link", name="Sign in").click()
        page.get_by_label("Name").fill("Fay")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_label("Your name").fill("Fay")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.get_by_role("region", name="white").get_by_text("you", exact=True)).to_be_visible()
        assert closed.get(f"/api/games/{new['game']}")["players"][1] == "Fay"
        stranger = Window(browser, closed.address)
        expect(stranger.open(f"/game/{new['game']}").get_by_text("to move")).to_be_visible()
        expect(stranger.page.get_by_role("heading", name="Sign in to play")).to_have_count(0)
        for one in (window, stranger):
            one.close()
            assert one.complaints == []
