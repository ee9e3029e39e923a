"""What the people of the rehearsal hand in: good bots of different strengths, hostile ones, and bombs.

A bot that is `late` behaves in its check and wherever a game begins as the ladder's do; in the games of
tournaments, which begin otherwise, it fails at its fifth move in a way of its own.
"""

from __future__ import annotations

import io
import random
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path
from textwrap import indent

import polyversi as pv
from tests.testing.course_agent import AGENT
from tests.testing.misbehaving_games import CRASH, ILLEGAL, TOO_SLOW
from tests.testing.uploads import JAVASCRIPT, packed, zoo_bot

VARIANT = "othello"
"""The game of the ladder."""
MAX_AGENTS = 15
"""Course agents of other people that take part."""
PATTERN = ("course", "json", "zoo", "late", "course", "json", "zoo", "json")
"""Who is handed in, again and again."""

SQUARE = """
def flips(tiles, size, at, own, other):
    found, row, column = 0, at // size, at % size
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            r, c, count = row + down, column + right, 0
            while 0 <= r < size and 0 <= c < size and tiles[r * size + c] == other:
                r, c, count = r + down, c + right, count + 1
            if count and 0 <= r < size and 0 <= c < size and tiles[r * size + c] == own:
                found += count
    return found

def worth(size, at):
    row, column = (min(place, size - 1 - place) for place in divmod(at, size))
    if row == column == 0:
        return 30
    if row < 2 and column < 2:
        return -12
    return 4 if row == 0 or column == 0 else 0

def chosen(tiles, size, cells, own, other):
    if not cells or random.random() < NOISE:
        return random.choice(cells)
    return max(cells, key=lambda at: PLACES * worth(size, at) + STONES * flips(tiles, size, at, own, other))
"""
"""Choosing a cell by one look: `PLACES` and `STONES` are what it goes by, `NOISE` how often it does not."""

JSON_BOT = """
import json
import os
import random
import sys
import time

PLACES, STONES, NOISE = {places}, {stones}, {noise}
START = {start!r}
asked = 0
""" + SQUARE + """
for line in sys.stdin:
    request = json.loads(line)
    asked += 1
    if request["start"] != START and asked > 4:
{late}
    tiles, turn = request["position"].split()
    size = round(len(tiles) ** 0.5)
    cells = {{"abcdefghijklmnopqrst"[at % size] + str(at // size + 1): at for at in range(len(tiles))}}
    own = [cells[move] for move in request["moves"] if move in cells]
    move = request["moves"][0]
    if own:
        at = chosen(tiles, size, own, turn, "O" if turn == "X" else "X")
        move = next(name for name in request["moves"] if cells.get(name) == at)
    print(json.dumps({{"move": move}}), flush=True)
"""

COURSE_GO = """
cells = [row * self.chessboard_size + column for row, column in self.candidate_list]
if cells:
    at = chosen(list(chessboard.flat), self.chessboard_size, cells, self.color, -self.color)
    self.candidate_list.append(divmod(at, self.chessboard_size))
"""

LATE = {
    "crash": "sys.exit(3)",
    "illegal move": 'print(json.dumps({"move": "z99"}), flush=True)',
    "resigned": 'print(json.dumps({"resign": True}), flush=True)',
    "timeout": "time.sleep(3600)",
}
"""How those fail who do so late, by the verdict that they deserve."""


@dataclass(frozen=True)
class Expected:
    """What must become of a bot."""

    passes: bool
    fault: str = ""
    """What one of the steps of its check must say, if it does not pass."""
    late: str = ""
    """The verdict that it deserves in games that begin otherwise than the ladder's."""
    is_ours: bool = True
    """Whether we know what to expect of it: of other people's agents we know only that it is decided."""


@dataclass(frozen=True)
class Handed:
    """A bot as it is handed in."""

    name: str
    file: str
    data: bytes
    expected: Expected


def handed_in(number: int, seed: int, agents: Path | None) -> list[Handed]:
    """So many bots, those of the folder among them.

    >>> [(bot.name, bot.expected.passes) for bot in handed_in(4, 1, None)]
    [('course 1', True), ('json 2', True), ('zoo 3', False), ('late 4', True)]
    """
    coin, numbers = random.Random(seed), count(1)
    found = [Handed(f"agent {path.stem[:20]} {next(numbers)}", path.name, path.read_bytes(),
                    Expected(passes=False, is_ours=False))
             for path in sorted(agents.iterdir() if agents else ())[:min(MAX_AGENTS, number // 2)]
             if path.is_file()]
    zoo, late = cycle(coin.sample(list(ZOO), len(ZOO))), cycle(LATE)
    made: dict[str, Callable[[int], Handed]] = {
        "course": lambda number: _course_agent(number, coin),
        "json": lambda number: _json_bot(number, coin),
        "zoo": lambda number: _zoo_bot(number, next(zoo)),
        "late": lambda number: _late_bot(number, next(late), coin),
    }
    kinds = cycle(PATTERN)
    while len(found) < number:
        found.append(made[next(kinds)](next(numbers)))
    return found


def _strength(coin: random.Random) -> dict[str, float]:
    return {"places": coin.choice((0, 1, 1)), "stones": coin.choice((-2, -1, 0, 1)),
            "noise": coin.choice((0.0, 0.1, 0.5, 1.0))}


def _course_agent(number: int, coin: random.Random) -> Handed:
    own = "PLACES, STONES, NOISE = {places}, {stones}, {noise}\n".format(**_strength(coin))
    source = AGENT.format(imports=own + SQUARE, members="pass", own_list="self.candidate_list = []",
                          go=indent(COURSE_GO, " " * 8))
    data = source.encode()
    if number % 3:
        return Handed(f"course {number}", "agent.py", data, Expected(passes=True))
    whole = packed({"mine/agent.py": data, "mine/README.txt": b"hello"})
    return Handed(f"course {number}", "mine.zip", whole, Expected(passes=True))


def _json_source(coin: random.Random, late: str) -> bytes:
    start = pv.game(VARIANT).start().text
    return JSON_BOT.format(**_strength(coin), start=start, late=indent(late, " " * 8)).encode()


def _json_bot(number: int, coin: random.Random) -> Handed:
    if number % 8 == 0:
        return Handed(f"javascript {number}", "bot.js", JAVASCRIPT.encode(), Expected(passes=True))
    return Handed(f"json {number}", "main.py", _json_source(coin, "pass"), Expected(passes=True))


def _late_bot(number: int, verdict: str, coin: random.Random) -> Handed:
    source = _json_source(coin, f"{LATE[verdict]}\ncontinue")
    return Handed(f"late {number}", "main.py", source, Expected(passes=True, late=verdict))


def _zoo_bot(number: int, flag: str) -> Handed:
    return Handed(f"zoo {number}", "main.py", zoo_bot(flag).encode(), ZOO[flag])


def _zoo() -> Iterator[tuple[str, Expected]]:
    for flag, fault in (CRASH | ILLEGAL).items():
        yield flag, Expected(passes=False, fault=fault)
    for flag in TOO_SLOW:
        fault = "did not begin to read" if flag == "--sleep-unread" else "no answer within"
        yield flag, Expected(passes=False, fault=fault)


ZOO = dict(_zoo())
"""The bots that misbehave, and what their checks must find."""


def _linked() -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        info = tarfile.TarInfo("main.py")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(info)
    return target.getvalue()


def refused() -> dict[str, bytes]:
    """What nobody may hand in, by the name of the file."""
    return {
        "out.zip": packed({"main.py": b"", "../../out.py": b""}),
        "bomb.zip": packed({"main.py": b"", "zeros": bytes(200_000_000)}),
        "many.zip": packed({f"{number}.py": b"" for number in range(20_000)}),
        "link.tar": _linked(),
        "nothing.zip": b"no archive",
        "<b>.py\x1b[2J": b"print(1)",
    }
