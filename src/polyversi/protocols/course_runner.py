"""The program that runs a course agent: it loads the agent's file and plays for it in our JSON protocol.

It is run as a script, apart from our own packages, so that an agent meets the same world as on its platform:

    python -I -B course_runner.py FILE SIZE COLOR SECONDS

Each answer repeats the number of its request. Before it, every new last candidate is reported in a line of
its own: should the agent never come back, the last one counts.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import operator
import os
import signal
import site
import sys
import traceback
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

import numpy as np

COLORS = {"-": 0, "X": -1, "O": 1}
COMPILERS = ("numba", "jax", "torch", "taichi")
"""Agents that use one of these compile on their first move."""
WARM_UP = 45.0
"""Seconds that compiling may take before the game."""
AGAIN = 0.02
"""Seconds between two interruptions of an agent that does not heed the first."""


class TimeIsUp(BaseException):
    """Interrupts an agent; no `except Exception` of the agent's stops it."""


class Candidates(list[Any]):
    """A candidate list that reports its last element whenever that may have changed."""

    def __init__(self, items: Iterable[Any], report: Callable[[list[Any]], None]) -> None:
        super().__init__(items)
        self.items, self.first = items if isinstance(items, list) else self, list(self)
        self.report = report
        report(self)

    def final(self) -> list[Any]:
        """What is in it; or in the agent's own list, where the agent went on with that instead."""
        has_changed = len(self) != len(self.first) or any(map(operator.is_not, self, self.first))
        return list(self if has_changed else self.items)


def _reporting(name: str) -> Callable[..., Any]:
    """A method of lists that also reports."""
    method = getattr(list, name)

    def change(candidates: Candidates, *arguments: Any) -> Any:
        result = method(candidates, *arguments)
        candidates.report(candidates)
        return result

    return change


for _name in ("append", "extend", "__iadd__", "insert", "__setitem__", "pop", "remove"):
    setattr(Candidates, _name, _reporting(_name))


class Runner:
    """Plays for one agent."""

    def __init__(self, agent_class: Any, size: int, color: int, seconds: float, answers: int) -> None:
        self.agent_class, self.size, self.color, self.seconds = agent_class, size, color, seconds
        self.answers = answers
        self.number = 0
        self.reported = ""
        self.is_late = False
        self._watch_candidates()

    def make(self) -> Any:
        """A new agent; a whole number of seconds is passed as one, as on the platform."""
        seconds = int(self.seconds) if self.seconds == int(self.seconds) else self.seconds
        return self.agent_class(self.size, self.color, seconds)

    def warm_up(self) -> None:
        """Lets an agent that compiles do so on the first position, before any clock runs."""
        if not any(name in sys.modules for name in COMPILERS):
            return
        board = np.zeros((self.size, self.size), dtype=int)
        low = self.size // 2 - 1
        board[low, low] = board[low + 1, low + 1] = 1
        board[low, low + 1] = board[low + 1, low] = -1
        with contextlib.suppress(Exception):
            self.decide(self.make(), board, WARM_UP)

    def play(self, requests: Iterable[str]) -> None:
        """Answers requests until there are no more."""
        agent = self.make()
        self.warm_up()
        for line in requests:
            if not line.strip():
                continue    # written to see whether we read; the game ended before a request followed
            request = json.loads(line)
            if request["seconds"] != self.seconds and not self.number:
                self.seconds = request["seconds"]
                agent = self.make()
            self.number, self.reported = request["number"], ""
            self.decide(agent, self.board(request["position"]), request["seconds"])
            candidates = [self.name(item) for item in agent.candidate_list.final()]
            last = candidates[-1] if candidates else None
            self.answer(move=last, candidates=candidates, late=self.is_late)

    def decide(self, agent: Any, board: Any, seconds: float) -> None:
        """Lets the agent think; what goes wrong in it after its time is up does not matter any more."""
        self.is_late = False
        signal.signal(signal.SIGALRM, self.ring)
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), AGAIN)
        try:
            think(agent, board)
        except BaseException as error:
            if not self.is_late and not isinstance(error, TimeIsUp):
                raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def ring(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Interrupts the agent, and nothing but the agent."""
        self.is_late = True
        while frame is not None:
            if frame.f_code is think.__code__:
                raise TimeIsUp
            frame = frame.f_back

    def board(self, position: str) -> Any:
        """A new board for the agent to do with as it likes."""
        tiles = position.split()[0]
        return np.array([COLORS[tile] for tile in tiles], dtype=int).reshape(self.size, self.size)

    def name(self, candidate: Any) -> str:
        """The cell of a candidate, (row, column); what is none is shown as it is."""
        try:
            row, column = candidate
            if 0 <= int(row) < self.size and 0 <= int(column) < self.size:
                return f"{chr(ord('a') + int(column))}{int(row) + 1}"
        except (TypeError, ValueError):
            pass
        return f"({candidate!r})"[:100]

    def answer(self, **words: Any) -> None:
        data = json.dumps({**words, "number": self.number}).encode() + b"\n"
        while data:
            data = data[os.write(self.answers, data) :]

    def report(self, candidates: list[Any]) -> None:
        last = self.name(candidates[-1]) if candidates else ""
        if self.number and last and last != self.reported:
            self.reported = last
            self.answer(candidate=last)

    def _watch_candidates(self) -> None:
        """Makes every list that an agent has as its candidate list one that reports."""
        shared = getattr(self.agent_class, "candidate_list", None)

        def get(agent: Any) -> Any:
            if "candidate_list" not in vars(agent):
                if shared is None:
                    raise AttributeError("the agent has no candidate_list")
                put(agent, shared)
            return vars(agent)["candidate_list"]

        def put(agent: Any, items: Iterable[Any]) -> None:
            vars(agent)["candidate_list"] = Candidates(items, self.report)

        self.agent_class.candidate_list = property(get, put)


def think(agent: Any, board: Any) -> None:
    """The agent's own time: what is called from here may be interrupted."""
    agent.go(board)


def load(path: str) -> Any:
    """The agent's class. Its folder comes after the standard library, so that nothing there hides it."""
    folder = os.path.dirname(path)  # noqa: PTH120 text is all that is needed here
    packages = [index for index, entry in enumerate(sys.path) if entry in site.getsitepackages()]
    sys.path.insert(min(packages, default=len(sys.path)), folder)
    spec = importlib.util.spec_from_file_location("agent", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules["agent"] = module
    spec.loader.exec_module(module)
    if not hasattr(module, "AI"):
        raise ImportError(f"{path} has no class AI")
    return module.AI


def main(path: str, size: str, color: str, seconds: str) -> None:
    """Keeps the pipes to itself: whatever the agent prints goes to standard error, and it has no input."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    try:
        runner = Runner(load(path), int(size), int(color), float(seconds), answers)
        with os.fdopen(requests, encoding="utf-8") as lines:
            runner.play(lines)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)    # whatever threads the agent has left


if __name__ == "__main__":
    main(*sys.argv[1:])
