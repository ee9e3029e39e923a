"""Every route of a site tried as everybody, and the table of permissions in the documents."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import pytest
from starlette.routing import Route, WebSocketRoute
from websockets.sync.client import connect

from polyversi.server.bots import BotFolder
from polyversi.server.lobby import Lobby
from polyversi.server.site.access import COOKIE, Rule
from polyversi.server.site.parts import ServedSite
from polyversi.site.roles import Role
from polyversi.storage.games import Store
from tests.testing import http
from tests.testing.site import Member, SiteServer
from tests.testing.timeout import TIMEOUT

DOCUMENT = Path(__file__).parents[3] / "docs" / "site.md"
ROW = re.compile(r"^\| `([A-Z]+) (/api/\S+)` \| (\w+) \| \S.* \|$", re.MULTILINE)
SIGN_OUT = "/api/site/sign-out"
SOCKETS = {"/api/site/lobby/socket": Role.GUEST}
"""WebSockets of a site, with whom they are for."""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> list[Rule]:
    """The routes of a site with whom they are for; each of them is made by the guard."""
    plain = SiteServer(tmp_path_factory.mktemp("rules"))
    with closing(Store.open(plain.store)) as games:
        served = ServedSite(plain.file, Lobby(games, BotFolder(None)))
        found = {(route.path, method) for route in served.routes() if isinstance(route, Route)
                 for method in route.methods or () if method != "HEAD"}
        rules = list(served.site.guard.rules)
        for store in (served.site.store, served.site.contests):
            store.close()
        sockets = {route.path for route in served.routes() if isinstance(route, WebSocketRoute)}
    assert found == {(rule.path, rule.method) for rule in rules}
    assert sockets == set(SOCKETS)
    assert all(path.startswith("/api/site/") for path, _ in found)
    return rules


def test_the_table_in_the_documents_has_every_route_once(rules: list[Rule]) -> None:
    of_sockets = [("WEBSOCKET", path, str(least)) for path, least in SOCKETS.items()]
    of_routes = [(rule.method, rule.path, str(rule.least)) for rule in rules]
    assert sorted(ROW.findall(DOCUMENT.read_text())) == sorted([*of_sockets, *of_routes])


def status(site: SiteServer, member: Member | None, rule: Rule) -> int:
    """What somebody is answered who tries a route with what nobody has made."""
    path = re.sub(r"\{number\}", "1", rule.path)
    path = re.sub(r"\{\w+(:\w+)?\}", "nothing", path)
    data: dict[str, str] | None = None if rule.method == "GET" else {}
    if member is not None:
        return member.ask(rule.method, path, data).status_code
    url = site.address + path
    return http.request(rule.method, url, json=data, verify=False).status_code


@pytest.mark.parametrize("role", Role)
def test_every_route_as_everybody(site: SiteServer, rules: list[Rule], role: Role) -> None:
    member = site.join(f"A {role}", role) if role else None
    wrong = {}
    for rule in sorted(rules, key=lambda rule: rule.path == SIGN_OUT):    # which ends the session
        answer = status(site, member, rule)
        if role < rule.least:
            is_right = answer == (403 if member else 401)
        else:
            is_right = answer < 500 and answer not in (401, 403)
        if not is_right:
            wrong[f"{rule.method} {rule.path}"] = answer
    assert not wrong, f"as {role}"


@pytest.mark.parametrize("path", SOCKETS)
def test_every_socket_as_everybody(site: SiteServer, path: str) -> None:
    for role in Role:
        cookie = {"cookie": f"{COOKIE}={site.join(f'At a socket {role}', role).token}"} if role else {}
        with connect(f"ws://127.0.0.1:{site.port}{path}", additional_headers=cookie) as socket:
            is_refused = json.loads(socket.recv(TIMEOUT))["type"] == "error"
        assert is_refused == (role < SOCKETS[path]), role
