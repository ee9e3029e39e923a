"""XT events: groups connect their clients with a token, each plays one game at a time, strangers stay out."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Iterator

import pytest

from polyversi.server.connection import NetworkError
from polyversi.server.xt.joining import Joined
from polyversi.site.roles import Role
from tests.testing import http
from tests.testing.conducted import connected
from tests.testing.site import Member, SiteServer
from tests.testing.small_map import SMALL_MAP
from tests.testing.waiting import until

CLIENT = f"{sys.executable} -m polyversi.cli.main xt-client -s {{host}} -p {{port}} --player random --plain"
PAIR = "2 0 0 0  1 6  0 0 1 2 0 0"
GROUPS = ("Group 1", "Gruppe zwei")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = f'jobs = 2\nxt_port = {port}\nxt_host = "127.0.0.1"\n'
    with SiteServer(tmp_path_factory.mktemp("site"), settings) as server:
        assert isinstance(server, SiteServer)
        yield server


def event_of(organiser: Member) -> str:
    maps = [{"name": "pair", "text": PAIR}]
    wanted = {"maps": maps, "groups": GROUPS, "players": ["random"], "limit": "bank=20,increment=20"}
    return str(organiser.post("/api/site/events", {"title": "XT", "settings": wanted})["id"])


async def joined(site: SiteServer, tokens: list[str], at: str) -> None:
    """Groups play until the event is over."""
    def is_over() -> bool:
        assert not any(client.done() for client in clients), [client.exception() for client in clients]
        return bool(site.get(at)["phase"] == "over")

    port, said = site.file.settings.xt_port, list[str]()
    clients = [asyncio.create_task(Joined("127.0.0.1", port, token, CLIENT, said.append).play())
               for token in tokens]
    await asyncio.to_thread(until, is_over, lambda: said)
    for client in clients:
        client.cancel()
    await asyncio.gather(*clients, return_exceptions=True)


@pytest.mark.slow
def test_groups_play_an_event_with_their_tokens(site: SiteServer) -> None:
    organiser = site.join("Olga", Role.ORGANISER)
    id = event_of(organiser)
    at = f"/api/site/events/{id}"
    earlier = organiser.post(f"{at}/tokens", {})["tokens"]
    tokens = organiser.post(f"{at}/tokens", {})
    assert [one["group"] for one in tokens["tokens"]] == list(GROUPS)
    organiser.post(f"{at}/start", {})
    good = [one["token"] for one in tokens["tokens"]]
    asyncio.run(joined(site, good, at))
    assert "groups" not in site.get(at)
    table = site.get(f"{at}/part/table")
    assert table["played"] == 6 and table["files"] == [{"kind": "log", "label": "Games (text log)"}]
    assert [row["faults"] for row in table["rows"]] == [{}] * 3
    assert {row["name"] for row in table["rows"]} == {*GROUPS, "random"}
    log = http.get(f"{site.address}{at}/file/log").text
    assert log.count("Group 1") >= 4
    shown = http.get(f"{site.address}{at}/file/html").text + str(table) + str(site.get(at))
    assert all(one["token"] not in shown for one in (*earlier, *tokens["tokens"]))
    stranger = Joined("127.0.0.1", tokens["port"], earlier[0]["token"], CLIENT, print)
    with pytest.raises(NetworkError, match="does not take this token"):
        asyncio.run(stranger.play(1))


@pytest.mark.slow
def test_organisers_see_which_groups_are_connected(site: SiteServer) -> None:
    organiser, member = site.join("Olaf", Role.ORGANISER), site.join("Max")
    at = f"/api/site/events/{event_of(organiser)}"
    token = organiser.post(f"{at}/tokens", {})["tokens"][1]["token"]

    def waiting() -> list[tuple[str, int, int]]:
        return [(one["name"], one["waiting"], one["playing"]) for one in organiser.get(at)["groups"]]

    assert waiting() == [(GROUPS[0], 0, 0), (GROUPS[1], 0, 0)]
    port = site.file.settings.xt_port
    with connected(port) as stranger, connected(port) as client:
        stranger.sendall(b"no token\n")
        client.sendall(f"{token}\n".encode() + b"\x01\x00\x00\x00\x01\x03")    # and what a client says first
        until(lambda: waiting() == [(GROUPS[0], 0, 0), (GROUPS[1], 1, 0)])
        assert member.ask("GET", at).status_code == 404, "it is a draft"
        told = http.get(f"{site.address}/api/site/ladders/othello").json()
        assert set(told["status"]) == {"problem", "detail", "jobs", "busy"} and GROUPS[1] not in str(told)
    until(lambda: waiting() == [(GROUPS[0], 0, 0), (GROUPS[1], 0, 0)])


def test_only_organisers_get_tokens(site: SiteServer) -> None:
    organiser, member = site.join("Otto", Role.ORGANISER), site.join("Mia")
    at = f"/api/site/events/{event_of(organiser)}"
    assert member.ask("POST", f"{at}/tokens", {}).status_code == 403
    refused = organiser.ask("POST", "/api/site/events", {"title": "Two", "settings": {
        "maps": [{"name": "small", "text": SMALL_MAP}], "groups": ["A", "A"], "limit": "seconds=1"}})
    assert refused.status_code == 400 and "two groups" in refused.json()["problem"]
    refused = organiser.ask("POST", "/api/site/events", {"title": "Two", "settings": {
        "variants": ["othello"], "groups": ["A", "B"], "limit": "seconds=1"}})
    assert refused.status_code == 400 and "XT maps" in refused.json()["problem"]
