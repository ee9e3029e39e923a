"""Games taken away from a real server in every form, and brought back to it."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import multiprocessing
import os
import select
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import httpx
import pytest
from PIL import Image

import polyversi as pv
from polyversi.gameplay import StartEvent, Undo
from polyversi.gameplay.events import Event, MoveEvent
from polyversi.gameplay.seat import Resign
from polyversi.games.errors import RecordError
from polyversi.players.group6 import near
from polyversi.records import FORMATS, Bounds, Record, parse, write
from polyversi.records.maps import named_game
from polyversi.records.record import read_move
from polyversi.server import downloads, paste, workshop
from polyversi.server.catalogue import description
from polyversi.server.downloads import Renderer
from polyversi.server.messages import MoveMessage, RequestMessage
from polyversi.server.paste import recognise
from polyversi.server.rulebook import rulebook
from tests.testing import http
from tests.testing.clock import until
from tests.testing.lobby import opened
from tests.testing.marks import slow
from tests.testing.page_server import Served
from tests.testing.timeout import TIMEOUT


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


def finished(server: Served, spec: str = "othello-4", seats: int = 2) -> str:
    """A game that computers have played."""
    name: str = server.new_game(spec, *[f"random:seed={seed}" for seed in range(seats)])["game"]
    with server.visit(name) as eve:
        while eve.hear(Event).kind != "end":
            pass
    return name


def fetch(server: Served, path: str) -> httpx.Response:
    answer = http.get(server.address + path)
    assert answer.status_code == 200, answer.text
    return answer


@pytest.mark.parametrize(("spec", "seats"), [
    slow("othello-4", 2), ("hex:side=3", 2), ("xt:arena,players=3", 3),
])
def test_a_record_comes_back_as_the_same_game(server: Served, spec: str, seats: int) -> None:
    name = finished(server, spec, seats)
    saved = fetch(server, f"/games/{name}.jsonl").content
    (record,) = parse(saved)
    assert isinstance(record, Record)
    assert record.game == pv.game(spec)
    opened = http.post(f"{server.address}/api/records", content=saved)
    (again,) = opened.json()["games"]
    first, second = (server.get(f"/api/games/{one}") for one in (name, again))
    for key in ("spec", "players", "plies", "position", "scores", "phase"):
        assert first[key] == second[key]
    assert first["result"]["ranks"] == second["result"]["ranks"]


def test_a_log_of_an_xt_server_is_opened(server: Served) -> None:
    finished = pv.play("xt:torus,players=2", ["random:seed=1", "random:seed=2"])
    log = FORMATS["xt-log"]
    data = b"".join(log.encode([log.fit(finished.record)]))
    opened = http.post(f"{server.address}/api/records", content=data)
    (name,) = opened.json()["games"]
    shown = server.get(f"/api/games/{name}")
    assert shown["position"] == finished.record.final.text
    assert shown["players"] == ["random:seed=1", "random:seed=2"]
    cut = http.post(f"{server.address}/api/records", content=data[:-20])
    assert cut.status_code == 400 and ": the log ends here, but the game has not ended after" in cut.text


@pytest.mark.slow
def test_pictures_and_text_of_any_move(server: Served) -> None:
    name = finished(server)
    (record,) = parse(fetch(server, f"/games/{name}.jsonl").content)
    assert isinstance(record, Record)
    states = list(record.states())
    assert states[3].text in fetch(server, f"/games/{name}.txt?ply=3").text
    assert record.final.text in fetch(server, f"/games/{name}.txt").text
    svg = fetch(server, f"/games/{name}.svg?ply=2")
    assert svg.headers["content-type"] == "image/svg+xml"
    assert svg.text.startswith("<svg")
    png = Image.open(io.BytesIO(fetch(server, f"/games/{name}.png?ply=2").content))
    assert png.format == "PNG"
    gif = Image.open(io.BytesIO(fetch(server, f"/games/{name}.gif").content))
    assert (gif.format, getattr(gif, "n_frames", 0)) == ("GIF", len(states))
    assert "GM[Othello]" in fetch(server, f"/games/{finished(server, 'othello')}.ggf").text


def test_a_file_of_several_games(server: Served) -> None:
    answer = http.post(f"{server.address}/api/records", content=b"f5d6c3\nf5f6e6f4\n")
    games = answer.json()["games"]
    assert [server.get(f"/api/games/{game}")["plies"] for game in games] == [3, 4]
    assert server.get(f"/api/games/{games[0]}")["result"]["verdict"]["kind"] == "aborted"


def bound(monkeypatch: pytest.MonkeyPatch, bounds: Bounds) -> None:
    """Has files bounded so while they are read and while their games are taken in."""
    for module in (paste, downloads):
        monkeypatch.setattr(module, "BOUNDS", bounds)


def test_many_long_games_are_too_much_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bound(monkeypatch, Bounds(tiles=100, moves=100, cells=64 * 8))
    assert len(recognise(b"f5d6c3\nf5f6e6\n").games) == 2
    with pytest.raises(RecordError, match="too many games, or too long"):
        recognise(b"f5d6c3\nf5f6e6\nf5d6c3\n")
    with pytest.raises(RecordError, match="too many games, or too long"):
        recognise(b"f5d6c3d3c4f4f6f3e6e7\n")    # one alone is bounded as well


@pytest.mark.parametrize(("size", "moves", "most"), [(3, 20_001, "20,000"), (50, 12_801, "12,800")])
def test_a_game_that_is_too_long_is_refused_before_it_is_played(size: int, moves: int, most: str) -> None:
    chart = f"2 9999 0 0  {size} {size}  1 2 {'0 ' * (size * size - 2)}"
    line = {"polyversi": 1, "game": "xt:long", "map": chart, "moves": ["0,0"] * moves}    # none is legal
    with pytest.raises(RecordError, match=f"line 1: the game has more than {most} moves; longer"):
        recognise(json.dumps(line).encode())


def test_a_log_of_a_server_is_bounded_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    finished = pv.play("xt:torus,players=2", ["random:seed=1", "random:seed=2"])
    log = FORMATS["xt-log"]
    data = b"".join(log.encode([log.fit(finished.record)]))
    most = len(finished.record.moves)
    for moves in (most, most - 1):
        bound(monkeypatch, Bounds(tiles=10_000, moves=moves, cells=32_000_000))
        if moves == most:
            assert len(recognise(data).games) == 1
        else:
            with pytest.raises(RecordError, match=f"the game has more than {moves:,} moves"):
                recognise(data)


def large_game() -> tuple[Record, bytes]:
    """A game of 400 moves on a board of 10,000 cells, and its file."""
    chart = f"2 0 0 0  100 100  {'0 ' * 5049} 1 2 {'0 ' * 98} 2 1 {'0 ' * 4849}"
    state = start = named_game("xt:large", chart).start()
    moves = []
    for number in range(400):
        moves.append(state.moves[number * 7919 % len(state.moves)])
        state = state.play(moves[-1])
    record, saved = Record(start, tuple(moves)), io.BytesIO()
    write([record], saved, "jsonl")
    return record, saved.getvalue()


def test_a_long_game_on_a_large_board_takes_little_memory(tmp_path: Path) -> None:
    """Neither what is uploaded nor a room has a position, of 10 KB, for every move."""
    _, data = large_game()
    ((stored, events),) = recognise(data).games
    assert sum(len(getattr(event, "position", "")) for event in events) < 150_000

    async def evening() -> None:
        async with opened(tmp_path) as lobby:
            await lobby.store_game(stored, events)
            room = lobby.restore(stored)
            assert len(room.lines) == len(events) and room.lines.size < 1_500_000
            assert sum(len(getattr(event, "position", "")) for event in room.log.events) < 150_000
            plies = room.log.plies
            assert plies[1].before is not plies[1].before    # it is played again, not kept

    asyncio.run(evening())


def test_a_long_game_on_a_large_board_takes_little_room(server: Served) -> None:
    """Its positions, 10 KB each, are not stored with every move."""
    record, saved = large_game()
    before = stored_bytes(server)
    opened = http.post(f"{server.address}/api/records", content=saved)
    (name,) = opened.json()["games"]
    assert stored_bytes(server) - before < 200_000
    with server.visit(name) as eve:    # and everybody gets all of them
        positions = [event.position for _ in range(402) if isinstance(event := eve.hear(Event), MoveEvent)]
    assert positions == [state.text for state in list(record.states())[1:]]
    assert fetch(server, f"/games/{name}.jsonl").content.count(b'","') > 380


def stored_bytes(server: Served) -> int:
    """What the games of a store have in it."""
    with closing(sqlite3.connect(server.store)) as store:
        sums = ("SELECT sum(length(data)) FROM events", "SELECT sum(length(map) + length(start)) FROM games")
        return sum(store.execute(size).fetchone()[0] or 0 for size in sums)


def test_games_on_the_largest_maps_are_not_taken_in() -> None:
    chart = f"2 0 0 0  101 100  1 2 0 {'- ' * 10_097}"
    line = json.dumps({"polyversi": 1, "game": "xt:large", "map": chart, "moves": ["2,0"]}).encode()
    (record,), log = parse(line), io.BytesIO()
    write([record], log, "xt-log")
    for data in (line, log.getvalue(), chart.encode()):
        assert len(list(parse(data))) == 1
        with pytest.raises(RecordError, match="the map has 10,100 tiles; at most 10,000 are possible here"):
            recognise(data)


def test_names_of_a_record_are_bounded() -> None:
    record = {"polyversi": 1, "game": "othello", "players": ["x" * 9000, "\x1b[2J"], "moves": []}
    ((stored, events),) = recognise(json.dumps(record).encode()).games
    assert [seat.name for seat in stored.seats] == ["x" * 39 + "…", "?[2J"]
    assert isinstance(events[0], StartEvent) and events[0].players == ("x" * 39 + "…", "?[2J")


def test_a_download_is_of_the_game_as_it_is_now(server: Served) -> None:
    new = server.new_game("othello-4", "me", "me")
    path = f"/games/{new['game']}"
    with server.visit(new["game"], new["token"]) as ann:
        ask = ann.hear(RequestMessage)
        ann.say(MoveMessage(ask.number, ask.moves[0].text))
        ann.hear(RequestMessage)
        first = fetch(server, path + ".txt").text
        ann.say(Undo())
        again = ann.hear(RequestMessage)
        ann.say(MoveMessage(again.number, again.moves[1].text))
        ann.hear(RequestMessage)
        assert fetch(server, path + ".txt").text != first
        assert b"resigned" not in fetch(server, path + ".jsonl").content
        ann.say(Resign())
        while ann.hear(Event).kind != "end":
            pass
        assert b"resigned" in fetch(server, path + ".jsonl").content
        answer = http.post(f"{server.address}/api{path}/hint", json={"token": new["token"]})
        assert (answer.status_code, answer.json()["problem"]) == (403, "the game is over")


def test_what_a_bomb_reaches(server: Served) -> None:
    name = finished(server, "xt:arena,players=2")
    plies = server.get(f"/api/games/{name}")["plies"]
    (record,) = parse(fetch(server, f"/games/{name}.jsonl").content)
    assert isinstance(record, Record)
    last = plies - 1
    before, move = list(record.states())[last], record.moves[last]
    told = server.get(f"/api/games/{name}/turned?ply={last}&move={move}")
    assert told["cells"] == list(before.turned(move))


@pytest.mark.parametrize(("check", "problem"), [
    ({"spec": "othello-4", "position": "-----OX--XO----- X"}, None),
    ({"spec": "othello-4", "position": "-----OX--XO----- Z"}, "'Z' is not a seat to move"),
    ({"map": "2 0 0 0  1 3  0 1 2"}, None),
    ({"map": "2 0 0 0  1 3  0 1 9"}, "line 1, column 19: '9' is not a tile"),
    ({"map": "2 0 0 0  1 3  0 1 1"}, "the map has neither a move nor a bomb"),
    ({"map": f"2 1 1 1  100 100  1 2 0 {'- ' * 9997}"}, None),
    ({"map": f"2 1 1 1  101 100  {'0 ' * 10_100}"}, "the map has 10,100 tiles; at most 10,000 are possible"),
])
def test_checks_of_the_editor(server: Served, check: object, problem: str | None) -> None:
    told = server.post("/api/check", check)
    if problem is None:
        assert told["problem"] is None
        assert told["moves"]
        assert told["description"]["plan"]["names"]
    else:
        assert problem in told["problem"]
        assert told["line"] == (1 if "line" in problem else None)


@pytest.mark.slow
def test_the_studio_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.start()
    fetch(served, f"/games/{finished(served)}.png")
    threads = Path(f"/proc/{served.pid}/task").iterdir()
    children = " ".join(Path(thread, "children").read_text() for thread in threads)
    workers = [int(child) for child in children.split()]
    assert workers
    ends = [os.pidfd_open(worker) for worker in workers]
    served.kill()
    for end in ends:    # readable when the process has ended
        assert select.select([end], [], [], TIMEOUT)[0]
        os.close(end)


@pytest.mark.slow
def test_nobody_waits_for_a_film_and_one_that_is_called_off_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer, record = Renderer(), pv.play("rolit", ["random"] * 4, seed=1).record

    async def evening() -> None:
        film = asyncio.create_task(renderer.render("a", record, "gif", None, "Ann"))
        await until(lambda: renderer.processes)
        (process,) = renderer.processes
        os.kill(process, signal.SIGSTOP)    # from now on it takes for ever
        more = asyncio.create_task(renderer.render("b", record, "gif", None, "Ann"))
        for kind, start in {"txt": b"rolit", "jsonl": b"{", "svg": b"<svg", "png": b"\x89PNG"}.items():
            assert (await renderer.render("a", record, kind, 3, "Bob")).startswith(start)
        assert not film.done() and not more.done()
        film.cancel()
        with pytest.raises(asyncio.CancelledError):
            await film
        assert not Path(f"/proc/{process}").exists()
        assert (await more).startswith(b"GIF")
        (left,) = renderer.processes    # the same for all
        renderer.close()
        assert not Path(f"/proc/{left}").exists()

    asyncio.run(evening())


def test_a_film_on_the_page_has_so_many_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    record = pv.play("othello-6", ["random"] * 2, seed=1).record
    for frames, cells in ((5, 20_000), (120, 36 * 5)):
        monkeypatch.setattr(downloads, "FRAMES", frames)
        monkeypatch.setattr(downloads, "CELLS", cells)
        film = Image.open(io.BytesIO(downloads.download(record, "gif", 0)))
        assert 2 <= getattr(film, "n_frames", 0) <= 5


@pytest.mark.slow
def test_games_on_maps_of_their_own_are_not_kept_with_their_moves() -> None:
    """Nor are all the ways to write a move."""
    def games() -> int:
        gc.collect()
        return sum(isinstance(one, pv.Game) for one in gc.get_objects())

    def chart(columns: int, more_rows: int = 0) -> str:
        rest = "0 " * (columns - 2)
        return f"2 0 0 0  {2 + more_rows} {columns}  1 2 {rest} 2 1 {rest}" + f"0 0 {rest}" * more_rows

    def read(columns: int, move: str) -> None:
        line = {"polyversi": 1, "game": "xt:own", "map": chart(columns), "moves": [move]}
        assert len(recognise(json.dumps(line).encode()).games) == 1

    before = games()
    for columns in range(4, 100):
        read(columns, "2,0")
    assert games() - before < 50
    before = games()
    for columns in range(200, 280):
        large = named_game("xt:own", chart(columns, 2))
        assert description(large).plan and rulebook(large).sections and near(large.board, 1).size
    assert games() - before < 20    # the last maps are other ones, and little else
    arena = pv.game("xt:arena")
    for spaces in range(2000):
        assert read_move(arena, f"5,5{' ' * spaces}:0") == arena.move("5,5")
    assert sum(map(len, arena.known_moves)) < 50_000


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_worker_whose_server_was_killed_ends_in_silence(is_asked: bool) -> None:
    spawning = multiprocessing.get_context("spawn")
    ours, theirs = spawning.Pipe()
    worker = spawning.Process(target=workshop.serve, args=[theirs], daemon=True)
    worker.start()
    theirs.close()
    if is_asked:
        ours.send(partial(downloads.download, Record(pv.game("othello").start()), "svg", 0))
    ours.close()
    worker.join(TIMEOUT)
    assert worker.exitcode == 0
