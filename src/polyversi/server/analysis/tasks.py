"""What engine workers are asked to do, and how they do it: the same in a process here or on a cluster."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from polyversi.engines.engine import Analysis, MoveValue
from polyversi.engines.judge import Finding, Judge, judge
from polyversi.engines.proof import Proof, ProofFinding, Prover
from polyversi.engines.reasons import ReasonFinding, reasons
from polyversi.engines.review import ReviewFinding, reviewing
from polyversi.engines.search import DEFAULT_MEGABYTES
from polyversi.games.errors import PolyversiError
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.records import Record, jsonl
from polyversi.records.maps import named_game

F = TypeVar("F", bound=msgspec.Struct)
Tell = Callable[[msgspec.Struct], None]
MEGABYTES = 32
"""Of the transposition table of each game that a worker knows."""
MAX_JUDGES = 3
"""Games that a worker knows: those that it was asked about last."""
MAX_REVIEWS = 2
"""Reviews that a worker has begun and not finished: others go on from what is known, with an empty table."""

PROOF_MEGABYTES = 256
"""Of the table of a proof, of which there is one at a time."""
TICK = 1.0
"""Seconds between two accounts of a proof in which no bound has changed."""
NO_TASK = 0
"""The number of the answer that a worker gives once, to no task: it is ready."""
TELL_EVERY = 0.02
"""Seconds between two findings: the first iterations take less, and nobody could follow them."""


class PartialReview(msgspec.Struct, frozen=True):
    """A review so far; none where a worker does not have the moves before. It is stored like this."""

    review: ReviewFinding | None = None
    analyses: dict[int, Finding] = {}
    """By ply: those that are new, or in the store all as long as moves are left, to go on from them."""

    @property
    def is_whole(self) -> bool:
        """Whether every move has been analysed."""
        return self.review is not None and self.review.is_whole


class Reasons(msgspec.Struct, frozen=True):
    """Why a move is worse than another one."""

    reasons: list[ReasonFinding]


class Task(msgspec.Struct, Generic[F], frozen=True, tag_field="task"):
    """Something to think about."""

    finds: ClassVar[type[Any]]
    """What is told about it, any number of times."""

    def read(self, found: object) -> F:
        """What a worker has told; a ValueError where that is something else."""
        read: F = msgspec.convert(found, self.finds, str_keys=True)
        return read


class Think(Task[Finding], frozen=True, tag="think"):
    """So many seconds about a position; told after each iteration that goes beyond what is known."""

    finds: ClassVar = Finding
    spec: str
    map: str
    position: str
    seconds: float
    beyond: tuple[int, int] | None = None
    """The depth and the selectivity that are known."""


class ReviewStep(Task[PartialReview], frozen=True, tag="review"):
    """The next move of a review; tells the review so far, and the analysis of that move.

    A worker that has not made the moves before tells no review, unless it is given all that is known.
    """

    finds: ClassVar = PartialReview
    name: str
    record: str
    """The game, as a line of JSON Lines."""
    limit: str
    """Of each move."""
    done: int
    """How many moves are analysed."""
    known: dict[int, Finding] = {}
    """Their analyses by ply."""


class Why(Task[Reasons], frozen=True, tag="why"):
    """What the best line keeps that another move gives away; told once."""

    finds: ClassVar = Reasons
    spec: str
    map: str
    position: str
    move: str
    best: list[str]
    """The best line."""
    answers: list[str] | None = None
    """The best play after the move, if it is known; otherwise it is searched for."""


class ProveTask(Task[ProofFinding], frozen=True, tag="prove"):
    """What each move of a position is worth, proved; told with every bound and every second."""

    finds: ClassVar = ProofFinding
    spec: str
    map: str
    position: str


AnyTask = Think | ReviewStep | Why | ProveTask


class Stoppable(Protocol):
    """What can be stopped from another thread."""

    def stop(self) -> None:
        """Stops what is being searched."""

    def resume(self) -> None:
        """Lets it search again."""


class TaskRunner:
    """Carries out tasks, one at a time, and keeps what may be of use for the next ones.

    >>> runner, found = TaskRunner(), []
    >>> runner.perform(1, Think("othello-4", "", "-----OX--XO----- X", 5), found.append)
    True
    >>> found[-1].exact, found[-1].moves[0].value
    (True, -8)
    """

    def __init__(self) -> None:
        self._judges: OrderedDict[tuple[str, str], Judge] = OrderedDict()
        self._reviews: OrderedDict[str, _Reviewing] = OrderedDict()
        self._lock = threading.Lock()
        self._number = -1
        self._is_stopped = False
        self._current: Stoppable | None = None
        self._called_off = -1

    def perform(self, number: int, task: AnyTask, tell: Tell) -> bool:
        """Does what is asked and tells what it finds; whether thinking further would find nothing more.

        A PolyversiError says why it cannot be done.
        """
        with self._lock:
            self._number, self._is_stopped = number, number == self._called_off
        match task:
            case Think():
                return self._think(task, tell)
            case ReviewStep():
                self._review(task, tell)
            case Why():
                tell(_why(task))
            case ProveTask():
                self._prove(task, tell)
        return True

    def stop(self, number: int) -> None:
        """Ends the task of that number soon, from another thread, also if it comes only later."""
        with self._lock:
            self._called_off = number
            if number == self._number:
                self._is_stopped = True
                if self._current is not None:
                    self._current.stop()

    def _think(self, task: Think, tell: Tell) -> bool:
        game = named_game(task.spec, task.map)
        state = game.position(task.position) if task.position else game.start()
        judge = self._judge(game, task.map)
        told, untold, began = 0.0, None, time.monotonic()
        with self._stoppable(judge):
            for untold in judge.analyse(state, Limit(seconds=task.seconds), beyond=task.beyond):
                if time.monotonic() - told >= TELL_EVERY:
                    tell(Finding.of(untold))
                    told, untold = time.monotonic(), None
            is_final = not self._is_stopped and time.monotonic() - began < task.seconds
            if not told and untold is None and task.beyond is None:
                # A first answer however busy the machine is: its visitor would wait for another round.
                untold = next(judge.analyse(state, Limit(depth=1)), None)
        if untold is not None:
            tell(Finding.of(untold))
        return is_final

    def _review(self, task: ReviewStep, tell: Tell) -> None:
        reviewing = self._reviews.pop(task.name, None)
        if reviewing is None or reviewing.done != task.done:
            if len(task.known) != task.done:
                tell(PartialReview())
                return
            reviewing = _Reviewing(task)
        with self._stoppable(reviewing.judge):
            found = reviewing.step()
        tell(found)
        if not reviewing.is_whole:
            self._reviews[task.name] = reviewing
            if len(self._reviews) > MAX_REVIEWS:
                self._reviews.popitem(last=False)

    def _prove(self, task: ProveTask, tell: Tell) -> None:
        game = named_game(task.spec, task.map)
        prover = Prover(game, 1, PROOF_MEGABYTES)
        lock, is_over = threading.Lock(), threading.Event()
        proof: Proof | None = None
        began = time.monotonic()

        def observe(found: Proof) -> None:
            nonlocal proof
            with lock:
                proof = found
                tell(ProofFinding.of(proof))

        def tick() -> None:
            while not is_over.wait(TICK):
                with lock:
                    if proof is not None and not is_over.is_set():
                        seconds = time.monotonic() - began
                        tell(ProofFinding.of(replace(proof, nodes=prover.nodes, seconds=seconds)))

        ticking = threading.Thread(target=tick, daemon=True)
        ticking.start()
        try:
            with self._stoppable(prover):
                prover.prove(game.position(task.position), observe=observe)
        finally:
            is_over.set()
            ticking.join()

    @contextmanager
    def _stoppable(self, judge: Stoppable) -> Iterator[None]:
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

    def _judge(self, game: Game, chart: str) -> Judge:
        """The judge of a game, with what it remembers of it."""
        key = (game.spec, chart)
        if key not in self._judges:
            self._judges[key] = judge(game, megabytes=MEGABYTES)
        self._judges.move_to_end(key)
        if len(self._judges) > MAX_JUDGES:
            self._judges.popitem(last=False)
        return self._judges[key]


def _why(task: Why) -> Reasons:
    game = named_game(task.spec, task.map)
    state = game.position(task.position)
    line = tuple(game.move(move) for move in task.best)
    best = MoveValue(line[0], 0, 0, 0, False, line)
    answers = None if task.answers is None else [game.move(move) for move in task.answers]
    found = reasons(state, state.as_move(task.move), best, answers=answers)
    return Reasons(list(map(ReasonFinding.of, found)))


class _Reviewing:
    """A review on its way, with a judge of its own: exactly what `polyversi analyse` does with one thread."""

    def __init__(self, task: ReviewStep) -> None:
        record = jsonl.parse(task.record)
        assert isinstance(record, Record)
        self.judge = judge(record.game, megabytes=DEFAULT_MEGABYTES)
        states = dict(enumerate((state for state, _ in record), 1))
        known = {ply: finding.read(states[ply]) for ply, finding in task.known.items()}
        self._steps = reviewing(record, Limit.parse(task.limit), engine=self.judge, known=known)
        self._analysed = set(known)
        self._review = next(self._steps)
        while self.done < len(known):
            self._review = next(self._steps)

    @property
    def done(self) -> int:
        """How many moves are analysed."""
        return len(self._review.moves)

    @property
    def is_whole(self) -> bool:
        """Whether all are."""
        return self._review.is_whole

    def step(self) -> PartialReview:
        """Analyses the next move; what to tell of it."""
        self._review = next(self._steps, self._review)
        new: dict[int, Analysis] = {one.ply: one.analysis for one in self._review.moves
                                    if one.ply not in self._analysed}
        self._analysed |= new.keys()
        return PartialReview(ReviewFinding.of(self._review),
                             {ply: Finding.of(analysis) for ply, analysis in new.items()})


class TaskRequest(msgspec.Struct, frozen=True):
    """A line to a worker: a task with its number, or only the number of one that is to end."""

    number: int
    task: AnyTask | None = None


def request_of(number: int, task: Task[F]) -> TaskRequest:
    """The request to do a task."""
    assert isinstance(task, AnyTask)
    return TaskRequest(number, task)


class TaskAnswer(msgspec.Struct, frozen=True):
    """A line of a worker: what it has found, or that it is done with it, and why if it failed."""

    number: int
    found: Any = None
    """What the task's `finds` says; the data of it until the task has read it."""
    problem: str = ""
    fault: str = ""
    """What went wrong that should not, for the operator."""
    final: bool = False
    """Whether thinking further would find nothing more."""


def carry_out(runner: TaskRunner, request: TaskRequest, tell: Callable[[TaskAnswer], None]) -> None:
    """Does a task and answers: any number of findings, and one last line without any."""
    problem, fault, is_final = "", "", False
    try:
        assert request.task is not None
        is_final = runner.perform(
            request.number, request.task, lambda found: tell(TaskAnswer(request.number, found)))
    except PolyversiError as error:
        problem = str(error)
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    tell(TaskAnswer(request.number, None, problem, fault, is_final))
