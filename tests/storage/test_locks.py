"""Two servers never write to one store: whatever its file is called, and whatever becomes of their locks."""

from __future__ import annotations

import asyncio
import fcntl
import os
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from polyversi.storage.errors import LockLostError, StoreError
from polyversi.storage.games import Store
from polyversi.storage.write_queue import WriteQueue
from tests.testing.clock import until
from tests.testing.postgres import Postgres
from tests.testing.queue_writer import game_of
from tests.testing.timeout import TIMEOUT

TAKEN = "another Polyversi server uses"
ENDED = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store as a file, with links to it."""
    folder = tmp_path / "real"
    Store.open(str(folder / "games.db")).close()
    (tmp_path / "link.db").symlink_to(folder / "games.db")
    (tmp_path / "folder").symlink_to(folder)
    return str(folder / "games.db")


def write(store: Store, number: int) -> None:
    with store.transaction() as tx:
        tx.add_game(game_of(number))


@pytest.mark.parametrize("link", ["link.db", "folder/games.db"])
def test_a_symbolic_link_leads_to_the_same_lock(store: str, tmp_path: Path, link: str) -> None:
    with closing(Store.open(store)) as one, closing(Store.open(str(tmp_path / link))) as other:
        with one.reserved(), pytest.raises(StoreError, match=TAKEN), other.reserved():
            pass
        with other.reserved(), pytest.raises(StoreError, match=TAKEN), one.reserved():
            pass


def test_a_file_with_a_second_name_is_refused(store: str, tmp_path: Path) -> None:
    os.link(store, tmp_path / "second.db")
    for name in (store, str(tmp_path / "second.db")):
        with (closing(Store.open(name)) as opened,
              pytest.raises(StoreError, match="has another name, a hard link"), opened.reserved()):
            pass
    (tmp_path / "second.db").unlink()
    with closing(Store.open(store)) as opened, opened.reserved():
        write(opened, 1)


def test_a_lock_file_that_is_removed_comes_back_with_the_next_write(store: str) -> None:
    with closing(Store.open(store)) as one, closing(Store.open(store)) as other, one.reserved():
        Path(f"{store}.lock").unlink()
        write(one, 1)
        with pytest.raises(StoreError, match=TAKEN), other.reserved():
            pass
    assert not Path(f"{store}.lock").exists()


def test_whoever_has_lost_a_removed_lock_writes_no_more(store: str) -> None:
    with closing(Store.open(store)) as one, closing(Store.open(store)) as other, one.reserved():
        Path(f"{store}.lock").unlink()
        with other.reserved():
            with pytest.raises(LockLostError, match=f"was removed; {TAKEN}"):
                write(one, 1)
            write(other, 2)
        assert [game.id for game in one.running()] == ["g2"]
        write(one, 1)    # the other has gone
        assert [game.id for game in one.running()] == ["g1", "g2"]


def test_a_lock_file_that_is_removed_while_it_is_being_locked_is_no_lock(
        store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it happens when one server ends at the moment at which another starts."""
    lock = fcntl.flock

    def remove_first(file: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        Path(f"{store}.lock").unlink()
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", remove_first)
    with (closing(Store.open(store)) as one, closing(Store.open(store)) as other, one.reserved(),
          pytest.raises(StoreError, match=TAKEN), other.reserved()):
        pass


def test_a_server_takes_its_lock_again_after_its_connections_are_lost(postgres: Postgres) -> None:
    url = postgres.database()
    with closing(Store.open(url)) as one, closing(Store.open(url)) as other, one.reserved():
        with psycopg.connect(url, autocommit=True) as administrator:
            administrator.execute(ENDED)
        write(one, 1)
        with pytest.raises(StoreError, match=TAKEN), other.reserved():
            pass


def test_a_server_that_lost_its_lock_to_another_waits(postgres: Postgres) -> None:
    """What it could not write is written when the other has gone; until then it says why it waits."""
    url, said, told = postgres.database(), list[str](), list[str]()

    async def evening() -> None:
        with closing(Store.open(url)) as one, closing(Store.open(url)) as other, one.reserved():
            queue = WriteQueue(one, said.append)
            await queue.write(lambda tx: tx.add_game(game_of(1)))
            with psycopg.connect(url, autocommit=True) as administrator:
                administrator.execute(ENDED)
            with other.reserved():
                queue.submit(lambda tx: tx.add_game(game_of(2)), lambda: told.append("g2"))
                await until(lambda: said or told)
                assert not told, "it was written without the lock"
                write(other, 3)
                assert [game.id for game in other.running()] == ["g1", "g3"]
                assert told == [] and f"the lock was lost with the connection; {TAKEN}" in said[0]
            await queue.drain()
            assert told == ["g2"]
            await queue.close()

    asyncio.run(asyncio.wait_for(evening(), TIMEOUT))
