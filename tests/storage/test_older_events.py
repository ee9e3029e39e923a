"""Events that an earlier version stored: they are read, resumed and stored in the same form."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

import polyversi as pv
from polyversi.gameplay import GameLog
from polyversi.gameplay.events import event_data
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.storage.games import Store, StoredGame
from polyversi.storage.tables import EVENTS

GAMES = [json.loads(line) for line in (Path(__file__).parent / "older_events.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("told", GAMES, ids=lambda told: told["game"])
def test_games_of_an_older_store(told: dict[str, Any], tmp_path: Path) -> None:
    game = xt_game(XtMap.parse(told["map"])) if told["map"] else pv.game(told["game"])
    with closing(Store.open(str(tmp_path / "games.db"))) as store:
        with store.transaction() as tx:
            tx.add_game(StoredGame("g", game.spec, told["map"], told["start"], (), (), created=1.0))
        rows = [{"game": "g", "number": number, "kind": kind, "data": data}
                for number, kind, data in told["events"]]
        with store.writing() as connection:
            connection.execute(sql.insert(EVENTS), rows)
        events = store.events("g")
    log = GameLog(game.position(told["start"]), events)
    assert log.state.text == told["final"]
    assert [str(offence) for offence in log.offences] == told["offences"]
    assert log.end is not None and str(log.end.verdict) == told["verdict"]
    assert [json.loads(json.dumps(event_data(event))) for event in events] == [row["data"] for row in rows]
