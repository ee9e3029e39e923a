"""Machine time: who gets the next place, and what becomes of tasks whose worker dies."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, wait
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from polyversi.contest.contest import Contest
from polyversi.contest.match import Match
from polyversi.contest.workers import Workers
from polyversi.site import machine as machines
from polyversi.site.machine import Machine, Rank, Share, local_places
from tests.testing.machine_work import die, die_once, number, processors, wait_for
from tests.testing.timeout import TIMEOUT
from tests.testing.waiting import until

ANN = Share("Ann")


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """A machine with one place."""
    machine = Machine(local_places(1))
    yield machine
    machine.close()


@pytest.fixture(scope="module")
def large_machine() -> Iterator[Machine]:
    """A machine with two places."""
    machine = Machine(local_places(2))
    yield machine
    machine.close()


class Order:
    """Notes in which order work has begun."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def begin(self, name: str) -> Callable[[], Callable[[], int]]:
        def begin() -> Callable[[], int]:
            self.names.append(name)
            return number

        return begin


class Ledger:
    """Grants places one after the other by a clock of its own, on which work takes as long as it says."""

    def __init__(self) -> None:
        self.now = 0.0
        self.granted = ""

    def monotonic(self) -> float:
        return self.now

    def submit(self, machine: Machine, share: Share, letter: str, seconds: float) -> Future[Any]:
        def begin() -> Callable[[], int]:
            self.granted += letter
            self.now += seconds
            return number

        return machine.submit(share, begin)


@pytest.fixture
def ledger(monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """The clock by which machines count from now on."""
    ledger = Ledger()
    monkeypatch.setattr(machines, "time", ledger)
    return ledger


@pytest.fixture
def fresh(ledger: Ledger) -> Iterator[Machine]:
    """A machine with one place that nobody has used yet; it waits to be let go."""
    machine = Machine(local_places(1))
    machine.pause(True)
    yield machine
    machine.close()


def busy(machine: Machine, share: Share, pipe: Path) -> Future[Any]:
    """Somebody has a place until something is written to the pipe."""
    os.mkfifo(pipe)
    begun: Future[None] = Future()

    def begin() -> Callable[[], str]:
        begun.set_result(None)
        return partial(wait_for, pipe)

    done = machine.submit(share, begin)
    begun.result(TIMEOUT)
    return done


def test_whoever_has_used_the_least_is_next(machine: Machine, tmp_path: Path) -> None:
    order, bob = Order(), Share("Bob")
    running = busy(machine, ANN, tmp_path / "pipe")
    rest = [machine.submit(share, order.begin(share.name)) for share in (ANN, ANN, bob)]
    (tmp_path / "pipe").write_text("go on")
    wait([running, *rest], TIMEOUT)
    assert order.names == ["Bob", "Ann", "Ann"]


def test_checks_come_before_games_and_what_goes_on_in_the_background_last(
    machine: Machine, tmp_path: Path
) -> None:
    order = Order()
    running = busy(machine, ANN, tmp_path / "pipe")
    shares = [Share("ladder", Rank.BACKGROUND), ANN, Share("check:Ann", Rank.CHECK)]
    rest = [machine.submit(share, order.begin(share.name)) for share in shares]
    (tmp_path / "pipe").write_text("go on")
    wait([running, *rest], TIMEOUT)
    assert order.names == ["check:Ann", "Ann", "ladder"]


def test_checks_without_end_leave_a_share_to_games(machine: Machine, tmp_path: Path) -> None:
    is_over = threading.Event()

    def check(share: Share) -> None:
        """One after the other; of two of these one always waits."""
        if not is_over.is_set():
            machine.submit(share, lambda: number).add_done_callback(lambda _: check(share))

    running = busy(machine, ANN, tmp_path / "pipe")
    for name in ("check:Ann", "check:Bob"):
        check(Share(name, Rank.CHECK))
    games = [machine.submit(ANN, lambda: number) for _ in range(3)]
    (tmp_path / "pipe").write_text("go on")
    try:
        assert all(game.result(TIMEOUT) for game in (running, *games))
    finally:
        is_over.set()
    until(lambda: not machine.busy)


@pytest.mark.parametrize(("check", "game", "order"), [
    (3.0, 3.0, "CGCCGCCGCCGC"),    # two checks for each game
    (6.0, 3.0, "CGCGCGCGCG"),      # of checks that take twice as long one: machine time is what is shared
    (3.0, 9.0, "CGCCCCCCGCCCCCCG"),
])
def test_checks_have_twice_the_machine_time_of_games(
    ledger: Ledger, fresh: Machine, check: float, game: float, order: str
) -> None:
    people = [Share("check:Ann", Rank.CHECK), Share("check:Bob", Rank.CHECK)]
    wanted = [ledger.submit(fresh, people[at % 2], "C", check) for at in range(len(order))]
    wanted += [ledger.submit(fresh, ANN, "G", game) for _ in range(len(order))]
    wanted.append(ledger.submit(fresh, Share("ladder", Rank.BACKGROUND), "B", 1.0))
    fresh.pause(False)
    wait(wanted, TIMEOUT)
    assert ledger.granted[:len(order)] == order
    assert ledger.granted.endswith("B"), "the background has waited for all of them"


def test_checks_that_come_later_have_no_machine_time_saved_up(ledger: Ledger, fresh: Machine) -> None:
    alone = [ledger.submit(fresh, ANN, "G", 3.0) for _ in range(6)]
    fresh.pause(False)
    wait(alone, TIMEOUT)
    fresh.pause(True)
    games = [ledger.submit(fresh, ANN, "G", 3.0) for _ in range(4)]
    checks = [ledger.submit(fresh, Share("check:Ann", Rank.CHECK), "C", 3.0) for _ in range(9)]
    fresh.pause(False)
    wait([*games, *checks], TIMEOUT)
    assert ledger.granted == "GGGGGG" + "CCC" + "GCC" * 3 + "G", "three at once, as if both had just come"


def test_the_background_leaves_a_place(large_machine: Machine, tmp_path: Path) -> None:
    background = Share("ladder", Rank.BACKGROUND)
    running = busy(large_machine, background, tmp_path / "pipe")
    second = large_machine.submit(background, lambda: number)
    assert large_machine.submit(ANN, lambda: number).result(TIMEOUT) != os.getpid()
    assert not second.done()
    (tmp_path / "pipe").write_text("go on")
    wait([running, second], TIMEOUT)


def test_a_pause_gives_nobody_a_place(machine: Machine, tmp_path: Path) -> None:
    running = busy(machine, ANN, tmp_path / "pipe")
    waiting = machine.submit(ANN, lambda: number)
    machine.pause(True)
    (tmp_path / "pipe").write_text("it ends")
    assert running.result(TIMEOUT) == "it ends"
    until(lambda: not machine.busy)
    assert not waiting.running() and not waiting.done()
    machine.pause(False)
    assert waiting.result(TIMEOUT)


def test_what_a_dead_worker_was_at_is_done_again(large_machine: Machine, tmp_path: Path) -> None:
    other = busy(large_machine, ANN, tmp_path / "pipe")
    deadly = large_machine.submit(ANN, lambda: partial(die_once, tmp_path / "mark"))
    assert deadly.result(TIMEOUT) == "done"
    (tmp_path / "pipe").write_text("not disturbed")
    assert other.result(TIMEOUT) == "not disturbed"


@pytest.mark.slow
def test_whatever_kills_every_worker_is_given_up_and_others_go_on(machine: Machine) -> None:
    deadly = machine.submit(ANN, lambda: die)
    with pytest.raises(BrokenExecutor, match="died"):
        deadly.result(TIMEOUT)
    assert machine.submit(ANN, lambda: number).result(TIMEOUT)


def test_what_cannot_begin_is_told_and_takes_no_place(machine: Machine) -> None:
    def fail() -> None:
        raise ValueError("it is gone")

    with pytest.raises(ValueError, match="it is gone"):
        machine.submit(ANN, fail).result(TIMEOUT)
    assert machine.submit(ANN, lambda: None).result(TIMEOUT) is None
    assert machine.busy == 0


def test_a_worker_has_one_processor(machine: Machine) -> None:
    assert len(machine.submit(ANN, lambda: processors).result(TIMEOUT)) == 1


def test_workers_that_cannot_be_reached_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines, "REOPEN_SECONDS", 0.01)
    (good,), refusals = local_places(1), iter(range(2))

    def refuse_twice() -> Any:
        if next(refusals, None) is not None:
            raise OSError("no route to host")
        return good.executor()

    machine = Machine([Workers(1, refuse_twice)])
    assert machine.submit(ANN, lambda: number).result(TIMEOUT)
    assert machine.problem == ""
    machine.close()


def test_a_contest_is_played_on_the_places_of_a_machine(machine: Machine) -> None:
    plan = Match(("random", "greedy"), variant="othello-4", games=4).plan
    assert Contest(plan).run(workers=machine.workers(Share("event"))).games == 4
