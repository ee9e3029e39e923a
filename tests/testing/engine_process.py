"""Talks with `polyversi engine` over pipes, as front ends do."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from threading import Timer
from types import TracebackType

import polyversi as pv
from polyversi.games.state import State
from tests.testing.command import Forked
from tests.testing.timeout import TIMEOUT


class Talk:
    """An engine in a process of its own."""

    def __init__(self, *options: str) -> None:
        pipe = subprocess.PIPE
        self.process = Forked("engine", *options, stdin=pipe, stdout=pipe, stderr=pipe)
        self._deadline = Timer(TIMEOUT, self.process.kill)

    def __enter__(self) -> Talk:
        self._deadline.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._deadline.cancel()
        self.process.close()

    def say(self, *lines: str) -> None:
        """Gives commands."""
        self.send("".join(f"{line}\n" for line in lines).encode())

    def send(self, data: bytes) -> None:
        """Writes whatever this is."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self) -> str:
        """The next line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), "the engine has ended"
        return line.decode()[:-1]

    def until(self, begin: str) -> list[str]:
        """The next lines up to one that begins like this."""
        lines = [self.hear()]
        while not lines[-1].startswith(begin):
            lines.append(self.hear())
        return lines

    def ask(self, command: str) -> str:
        """The answer to a command of GTP, without the empty line after it."""
        self.say(command)
        return self.answer()

    def answer(self) -> str:
        """The next answer of GTP, up to the empty line that ends it."""
        lines = []
        while line := self.hear():
            lines.append(line)
        return "\n".join(lines)

    def finish(self) -> tuple[int, str, str]:
        """Closes the input and waits for the end: the status, and what was written meanwhile."""
        out, err = self.process.communicate()
        return self.process.wait(), out.decode(), err.decode()


def played(spec: str, wanted: Callable[[State], bool]) -> tuple[list[str], State]:
    """Random moves that lead to a position that is wanted, and that position."""
    for seed in range(1000):
        dice, state = random.Random(seed), pv.game(spec).start()
        moves: list[str] = []
        while not state.is_over:
            if wanted(state):
                return moves, state
            move = dice.choice(state.moves)
            moves.append(str(move))
            state = state.play(move)
    raise AssertionError("there is no such position")


def after_a_pass(state: State) -> bool:
    """Whether a pass is the only move, and the game goes on after it."""
    return state.must_pass and not state.play("pass").is_over
