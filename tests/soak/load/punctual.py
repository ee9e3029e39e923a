"""`python -m tests.soak.load.punctual`: how close to its limits our XT client answers on a busy machine."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from random import Random

from rich.console import Console
from rich.table import Table

from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.protocols.xt.announcer import Announcer
from polyversi.protocols.xt.frames import FROM_CLIENT, Answer, Ask, Decoder, Frame, Map, Number, encode
from tests.soak.load.measuring import Times
from tests.testing.processes import ZOO

CLIENT = [sys.executable, "-c", "from polyversi.cli.main import main; main()", "xt-client", "--plain"]
BUSY = [sys.executable, "-c", "while True: pass"]
SPINS = f"bot:{sys.executable} {ZOO} --spin"
SIDE, SEATS = 50, 8
TIMEOUT = 180.0
"""Seconds to wait for anything; a client with a low priority starts very slowly."""


def large_map(seed: int = 1) -> str:
    """A map of the largest size for the most players, with every kind of tile.

    >>> chart = XtMap.parse(large_map())
    >>> chart.width, chart.height, chart.players, sorted(set(chart.tiles) - set("012345678"))
    (50, 50, 8, ['-', 'b', 'c', 'i', 'x'])
    """
    chance, tiles = Random(seed), ["0"] * SIDE**2
    for tile, count in (("b", 40), ("c", 20), ("i", 20), ("x", 60), ("-", 120)):
        for at in chance.sample(range(SIDE**2), count):
            tiles[at] = tile
    for _ in range(120):
        corner = chance.randrange(SIDE - 1) * SIDE + chance.randrange(SIDE - 1)
        for at in (corner, corner + 1, corner + SIDE, corner + SIDE + 1):
            tiles[at] = str(chance.randint(1, SEATS))
    rows = [" ".join(tiles[row : row + SIDE]) for row in range(0, SIDE**2, SIDE)]
    return "\n".join([f"{SEATS}\n10\n10 3\n{SIDE} {SIDE}", *rows, ""])


def ask_often(line: socket.socket, milliseconds: int, questions: int) -> Times:
    """Plays this many moves of one client, which has the first seat; returns how long each answer took."""
    text, chance, times = large_map(), Random(2), Times()
    announcer = Announcer(xt_game(XtMap.parse(text)).start())
    announcer.begin()    # there is a building move, so it announces nothing
    decoder, received = Decoder(FROM_CLIENT), list[Frame]()

    def receive() -> Frame:
        while not received:
            data = line.recv(4096)
            if not data:
                raise ConnectionError("the client has left")
            received.extend(decoder.feed(data))
        return received.pop(0)

    line.settimeout(TIMEOUT)
    receive()
    line.sendall(encode(Map(text.encode())) + encode(Number(1)))
    time.sleep(1)    # as servers do
    while times.count < questions and not announcer.state.is_over:
        state = announcer.state
        move = chance.choice(state.moves)
        if state.turn == 1:
            asked = time.perf_counter()
            line.sendall(encode(Ask(milliseconds, 0)))
            answer = receive()
            times.add(time.perf_counter() - asked)
            assert isinstance(answer, Answer)
            special = f":{answer.special}" if state.phase == "build" else ""
            move = state.game.move(f"{answer.x},{answer.y}{special}")
        line.sendall(b"".join(map(encode, announcer.play(move))))
    return times


def measure(player: str, milliseconds: int, questions: int, nice: int) -> Times:
    """The answer times of one client in a separate process."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        command = ["nice", "-n", str(nice), *CLIENT, "-p", str(port), "--player", player]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as client:
            try:
                server.settimeout(TIMEOUT)
                line, _ = server.accept()
                with line:
                    times = ask_often(line, milliseconds, questions)
                client.wait(TIMEOUT)
            finally:
                client.kill()
    return times


def main() -> None:
    """Measures and shows a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.load.punctual")
    parser.add_argument("--players", nargs="+", default=["group6", SPINS])
    parser.add_argument("--limits", nargs="+", type=int, default=[100, 500, 2000], help="milliseconds")
    parser.add_argument("--seconds", type=float, default=30, help="approximate time for each line")
    parser.add_argument("--busy", type=int, default=os.cpu_count(), help="busy processes at the same time")
    parser.add_argument("--nice", type=int, default=0, help="nice value of the client")
    given = parser.parse_args()
    with suppress(OSError, AttributeError):    # where it is allowed, what is measured is not the measuring
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    shown = Table(title=f"{SIDE}×{SIDE}, {SEATS} seats, {given.busy} busy processes, nice {given.nice}")
    for heading in ("player", "limit", "answers", "p50", "p99", "slowest", "left at worst"):
        shown.add_column(heading, justify="left" if heading == "player" else "right")
    busy = [subprocess.Popen(BUSY) for _ in range(given.busy)]
    try:
        for player in given.players:
            for limit in given.limits:
                times = measure(player, limit, max(5, round(1000 * given.seconds / limit)), given.nice)
                p50, p99, slowest = (times.share(part) for part in (0.5, 0.99, 1))
                shown.add_row(player.rpartition(" ")[2], f"{limit} ms", str(times.count), f"{p50:.0f} ms",
                              f"{p99:.0f} ms", f"{slowest:.0f} ms", f"{limit - slowest:.0f} ms")
    finally:
        for process in busy:
            process.kill()
            process.wait()
    Console().print(shown)


if __name__ == "__main__":
    main()
