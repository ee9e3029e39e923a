"""The store's own games in the explorer: counted as they end, of older stores too, each once."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import polyversi as pv
from polyversi.gameplay.log import GameLog
from polyversi.storage.explorer import Explorer
from polyversi.storage.explorer_feed import Feed, beside, count_all
from polyversi.storage.games import Store, StoredGame, StoredSeat
from polyversi.storage.stored import Retention
from tests.testing.waiting import until

PERSON, COMPUTER = StoredSeat("human", name="Ann", token="a" * 64), StoredSeat("computer", "random", "random")


def put(store: Store, id: str, seats: tuple[StoredSeat, ...] = (PERSON, COMPUTER), *, seed: int = 1,
        spec: str = "othello-6") -> None:
    """A game as a room stores it: first it runs, and then it is over."""
    log = GameLog(pv.game(spec).start())
    pv.play(log.start, [pv.player("random", seed=seed), pv.player("random", seed=seed + 1)],
            observers=[log.apply])
    stored = StoredGame(id, spec, "", log.start.text, seats, ("none", "none"), created=1.6e9, phase="running")
    with store.transaction() as tx:
        tx.add_game(stored)
        for event in log.events:
            tx.append(id, event)
    with store.transaction() as tx:
        tx.change_game(id, phase="over", ended=1.6e9)


def test_games_are_counted_when_they_end_and_those_that_ended_before(new_store: str) -> None:
    with closing(Store.open(new_store)) as store, closing(Explorer.open(beside(new_store))) as explorer:
        put(store, "before", seed=1)
        feed = Feed(store, explorer)
        feed.start()
        until(lambda: explorer.size[0] >= 1)
        put(store, "later", seed=5)
        until(lambda: explorer.size[0] >= 2)
        feed.close()
        report = explorer.at(pv.game("othello-6").start())
        assert report.games == 2
        assert {example.stored for example in report.examples} == {"before", "later"}
        assert report.examples[0].year == 2020 and len(report.examples[0].players) == 2
        put(store, "after the end", seed=9)
        count_all(store, explorer)    # as the next start does
        count_all(store, explorer)
        assert explorer.at(pv.game("othello-6").start()).games == 3


def test_uploads_damaged_games_and_too_many_of_computers_are_left_out(tmp_path: Path) -> None:
    with (closing(Store.open(str(tmp_path / "games.db"))) as store,
          closing(Explorer.open(str(tmp_path / "explorer.db"))) as explorer):
        put(store, "upload", (replace(PERSON, token=""), replace(PERSON, token="")))
        put(store, "computers", (COMPUTER, COMPUTER))
        put(store, "people")
        put(store, "damaged")
        with store.transaction() as tx:
            tx.change_game("damaged", start="no position")
        store.retention = Retention(megabytes=0.001)
        count_all(store, explorer, megabytes=store.retention.megabytes)
        assert counted(explorer) == {"people"}
        count_all(store, explorer)
        assert counted(explorer) == {"people", "computers"}


def counted(explorer: Explorer) -> set[str]:
    return {example.stored for example in explorer.at(pv.game("othello-6").start()).examples}
