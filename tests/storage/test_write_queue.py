"""The write queue: order, exactly once, and what it does when jobs are wrong, disks full and servers gone."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from polyversi.gameplay.events import EndEvent, Event
from polyversi.gameplay.verdict import Verdict
from polyversi.storage.games import Store, StoredGame, StoreError, Transaction
from polyversi.storage.write_queue import NotStoredError, WriteQueue
from tests.testing.clock import until
from tests.testing.files import small_disk
from tests.testing.postgres import MISSING, Postgres
from tests.testing.queue_writer import GAMES, event_of, game_of
from tests.testing.timeout import TIMEOUT

ROOT = Path(__file__).parents[2]


def nothing() -> None:
    """What follows a job that nobody waits for."""


END = EndEvent(0, "board full", (1, 0), (1, 2), (1.0, 0.0), Verdict("win", 1))


def appends(game: str, event: Event) -> Callable[[Transaction], None]:
    return lambda tx: tx.append(game, event)


def adds(game: StoredGame) -> Callable[[Transaction], None]:
    return lambda tx: tx.add_game(game)


def run(where: str, work: Callable[[Store, WriteQueue], Any], say: Callable[[str], None] = print) -> None:
    """Some work with a queue, which is closed afterwards."""

    async def within() -> None:
        with closing(Store.open(where)) as store:
            queue = WriteQueue(store, say)
            async with asyncio.timeout(TIMEOUT):
                await work(store, queue)
                await queue.close()

    asyncio.run(within())


def test_what_is_told_is_stored_in_order(new_store: str) -> None:
    told: list[tuple[int, int]] = []

    async def work(store: Store, queue: WriteQueue) -> None:
        for game in range(GAMES):
            queue.submit(adds(game_of(game)), nothing)
        for number in range(10):
            for game in range(GAMES):
                def tell(game: int = game, number: int = number) -> None:
                    told.append((number, game))
                    if game == number:    # looking up every one would take its time
                        assert store.events(f"g{game}", since=number)[0] == event_of(number)

                queue.submit(appends(f"g{game}", event_of(number)), tell)
        assert told == [], "nothing is told while the one who submits has not waited"
        await queue.drain()
        assert told == [(number, game) for number in range(10) for game in range(GAMES)]
        await queue.drain()

    run(new_store, work)
    with closing(Store.open(new_store)) as store:
        for game in range(GAMES):
            assert store.events(f"g{game}") == [event_of(number) for number in range(10)]


def test_a_job_that_is_wrong_fails_alone(new_store: str) -> None:
    told: list[str] = []
    said: list[str] = []

    async def work(store: Store, queue: WriteQueue) -> None:
        def submit(name: str, job: Callable[[Transaction], None]) -> None:
            queue.submit(job, lambda: told.append(name), lambda error: told.append(f"{name}: {error}"))

        submit("game", adds(game_of(0)))
        submit("first", appends("g0", event_of(0)))
        submit("other", appends("g0", END))
        submit("again", appends("g0", event_of(0)))
        submit("fault", lambda tx: tx.append("g0", event_of(1 // 0)))
        submit("second", appends("g0", event_of(1)))
        queue.submit(appends("nobody", event_of(0)), lambda: told.append("never"))
        submit("third", appends("g0", event_of(2)))
        await queue.drain()

    run(new_store, work, said.append)
    other = "other: events already has another row g0 0"
    fault = "fault: integer division or modulo by zero"
    assert told == ["game", "first", other, "again", fault, "second", "third"]
    assert len(said) == 1
    assert said[0].startswith("something could not be stored: the store")
    with closing(Store.open(new_store)) as store:
        assert store.events("g0") == [event_of(number) for number in range(3)]


def test_a_fault_in_what_follows_stops_nobody(tmp_path: Path) -> None:
    faults: list[Any] = []
    told: list[int] = []

    async def work(store: Store, queue: WriteQueue) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault["exception"]))
        queue.submit(adds(game_of(0)), lambda: told.append(1 // 0))
        queue.submit(adds(game_of(1)), lambda: told.append(1))
        await queue.drain()

    run(str(tmp_path / "games.db"), work)
    assert told == [1]
    assert [type(fault) for fault in faults] == [ZeroDivisionError]


def test_a_closed_queue_takes_nothing(tmp_path: Path) -> None:
    async def work(store: Store, queue: WriteQueue) -> None:
        await queue.close()
        with pytest.raises(StoreError, match="the write queue is closed"):
            queue.submit(adds(game_of(0)), nothing)

    run(str(tmp_path / "games.db"), work)


def test_a_queue_leaves_nothing_of_its_own_behind(new_store: str) -> None:
    async def work(store: Store, queue: WriteQueue) -> None:
        queue.submit(adds(game_of(0)), nothing)

    run(new_store, work)
    with closing(Store.open(new_store)) as store, store.writing() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM writers").scalar() == 0


def test_another_process_that_writes_is_waited_for(tmp_path: Path) -> None:
    path, told, said = tmp_path / "games.db", list[str](), list[str]()

    async def work(store: Store, queue: WriteQueue) -> None:
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            queue.submit(adds(game_of(0)), lambda: told.append("game"))
            other.execute("INSERT INTO writers VALUES ('other', 1)")
            assert told == []
            other.commit()
        await queue.drain()

    run(str(path), work, said.append)
    assert told == ["game"]
    assert said == []


def test_a_store_that_stays_away_is_given_up_at_the_end(tmp_path: Path) -> None:
    path, told, said = tmp_path / "games.db", list[str](), list[str]()

    async def work(store: Store, queue: WriteQueue) -> None:
        queue.submit(adds(game_of(0)), lambda: told.append("game"))
        await queue.drain()
        store.close()
        path.rename(tmp_path / "away.db")
        path.mkdir()
        queue.submit(appends("g0", event_of(0)), lambda: told.append("first"))
        queue.submit(appends("g0", event_of(1)), lambda: told.append("second"))
        await queue.close(timeout=0.1)

    run(str(path), work, said.append)
    assert told == ["game"]
    assert "unable to open database file; the page waits until the store can be written again" in said[0]
    assert said[1:] == [f"2 writes to {path} are lost: it could not be written before the end"]


def acknowledged(lines: bytes) -> dict[int, int]:
    """The last event of each game that a writer said to be on disk; each game's come in order, and once."""
    last: dict[int, int] = {}
    for line in lines.splitlines():
        game, number = map(int, line.split())
        assert number == last.get(game, number - 1) + 1
        last[game] = number
    return last


def check(path: Path, told: dict[int, int]) -> None:
    """What was told is there, with everything before it, once and sound."""
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(Store.open(str(path))) as store:
        for game in range(GAMES):
            events = store.events(f"g{game}")
            assert len(events) > told.get(game, -1)
            assert events == [event_of(number) for number in range(len(events))]


def test_whatever_was_told_survives_a_kill(tmp_path: Path) -> None:
    path, coin = tmp_path / "games.db", random.Random(1)
    told: dict[int, int] = {}
    for _ in range(3):
        command = [sys.executable, "-m", "tests.testing.queue_writer", str(path), "1000000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as writer:
            assert writer.stdout is not None
            lines = b"".join(writer.stdout.readline() for _ in range(coin.randrange(1, 400)))
            writer.kill()
            lines += writer.stdout.read()
        told |= acknowledged(lines)
        check(path, told)
    assert told


def test_a_full_disk_is_waited_for(tmp_path: Path) -> None:
    folder, said, told = tmp_path / "disk", list[str](), list[int]()
    with small_disk(folder):
        async def work(store: Store, queue: WriteQueue) -> None:
            queue.submit(adds(game_of(0)), nothing)
            await queue.drain()
            ballast = folder / "ballast"
            with suppress(OSError), ballast.open("wb", buffering=0) as file:
                while True:
                    file.write(b"." * 4096)
            for number in range(300):
                queue.submit(appends("g0", event_of(number)), lambda number=number: told.append(number))  # type: ignore[misc]
            await until(lambda: said)
            assert told == []
            assert store.events("g0") == []
            ballast.unlink()
            await queue.drain()

        run(str(folder / "games.db"), work, said.append)
        check(folder / "games.db", {0: 299})
    assert told == list(range(300))
    assert len(said) == 2
    assert "database or disk is full; the page waits until the store can be written again" in said[0]
    assert "can be written again; nothing is lost" in said[1]


def test_whoever_cannot_wait_is_told_at_once_that_a_disk_is_full(tmp_path: Path) -> None:
    folder, said, told = tmp_path / "disk", list[str](), list[str]()
    with small_disk(folder):
        async def work(store: Store, queue: WriteQueue) -> None:
            await queue.write_now(adds(game_of(0)))
            ballast = folder / "ballast"
            with suppress(OSError), ballast.open("wb", buffering=0) as file:
                while True:
                    file.write(b"." * 4096)
            queue.submit(adds(replace(game_of(1), map="m" * 100_000)), lambda: told.append("waited"))
            for game in (2, 3):    # one that is in the queue already, and one that comes later
                with pytest.raises(NotStoredError, match="disk is full"):
                    await queue.write_now(adds(game_of(game)))
            assert "disk is full" in queue.trouble and told == []
            ballast.unlink()
            await queue.drain()
            assert queue.trouble == ""
            await queue.write_now(adds(game_of(4)))
            assert [game.id for game in store.running()] == ["g0", "g1", "g4"]

        run(str(folder / "games.db"), work, said.append)
    assert told == ["waited"]


def test_files_that_may_not_grow_are_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    command = [sys.executable, "-m", "tests.testing.queue_writer", str(path), "100", "short"]
    writer = subprocess.run(command, capture_output=True, cwd=ROOT, check=True, timeout=TIMEOUT)
    check(path, acknowledged(writer.stdout))
    assert acknowledged(writer.stdout) == dict.fromkeys(range(GAMES), 99)
    first, second = writer.stderr.decode().splitlines()
    assert "the page waits until the store can be written again" in first
    assert "can be written again; nothing is lost" in second


@pytest.mark.skipif(MISSING is not None, reason=str(MISSING))
def test_a_server_that_goes_away_and_comes_back() -> None:
    server, said, told = Postgres(), list[str](), list[int]()
    try:
        async def work(store: Store, queue: WriteQueue) -> None:
            queue.submit(adds(game_of(0)), nothing)
            await queue.drain()
            server.kill()
            for number in range(100):
                queue.submit(appends("g0", event_of(number)), lambda number=number: told.append(number))  # type: ignore[misc]
            await until(lambda: said)
            assert told == []
            await asyncio.to_thread(server.start)
            await queue.drain()
            assert store.events("g0") == [event_of(number) for number in range(100)]

        run(server.database(), work, said.append)
    finally:
        server.remove()
    assert told == list(range(100))
    assert "the page waits until the store can be written again" in said[0]
    assert said[-1].endswith("can be written again; nothing is lost")


def test_connections_that_die_at_any_moment(postgres: Postgres) -> None:
    url, told, coin = postgres.database(), list[int](), random.Random(1)
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"

    async def work(store: Store, queue: WriteQueue) -> None:
        queue.submit(adds(game_of(0)), nothing)
        await queue.drain()
        with psycopg.connect(url, autocommit=True) as other:
            for kill in range(15):
                for number in range(20 * kill, 20 * kill + 20):
                    queue.submit(appends("g0", event_of(number)), lambda number=number: told.append(number))  # type: ignore[misc]
                    await asyncio.sleep(0)
                for _ in range(coin.randrange(200)):
                    await asyncio.sleep(0)
                other.execute(ended)
                await queue.drain()
        assert store.events("g0") == [event_of(number) for number in range(300)]

    run(url, work, lambda _: None)
    assert told == list(range(300))


class Gateway:
    """A way to a database server that breaks just when the server has committed, before it can say so."""

    def __init__(self, server: Postgres, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.breaks = 0
        """How many commits more are to go unheard."""

    async def open(self) -> asyncio.Server:
        return await asyncio.start_unix_server(self._pass, self.folder / ".s.PGSQL.5432")

    async def _pass(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        server, to_server = await asyncio.open_unix_connection(self.server.folder / ".s.PGSQL.5432")

        async def up() -> None:
            while data := await client.read(65536):
                to_server.write(data)
                if b"COMMIT" in data and self.breaks:
                    self.breaks -= 1
                    answers.cancel()
                    while b"COMMIT" not in await server.read(65536):
                        pass
                    return

        async def down() -> None:
            while data := await server.read(65536):
                to_client.write(data)

        answers = asyncio.create_task(down())
        with suppress(OSError):
            await up()
        answers.cancel()
        to_client.close()
        to_server.close()


def test_a_commit_that_nobody_heard_of_is_not_done_again(postgres: Postgres) -> None:
    said: list[str] = []

    async def work(folder: Path) -> None:
        gateway = Gateway(postgres, folder)
        async with await gateway.open():
            url = postgres.database().replace(str(postgres.folder), str(folder))
            store = await asyncio.to_thread(Store.open, url)
            queue = WriteQueue(store, said.append)
            gateway.breaks = 2
            told: list[str] = []
            queue.submit(adds(game_of(0)), lambda: told.append("game"))
            # Doing these again would fail, or do something else: the game is not as it was.
            queue.submit(lambda tx: tx.change_game("g0", phase="over"), lambda: told.append("over"))
            queue.submit(appends("g0", event_of(0)), lambda: told.append("event"))
            await queue.drain()
            assert gateway.breaks == 0
            assert told == ["game", "over", "event"]
            await queue.close()
            games, _ = await asyncio.to_thread(store.recent, 10)
            assert [game.id for game in games] == ["g0"]
            assert await asyncio.to_thread(store.events, "g0") == [event_of(0)]
            store.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(asyncio.wait_for(work(Path(folder)), TIMEOUT))
    assert said[-1].endswith("can be written again; nothing is lost")
