"""Bots of a site over HTTP: who may hand in, see and change what, and what is refused with which sentence."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sql

from polyversi.site.languages import LANGUAGES
from polyversi.site.roles import Role
from polyversi.site.store import SiteStore
from polyversi.site.tables import ARRIVALS
from tests.testing import http
from tests.testing.files import small_disk
from tests.testing.sandbox import needs_sandbox
from tests.testing.site import Member, SiteServer
from tests.testing.uploads import COURSE_AGENT, FIRST_MOVE, packed
from tests.testing.waiting import until

LADDERS = """
[[ladders]]
id = "small"
variant = "othello-4"
[[ladders]]
id = "map"
variant = "xt:arena"
[[ladders]]
id = "fewest"
variant = "anti-xt:arena"
[quotas]
megabytes = 2
versions_per_day = 4
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    server = SiteServer(tmp_path_factory.mktemp("site"), LADDERS)
    with server:
        yield server


def new_bot(member: Member, name: str) -> str:
    return str(member.post("/api/site/bots", {"name": name, "ladder": "small"})["id"])


def hand_in(
    member: Member, bot: str, data: str | bytes, file: str = "main.py", **more: str
) -> httpx.Response:
    return member.ask("POST", f"/api/site/bots/{bot}/versions", params={"file": file, **more},
                      content=data, headers={"x-polyversi": "1"})


def problem(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    return str(answer.json()["problem"])


def checked(member: Member, bot: str, number: int) -> dict[str, Any]:
    """A version when the site has checked it."""
    def found() -> list[dict[str, Any]]:
        versions = member.get(f"/api/site/bots/{bot}")["versions"]
        return [one for one in versions if one["number"] == number and one["phase"] in ("passed", "failed")]

    version, = until(found, lambda: member.get(f"/api/site/bots/{bot}"))
    return version


@needs_sandbox
def test_from_an_archive_to_the_ladder(server: SiteServer) -> None:
    ann, bob = server.join("Ann"), server.join("Bob")
    boss, guest = server.join("Boss", Role.ORGANISER), server.join("Guest", Role.GUEST)
    bot = new_bot(ann, "Corner")
    path = f"/api/site/bots/{bot}"
    answer = hand_in(ann, bot, packed({"mine/agent.py": COURSE_AGENT}), "mine.zip")
    assert answer.status_code == 201
    assert answer.json()["phase"] == "waiting"
    version = checked(ann, bot, 1)
    assert (ann.get(path)["active"], version["phase"], version["file"]) == (1, "passed", "mine.zip")
    assert [step["fault"] for step in version["report"]["steps"]] == [""] * version["report"]["total"]
    assert ann.get("/api/site/bots")["bots"][0]["newest"] == {"number": 1, "phase": "passed"}

    for other in (bob, guest):
        seen = other.get(path)
        assert (seen["owner"], seen["may_change"]) == ("Ann", False)
        assert list(seen["versions"][0]) == ["number", "phase", "created"]
    outside = http.get(server.address + path).json()
    assert (outside["name"], outside["owner"]) == ("Corner", "")

    source = boss.ask("GET", f"{path}/versions/1/source")
    assert zipfile.ZipFile(io.BytesIO(source.content)).read("agent.py").decode() == COURSE_AGENT
    assert source.headers["content-disposition"].startswith("attachment")
    problem(bob.ask("GET", f"{path}/versions/1/source"), 404)
    assert ann.get(f"{path}/versions/1") == version
    problem(bob.ask("GET", f"{path}/versions/1"), 404)
    problem(guest.ask("GET", f"{path}/versions/1/source"), 403)
    assert problem(hand_in(boss, bot, FIRST_MOVE), 403) == "only the owner of a bot hands in versions of it"

    assert problem(ann.ask("POST", f"{path}/play", {"version": 2}), 404) == "there is no such version"
    assert "has not failed" in problem(ann.ask("POST", f"{path}/versions/1/check"), 400)
    ann.post(f"{path}/versions/1/withdraw", None)
    assert ann.get(path)["active"] == 0
    ann.post(f"{path}/play", {"version": 1})
    boss.post(f"{path}/name", {"name": "Decent name"})
    assert bob.get(path)["name"] == "Decent name"
    assert ann.ask("DELETE", f"{path}/versions/1").status_code == 200
    assert [version["phase"] for version in ann.get(path)["versions"]] == ["deleted"]
    problem(ann.ask("GET", f"{path}/versions/1/source"), 404)
    assert ann.ask("DELETE", path).status_code == 200
    assert ann.get("/api/site/bots")["usage"]["bots"] == 0
    problem(ann.ask("POST", f"{path}/versions/1/withdraw"), 404)


def test_what_may_be_handed_in_is_told_in_words(server: SiteServer) -> None:
    offer = httpx.get(f"{server.address}/api/site/bots").json()
    assert offer["languages"] == [language.label for language in LANGUAGES.values()]
    assert set(offer["pasted"]) == {"Python", "JavaScript"}
    assert {one["id"]: one["takes_clients"] for one in offer["ladders"]} == {
        "small": False, "map": True, "fewest": False}


@needs_sandbox
def test_others_may_change_nothing(server: SiteServer) -> None:
    carol, dave = server.join("Carol"), server.join("Dave")
    bot = new_bot(carol, "Mine")
    assert hand_in(carol, bot, "1 / 0\nprint(input())").status_code == 201
    path = f"/api/site/bots/{bot}"
    asked: list[tuple[str, str, Any]] = [
        ("POST", f"{path}/versions?file=main.py", None), ("POST", f"{path}/play", {"version": 1}),
        ("POST", f"{path}/name", {"name": "Yours"}), ("POST", f"{path}/versions/1/withdraw", None),
        ("POST", f"{path}/versions/1/check", None), ("GET", f"{path}/versions/1", None),
        ("GET", f"{path}/versions/1/source", None),
        ("DELETE", f"{path}/versions/1", None), ("DELETE", path, None),
    ]
    for method, place, data in asked:
        assert problem(dave.ask(method, place, data), 404) == "you have no such bot"
        assert http.request(method, server.address + place, headers={"x-polyversi": "1"}).status_code == 401
        if method != "GET":    # a page elsewhere has neither our origin nor our header
            assert dave.ask(method, place, data, headers={}).status_code == 403
    assert checked(carol, bot, 1)["phase"] == "failed"
    assert dave.get(path)["versions"] == [], "what has not passed is nobody's business"


@pytest.mark.parametrize(("path", "status"), [
    ("/api/site/bots/nobody", 404), ("/api/site/bots/..%2F..%2Fsite.db", 404),
    ("/api/site/bots/nobody/versions/1/source", 404), ("/api/site/bots/%00", 404),
])
def test_forged_ids(path: str, status: int, server: SiteServer) -> None:
    eve = server.join(f"Eve {abs(hash(path)) % 10_000}")
    problem(eve.ask("GET", path), status)
    bot = new_bot(eve, f"bot {eve.person.id[:6].strip('-_')}")
    for number in ("0", "-1", "1e3", "9" * 40, "٣", "..%2F..%2F..%2Fsite.db", "1%2F..%2F2"):
        assert eve.ask("GET", f"/api/site/bots/{bot}/versions/{number}/source").status_code == 404


@pytest.mark.slow
def test_what_is_refused(server: SiteServer) -> None:
    frank = server.join("Frank")
    bot = new_bot(frank, "Bombs")
    assert "leads out of the archive" in problem(hand_in(frank, bot, packed({"../x.py": ""}), "x.zip"), 400)
    assert "cannot be the name" in problem(hand_in(frank, bot, FIRST_MOVE, "../../main.py"), 400)
    assert "cannot be the name" in problem(hand_in(frank, bot, FIRST_MOVE, ""), 400)
    assert "no files" in problem(hand_in(frank, bot, FIRST_MOVE, arguments="{port} /etc/passwd"), 400)
    assert "larger than 2 MB" in problem(hand_in(frank, bot, bytes(2_100_000), "main.py"), 413)
    bomb = packed({"main.py": FIRST_MOVE, "x": bytes(3_000_000)})
    assert problem(hand_in(frank, bot, bomb, "x.zip"), 400) == "this is larger than 2 MB unpacked"
    assert frank.get(f"/api/site/bots/{bot}")["versions"] == []
    for name in ("", "<script>\x07", "a/b", "x" * 41):
        assert frank.ask("POST", "/api/site/bots", {"name": name, "ladder": "small"}).status_code == 400
    problem(frank.ask("POST", "/api/site/bots", {"name": "x", "ladder": "other"}), 400)
    assert list((server.file.uploads / ".incoming").iterdir()) == []
    with closing(SiteStore.open(server.store)) as store:
        assert store.read(sql.select(ARRIVALS)) == [], "no event waits for what was refused"


@pytest.mark.slow
def test_floods(server: SiteServer) -> None:
    gina = server.join("Gina")
    bot = new_bot(gina, "Flood")
    answers = [hand_in(gina, bot, f"# {number}\n{FIRST_MOVE}") for number in range(5)]
    assert [answer.status_code for answer in answers] == [201] * 4 + [400]
    assert "4 versions within a day" in problem(answers[-1], 400)
    assert len(gina.get(f"/api/site/bots/{bot}")["versions"]) == 4
    refused = http.refusal(lambda: gina.ask("POST", f"/api/site/bots/{bot}/versions/1/check"))
    assert problem(refused, 429) == "you hand things in too fast; wait a minute"
    assert gina.ask("GET", f"/api/site/bots/{bot}/versions/1/source").status_code == 200
    refused = http.refusal(lambda: gina.ask("GET", f"/api/site/bots/{bot}/versions/1/source"))
    assert problem(refused, 429) == "you download sources too fast; wait a minute"


@pytest.mark.slow
def test_a_full_disk_is_told_and_nothing_stays(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with small_disk(disk):
        server = SiteServer(tmp_path, f'uploads = "{disk / "uploads"}"\n')
        with server:
            hugo = server.join("Hugo")
            bot = str(hugo.post("/api/site/bots", {"name": "Large", "ladder": "othello"})["id"])
            for size in (300_000, 1_000_000):    # there is room for it packed, and not even that
                large = packed({"main.py": FIRST_MOVE, "weights": os.urandom(size)})
                assert "cannot keep anything" in problem(hand_in(hugo, bot, large, "large.zip"), 507)
            assert hugo.get(f"/api/site/bots/{bot}")["versions"] == []
            assert not [path for path in (disk / "uploads").rglob("*") if path.is_file()]
            assert hand_in(hugo, bot, FIRST_MOVE).status_code == 201
