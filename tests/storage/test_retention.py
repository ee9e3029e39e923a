"""Retention: what a store lets go of, on SQLite and on PostgreSQL, and what it keeps whatever happens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from polyversi.gameplay.events import MoveEvent
from polyversi.storage import retention
from polyversi.storage.games import Store, StoredGame, StoredSeat, StoredSeries
from polyversi.storage.retention import Pruned, prune, size_of, sizes
from polyversi.storage.stored import Retention
from polyversi.storage.tables import ANALYSES, REVIEWS
from tests.testing.command import polyversi

DAY, HOUR = 86_400.0, 3600.0
ANN, IMPORTED = StoredSeat("human", name="Ann", token="a" * 64), StoredSeat("human", name="Ann")
COMPUTER, REMOTE = StoredSeat("computer", "random", "random"), StoredSeat("remote", name="group 1")


@pytest.fixture
def store(new_store: str) -> Iterator[Store]:
    """A store with a game of each kind, ended 40 and 20 days ago, and what goes on."""
    now = time.time()
    with closing(Store.open(new_store)) as opened:
        _fill(opened, now)
        yield opened


def _fill(store: Store, now: float) -> None:
    with store.transaction() as tx:
        for id, is_open in (("done", False), ("open", True)):
            tx.add_series(StoredSeries(id, now - 50 * DAY, {}, "", is_open))

        def add(id: str, days: float, *seats: StoredSeat, **more: Any) -> None:
            game = StoredGame(id, "othello", "", "--- X", seats, ("none", "none"), now - days * DAY,
                              phase="over", ended=now - days * DAY)
            tx.add_game(replace(game, **more))
            for number in range(10):
                tx.append(id, MoveEvent(number, 1, "m" * 1000, 0.0, (None, None), ""))

        for days in (40, 20):
            add(f"people {days}", days, ANN, COMPUTER)
            add(f"shown {days}", days, REMOTE, REMOTE)
            add(f"computers {days}", days, COMPUTER, COMPUTER)
            add(f"imports {days}", days + 1, IMPORTED, IMPORTED)
        add("of done", 39, COMPUTER, COMPUTER, series="done", number=1)
        add("of open", 39, COMPUTER, COMPUTER, series="open", number=1)
        add("running", 39, COMPUTER, COMPUTER, phase="running", ended=None)


def ids(store: Store) -> set[str]:
    return {game.id for game in [*store.recent(100)[0], *store.running()]}


def test_old_games_go_that_anybody_can_make(store: Store) -> None:
    everything, seen = ids(store), list[int]()
    planned = prune(store, Retention(30, 0), is_dry=True)
    assert (planned.games, planned.series, ids(store)) == (3, 1, everything)
    gone = prune(store, Retention(30, 0), progress=seen.append)
    assert (gone.games, gone.series, seen[-1]) == (3, 1, 3) and 30_000 < gone.bytes < 40_000
    assert everything - ids(store) == {"computers 40", "imports 40", "of done"}
    assert store.series("done") is None and store.series("open") is not None
    assert store.events("computers 40") == [] and len(store.events("computers 20")) == 10
    assert prune(store, Retention(30, 0)) == Pruned(0, 0, 0)


def test_a_store_that_is_too_large_lets_the_oldest_go(store: Store) -> None:
    """However much there is of what is kept for ever, the newest of the others stay."""
    assert size_of(store) > 100_000
    assert prune(store, Retention(0, 0.06)).games == 0    # there are five that may go, of 11.2 kB each
    assert prune(store, Retention(0, 0.040)).games == 2
    assert {"imports 40", "computers 40"}.isdisjoint(ids(store)) and "imports 20" in ids(store)
    with store.transaction() as tx:    # on a map of its own a game without moves is large, too
        chart = "0 " * 20_000
        tx.add_game(StoredGame("map", "xt:own", chart, "", (IMPORTED,), (), 0.0, phase="over", ended=1.0))
    assert prune(store, Retention(0, 0.060)).games == 1 and "map" not in ids(store)
    assert prune(store, Retention(0, 0.000001)).games == 3
    assert ids(store) == {"people 40", "people 20", "shown 40", "shown 20", "of open", "running"}


def test_nothing_goes_without_limits(store: Store) -> None:
    assert prune(store, Retention(0, 0)) == Pruned(0, 0, 0)


def test_the_command_shows_sizes_and_prunes(store: Store, new_store: str) -> None:
    counts = {kind: games for kind, (games, _) in sizes(store).items()}
    assert counts == {"people": 2, "shown": 2, "computers": 3, "imports": 2, "series": 2}
    assert "computers          3 games" in polyversi("store", "show", new_store).stdout
    dry = polyversi("store", "prune", new_store, "--dry-run")
    assert "3 games and 1 series would be removed" in dry.stdout
    assert "3 games and 1 series removed" in polyversi("store", "prune", new_store).stdout
    assert "computers 40" not in ids(store)


def test_what_the_engine_found_is_bounded_in_the_store(
        new_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "FOUND", {ANALYSES: 10, REVIEWS: 5})
    store, now = Store.open(new_store), time.time()
    with store.transaction() as write:
        for number in range(20):
            write.keep_analysis(f"position {number}", "{}", now - number * HOUR)
            write.keep_review(f"game {number}", "seconds=0.1", "{}", now - number * HOUR)
        write.keep_analysis("position 0", '{"depth": 9}', now)    # in place of the first
    assert prune(store, Retention(days=30, megabytes=0), is_dry=True).bytes > 0
    assert store.analysis("position 19") == "{}"
    prune(store, Retention(days=30, megabytes=0))
    assert [store.analysis(f"position {number}") for number in (0, 9, 10)] == ['{"depth": 9}', "{}", None]
    assert [store.review(f"game {number}", "seconds=0.1") for number in (4, 5)] == ["{}", None]
    assert store.reviews("game 4") == ["{}"]
    assert store.review("game 4", "seconds=1") is None
    prune(store, Retention(days=5.5 * HOUR / DAY, megabytes=0))
    assert store.analysis("position 9") is None
    prune(store, Retention(days=0, megabytes=1e-6))    # too large: half of what is left goes
    assert store.analysis("position 0")
    assert store.analysis("position 4") is None
    store.close()
