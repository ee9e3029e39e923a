"""The store: the same contract on SQLite and on PostgreSQL, and what it says when it cannot be opened."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from msgspec import structs

from polyversi.gameplay.events import EndEvent, MoveEvent, StartEvent
from polyversi.gameplay.verdict import Verdict
from polyversi.storage.games import (
    DamagedError,
    Store,
    StoredGame,
    StoredSeat,
    StoredSeries,
    StoreError,
    StoreUnavailableError,
)
from polyversi.storage.retention import Pruned, prune, size_of
from polyversi.storage.stored import GameResult, Retention, Summary
from polyversi.storage.tables import EVENTS, GAMES
from tests.testing.files import ordinary_user
from tests.testing.postgres import Postgres

SEATS = (StoredSeat("human", name="Ann", token="a" * 64), StoredSeat("computer", "random:seed=1", "random"))
ODD = "Zoë 🦊 \x00 \\ ' \" ; DROP TABLE games; --\n"
DRAW = GameResult(Verdict("draw", None, ODD), "no moves", (9, 7), (1, 1), (0.5, 0.5))
SUMMARY = Summary("--- X", 7, (9, 7), DRAW, colours="red-blue", grace=300.0)


def a_game(id: str, created: float = 1.0, **fields: Any) -> StoredGame:
    return StoredGame(id, "othello", "", "--- X", SEATS, ("none", "bank=300,increment=2"), created, **fields)


def move(number: int, text: str = "f5", position: str = "") -> MoveEvent:
    return MoveEvent(number, 1, text, 0.1, (None, 0.1 + 0.2), position)


@pytest.fixture
def store(new_store: str) -> Iterator[Store]:
    with closing(Store.open(new_store)) as store:
        yield store


def add(store: Store, *games: StoredGame) -> None:
    with store.transaction() as tx:
        for game in games:
            tx.add_game(game)


def test_positions_are_left_to_the_rules(store: Store) -> None:
    add(store, a_game("g"))
    with store.transaction() as tx:
        for number in range(130):
            tx.append("g", move(number, position="-" * 1000))
    held = [event.number for event in store.events("g") if isinstance(event, MoveEvent) and event.position]
    assert held == [0, 64, 128]


def test_a_long_game_is_read_a_few_events_at_a_time(store: Store) -> None:
    add(store, a_game("g"))
    with store.transaction() as tx:
        for number in range(10_000):
            tx.append("g", move(number))
    tracemalloc.start()
    try:
        assert sum(1 for _ in store.each_event("g")) == 10_000
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_everything_comes_back_as_it_was(store: Store, new_store: str) -> None:
    seats = (StoredSeat("human", name=ODD), StoredSeat("computer", "matrix:depth=3"))
    series = StoredSeries("s1", 1790000000.123456, {"rounds": 10, "players": ["random", ODD]}, "b" * 64)
    game = replace(a_game("g1", 1790000001.654321), seats=seats, map="3 0 0 0\n", series="s1", number=7,
                   phase="over", ended=1790000002.5, summary=SUMMARY, following="g2")
    events = [StartEvent(0, "othello", "--- X", (ODD, ""), ("none", "bank=1")), move(1),
              EndEvent(2, "no moves", (9, 7), (1, 1), (0.5, 0.5), Verdict("draw", None, ODD))]
    with store.transaction() as tx:
        tx.add_series(series)
        tx.add_game(game)
        for event in events:
            tx.append("g1", event)
    for known in (store, Store.open(new_store)):
        assert known.game("g1") == game
        assert known.series("s1") == series
        assert known.events("g1") == events
        assert known.events("g1", since=2) == events[2:]
        known.close()


def test_the_positions_of_most_events_are_left_to_the_rules(store: Store) -> None:
    add(store, a_game("g1"))
    with store.transaction() as tx:
        for number in range(130):
            tx.append("g1", move(number, position="X" * 2500))
    assert store.events("g1") == [move(number, position="" if number % 64 else "X" * 2500)
                                  for number in range(130)]
    with store.writing() as connection:
        lengths = sql.func.length(sql.cast(EVENTS.c.data, sql.Text))
        assert connection.execute(sql.select(sql.func.sum(lengths))).scalar_one() < 3 * 2600 + 130 * 80


def test_summaries_that_other_versions_stored(store: Store) -> None:
    add(store, *(a_game(f"g{number}", phase="over", ended=1.0) for number in range(4)))
    verdict = {"kind": "timeout", "seat": 2, "detail": "", "minutes": 3}
    result = {"reason": "timeout", "scores": [9, 7], "ranks": [1, 2], "points": [1, 0], "verdict": verdict}
    written: list[dict[str, Any]] = [
        {}, {"grace": 300, "weather": "fine"},
        {"position": "--- X", "plies": 0, "scores": [], "result": None},
        {"position": "--- X", "plies": 7, "scores": [9, 7], "result": result, "colours": "red-blue"},
    ]
    with store.writing() as connection:
        for number, summary in enumerate(written):
            connection.execute(sql.update(GAMES).where(GAMES.c.id == f"g{number}").values(summary=summary))
    games = [store.game(f"g{number}") for number in range(4)]
    assert [game and game.summary for game in games] == [
        Summary(), Summary(grace=300.0), Summary("--- X"),
        Summary("--- X", 7, (9, 7), GameResult(Verdict("timeout", 2), "timeout", (9, 7), (1, 2), (1.0, 0.0)),
                colours="red-blue"),
    ]


def test_a_summary_is_stored_under_the_names_of_older_versions(store: Store) -> None:
    add(store, a_game("usual"), a_game("waiting", summary=Summary(begins_together=True)),
        a_game("over", phase="over", summary=SUMMARY))
    with store.writing() as connection:
        rows = connection.execute(sql.select(GAMES.c.id, GAMES.c.summary))
        assert {row.id: row.summary for row in rows} == {
            "usual": {}, "waiting": {"begins_together": True},
            "over": {"position": "--- X", "plies": 7, "scores": [9, 7], "grace": 300.0, "colours": "red-blue",
                     "result": {"reason": "no moves", "scores": [9, 7], "ranks": [1, 1], "points": [0.5, 0.5],
                                "verdict": {"kind": "draw", "seat": None, "detail": ODD}}},
        }


def test_a_store_of_the_version_before_is_read_and_continued(new_store: str) -> None:
    with closing(Store.open(new_store)) as store, store.writing() as connection:
        connection.exec_driver_sql("UPDATE schema SET version = 1")
    with closing(Store.open_read_only(new_store)) as store, store.writing() as connection:
        assert connection.exec_driver_sql("SELECT version FROM schema").scalar() == 1
    with closing(Store.open(new_store)) as store, store.writing() as connection:
        assert connection.exec_driver_sql("SELECT version FROM schema").scalar() == 2


def test_a_store_without_the_tables_of_analysis_gets_them_when_it_is_opened(new_store: str) -> None:
    with closing(Store.open(new_store)) as store:
        add(store, a_game("g1"))
        with store.writing() as connection:
            for table in ("analyses", "reviews", "studies"):
                connection.exec_driver_sql(f"DROP TABLE {table}")
    with closing(Store.open_read_only(new_store)) as store:    # which changes nothing
        assert size_of(store) >= 0
        assert prune(store, Retention(), is_dry=True) == Pruned(0, 0, 0)
    with closing(Store.open(new_store)) as store:
        assert store.game("g1") == a_game("g1")
        with store.transaction() as tx:
            tx.keep_analysis("position", "{}", 1.0)
        assert store.analysis("position") == "{}"


@pytest.mark.parametrize("damage", [
    "seats = '[1'", "seats = '[{\"colour\": 1}]'", "summary = '[1]'", "limits = '3'", "created = 'soon'",
    "seats = CAST(x'22ff22' AS TEXT)", "phase = CAST(x'6f766572ff' AS TEXT), id = 'g2'",
])
def test_a_damaged_row_is_left_out_and_noted(tmp_path: Path, damage: str) -> None:
    with closing(Store.open(str(tmp_path / "games.db"))) as store:
        add(store, *(a_game(f"g{n}", phase="over", ended=float(n)) for n in range(4)))
        with store.writing() as connection:
            connection.exec_driver_sql(f"UPDATE games SET {damage} WHERE id = 'g2'")
        assert [game.id for game in store.recent(10)[0]] == ["g3", "g1", "g0"]
        if "phase" not in damage:
            assert list(store.damaged) == ["g2"]
        with pytest.raises(DamagedError, match=r"the game g2 in .* is damaged: "):
            store.game("g2")


def test_a_damaged_event_is_named(tmp_path: Path) -> None:
    with closing(Store.open(str(tmp_path / "games.db"))) as store:
        add(store, a_game("g1"))
        with store.transaction() as tx:
            tx.append("g1", move(0))
        with store.writing() as connection:
            connection.exec_driver_sql("UPDATE events SET data = '{\"seat\"'")
        with pytest.raises(DamagedError, match=r"the game g1 in .* is damaged: "):
            store.events("g1")


def test_what_is_not_there(store: Store) -> None:
    assert store.game("nobody") is None
    assert store.series("nobody") is None
    assert store.events("nobody") == []
    assert store.running() == store.recent(10)[0] == []
    assert store.open_series() == []
    assert store.games_of("nobody") == []


def test_games_are_listed_by_phase_and_age(store: Store) -> None:
    add(store, a_game("new", 3.0, phase="running"), a_game("old"), a_game("middle", 2.0, phase="running"))
    add(store, *(a_game(f"over{n}", 1.0, phase="over", ended=float(n)) for n in range(5)))
    assert [game.id for game in store.running()] == ["old", "middle", "new"]
    assert [game.id for game in store.recent(3)[0]] == ["over4", "over3", "over2"]


def test_series_and_their_games(store: Store) -> None:
    with store.transaction() as tx:
        for number in (1, 2, 3):
            tx.add_series(StoredSeries(f"s{number}", float(number), {}, ""))
        tx.add_game(a_game("g2", series="s1", number=2, phase="running"))
        tx.add_game(a_game("g1", series="s1", number=1, phase="over", ended=1.0))
        tx.add_game(a_game("g3", phase="over", ended=3.0))
    with store.transaction() as tx:
        tx.change_series("s2", is_open=False, settings={"wins": [3, 7]})
    assert [game.id for game in store.games_of("s1")] == ["g1", "g2"]
    assert store.games_of("s2") == []
    assert [series.id for series in store.open_series()] == ["s1", "s3"]
    assert store.series("s2") == StoredSeries("s2", 2.0, {"wins": [3, 7]}, "", is_open=False)


def test_a_game_changes(store: Store) -> None:
    add(store, a_game("g1"))
    given = (replace(SEATS[0], name=ODD, token="c" * 64), SEATS[1])
    with store.transaction() as tx:
        tx.add_series(StoredSeries("s1", 1.0, {}, ""))
        tx.change_game("g1", phase="over", ended=2.5, summary=Summary(plies=60), seats=given, series="s1")
    with store.transaction() as tx:
        tx.change_game("g1", following="g2")
    changed = a_game("g1", phase="over", ended=2.5, summary=Summary(plies=60), series="s1", following="g2")
    assert store.game("g1") == replace(changed, seats=given)


def test_what_cannot_be_changed(store: Store) -> None:
    add(store, a_game("g1"))
    with pytest.raises(StoreError, match="Unconsumed column names: colour"), store.transaction() as tx:
        tx.change_game("g1", colour="red")
    with pytest.raises(StoreError, match="no games with the id nobody"), store.transaction() as tx:
        tx.change_game("nobody", phase="over")
    with pytest.raises(StoreError, match="no series with the id nobody"), store.transaction() as tx:
        tx.change_series("nobody", settings={})


def test_an_event_is_kept_once(store: Store) -> None:
    add(store, a_game("g1"), a_game("g2"))
    for _ in range(2):    # again is no harm
        with store.transaction() as tx:
            tx.append("g1", move(0))
            tx.append("g1", move(0))
    with pytest.raises(StoreError, match="events already has another row g1 0"), store.transaction() as tx:
        tx.append("g2", move(0))
        tx.append("g1", move(0, "d6"))
    assert store.events("g1") == [move(0)]
    assert store.events("g2") == [], "a transaction is kept whole or not at all"


def test_an_id_is_given_once(store: Store) -> None:
    add(store, a_game("g1"), a_game("g1"))
    with pytest.raises(StoreError, match="games already has another row g1"):
        add(store, a_game("g1", created=2.0))
    series = StoredSeries("s1", 1.0, {"a": [1]}, "")
    with store.transaction() as tx:
        tx.add_series(series)
        tx.add_series(series)
    with pytest.raises(StoreError, match="series already has another row s1"), store.transaction() as tx:
        tx.add_series(replace(series, settings={}))
    assert store.running() == [a_game("g1")]


def test_events_belong_to_a_game_and_games_to_a_series(store: Store) -> None:
    with pytest.raises(StoreError, match=r"(?i)foreign key"), store.transaction() as tx:
        tx.append("nobody", move(0))
    with pytest.raises(StoreError, match=r"(?i)foreign key"), store.transaction() as tx:
        tx.add_game(a_game("g1", series="nobody"))
    assert store.events("nobody") == []


def test_numbers_that_are_none_are_refused(store: Store) -> None:
    add(store, a_game("g1"))
    with pytest.raises(ValueError, match="float values"), store.transaction() as tx:
        tx.append("g1", structs.replace(move(0), seconds=float("nan")))
    assert store.events("g1") == []


def test_a_failed_attempt_leaves_the_rest(store: Store) -> None:
    add(store, a_game("g1"))
    with store.transaction() as tx:
        tx.append("g1", move(0))
        with pytest.raises(StoreError), tx.attempt():
            tx.append("g1", move(1))
            tx.append("nobody", move(0))
        tx.append("g1", move(2))
    assert [event.number for event in store.events("g1")] == [0, 2]


def test_a_transaction_that_is_left_by_an_error_keeps_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.transaction() as tx:
        tx.add_game(a_game("g1"))
        raise ZeroDivisionError
    assert store.game("g1") is None


def test_readers_see_what_is_complete_and_wait_for_nobody(store: Store) -> None:
    with store.transaction() as tx:
        tx.add_game(a_game("g1"))
        assert store.running() == []
    assert len(store.running()) == 1


def test_many_threads_write_at_once(store: Store) -> None:
    add(store, *(a_game(f"g{number}") for number in range(4)))

    def write(number: int) -> None:
        for event in range(10):
            with store.transaction() as tx:
                tx.append(f"g{number}", move(event))
                tx.note_batch(f"w{number}", tx.last_batch(f"w{number}") + 1)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(4):
        assert store.events(f"g{number}") == [move(event) for event in range(10)]
    with store.transaction() as tx:
        assert [tx.last_batch(f"w{number}") for number in range(5)] == [10, 10, 10, 10, 0]
        tx.forget_writer("w1")
        assert tx.last_batch("w1") == 0


def test_many_open_a_new_store_at_once(new_store: str) -> None:
    errors: list[BaseException] = []

    def open_it() -> None:
        try:
            Store.open(new_store).close()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_a_store_of_a_later_version_is_left_alone(new_store: str) -> None:
    with closing(Store.open(new_store)) as store, store.writing() as connection:
        connection.exec_driver_sql("UPDATE schema SET version = 3")
    with pytest.raises(StoreError, match="its tables have version 3, this one reads version 2; upgrade"):
        Store.open(new_store)


def test_somebody_elses_database_is_left_alone(new_store: str) -> None:
    with closing(Store.open(new_store)) as store, store.writing() as connection:
        connection.exec_driver_sql("DROP TABLE schema")
    with pytest.raises(StoreError, match="is the database of another program; use another store"):
        Store.open(new_store)


def test_sqlite_is_set_up_to_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folders" / "games.db"
    with closing(Store.open(str(path))) as store, store.writing() as connection:
        settings = [connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                    for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")]
    assert settings == ["wal", 2, 1, 10_000]


def test_places_where_no_store_can_be(tmp_path: Path) -> None:
    text, other = tmp_path / "text", tmp_path / "other.db"
    text.write_text("This is a text, long enough to be taken for a file that somebody needs. " * 10)
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE bookmarks (address TEXT)")
    for place, sentence in (
        (tmp_path, "is a folder; name a file in it"),
        (text, "is not a database; use another store"),
        (text / "games.db", "the folder .* cannot be created: (File exists|Not a directory)"),
        (other, "is the database of another program"),
        ("/proc/games.db", "cannot be (used|written)"),
    ):
        with pytest.raises(StoreError, match=sentence):
            Store.open(str(place))
    assert "a text" in text.read_text()


def test_a_folder_that_may_not_be_written() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        with ordinary_user(), pytest.raises(StoreError, match="cannot be written; choose another place"):
            Store.open(f"{folder}/games.db")
        with ordinary_user(), pytest.raises(StoreError, match=r"cannot be created: Permission denied"):
            Store.open(f"{folder}/data/games.db")


@pytest.mark.parametrize(("url", "sentence"), [
    ("mysql://localhost/games", "a store is a file or postgresql://user@host/name, not mysql://"),
    ("sqlite://", "a store is a file or postgresql://user@host/name, not sqlite://"),
    ("://games", "this is not the URL of a store; write postgresql://user@host/name"),
    ("postgresql://host:port/games", "this is not the URL of a store"),
])
def test_urls_that_are_none(url: str, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence):
        Store.open(url)


def test_sqlite_by_url(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    Store.open(f"sqlite:///{path}").close()
    assert path.exists()


def test_a_server_that_is_not_there_or_has_no_such_database(postgres: Postgres, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match=r"cannot be used: .*No such file or directory") as caught:
        Store.open(f"postgresql://ann:secret@/games?host={tmp_path}")
    assert "secret" not in str(caught.value)
    with pytest.raises(StoreUnavailableError, match='database "nothing" does not exist'):
        Store.open(f"postgresql://tests@/nothing?host={postgres.folder}")


@pytest.mark.parametrize(("module", "extra"), [("sqlalchemy", "arena"), ("psycopg", "postgres")])
def test_what_is_not_installed_is_named(module: str, extra: str) -> None:
    program = f"""
import sys
sys.modules["{module}"] = None
from polyversi.games.errors import PolyversiError
try:
    from polyversi.storage.games import Store
    Store.open("postgresql://localhost/games")
except PolyversiError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert f"pip install 'polyversi[{extra}]'" in said
