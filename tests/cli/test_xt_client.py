"""`polyversi xt-client` as a process of its own, at `polyversi xt-server`: games, people, and how it ends."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from polyversi import records
from polyversi.games.mapkinds import generate
from polyversi.protocols.xt.frames import Ask, Map, Number, Played, encode
from polyversi.records import Record
from tests.testing.marks import slow
from tests.testing.scripted_xt_server import Door, serving
from tests.testing.terminal import PseudoTerminal, Running, polyversi
from tests.testing.timeout import TIMEOUT

QUESTION = r"your (?:move|bomb) \(\S+(?: s)? left\), or \? for help: "
LONG = "600"


class Evening:
    """A server and its clients, all of them gone at the end of the test."""

    def __init__(self) -> None:
        self.port = ""
        self._running: list[Running] = []

    def serve(self, *words: str) -> Running:
        server = self._start("xt-server", "-p", "0", "--pause", "0", *words)
        self.port = server.expect(r"127\.0\.0\.1:(\d+)")[1]
        return server

    def client(self, *words: str) -> Running:
        return self._start("xt-client", "-p", self.port, *words)

    def _start(self, *words: str) -> Running:
        self._running.append(Running(*words))
        return self._running[-1]

    def stop(self) -> None:
        for running in self._running:
            running.stop()


def ends(*running: Running) -> list[int]:
    """Waits for the end of all, whatever each of them has to say meanwhile; their statuses."""
    with ThreadPoolExecutor(len(running)) as readers:
        return list(readers.map(Running.end, running))


@pytest.fixture
def evening() -> Iterator[Evening]:
    made = Evening()
    yield made
    made.stop()


@pytest.mark.parametrize(("variant", "seats"), [
    ("arena,players=2", 2), slow("arena,players=3", 3), slow("arena,players=4", 4),
    slow("SierpinskiCarpet", 8)])
def test_games_at_the_real_server(evening: Evening, tmp_path: Path, variant: str, seats: int) -> None:
    ours, theirs = tmp_path / "ours.jsonl", tmp_path / "theirs.jsonl"
    local = [word for _ in range(seats - 2) for word in ("--with", "random")]
    server = evening.serve("-m", variant, "-t", LONG, "--out", str(theirs), *local)
    clients = [evening.client("--player", "random:seed=3", "--group", "3", "--out", str(ours))]
    server.expect("group 3 connected")
    clients.append(evening.client("--player", "random:seed=6", "--group", "6"))
    assert ends(*clients, server) == [0, 0, 0]
    [mine], [true] = (list(records.read(path)) for path in (ours, theirs))
    assert isinstance(mine, Record) and isinstance(true, Record)
    assert mine.moves == true.moves and mine.result == true.result and mine.result is not None
    for client, name in zip(clients, ("random:seed=3", "random:seed=6"), strict=True):
        table = client.output[client.output.index("rank"):].splitlines()[1:]
        assert len(table) == seats and sum(name in row for row in table) == 1
        assert sorted(row.split()[-1] for row in table) == sorted(f"{p:g}" for p in mine.result.points)


def test_games_in_a_row(evening: Evening, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    server = evening.serve("-m", "arena,players=2", "-d", "1", "--games", "3", "--with", "random")
    client = evening.client("--player", "random", "--games", "3", "--out", str(kept))
    assert ends(client, server) == [0, 0]
    assert len(list(records.read(kept))) == 3
    assert re.search(r"\d+ points in 3 games", client.output)


@pytest.mark.slow
def test_a_terminal_that_stands_still_holds_nobody_up(evening: Evening) -> None:
    others = [word for _ in range(7) for word in ("--with", "random")]
    server = evening.serve("-m", "starfish", "-t", LONG, "--plain", *others)
    client = evening.client("--player", "random")
    assert server.end() == 0    # before a word of the client's has been read
    assert client.end() == 0
    assert len(client.output) > 2**16, "it would have fitted into the pipe"


def test_output_that_nobody_wants_costs_nobody_the_game(evening: Evening, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    server = evening.serve("-m", "arena,players=2", "-d", "1", "--with", "random")
    client = evening.client("--player", "random", "--out", str(kept))
    client.expect("connecting to")
    assert client.process.stdout is not None
    client.process.stdout.close()
    assert server.end() == 0 and "disqualified" not in server.output
    assert client.process.wait(TIMEOUT) == 1
    assert len(list(records.read(kept))) == 1


def test_a_person_at_the_prompt(evening: Evening) -> None:
    evening.serve("-m", "arena,players=2", "-t", LONG, "--with", "random")
    person = evening.client("--player", "human")
    person.expect(r"8×8, 2 players; you are seat 1")
    person.expect(QUESTION)
    person.type("moves")
    first = person.expect(r"\n((?:\d+,\d+(?::\d+)? ?)+)\n")[1].split()[0]
    person.type("resign", "undo", first)
    person.expect("has no resignation")
    person.expect("Moves cannot be taken back")
    person.expect(QUESTION)
    person.type("quit")
    assert person.end() == 0
    assert person.output.endswith("Good-bye; you left the game.\n")


def test_a_move_is_played_for_a_person_who_takes_too_long(evening: Evening) -> None:
    """At a server that waits for the answer however late it is, so that no machine is too slow for it."""

    async def script(door: Door) -> None:
        await door.play(generate("arena", players=2).text, 1, lambda turn: Ask(500, 0), moves=6)

    async def play() -> str:
        async with serving(script) as port:
            evening.port = str(port)
            person = evening.client("--player", "human", "--plain")
            for _ in range(3):
                await asyncio.to_thread(
                    person.expect, r"you have not answered \(it takes too long\); \d+,\d+\S* is played")
            return person.output

    assert "disqualified" not in asyncio.run(play())


def test_a_person_in_a_terminal(evening: Evening) -> None:
    evening.serve("-m", "arena,players=2", "-t", LONG, "--with", "random")
    with PseudoTerminal("xt-client", "-p", evening.port, "--player", "human", height=40) as terminal:
        terminal.expect("xt:map · ")
        terminal.expect_pattern(QUESTION)
        terminal.type("quit\r")
        terminal.expect("Good-bye")
        assert terminal.finish() == 0


def test_the_board_is_as_it_stands_when_a_person_is_asked() -> None:
    """Also when all of it arrives at once."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = str(door.getsockname()[1])
        with PseudoTerminal("xt-client", "-p", port, "--player", "human", height=40) as terminal:
            line, _ = door.accept()
            told = Map(b"2 0 0 0  1 5  2 1 2 0 0"), Number(2), Played(3, 0, 0, 1), Ask(600_000, 0)
            with line:
                line.sendall(b"".join(map(encode, told)))
                shown = terminal.expect_pattern(QUESTION)
                assert "seat 1 plays 3,0" in shown
                terminal.type("quit\r")
                assert terminal.finish() == 0


def test_a_server_that_is_killed(evening: Evening) -> None:
    server = evening.serve("-m", "arena,players=2", "-t", LONG, "--with", "random")
    person = evening.client("--player", "human")
    person.expect(QUESTION)
    server.process.kill()
    assert person.end() == 1
    assert "polyversi: the server closed the connection before the end of the game" in person.output
    assert "Traceback" not in person.output and "rank" in person.output


def test_ctrl_c_leaves_the_game_and_no_process_behind(evening: Evening) -> None:
    server = evening.serve("-m", "arena,players=2", "-t", LONG, "--with", "random")
    person = evening.client("--player", "human")
    person.expect(QUESTION)
    person.process.send_signal(signal.SIGINT)
    assert person.end() == 130
    assert server.end() == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-p", "9", "--retry", "0"), "cannot connect to 127.0.0.1:9"),
        (("-s", "no.host.invalid", "--retry", "0"), "cannot connect to no.host.invalid:7777"),
        (("--player", "nobody"), "there is no player 'nobody'"),
        (("--player", "six-factor"), "six-factor does not play"),
        (("--player", "bot:no-such-file"), "there is no file or program called 'no-such-file'"),
        (("--out", "/no/such/game.jsonl"), "/no/such/game.jsonl cannot be written: No such file"),
        (("--out", "game.ggf"), "games are stored as JSON Lines; name the file game.jsonl"),
        (("--group", "100"), "write a whole number from 0 to 99"),
    ],
)
def test_mistakes_are_answered_with_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    done = polyversi("xt-client", *words)
    assert done.returncode != 0
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
