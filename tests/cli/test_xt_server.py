"""`polyversi xt-server` as a process of its own: games with real clients, what it keeps, and how it ends."""

from __future__ import annotations

import asyncio
import csv
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from polyversi import records
from polyversi.protocols.xt.frames import Ask, EndOfGame
from polyversi.records import Record
from tests.testing.terminal import PseudoTerminal, Running, polyversi
from tests.testing.timeout import TIMEOUT
from tests.testing.xt_clients import Client

ROOT = Path(__file__).parents[2]
MAP = b"2 0 1 1\r\n2 3\r\n0 1 2\r\n0 2 1\r\n"


@pytest.fixture
def chart(tmp_path: Path) -> str:
    path = tmp_path / "small.map"
    path.write_bytes(MAP)
    return str(path)


class Served:
    """The command, running until the end of the test."""

    def __init__(self, *words: str) -> None:
        self.running = Running("xt-server", "-p", "0", "--pause", "0", *words)
        self.port = int(self.running.expect(r"Reversi XT on 127\.0\.0\.1:(\d+), for this machine only")[1])

    def game(self, *groups: int) -> list[Client]:
        """Honest clients play a game, each when the server knows those before it."""
        async def play() -> list[Client]:
            clients = []
            for group in groups:
                clients.append(await Client.to(self, group))
                await asyncio.to_thread(self.running.expect, f"group {group} connected")
            games = (client.play(Random(1)) for client in clients)
            return await asyncio.wait_for(asyncio.gather(*games), TIMEOUT)

        return asyncio.run(play())


@pytest.fixture
def servers() -> Iterator[list[Served]]:
    started: list[Served] = []
    yield started
    for server in started:
        server.running.stop()


def test_games_with_a_record_and_results(servers: list[Served], chart: str, tmp_path: Path) -> None:
    games, results, log = tmp_path / "games.jsonl", tmp_path / "results.csv", tmp_path / "evening.log"
    words = ("-m", chart, "-m", "torus,players=2", "-t", "60", "--out", str(games), "--results",
             str(results), "--log", str(log), "-r", str(tmp_path / "lines"), "--name", "6=Ann")
    for _ in range(2):    # a second evening is added to the first
        server = Served(*words, "--plain")
        servers.append(server)
        first = server.game(6, 7)
        assert first[0].heard[0].payload() == MAP    # to the byte
        server.running.expect(r"rank +seat +player +stones")
        server.game(6, 8)
        assert server.running.end() == 0
        assert "game 2 of 2, torus,players=2: waiting for 2 clients" in server.running.output
        assert "2 games in total" in server.running.output
    kept = [record for record in records.read(games) if isinstance(record, Record)]
    assert [record.players for record in kept] == [
        ("Ann (group 6)", "group 7"), ("Ann (group 6)", "group 8")] * 2
    assert list(records.games(log)) == kept
    assert kept[2].final == first[0].state
    with results.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["game"], row["map"], row["seat"], row["group"]) for row in rows[:4]] == [
        ("1", "small", "1", "6"), ("1", "small", "2", "7"),
        ("2", "torus,players=2", "1", "6"), ("2", "torus,players=2", "2", "8")]
    assert len(rows) == 8
    assert all(0 <= float(row["worst"]) <= float(row["seconds"]) for row in rows)
    assert all(60 - float(row["worst"]) - 0.01 <= float(row["left"]) for row in rows)
    lines = (tmp_path / "lines").read_text().splitlines()
    assert [line.rpartition(", ")[2] for line in lines] == ["1"] * 8
    assert [line.split(", ")[:2] for line in lines[:2]] == [["6", "1"], ["7", "2"]]
    assert all(sum(record.final.scores) == sum(int(row["stones"]) for row in rows[2 * n : 2 * n + 2])
               for n, record in enumerate(kept))
    assert polyversi("convert", str(log), str(tmp_path / "again.jsonl")).returncode == 0
    assert (tmp_path / "again.jsonl").read_text() == games.read_text()
    for path in (games, log):
        assert polyversi("picture", str(path), "--out", str(tmp_path / "game.svg")).returncode == 0


def test_a_client_against_players_of_this_machine(servers: list[Served]) -> None:
    server = Served("-m", "torus,players=3", "--with", "random", "--with", "random:seed=1", "-d", "2")
    servers.append(server)
    (client,) = server.game(42)
    assert client.seat == 1 and set(client.banks) == {0}
    assert server.running.end() == 0
    assert "seat 1: group 42 · seat 2: random · seat 3: random:seed=1" in server.running.output


def test_ctrl_c_keeps_the_games_that_are_over(servers: list[Served], chart: str, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    server = Served("-m", chart, "--games", "5", "--out", str(games))
    servers.append(server)
    server.game(1, 2)
    server.running.expect("game 2 of 5")
    with socket.create_connection(("127.0.0.1", server.port)) as waiting:
        waiting.sendall(bytes.fromhex("01 00000001 03"))
        server.running.expect("group 3 connected")
        server.running.process.send_signal(signal.SIGINT)
        assert server.running.end() == 130
        assert waiting.recv(100) == b""
    assert "Good-bye; 1 of 5 games were played." in server.running.output
    assert "Traceback" not in server.running.output
    assert len(list(records.read(games))) == 1


def test_the_board_in_a_terminal(chart: str) -> None:
    with PseudoTerminal("xt-server", "-m", chart, "-p", "0", "--pause", "0", "--with", "random") as terminal:
        port = int(terminal.expect_pattern(r"127\.0\.0\.1:\d+, ").rpartition(":")[2].removesuffix(", "))

        async def play() -> Client:
            client = Client(*await asyncio.open_connection("127.0.0.1", port))
            client.writer.write(bytes.fromhex("01 00000001 06"))
            return await client.play(Random(1))

        asyncio.run(play())
        terminal.expect("seat 1: group 6 · seat 2: random")
        terminal.expect("clocks: seat 1")
        terminal.expect("rank")
        assert terminal.finish() == 0


def test_a_terminal_that_stands_still_holds_nobody_up(servers: list[Served]) -> None:
    others = [word for _ in range(7) for word in ("--with", "random")]
    server = Served("-m", "starfish", "-t", "60", *others)
    servers.append(server)
    (client,) = server.game(1)    # nobody reads what the server has to say of it
    assert client.heard[-1] == EndOfGame()
    assert server.running.end() == 0
    assert len(server.running.output) > 2**16, "it would have fitted into the pipe"
    assert "disqualified" not in server.running.output


def test_output_that_nobody_wants_costs_nobody_the_game(servers: list[Served], chart: str,
                                                        tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    server = Served("-m", chart, "--games", "2", "-d", "1", "--with", "random", "--out", str(games))
    servers.append(server)
    server.running.expect("waiting for 1 client")
    assert server.running.process.stdout is not None
    server.running.process.stdout.close()

    async def play() -> Client:
        return await asyncio.wait_for((await Client.to(server, 6)).play(Random(1)), TIMEOUT)

    for _ in range(2):
        assert asyncio.run(play()).heard[-1] == EndOfGame()
    assert server.running.process.wait(TIMEOUT) == 1
    assert len(list(records.read(games))) == 2


@pytest.fixture
def client(tmp_path: Path) -> str:
    """The command of a client of group 6."""
    program = tmp_path / "client.py"
    program.write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
                       "from tests.testing.fake_xt_client import main\nmain(*sys.argv[1:])\n")
    return f"{program} {{host}} {{port}} heard.txt"


def test_a_client_that_the_server_starts(chart: str, client: str) -> None:
    done = polyversi("xt-server", "-m", chart, "-d", "1", "--pause", "0", "--start", client, "--with",
                     "random", "-s")
    assert done.returncode == 0, done.stderr
    assert "waiting for" not in done.stdout
    assert re.search(r"^ +1 +seat 1 +group 6 ", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(("flags", "is_rich"), [((), True), (("-M", "-C"), False)])
def test_what_boards_show(flags: tuple[str, ...], is_rich: bool, chart: str, client: str) -> None:
    with PseudoTerminal("xt-server", "-m", chart, "--pause", "0", "--start", client, "--with", "random",
                        *flags) as terminal:
        board = terminal.expect("is thinking")
        assert ("+" in board) == is_rich    # that is how a legal move is marked
        terminal.expect("rank")
        assert terminal.finish() == 0
        assert ("\x1b[38;" in terminal.raw) == is_rich


def test_nobody_comes(chart: str) -> None:
    done = polyversi("xt-server", "-m", chart, "-p", "0", "-z", "0.1")
    assert done.returncode == 1
    assert done.stderr == "polyversi: 0 of 2 clients had connected after 0.1 s; the game needs all of them\n"


def test_the_courses_flags(servers: list[Served], chart: str) -> None:
    server = Served("--map", chart, "--timelimit", "60", "--depthlimit", "7", "--zleep", "600",
                    "--hide-moves", "--no-color", "--simple")
    servers.append(server)
    clients = server.game(1, 2)
    assert {ask.depth for ask in clients[0].heard if isinstance(ask, Ask)} == {7}
    assert server.running.end() == 0
    assert "legal moves" not in server.running.output
    assert polyversi("xt-server", "-v").stdout.startswith("polyversi ")
    assert polyversi("xt-server", "-h").stdout == polyversi("xt-server", "--help").stdout


def test_a_busy_port(servers: list[Served], chart: str) -> None:
    server = Served("-m", chart)
    servers.append(server)
    next_one = Running("xt-server", "-m", chart, "-p", str(server.port))
    try:
        next_one.expect(rf"port {server.port} is in use; the server takes \d+")
    finally:
        next_one.stop()
    done = polyversi("xt-server", "-m", chart, "--port", str(server.port))
    assert done.returncode == 1
    assert done.stderr == (f"polyversi: port {server.port} of 127.0.0.1 cannot be opened: "
                           "Address already in use; choose another with --port, or 0 for a free one\n")


@pytest.mark.parametrize(("words", "message"), [
    (("-m", "no/such.map"), "the XT map no/such.map cannot be read: No such file or directory"),
    (("-m", "torus,players=9"), "xt cannot have players=9; write players=2–8"),
    (("-m", "torus,players=2", "-t", "0"), "a game needs a time or a depth"),
    (("-m", "torus,players=2", "-t", "nan"), "write a number from "),
    (("-m", "torus,players=2", "--pause", "1e9"), "a pause of 1e+09 s is not possible"),
    (("-m", "torus,players=2", *["--with", "random"] * 2), "leave no seat for a client"),
    (("-m", "torus,players=2", "--with", "nobody"), "there is no player"),
    (("-m", "torus,players=2", "--out", "/no/such/games.jsonl"), "/no/such/games.jsonl cannot be written"),
    (("-m", "torus,players=2", "--out", "games.csv"), "name the file games.jsonl"),
    (("-m", "torus,players=2", "--out", "no/g.jsonl", "--results", "./no/g.jsonl"), "need a file each"),
    (("-m", "torus,players=2", "--log", "no/g", "--result", "no/g"), "--log and --result name the same file"),
    (("-m", "torus,players=2", "--log", "pyproject.toml"), "is not a log of Reversi XT games"),
    (("-m", "torus,players=2", "--port", "0"), "--port and --baseport are two ways to choose the port"),
    (("-m", "torus,players=2", "--name", "Ann"), "'Ann' is not a name for a group; write GROUP=NAME"),
    (("-m", "torus,players=2", "--name", "6=Ann", "--name", "6=Ann"), "cannot both be called 'Ann'"),
    (("-m", "torus,players=2", "--name", "6=" + "A" * 41), "up to 40 printable characters"),
    (("-m", "torus,players=2", "--start", "true"), "'xtclient:true' has no {port}"),
    (("-m", "torus,players=2", *["--start", "true {port}"] * 3), "too few for the 3 players of this machine"),
    (("-m", "torus,players=2", *["--start", "true {port}"] * 2), "the client 'true {port}' does not play"),
    (("-m", "torus,players=2", "-t", "inf"), "write a number from "),
    (("-m", "torus,players=2", "--results", "pyproject.toml"), "is not a results file"),
    (("-m", "torus,players=2", "--host", "no such host"), "cannot be opened"),
    ((), "Missing option '--map'"),
])
def test_what_cannot_be(words: tuple[str, ...], message: str) -> None:
    done = polyversi("xt-server", "-p", "0", *words)
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
