"""Games of the misbehaving bots, and the expected verdict of each."""

from __future__ import annotations

from pathlib import Path

import polyversi as pv
from polyversi.gameplay import Finished, LocalSeat, Referee
from polyversi.gameplay.bots import Sandbox
from polyversi.protocols.json_bot import JsonSeat
from tests.testing.processes import nothing_left, run, zoo
from tests.testing.timeout import TIMEOUT

PLENTY, LITTLE = TIMEOUT, 0.25
"""Seconds a move: for bots that answer or end, and for those that must run out of time."""

FINE = ["--well-behaved", "--fork", "--fork-many", "--leave-thread", "--write-files", "--flood-errors",
        "--close-errors", "--empty-lines", "--carriage-returns", "--byte-by-byte"]
CRASH = {
    "--exit-at-once": "ended with status 0",
    "--exit-mid-move": "ended with status 3",
    "--exit-after-answer": "ended with status 4",
    "--raise": "ZeroDivisionError",
    "--signal": "ended by SIGSEGV",
    "--fork-and-exit": "ended with status 0",
    "--allocate": "MemoryError",
    "--open-files": "Too many open files",
    "--print-line": "longer than 64 KiB: xxxx",
    "--half-line": 'in the middle of a line: {"move": "b',
    "--close-input": "closed its input",
    "--close-output": "closed its output",
}
ILLEGAL = {
    "--print-lines": "not JSON; it answered xxxx",
    "--invalid-utf8": "not UTF-8; it answered {\"move\": \"\\xff\\xfe\"}",
    "--not-json": "not JSON; it answered b1",
    "--no-object": "not an object such as",
    "--wrong-types": "\"move\" must be a text",
    "--no-move": "\"move\" must be a text",
    "--huge-number": "not JSON; it answered {\"move\": 999",
    "--deep-nesting": "not JSON; it answered [[[",
    "--null-byte": "not JSON; it answered \\x00\\x00\\x00",
    "--null-in-move": "'b\\x001' is not a cell",
    "--half-character": "'\\ud800' is not a cell",
    "--illegal": "it answered {\"move\": \"a1\"}",
    "--no-cell": "it answered {\"move\": \"z99\"}",
    "--pass": "it answered {\"move\": \"pass\"}",
    "--echo": "\"move\" must be a text",
    "--out-of-turn": "it wrote before it was asked: hello",
    "--out-of-turn-half": "it wrote before it was asked: {\"mo",
    "--two-answers": "",    # the second answer comes out of turn, or is taken for the next and is illegal
}
TOO_SLOW = ["--sleep", "--sleep-unread", "--spin", "--ignore-sigterm", "--ignore-everything",
            "--stop-itself", "--fork-and-sleep", "--never-end-line", "--flood-errors-forever",
            "--kill-supervisor", "--stop-supervisor"]


def play(
    folder: Path, flag: str, seconds: float = PLENTY, spec: str = "othello-4", *,
    sandbox: Sandbox | None = None, again: bool = True,
) -> Finished:
    """A game of a bot of the zoo against random moves, and another one to see that one can be played."""
    game = pv.game(spec)
    bot = JsonSeat(zoo(folder, flag), flag, ready=LITTLE if flag == "--sleep-unread" else PLENTY)
    bot.protection = sandbox
    others = [LocalSeat(pv.player("random", seed=seed)) for seed in range(game.seats - 1)]
    with nothing_left(folder):
        finished = run(Referee(game.start(), [bot, *others], pv.Limit(seconds=seconds)).run())
    if again:
        assert play(folder, "--well-behaved", spec=spec, again=False).verdict.kind in ("win", "draw")
    return finished
