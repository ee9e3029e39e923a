"""What engine workers are asked to do, and how they do it: the same in a process here or on a cluster."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from polyversi.games.errors import PolyversiError
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.records.maps import named_game
from polyversi.server.analysis.judging import analysis_data, judge

Json = dict[str, Any]
Tell = Callable[[Json], None]
MEGABYTES = 32
"""Of the transposition table of each game that a worker knows."""
MAX_JUDGES = 3
"""Games that a worker knows: those that it was asked about last."""


class Task(msgspec.Struct, frozen=True, tag_field="task"):
    """Something to think about."""


class Think(Task, frozen=True, tag="think"):
    """So many seconds about a position; told after each iteration that goes beyond what is known."""

    spec: str
    map: str
    position: str
    seconds: float
    beyond: tuple[int, int] | None = None
    """The depth and the selectivity that are known."""


AnyTask = Think


class Bench:
    """Carries out tasks, one at a time, and keeps what may be of use for the next ones.

    >>> bench, found = Bench(), []
    >>> bench.perform(1, Think("othello-4", "", "-----OX--XO----- X", 5), found.append)
    >>> found[-1]["exact"], found[-1]["moves"][0]["value"]
    (True, -8)
    """

    def __init__(self) -> None:
        self._judges: OrderedDict[tuple[str, str], Any] = OrderedDict()
        self._lock = threading.Lock()
        self._number = -1
        self._is_stopped = False
        self._current: Any = None
        self._called_off = -1

    def perform(self, number: int, task: AnyTask, tell: Tell) -> None:
        """Does what is asked and tells what it finds; raises a PolyversiError that says why it cannot."""
        with self._lock:
            self._number, self._is_stopped = number, number == self._called_off
        match task:
            case Think():
                self._think(task, tell)

    def stop(self, number: int) -> None:
        """Ends the task of that number soon, from another thread, also if it comes only later."""
        with self._lock:
            self._called_off = number
            if number == self._number:
                self._is_stopped = True
                if self._current is not None:
                    self._current.stop()

    def _think(self, task: Think, tell: Tell) -> None:
        game = named_game(task.spec, task.map)
        state = game.position(task.position) if task.position else game.start()
        judge = self._judge(game, task.map)
        with self._stoppable(judge):
            for analysis in judge.analyse(state, Limit(seconds=task.seconds), beyond=task.beyond):
                tell(analysis_data(analysis))

    @contextmanager
    def _stoppable(self, judge: Any) -> Iterator[None]:
        with self._lock:
            if self._is_stopped:
                judge.stop()
            else:
                judge.resume()
            self._current = judge
        try:
            yield
        finally:
            with self._lock:
                self._current = None

    def _judge(self, game: Game, chart: str) -> Any:
        """The judge of a game, with what it remembers of it."""
        key = (game.spec, chart)
        if key not in self._judges:
            self._judges[key] = judge(game, megabytes=MEGABYTES)
        self._judges.move_to_end(key)
        if len(self._judges) > MAX_JUDGES:
            self._judges.popitem(last=False)
        return self._judges[key]


class Asked(msgspec.Struct, frozen=True):
    """A line to a worker: a task with its number, or only the number of one that is to end."""

    number: int
    task: AnyTask | None = None


class Answered(msgspec.Struct, frozen=True):
    """A line of a worker: what it has found, or that it is done with it, and why if it failed."""

    number: int
    found: Json | None = None
    problem: str = ""
    fault: str = ""
    """What went wrong that should not, for the operator."""


def carry_out(bench: Bench, asked: Asked, tell: Callable[[Answered], None]) -> None:
    """Does a task and answers: any number of findings, and one last line without any."""
    problem = fault = ""
    try:
        assert asked.task is not None
        bench.perform(asked.number, asked.task, lambda found: tell(Answered(asked.number, found)))
    except PolyversiError as error:
        problem = str(error)
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    tell(Answered(asked.number, None, problem, fault))
