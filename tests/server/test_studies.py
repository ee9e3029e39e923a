"""Studies: kept in either store, changed only with their token, bounded, and gone after a while."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from polyversi.games.errors import PolyversiError
from polyversi.records import Record, jsonl
from polyversi.server.analysis import studies as module
from polyversi.server.analysis.studies import ChangedStudy, NewStudy, Studies, checked
from polyversi.server.bots import BotFolder
from polyversi.server.limits import TooManyError
from polyversi.server.lobby import Lobby
from polyversi.server.responses import HttpError
from polyversi.storage.games import Store
from polyversi.storage.retention import Pruned, prune
from polyversi.storage.stored import Retention
from tests.testing import http
from tests.testing.page_server import Served
from tests.testing.timeout import TIMEOUT

VISITOR = "192.0.2.7"


def study(comment: str = "the diagonal opening") -> str:
    """A game with a variation and a comment on it."""
    tree = Record.of("othello", "f5d6c3").tree()
    tree.root.play("f5").play("f6").comment = comment
    return jsonl.write(tree.record())


def line(**more: Any) -> str:
    return json.dumps({"polyversi": 1, "game": "othello", "moves": ["f5", "d6"], **more})


def test_a_study_is_kept_read_and_changed_in_either_store(new_store: str) -> None:
    async def keep() -> None:
        store = Store.open(new_store)
        lobby = Lobby(store, BotFolder(None), lambda _: None)
        await lobby.start()
        studies = Studies(lobby)
        id, token = await studies.create(NewStudy(study()), VISITOR)
        assert (await studies.find(id)).record == study()
        changed = await studies.change(id, ChangedStudy(study("diagonal"), token))
        assert (await studies.find(id)) == changed
        assert jsonl.parse(changed.record) == jsonl.parse(study("diagonal"))
        for wrong in ("", token[:-1], token.upper(), id):
            with pytest.raises(HttpError) as refused:
                await studies.change(id, ChangedStudy(study("mine"), wrong))
            assert refused.value.status == 403
        assert (await studies.find(id)) == changed
        with pytest.raises(HttpError) as missing:
            await studies.find("nowhere")
        assert missing.value.status == 404
        await lobby.close()
        # A store that is opened again has it still; retention removes it when nobody has changed it for long.
        store.close()
        store = Store.open(new_store)
        assert store.study(id) == changed
        assert token not in str(store.study(id))
        assert prune(store, Retention(days=1, megabytes=0)) == Pruned(0, 0, 0, 0)
        with store.transaction() as write:
            old = replace(changed, updated=time.time() - 2 * 86_400)
            write.keep_study(old)
        assert prune(store, Retention(days=1, megabytes=0)) == Pruned(0, 0, 0, 1)
        assert store.study(id) is None
        store.close()

    asyncio.run(keep())


def test_nobody_keeps_too_many_studies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PER_VISITOR", 3)
    monkeypatch.setattr(module, "MAX_STUDIES", 6)

    async def flood() -> None:
        store = Store.open(str(tmp_path / "games.db"))
        lobby = Lobby(store, BotFolder(None), lambda _: None)
        await lobby.start()
        studies = Studies(lobby)
        kept = await asyncio.gather(*(studies.create(NewStudy(study()), VISITOR) for _ in range(8)),
                                    return_exceptions=True)
        assert sum(isinstance(one, TooManyError) for one in kept) == 5
        for _ in range(3):
            await studies.create(NewStudy(study()), "127.0.0.1")    # this machine may have any number
        with pytest.raises(TooManyError, match="on this server"):
            await studies.create(NewStudy(study()), "127.0.0.1")
        await lobby.close()
        store.close()

    asyncio.run(flood())


@pytest.mark.parametrize(("text", "problem"), [
    ("[" * 100_000, "expected object"),
    ('{"polyversi": 1, "game": ' + '{"a":' * 50_000, "expected str"),
    (line(moves=["f5"] * 20_000), "more than 5,000 moves"),
    (line(variations=[{"ply": 0, "moves": ["f5"] * 100}] * 60), "more than 5,000 moves"),
    (line(variations=[{"ply": 0, "moves": []}] * 9_000), "at least one move"),
    (line(variations=[{"ply": 1, "moves": ["f6"]}] * 2), "as another line does"),
    (line(variations=[{"ply": 1, "line": 7, "moves": ["f6"]}]), "line 7"),
    (line(variations=[{"ply": 9, "moves": ["f6"]}]), "variation 1"),
    (line(variations=[{"ply": 1, "moves": ["a1"]}]), "a1"),
    (line(game="xt:map", map="2 0 0 0  999 999  0"), "tiles"),
    (line(moves=[], answers=[["f5", None]]), "a position"),
    ("", "not JSON"),
])
def test_hostile_studies_are_refused_in_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(PolyversiError, match=problem) as refused:
        checked(text)
    assert len(str(refused.value)) < 400


def test_studies_over_http(tmp_path: Path) -> None:
    with Served(tmp_path) as server:
        made = server.post("/api/studies", {"record": study()})
        told = server.get(f"/api/studies/{made['id']}")
        assert told["record"] == study()
        where = f"{server.address}/api/studies/{made['id']}"
        changed = httpx.put(where, timeout=TIMEOUT, json={"token": made["token"], "record": study("new")})
        assert changed.status_code == 200
        assert changed.json()["updated"] >= told["updated"]
        assert httpx.put(where, timeout=TIMEOUT, json={"token": "x", "record": study()}).status_code == 403
        wrong = http.post(f"{server.address}/api/studies", json={"record": "x" * (1 << 19)})
        assert "too long" in wrong.json()["problem"]
        server.kill()
        server.start()
        assert "new" in server.get(f"/api/studies/{made['id']}")["record"]
