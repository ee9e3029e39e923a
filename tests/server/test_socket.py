"""Guests over real WebSockets: whole games, shared seats, lost connections, and some who mean no good."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

import polyversi as pv
from polyversi.gameplay import Event
from polyversi.server import websocket
from polyversi.server.client import Client, Follower, RetryTimes, View
from polyversi.server.connection import NetworkError
from polyversi.server.guest import CREDIT
from polyversi.server.messages import Next, Offer, Presence, Reply
from polyversi.server.websocket import Link, parse_link
from tests.testing.tcp_host import hosted, random_seat, run, seat_of
from tests.testing.websocket_host import WebSocketHost, websocket_host

GAME = pv.game("othello-6")
TWO = {"one": (1,), "two": (2,)}
QUIET = pv.play(GAME.start(), [seat_of(1), seat_of(2)]).record.moves
QUICK = RetryTimes(have=1.0, again=0.2)


def player(house: WebSocketHost, token: str, seed: int, **options: Any) -> Client:
    return Client(house.at(token), random_seat(seed), name=f"client {seed}", token=token, **options)


def moves_of(client: Client) -> tuple[pv.Move, ...]:
    assert client.follower is not None and client.follower.has_ended
    return client.follower.log.record.moves


class Frames:
    """A WebSocket that sends exactly what a test wants."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line

    async def say(self, **message: Any) -> None:
        await self.line.send(json.dumps(message))

    async def next(self) -> dict[str, Any]:
        text = await self.line.recv()
        assert isinstance(text, str) and not text.endswith("\n")
        message: dict[str, Any] = json.loads(text)
        return message

    async def until(self, kind: str) -> dict[str, Any]:
        while (message := await self.next())["type"] != kind:
            pass
        return message

    async def last(self) -> dict[str, Any]:
        """The last message before the connection is closed."""
        message: dict[str, Any] = {}
        try:
            while True:
                message = await self.next()
        except ConnectionClosed:
            return message


@asynccontextmanager
async def frames(house: WebSocketHost, token: str | None = None, **hello: Any) -> AsyncIterator[Frames]:
    """Somebody who has said hello, unless there is no token to say it with."""
    async with connect(house.link.socket, compression=None, max_queue=None) as line:
        guest = Frames(line)
        if token is not None:
            await guest.say(type="hello", name="frames", token=token, **hello)
        yield guest


def test_two_clients_and_a_spectator_play_a_game() -> None:
    async def evening() -> None:
        async with websocket_host(GAME, TWO) as house:
            clients = [player(house, "one", 1), player(house, "two", 2),
                       Client(house.link, None, name="watcher")]
            assert await asyncio.gather(*(client.run() for client in clients)) == ["the game is over"] * 3
            assert [moves_of(client) for client in clients] == [QUIET] * 3
            await house.room.until(lambda: not house.room.guests)
            assert house.room.faults == [None] * 3

    run(evening())


def test_one_guest_may_have_both_seats() -> None:
    async def evening() -> None:
        async with websocket_host(GAME, {"both": (1, 2)}) as house:
            seeds = iter((1, 2))
            client = Client(house.at("both"), lambda: seat_of(next(seeds)), name="both", token="both")
            await client.run()
            assert moves_of(client) == QUIET

    run(evening())


def test_the_first_answer_of_two_guests_at_a_seat_counts() -> None:
    async def evening() -> None:
        async with (websocket_host(GAME, TWO) as house, frames(house, "one") as first,
                    frames(house, "one") as second):
            asked = [await guest.until("request") for guest in (first, second)]
            assert asked[0] == asked[1] | {"seconds": asked[0]["seconds"]}
            assert asked[0]["number"] == asked[0]["events"] == 1 and asked[0]["seat"] == 1
            legal = [str(move) for move in GAME.start().moves[:2]]
            await first.say(type="move", number=1, move=legal[0])
            move = await second.until("event")
            await second.say(type="move", number=1, move=legal[1])
            await second.say(type="have", events=1)
            assert await second.until("event") == move == await first.until("event"), "it is sent again"
            assert move["data"]["move"] == legal[0]

    run(evening())


def test_what_is_missing_is_sent_again() -> None:
    async def evening() -> None:
        async with websocket_host(GAME, TWO, for_people=False) as house, frames(house, "one") as guest:
            welcome, start, request = [await guest.next() for _ in range(3)]
            assert (welcome["seats"], start["kind"], request["type"]) == ([1], "start", "request")
            await guest.say(type="have", events=1, request=request["number"])
            await guest.say(type="have", events=1, request=0)
            assert (await guest.next())["number"] == request["number"], "only the second lacks the question"
            await guest.say(type="have", events=0, request=request["number"])
            assert await guest.next() == start
            await guest.say(type="hello", name="frames", token="one")
            assert (await guest.next())["type"] == "welcome", "the same hello once more"
            await guest.say(type="have", events=99, request=request["number"])
            await guest.say(type="resign")
            assert (await guest.next())["kind"] == "end"

    run(evening())


def test_notices_come_after_the_events_and_only_the_newest_of_a_kind() -> None:
    async def evening() -> None:
        async with websocket_host(GAME, TWO, for_people=False) as house, frames(house, "") as watcher:
            await house.room.until(lambda: house.room.guests and len(house.room.lines) == 1)
            (guest,) = house.room.guests
            for number in range(1000):
                guest.notify(Presence([True, False], number))
            guest.notify(Next("k3J9"))
            heard = [await watcher.next() for _ in range(4)]
            assert [message["type"] for message in heard] == ["welcome", "event", "presence", "next"]
            assert heard[2]["watching"] == 999

    run(evening())


def test_a_client_refuses_to_give_moves_back() -> None:
    async def evening() -> None:
        async with websocket_host(GAME, TWO) as house:
            playing = asyncio.create_task(player(house, "one", 1).run())
            await house.room.until(lambda: house.room.guests)
            for guest in house.room.guests:
                guest.notify(Offer(3, "undo", 2))
            await house.room.until(lambda: Reply(3, yes=False) in house.room.heard)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    run(evening())


@pytest.mark.parametrize("cuts", [(2,), (1, 3, 3), (5, 5, 5, 5)], ids=str)
def test_a_connection_that_is_dropped_is_taken_up_again(cuts: tuple[int, ...]) -> None:
    """Wherever it is dropped, the game is that of a quiet evening."""

    async def evening() -> None:
        async with websocket_host(GAME, TWO) as house:
            left = list(cuts)

            class Cutting(View):
                def show(self, follower: Follower, event: Event) -> None:
                    if left and event.number and event.number % left[0] == 0:
                        left.pop(0)
                        for guest in list(house.room.guests):
                            guest.abort()

            one = player(house, "one", 1, view=Cutting(), retry_times=QUICK)
            two = player(house, "two", 2, retry_times=QUICK)
            await asyncio.gather(one.run(), two.run())
            assert moves_of(one) == moves_of(two) == QUIET and not left
            assert not any(house.room.faults)

    run(evening())


Attack = Callable[[Frames], Any]
ATTACKS: dict[str, tuple[Attack, str]] = {
    "binary": (lambda guest: guest.line.send(b'{"type":"resign"}'), "a text frame, not a binary one"),
    "long": (lambda guest: guest.line.send("x" * 8193), "at most 8192 bytes"),
    "wide": (lambda guest: guest.line.send("é" * 5000), "at most 8192 bytes"),
    "garbage": (lambda guest: guest.line.send("\x00garbage"), "this is not a message"),
    "deep": (lambda guest: guest.line.send("[" * 8000), "this is not a message"),
    "unknown": (lambda guest: guest.say(type="dance"), "'dance' is not a type"),
    "of a host": (lambda guest: guest.say(type="next", game="x"), "'next' is not a type"),
    "another hello": (lambda guest: guest.say(type="hello", name="again"), "a second 'hello' is not allowed"),
}


@pytest.mark.parametrize("name", list(ATTACKS))
def test_an_attack_ends_the_connection_with_a_sentence(name: str) -> None:
    async def evening() -> None:
        attack, words = ATTACKS[name]
        async with websocket_host(GAME, TWO) as house, frames(house, "one") as guest:
            await guest.until("request")
            await attack(guest)
            last = await guest.last()
            assert last["type"] == "error" and words in last["sentence"]
            assert house.room.faults == [last["sentence"]]

    run(evening())


@pytest.mark.parametrize("message", [
    {"type": "move", "number": 0, "move": "a1"}, {"type": "have", "events": 0}, {"type": "undo"},
    {"type": "hello", "name": "frames", "token": "one"},
], ids=lambda message: str(message["type"]))
def test_a_flood_ends_the_connection(message: dict[str, Any]) -> None:
    async def evening() -> None:
        async with websocket_host(GAME, TWO) as house, frames(house, "one") as guest:
            await guest.until("request")
            for _ in range(3 * CREDIT):
                await guest.say(**message)
            assert "too many messages" in (await guest.last())["sentence"]

    run(evening())


def test_strangers_are_refused() -> None:
    async def evening() -> None:
        async with websocket_host(GAME, TWO) as house:
            async with frames(house, "made up") as guest:
                refusal = await guest.last()
                assert refusal["sentence"] == "this link or token does not belong to a seat of this game"
            async with frames(house) as guest:
                await guest.say(type="resign")
                assert (await guest.last())["sentence"] == "the first message must be a 'hello'"
            async with frames(house) as guest:
                await guest.say(type="hello", name="old", version=2)
                assert "version 1 of the messages, not 2" in (await guest.last())["sentence"]
            with pytest.raises(NetworkError, match="the host refused: this link or token does not"):
                await player(house, "made up", 1).run()
            with pytest.raises(NetworkError, match=r"/game/elsewhere was refused with HTTP status 403"):
                await Client(Link(house.link.origin, "elsewhere"), None, name="lost").run()

    run(evening())


def test_a_guest_that_never_reads_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has not read waits for it in the game's list alone, and nobody waits for it."""
    monkeypatch.setattr(websocket, "SEND_TIMEOUT", 0.2)

    async def evening() -> None:
        async with websocket_host(GAME, TWO) as house:
            async with connect(house.link.socket, compression=None, max_queue=1) as deaf:
                await deaf.send('{"type":"hello","name":"deaf"}')
                await house.room.until(lambda: len(house.room.guests) == 1)
                (guest,) = house.room.guests
                for _ in range(20_000):
                    house.room.lines.append(b"x" * 1000 + b"\n")
                guest.wake()
                await house.room.until(lambda: not house.room.guests)
                assert guest.sent < 15_000
                deaf.transport.abort()
            assert house.room.faults == [None]

    run(evening())


@pytest.mark.parametrize("text", [
    "http://h/", "http://h/game/", "http://h/game/a b", "ftp://h/game/x", "http:///game/x", "http://h:0/game/x",
    "http://h:99999/game/x", "http://[::1/game/x", "http://me:pw@h/game/x", "http://h/game/x/y", "://",
])
def test_what_is_no_link(text: str) -> None:
    with pytest.raises(NetworkError, match="is not a link to a game; write one such as"):
        parse_link(text)


@pytest.mark.parametrize(("text", "socket"), [
    ("http://127.0.0.1:8000/game/k3J9#sesame", "ws://127.0.0.1:8000/api/games/k3J9/socket"),
    ("https://example.org/game/k3J9?ply=3", "wss://example.org/api/games/k3J9/socket"),
    ("ws://[::1]:8000/api/games/k3J9/socket#sesame", "ws://[::1]:8000/api/games/k3J9/socket"),
])
def test_what_is_a_link(text: str, socket: str) -> None:
    link = parse_link(text)
    assert link.socket == socket and link.game == "k3J9"
    assert link.token == ("sesame" if "#" in text else "")


def test_where_there_is_no_page() -> None:
    async def evening() -> None:
        async with hosted("othello-4", [None, None]) as house:
            link = Link(f"http://127.0.0.1:{house.port}", "x")
            with pytest.raises(NetworkError, match="is not a page of Polyversi"):
                await Client(link, None, name="lost").run()
        with pytest.raises(NetworkError, match=r"cannot connect to.*start `polyversi run`"):
            await Client(link, None, name="lost").run()

    run(evening())
