"""The old ways into a web server: forged hosts and origins, paths out of the folder, names with scripts."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from playwright.sync_api import Error, sync_playwright
from websockets.exceptions import InvalidStatus, WebSocketException

from tests.soak.attack.registry import attack, hold
from tests.soak.attack.site import Site, hello
from tests.testing.browser import ARGUMENTS, CHROMIUM

HOSTS = (
    "", " ", "evil.example", "www.localhost", "localhost.evil.example", "localhost.", "localhost:80:80",
    "localhost:x", "localhost@evil.example", "evil.example#localhost", "localhost/evil", "http://localhost",
    "localhost,evil.example", "localhost evil.example", "*", "127.1", "0x7f.0.0.1", "2130706433",
    "127.0.0.1.evil.example", "127.0.0.1@evil.example", "::1", "[::1", "[::1]evil", "[127.0.0.1]", "a:b:c",
)
ORIGINS = (
    "http://evil.example", "null", "http://[", "file://", "http://{host}@evil.example", "http://{host}/",
    "http://{host}.evil.example", "http://evil.example?http://{host}", "http://127.0.0.1", "http://localhost:1",
)
PATHS = (
    "/page/../server/app.py", "/page/..%2f..%2fcli/main.py", "/page/%2e%2e/%2e%2e/__init__.py",
    "/page/....//....//server/app.py", "/page/..%5c..%5cserver%5capp.py", "/page/%252e%252e/server/app.py",
    "/page//etc/passwd", "/page/%00", "/page/app/main.js%00.css", "/games/../../etc/passwd", "/games/x.exe",
    "/api/games/..%2f..%2fetc%2fpasswd", "/api/board?spec=xt:/etc/passwd",
    "/api/board?spec=xt:../../etc/passwd",
    "/api/picture.svg?spec=xt:%2fetc%2fpasswd", "/.git/config", "/api/players?spec=xt:/proc/self/environ",
)
SECRETS = ("root:x:", "import ", "[core]", "PATH=")
SCRIPT = "<img src=x onerror=owned=1>"
MARKUP = "<script>owned=1</script>"


@attack("25 forms of Host")
async def hosts(site: Site) -> str:
    for host in HOSTS:
        reader, writer = await site.line()
        writer.write(f"GET /api/variants HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n".encode())
        async with asyncio.timeout(20):
            heard = await reader.read()
        hold(heard.startswith(b"HTTP/1.1 400"), f"'{host}' was answered with {heard[:40]!r}")
        writer.close()
    return f"{len(HOSTS)} were refused"


@attack("10 forms of Origin")
async def origins(site: Site) -> str:
    host, new = f"127.0.0.1:{site.served.port}", await site.new_game("othello-4", "me", "friend")
    for form in ORIGINS:
        origin = form.replace("{host}", host)
        async with site.http() as http:
            for path in ("/api/games", "/api/records", "/api/arena", "/api/check"):
                answer = await http.post(path, content=b"{}", headers={"origin": origin})
                hold(answer.status_code == 403, f"'{origin}' was answered with {answer.status_code}")
        try:
            async with site.socket(new["game"], origin=origin):
                hold(False, f"a WebSocket was opened for '{origin}'")
        except InvalidStatus as error:
            hold(error.response.status_code == 403, f"'{origin}' got {error.response.status_code}")
    return f"{len(ORIGINS)} were refused, by POST and by WebSocket"


@attack("paths out of the folder")
async def traversal(site: Site) -> str:
    for path in PATHS:
        reader, writer = await site.line()    # by hand: a client would tidy the path up
        writer.write(f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
        async with asyncio.timeout(20):
            heard = (await reader.read()).decode(errors="replace")
        status = heard.split(" ")[1]
        hold(status in ("400", "404"), f"'{path}' was answered with {status}")
        found = [secret for secret in SECRETS if secret in heard]
        hold(not found, f"'{path}' gave {found}")
        writer.close()
    return f"{len(PATHS)} led nowhere"


@attack("scripts in every name")
async def scripts(site: Site) -> str:
    seats = [{"kind": "me", "name": SCRIPT}, {"kind": "friend"}]
    record = {"polyversi": 1, "game": "othello", "players": [SCRIPT, MARKUP], "moves": ["f5"],
              "tags": [["event", MARKUP]]}
    async with site.http() as http:
        new = (await http.post("/api/games", json={"spec": "othello-4", "seats": seats})).json()
        seats = [{"kind": "me", "name": MARKUP}] * 2
        chart = {"map": "2 0 0 0  1 3  0 1 2", "spec": f"xt:{MARKUP}", "seats": seats}
        drawn = await http.post("/api/games", json=chart)
        opened = await http.post("/api/records", content=json.dumps(record).encode())
        ids = [new["game"], *opened.json().get("games", [])]
        ids += [drawn.json()["game"]] if drawn.is_success else []
        with suppress(WebSocketException):
            async with site.socket(new["game"]) as eve:
                await hello(eve, new["links"]["2"].partition("#")[2], name=MARKUP)
        for game in ids:
            svg = await http.get(f"/games/{game}.svg")
            hold("<script" not in svg.text and "<img" not in svg.text, "a picture has a script in it")
            hold("default-src 'none'" in svg.headers["content-security-policy"], "a picture has no policy")
    paths = ["/watch", "/", "/arena", *(f"/game/{game}" for game in ids),
             f"/game/{MARKUP}", f"/watch?x={SCRIPT}", f"/editor#{SCRIPT}"]
    shown = await asyncio.to_thread(_look, site, paths)
    return f"{len(ids)} games with scripts for names; {shown}"


def _look(site: Site, paths: list[str]) -> str:
    """Opens the views in a real browser, in which no script of a visitor may have run."""
    if not CHROMIUM:
        return "without a browser, which is not installed"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page()
        for path in paths:
            with suppress(Error):
                page.goto(site.served.address + path, wait_until="networkidle", timeout=15_000)
            hold(page.evaluate("typeof owned") == "undefined", f"a script ran at {path}")
            marks = page.evaluate("document.querySelectorAll('img[src=x]').length")
            hold(marks == 0, f"a visitor's markup is in the page at {path}")
        browser.close()
    return f"no script ran in {len(paths)} views of a browser"
