"""Connections that say nothing, never end, read nothing or are too many."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
from collections.abc import Awaitable, Iterable
from contextlib import AsyncExitStack, suppress

import httpx
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from tests.soak.attack.attacks.uploads import long_game
from tests.soak.attack.registry import MIB, attack, hold
from tests.soak.attack.site import Line, Site, hello, message, until

HEAD = b" HTTP/1.1\r\nhost: localhost\r\n"
LONG = b"content-length: 1000000\r\n\r\nx"
ENDLESS = (
    b"", b"GET / HT", b"GET /" + HEAD + b"x: " + b"y" * 1000,
    b"POST /api/records" + HEAD + LONG,
    b"POST /api/records" + HEAD + b"transfer-encoding: chunked\r\n\r\n1\r\nx\r\n",
    b"POST /api/games" + HEAD + b"expect: 100-continue\r\n" + LONG[:-1],
    b"GET /api/variants" + HEAD + LONG, b"GET /nowhere" + HEAD + LONG,
    b"POST /api/games" + HEAD + b"origin: http://elsewhere\r\n" + LONG,
    b"\x16\x03\x01" + b"?" * 100 + b"\r\n\r\n",
)
"""What a connection may say and then never go on."""
COPIES = 20
AT_ONCE = 50
"""Connections that are opened at the same time."""
HOUSEHOLD = 200
"""WebSockets that one visitor may have."""


async def in_groups(works: Iterable[Awaitable[object]]) -> list[object]:
    """What some works come to, of which so many are done at once; a failed one comes to its error."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(work: Awaitable[object]) -> object:
        async with places:
            return await work

    return await asyncio.gather(*(one(work) for work in works), return_exceptions=True)


@attack("requests that never end")
async def endless(site: Site) -> str:
    lines: list[Line] = []
    for said in ENDLESS * COPIES:
        lines.append(await site.line())
        lines[-1][1].write(said)
    before = site.meter.handles_before
    await until(lambda: site.meter.open_handles() >= before + COPIES, 10, "the server took no connections")
    drips = [asyncio.create_task(_drip(await site.line())) for _ in range(COPIES)]
    await until(lambda: site.meter.open_handles() <= before + 8, 60, "some are still open after 60 s")
    for drip in drips:
        drip.cancel()
    for _, writer in lines:
        writer.close()
    return f"{len(lines) + COPIES} connections were all closed by the server"


async def _drip(line: Line) -> None:
    """Sends a header byte by byte."""
    with suppress(OSError):
        for byte in b"GET /" + HEAD + b"x: " + b"y" * 1000:
            line[1].write(bytes([byte]))
            await asyncio.sleep(0.5)


@attack("a thousand WebSockets of one household")
async def household(site: Site) -> str:
    game = (await site.new_game("othello-4", "me", "friend"))["game"]
    forms = {"IPv6": [f"2001:db8:0:1::{number:x}" for number in range(500)],
             "IPv4 in two forms": ["192.0.2.88", "::ffff:192.0.2.88"] * 250}
    told = []
    for name, addresses in forms.items():
        opened = await in_groups(site.socket(game, address) for address in addresses)
        sockets = [one for one in opened if isinstance(one, ClientConnection)]
        hold(sockets, "nobody got in")
        # Those who say nothing are sent away after a while, and leave their places to others.
        at_once = sum(one.close_code is None for one in sockets)
        hold(at_once <= HOUSEHOLD, f"{at_once} were there at the same time from one visitor ({name})")
        for one in sockets:
            one.transport.abort()
        told.append(f"{at_once} of 500 were there at the same time ({name})")
    return ", ".join(told)


@attack("two thousand silent connections")
async def silent(site: Site) -> str:
    lines = await in_groups(site.line() for _ in range(2000))
    for number in range(20):
        async with httpx.AsyncClient() as newcomer:
            answer = await newcomer.get(site.served.address, timeout=10)
            hold(answer.status_code == 200, f"newcomer {number} got {answer.status_code}")
    await until(lambda: site.meter.open_handles() < site.meter.handles_before + 50, 60, "they stay open")
    for line in lines:
        if isinstance(line, tuple):
            line[1].close()
    return "20 newcomers were answered meanwhile"


@attack("no handles left", disrupts=True)
async def handles(site: Site) -> str:
    """The server may open only a few files more; the honest visitor may be cut off, but not for long."""
    pid = site.served.pid
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (site.meter.open_handles() + 20, before[1]))
    lines = [await site.line() for _ in range(300)]
    await asyncio.sleep(5)
    log = len(site.served.log)
    hold(log < 200_000, f"the log has {log:,} bytes after 5 s")
    for _, writer in lines:
        writer.close()
    async with httpx.AsyncClient() as newcomer:
        answer = await newcomer.get(site.served.address, timeout=60)
    hold(answer.status_code == 200, "a newcomer is not answered")
    resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
    return f"the log has {log:,} bytes, and a newcomer was answered"


@attack("pings, pongs and empty fragments")
async def pings(site: Site) -> str:
    game = (await site.new_game("othello-4", "me", "friend"))["game"]
    frames = {"pings": bytes([0x89, 0xFD]) + bytes(4) + b"x" * 125, "pongs": bytes([0x8A, 0x80]) + bytes(4),
              "fragments": bytes([0x01, 0x80]) + bytes(4)}
    for name, frame in frames.items():
        reader, writer = await _upgraded(site, game)
        with suppress(OSError):
            for _ in range(200):
                writer.write(frame * 100)
                await writer.drain()
        try:
            async with asyncio.timeout(20):
                while await reader.read(1 << 16):
                    pass
        except TimeoutError:
            hold(False, f"20,000 {name} did not end the connection")
        except OSError:
            pass
        writer.close()
    return "each flood of 20,000 ended its connection"


async def _upgraded(site: Site, game: str) -> Line:
    """A WebSocket whose bytes are written by hand, with a small buffer for what comes back."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.setblocking(False)
    await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", site.served.port))
    reader, writer = await asyncio.open_connection(sock=plain, limit=4096)
    writer.write(f"GET /api/games/{game}/socket".encode() + HEAD +
                 b"upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
                 b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
    hold(b"101" in await reader.readline(), "the WebSocket was refused")
    return reader, writer


def frame_of(text: str) -> bytes:
    """A short text as a frame of a WebSocket."""
    data = text.encode()
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


@attack("guests who read nothing", memory=128 * MIB)
async def deaf(site: Site) -> str:
    """Each asks again and again for a long game on a large board."""
    async with site.http() as http:
        game = (await http.post("/api/records", content=long_game(100, 400))).json()["games"][0]
    async with AsyncExitStack() as stack:
        writers = []
        for _ in range(40):
            _, writer = await _upgraded(site, game)
            stack.callback(writer.close)
            writer.transport.pause_reading()    # type: ignore[attr-defined]
            writer.write(frame_of('{"type":"hello","version":1,"name":"deaf","seat":0}'))
            writers.append(writer)
        for _ in range(100):
            for writer in writers:
                if not writer.is_closing():
                    writer.write(frame_of('{"type":"have","events":0}'))
            await asyncio.sleep(0.1)
    return "40 guests asked 100 times each for 400 moves on 10,000 cells"


@attack("messages that are none")
async def garbage(site: Site) -> str:
    new = await site.new_game("othello-4", "me", "friend")
    deep, long = "[" * 4000, '{"type":"move","number":1,"move":"' + "x" * 9000
    moves = [json.dumps({"type": "move", "number": number, "move": "a1"}) for number in (-1, 1e300, "x")]
    bad = ["{", deep, "[1,2,3]", "null", '{"type":"dance"}', long, "\x00", *moves,
           '{"type":"hello","version":1,"name":"again"}']
    for text in bad * 5:
        with suppress(WebSocketException, OSError):
            async with site.socket(new["game"]) as eve:
                await hello(eve, new["token"])
                await eve.send(text)
                told = await message(eve)
                hold(told["type"] == "error" and told["sentence"], "it was not refused in a sentence")
    async with site.socket(new["game"]) as flood:
        await hello(flood, new["token"])
        with suppress(WebSocketException, OSError):
            for _ in range(5000):
                await flood.send('{"type":"move","number":99999,"move":"a1"}')
            async with asyncio.timeout(20):
                await flood.wait_closed()
        hold(flood.close_code is not None, "a flood of moves did not end the connection")
    hold("Traceback" not in site.served.log, f"the server wrote {site.served.log[-300:]}")
    return f"{5 * len(bad)} were refused, and a flood ended its connection"


