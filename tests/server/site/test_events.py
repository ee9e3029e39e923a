"""Events over HTTP: played by workers, watched by everybody, hidden until they are released."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from polyversi.contest.formats import FORMATS
from polyversi.site.roles import Role
from tests.testing import http
from tests.testing.site import Member, SiteServer
from tests.testing.waiting import until

QUICK = {"variants": ["othello-4"], "players": ["random", "greedy", "mobility"], "limit": "depth=1"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    with SiteServer(tmp_path_factory.mktemp("site"), "jobs = 1\n") as server:
        assert isinstance(server, SiteServer)
        yield server


@pytest.fixture(scope="module")
def organiser(site: SiteServer) -> Member:
    return site.join("Olga", Role.ORGANISER)


@pytest.fixture(scope="module")
def played(site: SiteServer, organiser: Member) -> str:
    """The id of an event that is over."""
    id = started(organiser, "Spring cup", **QUICK)
    until(lambda: site.get(f"/api/site/events/{id}")["phase"] == "over")
    return id


def started(organiser: Member, title: str, **settings: Any) -> str:
    event = organiser.post("/api/site/events", {"title": title, "settings": settings})
    organiser.post(f"/api/site/events/{event['id']}/start", {})
    return str(event["id"])


def status(site: SiteServer, path: str) -> int:
    """What somebody gets who has not signed in."""
    return http.get(site.address + path).status_code


def test_everybody_sees_its_table_rounds_ratings_and_files(site: SiteServer, played: str) -> None:
    at = f"/api/site/events/{played}"
    table = site.get(f"{at}/part/table")
    assert table["is_over"] and table["played"] == table["expected"] == 6
    assert sorted(row["name"] for row in table["rows"]) == ["greedy", "mobility", "random"]
    rounds = site.get(f"{at}/part/rounds")["rounds"]
    assert [meeting["games"] for one in rounds for meeting in one["meetings"]] == [
        [f"{number}.1/1", f"{number}.1/2"] for number in (1, 2, 3)]
    assert len(site.get(f"{at}/part/cross")["each"]) == 6
    assert site.get(f"{at}/part/graph")["games"] == 6
    assert status(site, f"{at}/part/nothing") == 404
    report = http.get(f"{site.address}{at}/file/html")
    assert "Spring cup" in report.text and report.headers["content-security-policy"].startswith("sandbox")
    lines = http.get(f"{site.address}{at}/file/jsonl").text.splitlines()
    assert len(lines) == 6
    assert table["files"] == [{"kind": "ggf", "label": "Games (GGF)"}]
    listed = site.get("/api/site/events")["events"]
    assert (listed[-1]["title"], listed[-1]["played"], listed[-1]["entrants"]) == ("Spring cup", 6, 3)


def children(site: SiteServer) -> set[str]:
    """The processes that the server has started."""
    threads = Path(f"/proc/{site.pid}/task").iterdir()
    return set(" ".join(Path(thread, "children").read_text() for thread in threads).split())


def test_files_are_made_by_another_process_and_not_too_often(site: SiteServer, organiser: Member) -> None:
    id = started(organiser, "Files", **QUICK)
    at = f"/api/site/events/{id}"
    until(lambda: site.get(at)["phase"] == "over")
    member = site.join("Flora")
    assert "Files" in member.ask("GET", f"{at}/file/html").text
    there = children(site)
    for worker in there:
        if b"spawn_main" in Path(f"/proc/{worker}/cmdline").read_bytes():
            os.kill(int(worker), signal.SIGSTOP)    # what was made once needs no worker any more
    assert "Files" in member.ask("GET", f"{at}/file/html").text
    for worker in there:
        os.kill(int(worker), signal.SIGCONT)
    assert len(member.ask("GET", f"{at}/file/jsonl").text.splitlines()) == 6
    assert "too many files" in http.refusal(lambda: member.ask("GET", f"{at}/file/csv")).text
    assert children(site) == there


def test_its_games_are_found_again(site: SiteServer, played: str) -> None:
    game = site.get(f"/api/games/{played}.2.1-1")
    assert game["phase"] == "over" and game["kinds"] == ["remote", "remote"] and game["result"]
    assert status(site, f"/game/{played}.2.1-1") == 200
    for other in (f"{played}.9.9-1", f"{played}.", f"{played}.2.1", "nothing.1.1-1"):
        assert status(site, f"/api/games/{other}") == 404


def told_by_socket(site: SiteServer, game: str, member: Member | None) -> Any:
    """The first that a page is told of a game."""
    cookies = "; ".join(f"{name}={value}" for name, value in member.cookies.items()) if member else ""
    with connect(f"{site.address.replace('http', 'ws')}/api/games/{game}/socket",
                 additional_headers={"cookie": cookies}) as socket:
        with suppress(ConnectionClosed):    # whoever may not see it is told so without being asked
            socket.send(json.dumps({"type": "hello", "version": 1, "name": "Eve", "seat": 0}))
        return json.loads(socket.recv())


@pytest.mark.slow
def test_what_is_not_released_is_for_organisers_alone(site: SiteServer, organiser: Member) -> None:
    id = started(organiser, "Secret", **QUICK)
    at = f"/api/site/events/{id}"
    organiser.post(f"{at}/release", {"is_released": False})
    until(lambda: organiser.get(at)["phase"] == "over")
    member = site.join("Mia")
    for path in (f"{at}/part/table", f"{at}/file/html", f"{at}/file/jsonl"):
        assert member.ask("GET", path).status_code == status(site, path) == 403
        assert organiser.ask("GET", path).status_code == 200
    assert member.get(at)["may_see"] is False and "settings" not in member.get(at)
    for path in (f"/api/games/{id}.1.1-1", f"/game/{id}.1.1-1", f"/games/{id}.1.1-1.jsonl"):
        for _ in range(2):    # also after an organiser has opened it
            assert member.ask("GET", path).status_code == status(site, path) == 404
            assert organiser.ask("GET", path).status_code == 200
    assert told_by_socket(site, f"{id}.1.1-1", organiser)["type"] == "welcome"
    for other in (member, None):
        assert told_by_socket(site, f"{id}.1.1-1", other)["type"] == "error"
    organiser.post(f"{at}/release", {"is_released": True})
    assert member.get(f"{at}/part/table")["played"] == 6
    assert status(site, f"/api/games/{id}.1.1-1") == 200


def test_formats_have_names_for_people(site: SiteServer, organiser: Member, played: str) -> None:
    offered = organiser.get("/api/site/event-choices")["formats"]
    assert {one["name"]: one["label"] for one in offered} == {cls.name: cls.label for cls in FORMATS.values()}
    shown = site.get(f"/api/site/events/{played}")
    assert (shown["format"], shown["format_label"]) == ("round-robin", "Round robin")
    assert not shown["is_bracket"]
    cup = organiser.post("/api/site/events", {"title": "Cup", "settings": {**QUICK, "format": "knock-out"}})
    assert (cup["format_label"], cup["is_bracket"]) == ("Knock-out", True)
    organiser.post(f"/api/site/events/{cup['id']}/delete", {})


def test_only_organisers_know_of_a_draft_and_change_anything(site: SiteServer, organiser: Member) -> None:
    event = organiser.post("/api/site/events", {"title": "Draft", "settings": QUICK})
    at, member = f"/api/site/events/{event['id']}", site.join("Max")
    assert status(site, at) == member.ask("GET", at).status_code == 404
    assert all(one["title"] != "Draft" for one in member.get("/api/site/events")["events"])
    for what in ("start", "pause", "resume", "cancel", "release", "delete"):
        assert member.ask("POST", f"{at}/{what}", {}).status_code == 403
    assert member.ask("POST", "/api/site/events", {"title": "Mine", "settings": QUICK}).status_code == 403
    assert member.ask("GET", "/api/site/event-choices").status_code == 403
    organiser.post(f"{at}/delete", {})
    assert organiser.ask("GET", at).status_code == 404


@pytest.mark.parametrize(("settings", "problem"), [
    ({"variants": ["otelo"]}, "otelo"),
    ({"players": ["polyversi:weights=/etc/passwd", "random"]}, "weights"),
    ({"openings": "/etc/passwd"}, "not a valid request"),
    ({"players": ["random"]}, "2 to 1000 entrants"),
])
def test_what_is_wrong_is_told_in_a_sentence(
        organiser: Member, settings: dict[str, Any], problem: str) -> None:
    answer = organiser.ask("POST", "/api/site/events", {"title": "Cup", "settings": {**QUICK, **settings}})
    assert answer.status_code == 400 and problem in answer.json()["problem"]


@pytest.mark.slow
def test_an_event_survives_kills_of_the_server(site: SiteServer, organiser: Member) -> None:
    id = started(organiser, "Long", **{**QUICK, "variants": ["othello-10"], "games": 60, "failures": 1})
    at = f"/api/site/events/{id}"
    for _ in range(2):
        before = played_so_far(site, at)
        until(lambda before=before: played_so_far(site, at) > before or is_over(site, at))    # type: ignore[misc]
        site.kill()
        site.start()
    until(lambda: is_over(site, at))
    lines = http.get(f"{site.address}{at}/file/jsonl").text.splitlines()
    assert len(lines) == 180


def is_over(site: SiteServer, at: str) -> bool:
    return bool(site.get(at)["phase"] == "over")


def played_so_far(site: SiteServer, at: str) -> int:
    return int(site.get(f"{at}/part/table")["played"])
