"""What strangers get from a real server: refusals in a sentence, bounds, and nothing of its inside."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.routing import Route
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

import polyversi as pv
from polyversi.gameplay import Verdict
from polyversi.gameplay.events import Event
from polyversi.server.app import application
from polyversi.server.limits import TooManyError
from polyversi.server.messages import ErrorMessage, Hello, RequestMessage, Welcome
from polyversi.server.security import SameOrigin, TrustedHosts
from polyversi.storage.games import StoreError
from tests.testing import http
from tests.testing.page_server import Served, Visitor

BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "move":
        print(json.dumps({"move": message["moves"][0]}), flush=True)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "bots").mkdir()
    (folder / "bots" / "first.py").write_text(BOT)
    (folder / "bots" / "broken.py").write_text("import sys\nsys.exit(__file__)")
    (folder / "bots" / "locked").write_text("")
    with Served(folder, "--bots", str(folder / "bots"), "--trust", "--domain", "club.example") as served:
        yield served


def socket_of(server: Served) -> str:
    game = server.new_game("othello-4", "me", "random")["game"]
    return f"ws://127.0.0.1:{server.port}/api/games/{game}/socket"


def test_a_page_elsewhere_cannot_use_a_visitor(server: Served) -> None:
    url = socket_of(server)
    with pytest.raises(InvalidStatus) as refused:
        connect(url, origin=Origin("http://evil.example"))
    assert refused.value.response.status_code == 403
    with connect(url, origin=Origin(f"http://127.0.0.1:{server.port}")):
        pass
    for origin in ("http://evil.example", "null", "http://[", f"http://127.0.0.1:{server.port}@evil.example"):
        answer = http.post(
            f"{server.address}/api/games", json={}, headers={"origin": origin})
        assert answer.status_code == 403
        assert answer.json() == {"problem": "only pages of this server may do that"}


@pytest.mark.parametrize(("host", "status"), [
    ("club.example", 200), ("localhost", 200), ("evil.example", 400), ("127.0.0.1:1", 200), ("a:b:c", 400)])
def test_only_its_own_names_are_answered(server: Served, host: str, status: int) -> None:
    answer = http.get(f"{server.address}/api/variants", headers={"host": host})
    assert answer.status_code == status
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


def test_no_socket_is_opened_under_another_name(server: Served) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(socket_of(server), additional_headers={"host": "evil.example"})
    assert refused.value.response.status_code == 400


async def reaches(scope: dict[str, Any]) -> bool:
    """Whether a request comes through both checks to the application behind them."""
    reached = []

    async def app(*_: Any) -> None:
        reached.append(True)

    async def send(_: Any) -> None:
        pass

    receive: Any = None
    await TrustedHosts(SameOrigin(app), ["club.example", "*"])(scope, receive, send)
    return bool(reached)


GOOD_HOSTS = ["club.example", "CLUB.Example", "club.example:8000", "localhost", "localhost:80", "127.0.0.1",
              "127.0.0.1:1", "10.0.0.2", "[::1]", "[::1]:80", "[::ffff:7f00:1]:8000"]
BAD_HOSTS = [
    "", " ", "evil.example", "www.club.example", "club.example.evil.example", "evil.club.example",
    "club.example.", "club.example:80:80", "club.example:x", "club.example@evil.example",
    "club.example:80@evil.example", "evil.example#club.example", "club.example/evil", "club.example?x",
    "http://club.example", "club.example,evil.example", "club.example evil.example", "club%2eexample", "*",
    "127.1", "0x7f.0.0.1", "2130706433", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "::1", "[::1",
    "[::1]evil", "[127.0.0.1]", "[fe80::1%25eth0]", "a:b:c", "l\xf6calhost",
]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(("host", "is_ours"), [*((host, True) for host in GOOD_HOSTS),
                                               *((host, False) for host in BAD_HOSTS)])
def test_every_form_of_a_host(kind: str, host: str, is_ours: bool) -> None:
    extensions: dict[str, Any] = {"websocket.http.response": {}}
    scope = {"type": kind, "method": "GET", "path": "/", "extensions": extensions,
             "headers": [(b"host", host.encode("latin-1"))]}
    assert asyncio.run(reaches(scope)) is is_ours


OUR_ORIGINS = ["http://club.example:8000", "https://club.example:8000", "http://CLUB.example:8000"]
OTHER_ORIGINS = [
    "http://club.example", "http://club.example:8001", "http://evil.example", "null", "http://[", "file://",
    "http://club.example:8000@evil.example", "http://club.example:8000/", "http://club.example:8000.evil.example",
    "http://evil.example?http://club.example:8000",
]


@pytest.mark.parametrize(("origin", "is_ours"), [*((origin, True) for origin in OUR_ORIGINS),
                                                 *((origin, False) for origin in OTHER_ORIGINS)])
def test_every_form_of_an_origin(origin: str, is_ours: bool) -> None:
    headers = [(b"host", b"club.example:8000"), (b"origin", origin.encode())]
    for kind, method in (("http", "POST"), ("http", "DELETE"), ("websocket", "")):
        extensions: dict[str, Any] = {"websocket.http.response": {}}
        scope = {"type": kind, "method": method, "path": "/", "headers": headers, "extensions": extensions}
        assert asyncio.run(reaches(scope)) is is_ours
    reading = {"type": "http", "method": "GET", "path": "/", "headers": headers}
    assert asyncio.run(reaches(reading)), "reading changes nothing"


def test_every_answer_has_a_strict_policy(server: Served) -> None:
    for path in ("/", "/page/app/main.js", "/api/variants", "/nothing"):
        headers = http.get(server.address + path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_messages_are_bounded(server: Served) -> None:
    with connect(socket_of(server)) as long:
        long.send(json.dumps({"type": "hello", "name": "x", "padding": "y" * 9000}))
        with pytest.raises(ConnectionClosed):
            long.recv(10)
            long.recv(10)
    with Visitor(socket_of(server), Hello("Ann", seat=0)) as binary:
        binary.socket.send(b"\x00\x01")
        assert isinstance(binary.hear(ErrorMessage), ErrorMessage)
    with Visitor(socket_of(server), Hello("Ann", seat=0)) as broken:
        broken.socket.send("{")
        assert "not a message" in broken.hear(ErrorMessage).sentence


def test_a_flood_ends_the_connection_and_nothing_else(server: Served) -> None:
    new = server.new_game("othello-4", "me", "random")
    with server.visit(new["game"], new["token"]) as ann, server.visit(new["game"], new["token"]) as flood:
        flood.hear(Welcome)
        with pytest.raises(ConnectionClosed):
            for _ in range(2000):
                flood.socket.send('{"type":"move","number":99999,"move":"a1"}')
            while True:
                flood.socket.recv(10)
        assert ann.hear(RequestMessage).moves


def test_bodies_are_bounded(server: Served) -> None:
    answer = http.post(f"{server.address}/api/records", content=b"x" * (1 << 20) + b"yz")
    assert answer.status_code == 413
    answer = http.post(
        f"{server.address}/api/games", content="{}", headers={"content-type": "text/plain"})
    assert answer.status_code == 415


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"{" * 100_000, b"(;GM[Othello]", b"[" * 10_000, b"a1" * 999])
def test_uploads_are_hostile(server: Served, data: bytes) -> None:
    answer = http.post(f"{server.address}/api/records", content=data)
    assert answer.status_code == 400
    assert "Traceback" not in answer.text


def test_only_bots_of_the_folder_can_be_played(server: Served) -> None:
    names = [player["name"] for player in server.get("/api/players?spec=othello")]
    assert "bot:first.py" in names
    new = server.new_game("othello-4", "me", "bot:first.py")
    with server.visit(new["game"], new["token"]) as ann:
        assert ann.hear(RequestMessage).moves
    for spec in ("bot:../first.py", "bot:first.py ", "bot:/bin/true", "course:first.py", "nboard:sh"):
        seats = [{"kind": "me"}, {"kind": "computer", "player": spec}]
        answer = http.post(
            f"{server.address}/api/games", json={"spec": "othello", "seats": seats})
        assert answer.status_code == 400, spec


def test_visitors_learn_nothing_of_the_operators_files(server: Served) -> None:
    players = {player["name"]: player for player in server.get("/api/players?spec=othello")}
    assert players["bot:locked"]["unsuited"].startswith("locked is not a bot: it is neither a Python or")
    game = server.new_game("othello-4", "bot:broken.py", "me")["game"]
    with server.visit(game) as eve:
        while (event := eve.hear(Event)).kind != "end":
            pass
    assert event.verdict == Verdict("crash", 1, "its program failed")
    assert "bot:broken.py crashed: its process ended with status 1" in server.log


def test_visitors_learn_nothing_of_a_store_that_fails(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        with sqlite3.connect(served.store) as store:
            store.execute("ALTER TABLE games RENAME TO gone")
        for path in ("/api/games", "/api/games/x"):
            answer = http.get(served.address + path)
            assert answer.status_code == 503
            assert answer.json() == {"problem": "the games cannot be reached just now; try again later"}
        with served.visit("x") as eve:
            assert "cannot be reached" in eve.hear(ErrorMessage).sentence
        assert "no such table: games" in served.log
        assert "Traceback" not in served.log


@pytest.mark.parametrize("path", [
    "/page/../web/app.py", "/page/..%2f..%2fcli/main.py", "/page/%2e%2e/%2e%2e/__init__.py", "/games/x.exe",
    "/api/games/../../etc/passwd", "/api/nothing"])
def test_nothing_else_can_be_had(server: Served, path: str) -> None:
    answer = http.get(server.address + path)
    assert answer.status_code == 404
    assert "import" not in answer.text


@pytest.mark.parametrize(("error", "status", "problem"), [
    (ZeroDivisionError("/secret"), 500, "something went wrong on the server; its operator can see what"),
    (StoreError("/secret"), 503, "the games cannot be reached just now; try again later"),
    (TooManyError("not now"), 429, "not now"), (pv.PlayerError("not you"), 400, "not you"),
])
def test_errors_are_told_in_a_sentence(error: Exception, status: int, problem: str) -> None:
    async def fail(_: Any) -> Any:
        raise error

    async def ask() -> httpx.Response:
        app = application((), [Route("/", fail)])
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/")

    answer = asyncio.run(ask())
    assert (answer.status_code, answer.json()) == (status, {"problem": problem})
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_log_has_no_trace(server: Served) -> None:
    assert "Traceback" not in server.log


def test_an_open_server_says_what_it_opens(tmp_path: Path) -> None:
    from polyversi.cli.commands.run import greeting

    told = greeting("0.0.0.0", 8777, "games.db")
    assert "open to the network: port 8777 on all addresses of this machine" in told
    assert "Nothing is encrypted" in told
