"""The catalogue: on every variant the page offers who plays it best, under a name that people can read."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import msgspec
import pytest

import polyversi as pv
from polyversi.contest.export import files_of
from polyversi.games import tiles, xtmap
from polyversi.games.tiles import XT_SYMBOLS
from polyversi.players import PLAYERS, options_of
from polyversi.players.hexareversi import GreedyPlayer
from polyversi.records import FORMATS, Format, jsonl
from polyversi.server import catalogue, contests, files
from polyversi.server.analysis.exports import Export, exported
from polyversi.server.app import make_live_app
from polyversi.server.bots import BotFolder
from polyversi.server.catalogue_answers import PlayerLabel
from polyversi.server.downloads import download, kinds
from polyversi.server.files import PAGE
from polyversi.server.new_game import MAX_TILES
from tests.testing.clock import until
from tests.testing.lobby import opened
from tests.testing.timeout import TIMEOUT

EVERY_SPEC = [variant.spec for family in catalogue.families() for variant in family.variants]
FIRST = {"othello": "polyversi", "anti": "polyversi", "hex": "polyversi", "hex:side=6,seats=3": "t77",
         "anti-hex:side=6,seats=3": "value", "othello-10": "stock", "anti-10": "t34", "rolit": "t77",
         "xt:starfish": "xt"}
"""Who is offered first."""


@pytest.mark.parametrize("spec", [*dict.fromkeys([*EVERY_SPEC, *FIRST])])
def test_those_who_play_a_game_are_offered_the_strongest_first(spec: str) -> None:
    game = pv.game(spec)
    listed = catalogue.players(game, BotFolder(None))
    suited = [player.name for player in listed if player.unsuited is None]
    assert [player.name for player in listed][:len(suited)] == suited
    strengths = [pv.player(name).strength_in(game) for name in suited]
    assert strengths == sorted(strengths, reverse=True) and len(suited) >= 4
    assert suited[0] == FIRST.get(spec, suited[0])
    offered = pv.player(suited[0], **{name: int(value) for name, value in listed[0].offered.items()})
    assert offered.unsuited(game) is None
    assert offered.choose(game.start(), pv.Limit(depth=1)) in game.start().moves


def test_players_have_names_and_sentences_for_people() -> None:
    listed = catalogue.players(pv.game("othello"), BotFolder(None))
    labels = [player.label for player in listed]
    assert len(set(labels)) == len(labels)
    for player in listed:
        options = msgspec.to_builtins(player.options)
        assert player.label[0].isupper() and player.sentence.endswith(".")
        level = next((option for option in options if option["name"] == "level"), None)
        levels = len(level["choices"]) or level["high"] if level else 0
        assert len(player.levels) == levels and len(set(player.levels)) == levels
        assert all(sentence.endswith(".") for sentence in player.levels)
        if level:
            assert 1 < int(player.offered["level"]) < level["default"]
    named = {player.name: player for player in catalogue.player_labels(BotFolder(None))}
    assert named.keys() == PLAYERS.keys()
    assert named["t77"] == PlayerLabel("t77", PLAYERS["t77"].label, None)
    assert named["six-factor"].level == next(
        option.default for option in options_of(PLAYERS["six-factor"]) if option.name == "level")


def test_what_the_page_offers_first_is_there() -> None:
    arena = pv.game(catalogue.ARENA.variant)
    offered = {player.name: player.unsuited for player in catalogue.players(arena, BotFolder(None))}
    assert arena.seats == 2 and arena.spec in EVERY_SPEC
    assert [offered[name] for name in catalogue.ARENA.players] == [None, None]
    taken = {option.name for cls in PLAYERS.values() for option in options_of(cls)}
    assert taken >= set(catalogue.quiet_options())


def test_the_page_draws_maps_as_they_are_read() -> None:
    model = (PAGE / "views/editor/map-model.js").read_text()
    sides, stocks = [1, xtmap.MAX_SIDE], [0, xtmap.MAX_STOCK]
    bounds = {"players": [2, 8], "overrides": stocks, "bombs": stocks, "radius": [0, xtmap.MAX_BYTE],
              "width": sides, "height": sides}
    written = dict(re.findall(r"^  (\w+): (\[\d+, \d+\]),$", model, re.MULTILINE))
    assert {name: json.loads(text) for name, text in written.items()} == bounds
    for seats in (1, 9):
        with pytest.raises(pv.MapError, match="from 2 to 8"):
            xtmap.XtMap.parse(f"{seats} 0 0 0  1 3  0 1 2")
    constants = dict(re.findall(r'^export const (\w+) = "?([^";]+)"?;$', model, re.MULTILINE))
    assert int(constants["MAX_TILES"]) == MAX_TILES
    assert constants["SYMBOLS"] == "".join(XT_SYMBOLS[tile] for tile in range(len(XT_SYMBOLS)))
    assert (constants["FREE"], constants["HOLE"]) == (XT_SYMBOLS[tiles.EMPTY], XT_SYMBOLS[tiles.HOLE])
    numbers = re.findall(r"^export const (EMPTY|HOLE|CHOICE|INVERSION|BONUS|EXPANSION) = (\d+);$",
                         (PAGE / "board/config.js").read_text(), re.MULTILINE)
    assert len(numbers) == 6 and all(getattr(tiles, name) == int(number) for name, number in numbers)


def test_a_player_of_ones_own_has_a_name_in_words() -> None:
    class MyOwn(pv.Player):
        """Plays the first move. And no other."""

        def choose(self, state: pv.State, limit: pv.Limit = pv.NO_LIMIT) -> pv.Move:
            return state.moves[0]

    class Named(GreedyPlayer):
        label = "Big eater"

    try:
        pv.register_player("my-own", MyOwn)
        pv.register_player("named", Named)
        assert (PLAYERS["my-own"].label, PLAYERS["my-own"].sentence) == ("My own", "Plays the first move.")
        assert PLAYERS["named"].label == "Big eater"
    finally:
        for name in ("my-own", "named"):
            del PLAYERS[name]


@pytest.mark.parametrize(("path", "where", "what"), [
    ("/page/bundle/app/main.js", files, "_bundled"), ("/api/variants", catalogue, "families")])
def test_others_are_answered_while_something_is_made_for_the_first_time(
        path: str, where: ModuleType, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make, is_begun, may_end = getattr(where, what), threading.Event(), threading.Event()

    def make_slowly() -> Any:
        is_begun.set()
        is_alone = not may_end.wait(TIMEOUT)
        may_end.set()
        assert not is_alone, "nothing else is done meanwhile"
        return make()

    async def evening() -> None:
        async with opened(tmp_path) as lobby:
            transport = httpx.ASGITransport(make_live_app(lobby))
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
                monkeypatch.setattr(where, what, make_slowly)
                asked = [asyncio.create_task(http.get(path)) for _ in range(10)]
                await until(is_begun.is_set)
                assert (await http.get("/api/games")).status_code == 200
                may_end.set()
                assert {answer.status_code for answer in await asyncio.gather(*asked)} == {200}

    asyncio.run(evening())


def test_a_format_is_offered_everywhere_once_it_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    two_seats = Format(
        name="results", suffixes=(".results", ".res"), sentence="The score of a game on each line.",
        looks=lambda head: False, decode=lambda stream, context: [], fit=lambda item: item,
        encode=lambda items: (str(item.game.spec).encode() for item in items), label="results",
        media_type="text/x-results", holds=lambda game: game.seats == 2, pasted="a list of results")
    monkeypatch.setitem(FORMATS, "results", two_seats)
    othello, three = pv.game("othello:start=parallel"), pv.game("hex:seats=3,start=ring")    # in no cache
    assert kinds()["results"].media_type == "text/x-results"
    shown = [[one.kind for one in catalogue.description(game).files] for game in (othello, three)]
    assert "results" in shown[0] and "results" not in shown[1]
    assert {".results", ".res"} <= set(catalogue.texts().suffixes)
    assert "a list of results" in catalogue.texts().pasted
    assert [one["label"] for one in files_of([othello])] == ["Games (GGF)", "Games (results)"]
    assert files_of([othello, three]) == []
    assert contests.files()["results"][0] == "text/x-results"
    record = pv.play("othello-4", ["random:seed=1", "random:seed=2"]).record
    assert download(record, "results", 0) == b"othello-4"
    assert exported(Export(jsonl.write(record), "results")) == "othello-4"


def test_the_page_learns_whether_a_set_up_is_random() -> None:
    assert catalogue.description(pv.game("othello")).drawn is False    # an empty list would be true for it
    assert catalogue.description(pv.game("hex")).drawn is True
