"""Games that are run elsewhere are watched on a page that can cost them nothing, whatever happens to it."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.gameplay.events import Event, Observer
from polyversi.gameplay.referee import Finished, Referee
from polyversi.gameplay.seat import LocalSeat, Request, Resign, Seat
from polyversi.gameplay.verdict import SeatFailure, Verdict
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players import NO_LIMIT
from polyversi.records import Record, jsonl
from polyversi.server import live, page_thread
from polyversi.server.connection import NetworkError
from polyversi.server.live import STOPPED, LiveView, live_view
from polyversi.server.messages import (
    Bye,
    Claim,
    ErrorMessage,
    Hello,
    Message,
    MoveMessage,
    Next,
    Rematch,
    Welcome,
)
from polyversi.server.page_thread import ENDED
from polyversi.server.room import GONE
from polyversi.storage.games import Store, StoredGame, StoredSeat, StoreError
from tests.testing import http
from tests.testing.clock import until
from tests.testing.files import small_disk
from tests.testing.page_server import Visitor
from tests.testing.terminal import polyversi
from tests.testing.timeout import TIMEOUT
from tests.testing.xt_page_server import XtServed
from tests.testing.xt_page_server import play as play_moves

SPEC = "xt:torus,players=2"
BANK = pv.Limit(bank=600, increment=2)


class Prompted(Seat):
    """A seat that moves when it is told to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._moves: asyncio.Queue[str | SeatFailure] = asyncio.Queue()

    def move(self, move: str | SeatFailure) -> None:
        self._moves.put_nowait(move)

    async def answer(self, request: Request) -> str:
        move = await self._moves.get()
        if isinstance(move, SeatFailure):
            raise move
        return move


def groups(*seeds: int) -> list[Seat]:
    """Players as they come to an XT server, with the names they have there."""
    return [LocalSeat(pv.player("random", seed=seed), f"group {seed}") for seed in seeds]


def played(evening: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs something that has to come to its end."""
    async def bounded() -> None:
        async with asyncio.timeout(TIMEOUT):
            await evening()

    asyncio.run(bounded())


async def play(live_page: LiveView, start: pv.State, seats: Sequence[Seat], limit: pv.Limit = NO_LIMIT,
               observers: Sequence[Observer] = ()) -> Finished:
    """Has a game played in front of everybody."""
    return await live_page.play(Referee(start, seats, limit, observers))


async def text(live_page: LiveView, path: str) -> str:
    """What the page answers."""
    async with http.async_client() as client:
        answer = await client.get(f"http://127.0.0.1:{live_page.port}{path}", timeout=TIMEOUT)
    assert answer.status_code == 200, answer.text
    return answer.text


async def get(live_page: LiveView, path: str) -> Any:
    """What the page answers, as data."""
    return json.loads(await text(live_page, path))


async def visit(live_page: LiveView, game: str, token: str = "") -> Visitor:
    """A connection to a game of the page, after its hello."""
    url = f"ws://127.0.0.1:{live_page.port}/api/games/{game}/socket"
    return await asyncio.to_thread(Visitor, url, Hello("Eve", token=token, seat=0))


@asynccontextmanager
async def visiting(live_page: LiveView, game: str, token: str = "") -> AsyncIterator[Visitor]:
    """Somebody at a game of the page."""
    visitor = await visit(live_page, game, token)
    try:
        yield visitor
    finally:
        await asyncio.to_thread(visitor.socket.close)


def hear(visitor: Visitor, *kinds: type[Any]) -> Awaitable[Any]:
    return asyncio.to_thread(visitor.hear, *kinds)


async def games(live_page: LiveView, phase: str, count: int = 1) -> list[Any]:
    """The games in a list of the page, newest first, as soon as there are so many."""
    while len(listed := (await get(live_page, "/api/games"))[phase]) != count:
        pass
    return list(listed)


def test_a_game_is_watched_to_its_end() -> None:
    async def evening() -> None:
        seats = [Prompted("group 7"), Prompted("group 9")]
        start = pv.game(SPEC).start()
        heard: list[Event] = []
        async with live_view("127.0.0.1", 0) as live_page:
            playing = asyncio.create_task(play(live_page, start, seats, BANK, [heard.append]))
            (listed,) = await games(live_page, "running")
            assert (listed["players"], listed["kinds"]) == (["group 7", "group 9"], ["remote"] * 2)
            info = await get(live_page, f"/api/games/{listed['id']}")
            assert (info["limit"], info["phase"]) == (["bank=600,increment=2"] * 2, "running")
            async with visiting(live_page, listed["id"]) as eve:
                assert (await hear(eve, Welcome)).seats == []
                assert (await hear(eve, Event)).players == ("group 7", "group 9")
                seats[0].move(str(start.moves[0]))
                move = await hear(eve, Event)
                assert (move.kind, move.seat) == ("move", 1)
                assert move.clocks[0] == pytest.approx(600 - move.seconds + 2, abs=0.002)
                seats[1].move(SeatFailure("disqualified", "it sent a message of type 9"))
                verdict = await hear(eve, Event)
                assert (verdict.kind, verdict.detail) == ("verdict", "it sent a message of type 9")
                assert (await hear(eve, Event)).kind == "end"
            finished = await playing
            assert [event.kind for event in heard] == ["start", "move", "verdict", "end"]
            record = jsonl.parse(await text(live_page, f"/games/{listed['id']}.jsonl"))
            assert isinstance(record, Record)
            assert record.moves == finished.record.moves
            assert record.disqualified == finished.record.disqualified == ((1, 2),)
            (over,) = await games(live_page, "recent")
            assert over["result"]["points"] == list(finished.result.points)

    played(evening)


def test_who_watches_can_do_nothing_else() -> None:
    said: list[Message] = [MoveMessage(1, "0,0"), Resign(), Rematch(), Claim()]

    async def evening() -> None:
        async with live_view("127.0.0.1", 0) as live_page:
            start = pv.game(SPEC).start()
            playing = asyncio.create_task(play(live_page, start, [Prompted("group 7"), Prompted("group 9")]))
            (listed,) = await games(live_page, "running")
            for message in said:
                async with visiting(live_page, listed["id"]) as eve:
                    await hear(eve, Event)
                    eve.say(message)
                    assert (await hear(eve, ErrorMessage)).sentence == "spectators cannot move"
            async with visiting(live_page, listed["id"], token="sesame") as eve:
                assert "does not belong to a seat" in (await hear(eve)).sentence
            new = {"spec": "othello", "seats": [{"kind": "computer", "player": "random"}] * 2}
            async with http.async_client(
                    base_url=f"http://127.0.0.1:{live_page.port}") as client:
                for path in ("/api/games", f"/api/games/{listed['id']}/hint", "/api/arena", "/api/records"):
                    assert (await client.post(path, json=new)).status_code in (404, 405)
                assert (await client.get("/", follow_redirects=True)).url.path == "/watch"
                assert (await client.get("/play")).status_code == 404
            assert [one["plies"] for one in await games(live_page, "running")] == [0]
            playing.cancel()

    played(evening)


def test_whoever_watches_hears_of_the_next_game() -> None:
    async def evening() -> None:
        async with live_view("127.0.0.1", 0) as live_page:
            start = pv.game(SPEC).start()
            await play(live_page, start, groups(1, 2))
            (first,) = await games(live_page, "recent")
            async with visiting(live_page, first["id"]) as eve:
                await hear(eve, Welcome)
                await play(live_page, start, groups(2, 1))
                following = await hear(eve, Next)
                listed = await games(live_page, "recent", 2)
                assert {one["id"] for one in listed} == {first["id"], following.game}
            assert (await get(live_page, f"/api/games/{first['id']}"))["next"] == following.game

    played(evening)


def test_everybody_gets_the_end_before_the_page_ends() -> None:
    async def evening() -> None:
        async with live_view("127.0.0.1", 0) as live_page:
            seats = [Prompted("group 7"), Prompted("group 9")]
            playing = asyncio.create_task(play(live_page, pv.game(SPEC).start(), seats))
            (listed,) = await games(live_page, "running")
            eve = await visit(live_page, listed["id"])
            assert (await hear(eve, Event)).kind == "start"
            seats[0].move("nowhere")
            await playing
        assert [(await hear(eve, Event)).kind for _ in range(2)] == ["verdict", "end"]
        assert (await hear(eve)) == Bye(ENDED)
        eve.socket.close()

    played(evening)


def test_who_is_just_coming_when_the_page_ends_gets_everything_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_thread, "DISMISS_TIMEOUT", TIMEOUT)

    async def evening() -> None:
        async with AsyncExitStack() as stack:
            live_page = await stack.enter_async_context(live_view("127.0.0.1", 0))
            await play(live_page, pv.game(SPEC).start(), groups(1, 2))
            (over,) = await games(live_page, "recent")
            eve = await visit(live_page, over["id"])
            url = f"ws://127.0.0.1:{live_page.port}/api/games/{over['id']}/socket"
            late = await asyncio.to_thread(Visitor, url, None)
            ending = asyncio.create_task(stack.pop_all().aclose())
            assert await hear(eve, Bye) == Bye(ENDED)
            late.say(Hello("Bob", seat=0))
            while (await hear(late, Event)).kind != "end":
                pass
            assert await hear(late, Bye) == Bye(ENDED)
            await ending
            for visitor in (eve, late):
                visitor.socket.close()

    played(evening)


def test_a_game_that_is_broken_off_is_so_on_the_page(tmp_path: Path) -> None:
    async def evening() -> None:
        async with live_view("127.0.0.1", 0, str(tmp_path / "games.db")) as live_page:
            seats = [Prompted("group 7"), Prompted("group 9")]
            playing = asyncio.create_task(play(live_page, pv.game(SPEC).start(), seats))
            await games(live_page, "running")
            playing.cancel()
            (over,) = await games(live_page, "recent")
            assert over["result"]["verdict"] == {"kind": "aborted", "seat": None, "detail": STOPPED}

    played(evening)


@pytest.mark.parametrize(("end", "why"), [(XtServed.kill, GONE), (XtServed.interrupt, STOPPED)])
def test_a_game_whose_server_was_stopped_is_broken_off(
    tmp_path: Path, end: Callable[[XtServed], None], why: str
) -> None:
    where = str(tmp_path / "games.db")
    with XtServed(tmp_path, "--map", SPEC, "--store", where) as server:
        clients = [server.client(group) for group in (7, 8)]
        play_moves(clients, 4)
        store = Store.open(where)
        while not store.running() or len(store.events(store.running()[0].id)) < 5:
            continue
        end(server)
        assert server.wait() == (130 if why == STOPPED else -signal.SIGKILL)
        assert server.log == ""
    store.close()

    async def evening() -> None:
        async with live_view("127.0.0.1", 0, where) as live_page:
            (over,) = await games(live_page, "recent")
            assert (over["players"], over["plies"]) == (["group 7", "group 8"], 4)
            assert over["result"]["verdict"]["detail"] == why
            assert await games(live_page, "running", 0) == []

    played(evening)


def test_a_page_needs_its_packages_and_a_store_its_page() -> None:
    blocked = "import sys; sys.modules['uvicorn'] = None; from polyversi.cli.main import main; main()"
    command = [sys.executable, "-c", blocked, "xt-server", "--map", "torus", "--page", "0", "--port", "0"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert "the page needs more packages: pip install 'polyversi[server]'" in answer.stderr
    assert "Traceback" not in answer.stderr
    alone = polyversi("xt-server", "--map", "torus", "--store", "games.db")
    assert alone.returncode == 1
    assert "add --page PORT" in alone.stderr


def test_games_that_others_left_in_the_store_stay_as_they_are(tmp_path: Path) -> None:
    where = str(tmp_path / "games.db")
    store = Store.open(where)
    start = pv.game("othello-4").start()
    seats = (StoredSeat("computer", "random", "random"),) * 2
    left = StoredGame("left", "othello-4", "", start.text, seats, ("none",) * 2, 1.0, "running")
    with store.transaction() as write:
        write.add_game(left)

    async def evening() -> None:
        async with live_view("127.0.0.1", 0, where) as live_page:
            async with visiting(live_page, "left") as eve:
                assert (await hear(eve, Welcome)).events == 0
                await play(live_page, pv.game(SPEC).start(), groups(1, 2))
                await games(live_page, "recent")
            assert await games(live_page, "running", 0) == []

    played(evening)
    assert store.game("left") == left
    assert store.events("left") == []
    store.close()


def test_a_game_waits_for_no_store_and_no_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    where = str(tmp_path / "games.db")

    async def evening() -> None:
        async with live_view("127.0.0.1", 0, where, said.append) as live_page:
            seats = [Prompted("group 7"), Prompted("group 9")]
            start = pv.game(SPEC).start()
            playing = asyncio.create_task(play(live_page, start, seats))
            (listed,) = await games(live_page, "running")
            async with visiting(live_page, listed["id"]) as silent:    # who hears nothing of what comes
                other = sqlite3.connect(where, TIMEOUT, isolation_level=None)
                other.execute("BEGIN IMMEDIATE")    # from now on nobody else can write
                seats[0].move("nowhere")
                assert (await playing).result.winner == 2
                await play(live_page, start, groups(1, 2))
                monkeypatch.setattr(live, "MAX_WAITING", 5)
                assert (await play(live_page, start, groups(2, 1))).record.moves
                assert len(await games(live_page, "running", 2)) == 2
                other.close()
                assert len(await games(live_page, "recent", 2)) == 2
                assert [(await hear(silent, Event)).kind for _ in range(3)] == ["start", "verdict", "end"]
        assert sum(sentence.startswith("a game is not shown on the page:") for sentence in said) == 1

    played(evening)


def test_a_full_disk_stops_no_game(tmp_path: Path) -> None:
    folder, said = tmp_path / "disk", list[str]()

    async def evening() -> None:
        async with live_view("127.0.0.1", 0, str(folder / "games.db"), said.append) as live_page:
            with suppress(OSError), (folder / "ballast").open("wb", buffering=0) as file:
                while True:
                    file.write(b"." * 4096)
            start = pv.game(SPEC).start()
            assert (await play(live_page, start, groups(1, 2))).record.moves
            await until(lambda: said)
            assert "database or disk is full; the page waits until the store can be written again" in said[0]
            (folder / "ballast").unlink()
            (over,) = await games(live_page, "recent")
            assert over["players"] == ["group 1", "group 2"]

    with small_disk(folder):
        played(evening)


def test_the_referee_can_be_told_from_outside() -> None:
    async def evening() -> None:
        async with live_view("127.0.0.1", 0) as live_page:
            seats = [Prompted("group 7"), Prompted("group 9")]
            referee = Referee(pv.game(SPEC).start(), seats, BANK)
            assert not referee.interrupt(1, Verdict("disconnect", 1, "too early"))
            playing = asyncio.create_task(live_page.play(referee))
            while not referee.interrupt(2, Verdict("disconnect", 2, "it closed the connection")):
                await asyncio.sleep(0)
            finished = await playing
            assert finished.offences == (Verdict("disconnect", 2, "it closed the connection"),)

    played(evening)


def test_a_map_of_a_file_is_shown_without_its_folder() -> None:
    game = xt_game(XtMap.parse("2 1 1 0  2 4  0 1 2 0  c b - 0"), "xt:/home/ann/maps/mine.map")

    async def evening() -> None:
        async with live_view("127.0.0.1", 0) as live_page:
            finished = await play(live_page, game.start(), groups(1, 2))
            (over,) = await games(live_page, "recent")
            assert over["spec"] == "xt:mine"
            async with visiting(live_page, over["id"]) as eve:
                assert (await hear(eve, Event)).game == "xt:mine"
            assert finished.record.start == game.start()
            for kind in ("txt", "jsonl", "svg"):
                assert "ann" not in await text(live_page, f"/games/{over['id']}.{kind}")

    played(evening)


def test_what_cannot_be_opened_is_told_in_a_sentence(tmp_path: Path) -> None:
    async def evening() -> None:
        async with live_view("127.0.0.1", 0, str(tmp_path / "games.db")) as live_page:
            with pytest.raises(NetworkError, match="in use"):
                async with live_view("127.0.0.1", live_page.port):
                    pass
            with pytest.raises(StoreError, match="another Polyversi server uses"):
                async with live_view("127.0.0.1", 0, str(tmp_path / "games.db")):
                    pass
        with pytest.raises(StoreError, match="is a folder"):
            async with live_view("127.0.0.1", 0, str(tmp_path)):
                pass

    played(evening)


def test_a_game_goes_on_when_the_page_has_ended() -> None:
    async def evening() -> None:
        seats = [Prompted("group 7"), Prompted("group 9")]
        async with live_view("127.0.0.1", 0) as live_page:
            playing = asyncio.create_task(play(live_page, pv.game(SPEC).start(), seats))
            await games(live_page, "running")
        seats[0].move("nowhere")
        assert (await playing).result.winner == 2

    played(evening)
    assert [thread.name for thread in threading.enumerate() if thread.name == "page"] == []
