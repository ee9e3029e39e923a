"""Clients of Reversi XT as bots: what they are told, what they may do, and what is left of them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.contest.match import Match
from polyversi.gameplay import Event, Finished, LocalSeat, Referee, Request, Seat, Undo, Verdict
from polyversi.gameplay.bots import Command
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.protocols.xt.announcer import Announcer
from polyversi.protocols.xt.client_seat import XtClientSeat, map_from
from tests.testing.clock import until
from tests.testing.marks import slow
from tests.testing.processes import nothing_left, run

ROOT = Path(__file__).parents[3]
TWO_SEATS = "2 1 1 0  4 4  0 0 0 0  0 1 2 0  0 2 1 b  0 0 0 0"
THREE_SEATS = "3 1 1 0  4 4  0 0 b 0  0 1 2 0  i 2 3 0  0 3 1 0"
LOG = "log.txt"
HANGING = (sys.executable, "-c", "import socket, sys, time; line = socket.create_connection(sys.argv[1:]); "
           "time.sleep(1000)", "{host}", "{port}")


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients may take as long as they like to read how a game ended."""
    monkeypatch.setattr("polyversi.gameplay.bots.process.EXIT_TIMEOUT", 30.0)


def words(folder: Path, *flags: str) -> tuple[str, ...]:
    """What runs the client of the tests; the folder is also what its processes are found by."""
    client = (sys.executable, "-m", "tests.testing.fake_xt_client")
    return (*client, "{host}", "{port}", str(folder / LOG), *flags)


def client(folder: Path, *flags: str) -> XtClientSeat:
    return XtClientSeat(Command(words(folder, *flags), ROOT), "client", pause=0.0)


def start_of(chart: str) -> pv.State:
    return xt_game(XtMap.parse(chart)).start()


def others(count: int) -> list[Seat]:
    return [LocalSeat(pv.player("random", seed=seed)) for seed in range(count)]


def play(seats: Sequence[Seat], start: pv.State, limit: pv.Limit | None = None, **more: Any) -> Finished:
    return run(Referee(start, seats, limit or pv.Limit(), **more).run())


def heard(folder: Path) -> list[str]:
    """What the client was told, a line a message."""
    return (folder / LOG).read_text().splitlines()


@pytest.mark.parametrize("number", [1, slow(2), slow(3)])
@pytest.mark.parametrize("seed", [0, slow(1), slow(2)])
def test_a_client_hears_of_everything(tmp_path: Path, number: int, seed: int) -> None:
    start, events = start_of(THREE_SEATS), list[Event]()
    seats: list[Seat] = [LocalSeat(pv.player("random", seed=7 * seed + place)) for place in range(3)]
    seats[number - 1] = client(tmp_path, "--loud")
    with nothing_left(tmp_path):
        finished = play(seats, start, observers=[events.append])
    announcer = Announcer(start)
    told = [str(frame) for event in events for frame in announcer.frames(event)]
    log = heard(tmp_path)
    assert [line for line in log if not line.startswith("Ask")] == [
        "connected", "Map", f"Number(seat={number})", *told]
    assert finished.offences == ()
    asked = [place for place, line in enumerate(log) if line.startswith("Ask")]
    assert all(log[place + 1].endswith(f"seat={number})") for place in asked)
    assert len(asked) == sum(state.turn == number for state in finished.record.states())


def test_it_hears_of_the_others_end_and_its_own(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
    seats = [client(folders[0]), client(folders[1], "--illegal"), client(folders[2])]
    with nothing_left(tmp_path):
        finished = play(seats, start_of(THREE_SEATS))
    assert [(offence.kind, offence.seat) for offence in finished.offences] == [("illegal move", 2)]
    for folder in folders:
        assert "Disqualified(seat=2)" in heard(folder)
    assert heard(folders[1])[-2:] == ["Disqualified(seat=2)", "closed"]
    assert heard(folders[0])[-1] == heard(folders[2])[-1] == "EndOfGame()"


@pytest.mark.parametrize(("limit", "asked"), [
    (pv.Limit(bank=50, increment=50), "Ask(milliseconds=50000, depth=0)"),
    (pv.Limit(seconds=20, depth=2), "Ask(milliseconds=20000, depth=2)"),
    (pv.Limit(depth=3), "Ask(milliseconds=0, depth=3)"),
    (pv.Limit(nodes=1000), "Ask(milliseconds=2000, depth=0)"),
], ids=str)
def test_it_is_told_what_it_may_spend(tmp_path: Path, limit: pv.Limit, asked: str) -> None:
    play([client(tmp_path), *others(1)], start_of(TWO_SEATS), limit)
    assert next(line for line in heard(tmp_path) if line.startswith("Ask")) == asked


@pytest.mark.parametrize(("flag", "kind", "detail"), [
    ("--crash", "disconnect", "its process ended with status 1; its errors: I have lost my way"),
    slow("--leave", "disconnect", "it closed the connection"),
    ("--illegal", "illegal move", "is not on this board"),
    slow("--nonsense", "disqualified", "it sent a message of type 7"),
    ("--slow", "timeout", "no answer within 0.3 s"),
])
def test_verdicts(
    tmp_path: Path, flag: str, kind: str, detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if flag in ("--leave", "--slow"):
        monkeypatch.setattr("polyversi.gameplay.bots.process.EXIT_TIMEOUT", 0.1)
        monkeypatch.setattr("polyversi.gameplay.bots.process.ENDING_TIMEOUT", 0.1)
    limit = pv.Limit(seconds=0.3) if flag == "--slow" else pv.Limit()
    with nothing_left(tmp_path):
        finished = play([client(tmp_path, flag), *others(2)], start_of(THREE_SEATS), limit)
    offence, = finished.offences
    assert (offence.kind, offence.seat) == (kind, 1)
    assert detail in offence.detail
    assert finished.result.points[0] == -50


@pytest.mark.parametrize(("command", "kind", "detail"), [
    slow(("true", "{port}"), "crash", "its process ended with status 0"),
    (("sleep", "1000{port}"), "stall", "it did not connect to its port within 0.2 s"),
    slow(HANGING, "stall", "it did not "),
    slow(("no-such-program", "{port}"), "crash", "no-such-program cannot be run"),
], ids=["ends", "is away", "hangs", "is not there"])
def test_clients_that_never_get_ready(
    command: tuple[str, ...], kind: str, detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polyversi.gameplay.bots.process.EXIT_TIMEOUT", 0.1)
    seat = XtClientSeat(Command(command), "client", ready=0.2 if kind == "stall" else 30.0)
    with nothing_left(ROOT / "nothing"):
        finished = play([seat, *others(1)], start_of(TWO_SEATS))
    offence, = finished.offences
    assert offence.kind == kind
    assert detail in offence.detail
    assert not finished.record.moves


def test_whoever_stays_is_ended_with_its_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyversi.gameplay.bots.process.EXIT_TIMEOUT", 0.1)
    with nothing_left(tmp_path):
        finished = play([client(tmp_path, "--stay", "--family"), *others(1)], start_of(TWO_SEATS))
    assert finished.offences == ()


def test_a_question_that_was_broken_off_stays_open(tmp_path: Path) -> None:
    async def scene() -> Finished:
        seats = [client(tmp_path, "--ponder"), *others(2)]
        referee = Referee(start_of(THREE_SEATS), seats)
        game = asyncio.create_task(referee.run())
        await until(lambda: referee.asked is not None and referee.asked.since is not None)
        assert referee.interrupt(2, Verdict("disconnect", 2, "it has left"))
        await until(lambda: getattr(referee.log.events[-1], "seat", 0) == 3)
        assert referee.interrupt(3, Verdict("disconnect", 3, "it has left, too"))
        return await game

    with nothing_left(tmp_path):
        run(scene())
    log = heard(tmp_path)[3:]
    assert log[:2] == ["Ask(milliseconds=2000, depth=0)", "Disqualified(seat=2)"]
    assert log[2].startswith("Played(") and log[2].endswith("seat=1)")
    assert log[-2:] == ["Disqualified(seat=3)", "EndOfGame()"]


class Wavering(LocalSeat):
    """Takes its first move back, once."""

    async def answer(self, request: Request) -> Any:
        if len(request.moves) == 3 and not hasattr(self, "has_wavered"):
            self.has_wavered = True
            return Undo()
        return await super().answer(request)


def test_after_a_take_back_another_client_is_told_the_game_from_the_start(tmp_path: Path) -> None:
    start = start_of(TWO_SEATS)
    with nothing_left(tmp_path):
        finished = play([client(tmp_path), Wavering(pv.player("random", seed=3))], start)
    assert finished.offences == ()
    log = heard(tmp_path)
    again = log.index("connected", 1)
    assert log[again : again + 3] == ["connected", "Map", "Number(seat=1)"]
    told = [line for line in log[again:] if line.startswith("Played")]
    assert len(told) == len(finished.record.moves)
    assert log[-1] == "EndOfGame()"


def test_a_game_that_is_taken_up_is_told_from_the_start(tmp_path: Path) -> None:
    start, events = start_of(THREE_SEATS), list[Event]()
    cheat = client(tmp_path, "--illegal")
    play([*others(1), cheat, *others(1)], start, observers=[events.append])
    kept = next(place for place, event in enumerate(events) if event.kind == "verdict") + 2
    (tmp_path / LOG).unlink()
    finished = play([*others(2), client(tmp_path)], start, events=events[:kept])
    told = [line for line in heard(tmp_path) if line.startswith(("Played", "Disqualified"))]
    assert told.count("Disqualified(seat=2)") == 1
    assert len(told) == len(finished.record.moves) + 1


def test_it_keeps_up_where_it_is_only_asked(tmp_path: Path) -> None:
    start = start_of(THREE_SEATS)

    def request(moves: int, out: tuple[tuple[int, int], ...]) -> Request:
        state, played = start, []
        for ply in range(moves + 1):
            for after, seat in out:
                state = state.disqualify(seat) if after == ply else state
            if ply < moves:
                played.append(state.moves[0])
                state = state.play(state.moves[0])
        return Request(state, 3, pv.Limit(), start, tuple(played), out)

    async def scene() -> list[bool]:
        seat = client(tmp_path)
        try:
            await seat.begin(start, 3)
            asked = [request(2, ()), request(4, ((3, 1),)), request(2, ())]
            return [ask.state.is_legal(await seat.answer(ask)) for ask in asked]
        finally:
            await seat.close()

    assert run(scene()) == [True, True, True]
    kinds = [line.partition("(")[0] for line in heard(tmp_path)]
    introduced = ["connected", "Map", "Number"]
    assert kinds == [
        *introduced, "Played", "Played", "Ask", "Played", "Disqualified", "Played", "Ask", "closed",
        *introduced, "Played", "Played", "Ask", "closed",
    ]


def test_openings_that_are_maps_as_well(tmp_path: Path) -> None:
    first = start_of(TWO_SEATS)
    second = first.play(first.moves[0])
    third = second.play(second.moves[0])
    assert map_from(second) is None
    finished = play([client(tmp_path), *others(1)], third)
    assert (finished.offences, finished.record.start) == ((), third)
    with pytest.raises(pv.PlayerError, match="cannot start from this position: XT clients are sent a map"):
        play([client(tmp_path), *others(1)], second)


def test_what_it_does_not_play(tmp_path: Path) -> None:
    for spec in ("othello", "xt:torus,goal=fewest"):
        with pytest.raises(pv.PlayerError, match=r"does not play .*: XT clients play only"):
            play([client(tmp_path), *others(pv.game(spec).seats - 1)], pv.game(spec).start())


def test_a_match_with_a_client_that_is_named_by_its_command(tmp_path: Path) -> None:
    chart, program = tmp_path / "small.map", tmp_path / "client.py"
    chart.write_text(TWO_SEATS)
    program.write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
                       "from tests.testing.fake_xt_client import main\nmain(*sys.argv[1:])\n")
    spec = f"xtclient:{program} {{host}} {{port}} {LOG}"
    match = Match((spec, "random"), variant=f"xt:{chart}", games=2, seats="alternate", trust=True)
    with nothing_left(tmp_path):
        standings = match.run(out=tmp_path / "games.jsonl")
    assert [score.games for score in standings.scores] == [2, 2]
    told = len(heard(tmp_path))
    match.run(out=tmp_path / "games.jsonl")
    assert len(heard(tmp_path)) == told, "what was played is not played again"
