"""People of a site over HTTP: cookies, forged requests, guessing, and what organisers do."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import httpx
import pytest

from polyversi.server.site.access import COOKIE
from polyversi.site.ratings import MAX_GAMES, begin_game
from polyversi.site.roles import Role
from polyversi.site.store import SiteStore
from tests.testing import http
from tests.testing.postgres import Postgres
from tests.testing.site import Member, SiteServer

PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def organiser(site: SiteServer) -> Member:
    return site.join("Olga", Role.ORGANISER)


def post(site: SiteServer, path: str, data: object, **more: object) -> httpx.Response:
    """The answer to somebody who has not signed in."""
    return http.post(f"{site.address}{path}", json=data, verify=False, **more)


def come_in(site: SiteServer, organiser: Member, name: str, **more: object) -> httpx.Response:
    """The answer to whoever uses a new link and chooses a password."""
    token = organiser.post("/api/site/organise/people", {"list": name})["people"][0]["token"]
    return post(site, "/api/site/link/use", {"token": token, "password": PASSWORD}, **more)


def test_nobody_is_signed_in_at_first(site: SiteServer) -> None:
    assert site.get("/api/site/me") == {"site": "Test club", "account": None, "guests_may_play": True}
    assert 'data-site="Test club"' in http.get(f"{site.address}/sign-in").text


def test_a_cookie_that_scripts_cannot_read(site: SiteServer, organiser: Member) -> None:
    answer = come_in(site, organiser, "Ann")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    assert "secure" not in cookie, "the request came by http"
    by_https = post(site, "/api/site/sign-in", {"name": "Ann", "password": PASSWORD},
                    headers={"x-forwarded-proto": "https"})
    assert "; secure" in by_https.headers["set-cookie"].lower()
    me = http.get(f"{site.address}/api/site/me", cookies=answer.cookies).json()
    assert (me["account"]["name"], me["account"]["role"]) == ("Ann", "member")
    assert PASSWORD not in by_https.text


def test_signing_in_begins_another_session(site: SiteServer, organiser: Member) -> None:
    """Whoever has made somebody use a session of theirs gains nothing when that one signs in."""
    first = come_in(site, organiser, "Bob").cookies[COOKIE]
    with http.client(cookies={COOKIE: first}, headers={"x-polyversi": "1"}) as browser:
        again = browser.post(f"{site.address}/api/site/sign-in", json={"name": "Bob", "password": PASSWORD})
    assert again.cookies[COOKIE] != first
    before = http.get(f"{site.address}/api/site/me", cookies={COOKIE: first})
    assert before.json()["account"] is None
    fixed = post(site, "/api/site/sign-in", {"name": "Bob", "password": PASSWORD},
                 cookies={COOKIE: "chosen"}, headers={"x-polyversi": "1"})
    assert fixed.cookies[COOKIE] != "chosen"


def test_signing_out_ends_the_session(site: SiteServer) -> None:
    member = site.join("Cleo")
    member.post("/api/site/sign-out", {})
    assert member.get("/api/site/me")["account"] is None


def test_pages_elsewhere_cannot_use_a_session(site: SiteServer) -> None:
    member = site.join("Dan")
    for headers in ({}, {"origin": "https://evil.example"}, {"origin": "null"}, {"x-polyversi": "0"}):
        answer = member.ask("POST", "/api/site/me/sign-out-elsewhere", {}, headers=headers)
        assert answer.status_code == 403, headers
    own = {"origin": site.address}
    assert member.ask("POST", "/api/site/me/sign-out-elsewhere", {}, headers=own).status_code == 200
    plain = member.ask("POST", "/api/site/me/sign-out-elsewhere", content=b"{}",
                       headers=own | {"content-type": "text/plain"})
    assert plain.status_code == 200, "which has no body to be forged"


def test_unknown_names_get_the_same_answer(site: SiteServer, organiser: Member) -> None:
    come_in(site, organiser, "Eve")
    answers = [post(site, "/api/site/sign-in", {"name": name, "password": "guess guess"})
               for name in ("Eve", "Nobody at all")]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert answers[0].text == answers[1].text
    assert "set-cookie" not in answers[0].headers


@pytest.mark.parametrize("name", ["Fay", "Nobody here"])
@pytest.mark.slow
def test_guessing_ends_soon(site: SiteServer, organiser: Member, name: str) -> None:
    if name == "Fay":
        come_in(site, organiser, name)
    guesses = http.granted(lambda number: post(
        site, "/api/site/sign-in", {"name": name, "password": f"guess {number}"}), 400, at_most=100)
    assert 9 <= guesses < 100
    right = post(site, "/api/site/sign-in", {"name": name.upper(), "password": PASSWORD})
    assert right.status_code == 429, "in whatever case the name is written"


@pytest.mark.parametrize("data", [
    {}, [], {"name": 7, "password": "x"}, {"name": "x" * 401, "password": "x"}, {"name": "x"},
    {"name": "\x00", "password": "\x00"}, {"name": "x", "password": None},
])
def test_odd_requests_are_refused(site: SiteServer, data: object) -> None:
    answer = post(site, "/api/site/sign-in", data)
    assert answer.status_code == 400
    assert answer.json()["problem"]


@pytest.mark.parametrize("cookie", ["", "x", "x" * 4000, "é".encode().decode("latin-1"), "%00"])
def test_odd_cookies_are_nobodys(site: SiteServer, cookie: str) -> None:
    answer = http.get(f"{site.address}/api/site/me", headers={b"cookie": f"{COOKIE}={cookie}".encode()})
    assert answer.json()["account"] is None


def test_a_link_is_looked_at_without_using_it(site: SiteServer, organiser: Member) -> None:
    gil = organiser.post("/api/site/organise/people", {"list": "Gil"})["people"][0]
    for _ in range(2):
        told = post(site, "/api/site/link", {"token": gil["token"]}).json()
        assert (told["kind"], told["name"]) == ("invitation", "Gil")
    another = organiser.post(f"/api/site/organise/people/{gil['id']}/link", {})["token"]
    assert post(site, "/api/site/link", {"token": gil["token"]}).status_code == 400
    assert post(site, "/api/site/link/use", {"token": another}).status_code == 200
    assert post(site, "/api/site/link/use", {"token": another}).status_code == 400


def test_organisers_add_change_and_erase_people(site: SiteServer, organiser: Member) -> None:
    table = "Number,Name,Role\n1,Hal,guest\n2,Ida,\n"
    added = organiser.post("/api/site/organise/people", {"list": table})["people"]
    assert [(one["name"], one["role"]) for one in added] == [("Hal", "guest"), ("Ida", "member")]
    twice = organiser.ask("POST", "/api/site/organise/people", {"list": "Jo\nHAL"})
    assert twice.status_code == 400
    assert "'Hal' already" in twice.json()["problem"]
    hal = f"/api/site/organise/people/{added[0]['id']}"
    organiser.post(hal, {"role": "organiser"})
    organiser.post(hal, {"role": "member", "name": "Henry", "is_disabled": True})
    listed = {one["name"]: one for one in organiser.get("/api/site/organise/people")["people"]}
    assert "Jo" not in listed
    assert (listed["Henry"]["role"], listed["Henry"]["is_disabled"]) == ("member", True)
    assert organiser.ask("POST", f"{hal}/link", {}).status_code == 400, "whoever is kept out"
    organiser.post(f"{hal}/delete", {})
    assert organiser.ask("POST", f"{hal}/delete", {}).status_code == 404
    entries = organiser.get("/api/site/organise/audit")["entries"]
    assert [entry["action"] for entry in entries[:4]] == [
        "person.delete", "person.disable", "person.role", "person.name"]
    assert {entry["name"] for entry in entries[:4]} == {"Olga"}
    assert organiser.get("/api/site/organise/storage")["counts"]["people"] >= 2
    assert organiser.get("/api/site/organise/audit?before=99999999999999999999")["entries"]


def test_the_only_organiser_cannot_leave(site: SiteServer, organiser: Member) -> None:
    own = f"/api/site/organise/people/{organiser.person.id}"
    for path, data in ((own, {"role": "member"}), (own, {"is_disabled": True}), (f"{own}/delete", {})):
        answer = organiser.ask("POST", path, data)
        assert answer.status_code == 400
        assert "needs an organiser" in answer.json()["problem"]


def test_a_profile_is_for_people_of_the_site(site: SiteServer, organiser: Member) -> None:
    guest, member = site.join("Kim", Role.GUEST), site.join("Lou Ann")
    assert http.get(f"{site.address}/api/site/people/Kim").status_code == 401
    assert guest.get("/api/site/people/lou%20ann")["person"]["name"] == "Lou Ann"
    assert guest.ask("GET", "/api/site/people/Nobody").status_code == 404
    names = [one["name"] for one in member.get("/api/site/people")["people"]]
    assert "Lou Ann" in names
    assert "Kim" not in names, "a guest does not take part"


def test_a_visit_renews_the_cookie_of_a_session_and_no_other(site: SiteServer) -> None:
    member = site.join("Nia")
    cookie = member.ask("GET", "/api/site/me").headers["set-cookie"].lower()
    assert f"{COOKIE}={member.token}".lower() in cookie
    assert f"max-age={30 * 86_400}" in cookie and "httponly" in cookie and "samesite=lax" in cookie
    member.post("/api/site/sign-out", {})
    for cookies in ({}, member.cookies, {COOKIE: "chosen"}):
        answer = httpx.get(f"{site.address}/api/site/me", cookies=cookies)
        assert "set-cookie" not in answer.headers


def test_older_games_of_a_profile(site: SiteServer, organiser: Member) -> None:
    player = site.join("Pia")
    players = [player.person.player, organiser.person.player]
    with closing(SiteStore.open(site.store)) as store, store.writing() as connection:
        for number in range(MAX_GAMES + 5):
            begin_game(connection, f"game{number}", "othello", players, float(number), is_rated=False)
    told = player.get("/api/site/people/Pia")
    ids = [game["id"] for game in told["games"]]
    assert (len(ids), ids[0], told["is_last"]) == (MAX_GAMES, f"game{MAX_GAMES + 4}", False)
    at = "/api/site/people/Pia/games"
    more = organiser.get(f"{at}?before={told['games'][-1]['created']}")
    assert [game["id"] for game in more["games"]] == [f"game{number}" for number in (4, 3, 2, 1, 0)]
    assert more["is_last"] and more["games"][0]["players"][0]["name"] == "Pia"
    assert player.ask("GET", f"{at}?before=soon").status_code == 400
    assert player.ask("GET", "/api/site/people/Nobody/games").status_code == 404
    assert httpx.get(f"{site.address}{at}").status_code == 401


def test_the_room_for_uploads_is_the_quota(site: SiteServer, organiser: Member) -> None:
    quota = site.file.settings.quotas.site_megabytes * 1_000_000
    assert organiser.get("/api/site/organise/storage")["uploads_limit"] == quota


def test_changing_a_password_ends_other_sessions(site: SiteServer) -> None:
    member = site.join("Mia")
    member.post("/api/site/me/password", {"new": PASSWORD})
    elsewhere = post(site, "/api/site/sign-in", {"name": "Mia", "password": PASSWORD}).cookies
    assert member.ask("POST", "/api/site/me/password", {"old": "guess", "new": "x" * 9}).status_code == 400
    member.post("/api/site/me/password", {"old": PASSWORD, "new": "something else"})
    assert http.get(f"{site.address}/api/site/me", cookies=elsewhere).json()["account"] is None
    assert member.get("/api/site/me")["account"]["has_password"]


@pytest.mark.slow
def test_the_same_on_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    with SiteServer(tmp_path, store=postgres.database()) as site:
        organiser = site.join("Olga", Role.ORGANISER)
        signed_in = come_in(site, organiser, "Ann")
        ann = signed_in.json()["account"]["id"]
        assert post(site, "/api/site/sign-in", {"name": "Ann", "password": PASSWORD}).status_code == 200
        assert organiser.get("/api/site/people/Ann")["ratings"] == []
        assert organiser.get("/api/site/organise/storage")["database"] > 0
        organiser.post(f"/api/site/organise/people/{ann}/delete", {})
        site.kill()
        site.start()
        assert [one["name"] for one in organiser.get("/api/site/organise/people")["people"]] == ["Olga"]
        assert organiser.get("/api/site/organise/audit")["entries"][0]["action"] == "person.delete"


def test_without_a_site_there_is_nothing_of_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    from tests.testing.page_server import Served

    with Served(tmp_path_factory.mktemp("plain"), "--analysis-workers", "0") as plain:
        assert "data-site" not in http.get(plain.address).text
        for path in ("/sign-in", "/people", "/organise", "/api/site/me"):
            assert http.get(plain.address + path).status_code == 404
