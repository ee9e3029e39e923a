"""Backups of a site in either database: taken while others write, and restored whole or not at all."""

from __future__ import annotations

import itertools
import random
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sql

from polyversi.site import audit, ratings
from polyversi.site.backup import Contents, backup, tables
from polyversi.site.bots import Bots
from polyversi.site.exporting import export, export_person
from polyversi.site.people import Newcomer, People
from polyversi.site.restoring import restore, restore_file
from polyversi.site.roles import Role
from polyversi.site.sessions import Sessions
from polyversi.site.settings import SiteError, SiteFile, SiteSettings, read_site
from polyversi.site.store import SiteStore
from polyversi.site.tables import AUDIT, RATED_GAMES
from polyversi.storage.contests import ContestStore
from polyversi.storage.games import Store
from polyversi.storage.stored import StoredGame, StoredSeat
from tests.testing.postgres import Postgres
from tests.testing.timeout import TIMEOUT

POOL = "othello"
PLAYERS = [f"person:p{number}" for number in range(6)]


def site_at(folder: Path, store: str = "") -> SiteFile:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "site.toml"
    path.write_text(f'name = "Club"\nstore = "{store or "site.db"}"\n[[ladders]]\nid = "othello"\n')
    return read_site(path)


@contextmanager
def opened(file: SiteFile) -> Iterator[SiteStore]:
    with ExitStack() as stack:
        for kind in (Store, ContestStore):
            stack.enter_context(closing(kind.open(file.store)))
        yield stack.enter_context(closing(SiteStore.open(file.store)))


def filled(file: SiteFile, store: SiteStore) -> None:
    """People, a bot with a version, a game with events, and a rated game that goes on."""
    ann, bob = People(store).add([Newcomer("Ann", Role.ORGANISER), Newcomer("Bob")])
    Sessions(store, file.settings).make_link(bob.id)
    bots = Bots(file, store)
    bot = bots.create(bob, "Snake", "othello")
    source = file.folder / "agent.py"
    source.write_text("import json, sys\nfor line in sys.stdin:\n    print(json.dumps({'move': None}))\n")
    bots.hand_in(bob, bot, source, "agent.py")
    with closing(Store.open(file.store)) as games, games.transaction() as write:
        seats = (StoredSeat("human", name="Ann"), StoredSeat("human", name="Bob"))
        write.add_game(StoredGame("g1", "othello", "", "", seats, (), created=1.0))
    with store.writing() as connection:
        ratings.begin_game(connection, "running", POOL, [ann.player, bob.player], 1.0, is_rated=True)


def play(store: SiteStore, stop: threading.Event, begun: threading.Event) -> None:
    """Counts one game after the other, as a server does while a backup is taken."""
    choice = random.Random(7)
    for number in itertools.count():
        with store.writing() as connection:
            pair = choice.sample(PLAYERS, 2)
            ratings.record_game(connection, f"game{number}", POOL, pair, [1, 2], time.time())
            audit.note(connection, "x", "game", f"game{number}")
        if number == 5:
            begun.set()
        if stop.is_set():
            return


def rows(store: SiteStore) -> dict[str, list[str]]:
    """All that is in the tables of a site."""
    with store.snapshot() as connection:
        return {table.name: sorted(map(repr, connection.execute(sql.select(table)))) for table in tables()}


@pytest.mark.slow
def test_a_backup_under_load_is_of_one_moment(new_store: str, tmp_path: Path,
                                              request: pytest.FixtureRequest) -> None:
    file = site_at(tmp_path / "old", new_store)
    archive = tmp_path / "backup.tar.gz"
    stop, begun = threading.Event(), threading.Event()
    with opened(file) as store:
        filled(file, store)
        player = threading.Thread(target=play, args=[store, stop, begun])
        player.start()
        assert begun.wait(TIMEOUT)
        backup(file, archive)
        stop.set()
        player.join()
        played = len(store.read(sql.select(RATED_GAMES.c.id)))
    other = "" if "://" in new_store else request.getfixturevalue("other_database")()
    new = site_at(tmp_path / "new", other)
    restore(archive, new)
    with opened(new) as store:
        kept = len(store.read(sql.select(RATED_GAMES.c.id)))
        assert 6 <= kept <= played
        assert len(store.read(sql.select(AUDIT.c.number).where(AUDIT.c.action == "game"))) == kept - 1
        told = {one.player: one for one in ratings.ranking(store, POOL)}
        assert told == ratings.recompute(store, POOL)
        assert [game.id for game in ratings.running_games(store)] == ["running"]
        bots = Bots(new, store)
        version, = bots.versions(bots.all()[0].id)
        assert [path.read_text()[:6] for path in bots.folder(version.bot, version.number).iterdir()]
        add_somebody(store)


def add_somebody(store: SiteStore) -> None:
    """A site goes on after it was restored: numbers of new rows are new."""
    before = audit.entries(store, 1)[0].number
    People(store).add([Newcomer("Zoe")])
    assert audit.entries(store, 1)[0].number > before


@pytest.fixture
def other_database(request: pytest.FixtureRequest) -> Callable[[], str]:
    """A database of the other kind."""
    def make() -> str:
        server: Postgres = request.getfixturevalue("postgres")
        return server.database()

    return make


def test_everything_is_restored_and_restored_again(tmp_path: Path) -> None:
    file, archive = site_at(tmp_path / "old"), tmp_path / "backup.tar.gz"
    with opened(file) as store:
        filled(file, store)
        before = rows(store)
    contents = backup(file, archive)
    assert archive.stat().st_mode & 0o077 == 0, "it has names of people"
    assert contents.missing == []
    restore_file(archive, tmp_path / "new" / "site.toml")
    new = read_site(tmp_path / "new" / "site.toml")
    assert restore(archive, new).site == "Club"
    for private in (new.path, Path(new.store), new.uploads):
        assert private.stat().st_mode & 0o077 == 0, private
    with opened(new) as store:
        assert rows(store) == before
    backup(new, tmp_path / "second.tar.gz")
    newest = site_at(tmp_path / "newest")
    restore(tmp_path / "second.tar.gz", newest)
    with opened(newest) as store:
        assert rows(store) == before
    assert [path.read_bytes() for path in sorted(new.uploads.rglob("*.py"))] == [
        path.read_bytes() for path in sorted(file.uploads.rglob("*.py"))]


@pytest.mark.slow
def test_a_version_that_is_gone_is_restored_as_deleted(tmp_path: Path) -> None:
    file, archive = site_at(tmp_path / "old"), tmp_path / "backup.tar.gz"
    with opened(file) as store:
        filled(file, store)
        bot = Bots(file, store).all()[0].id
    (file.uploads / bot).rename(tmp_path / "elsewhere")
    assert backup(file, archive).missing == [f"{bot}/1"]
    new = site_at(tmp_path / "new")
    restore(archive, new)
    with opened(new) as store:
        assert Bots(new, store).versions(bot)[0].phase == "deleted"


def damaged(archive: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """Archives with which something is wrong, and what is said about them."""
    data = archive.read_bytes()
    yield folder / "none.tar.gz", "there is no backup"
    flipped = {f"flipped-{at}": data[:at] + bytes([data[at] ^ 255]) + data[at + 1:]
               for at in (0, *range(40, len(data) - 8, len(data) // 30), len(data) - 6)}
    cut = {"half": data[:len(data) // 2], "without its end": data[:-4], "text": b"hello", "empty": b""}
    for name, content in {**cut, **flipped}.items():
        path = folder / f"{name}.tar.gz"
        path.write_bytes(content)
        yield path, "is not a backup|is damaged"
    for number, (name, kind) in enumerate([("../../evil", tarfile.REGTYPE), ("/tmp/evil", tarfile.REGTYPE),
                                           ("uploads/x", tarfile.SYMTYPE), ("uploads/y", tarfile.CHRTYPE)]):
        path = folder / f"{number}.tar.gz"
        with tarfile.open(path, "w:gz") as whole:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            whole.addfile(member)
        yield path, "not one of its files"


def test_damaged_backups_leave_nothing_behind(tmp_path: Path) -> None:
    file, archive = site_at(tmp_path / "old"), tmp_path / "backup.tar.gz"
    with opened(file) as store:
        filled(file, store)
    backup(file, archive)
    new = site_at(tmp_path / "new")
    for path, why in damaged(archive, tmp_path):
        with pytest.raises(SiteError, match=why):
            restore(path, new)
        assert not new.uploads.exists()
        assert {path.name for path in new.folder.iterdir()} <= {"site.toml", "site.db", "site.db-wal",
                                                                "site.db-shm"}
    restore(archive, new)
    with opened(new) as store:
        assert len(People(store).all()) == 2


def test_a_site_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    file, archive = site_at(tmp_path / "old"), tmp_path / "backup.tar.gz"
    with opened(file) as store:
        filled(file, store)
        backup(file, archive)
        with pytest.raises(SiteError, match="is not empty"):
            restore(archive, file)
        file.uploads.rename(tmp_path / "elsewhere")
        with pytest.raises(SiteError, match="already"):
            restore(archive, file)
        assert len(People(store).all()) == 2
    with pytest.raises(SiteError, match="no folder"):
        backup(file, tmp_path / "nowhere" / "backup.tar.gz")


def test_exports_have_everything_but_secrets(tmp_path: Path) -> None:
    file = site_at(tmp_path / "old")
    with opened(file) as store:
        filled(file, store)
        signing, bob = Sessions(store, file.settings), People(store).named("Bob")
        signing.use_link(signing.make_link(bob.id), "correct horse")
        assert export(file, store, tmp_path / "all") > 15
        assert export_person(file, store, bob, tmp_path / "bob") > 10
        with pytest.raises(SiteError, match="already"):
            export(file, store, tmp_path / "all")
    for folder in ("all", "bob"):
        texts = [path.read_text() for path in (tmp_path / folder).rglob("*") if path.is_file()]
        assert any("Bob" in text for text in texts)
        assert any("import json" in text for text in texts), "what was handed in"
        assert not any("argon2" in text for text in texts)
    assert not any("Ann" in path.read_text() for path in (tmp_path / "bob").glob("*.jsonl"))


def test_a_list_of_what_there_is(tmp_path: Path) -> None:
    file = SiteFile(SiteSettings(), tmp_path)
    contents = backup(file, tmp_path / "empty.tar.gz")
    assert isinstance(contents, Contents)
    assert sum(table.rows for table in contents.tables.values()) == 3, "the versions of the tables"
