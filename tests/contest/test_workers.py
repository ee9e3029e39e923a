"""Workers that die: what they were at is done again, as long as something is finished in between."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest

from polyversi.contest.book_growth import Growth
from polyversi.contest.workers import MAX_BREAKDOWNS, local_workers
from polyversi.games.errors import PolyversiError


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_workers_that_die_without_finishing_anything_are_given_up() -> None:
    attempts = 0

    def work(executor: Executor) -> None:
        nonlocal attempts
        attempts += 1
        executor.submit(die).result()

    with pytest.raises(PolyversiError, match="the worker processes of 'cup' keep dying"):
        local_workers(2).carry_out(work, lambda: 0, "'cup'")
    assert attempts == MAX_BREAKDOWNS + 1


@pytest.mark.slow
def test_work_goes_on_as_long_as_something_is_finished() -> None:
    finished = list[int]()

    def work(executor: Executor) -> None:
        while len(finished) < 3 * MAX_BREAKDOWNS:
            finished.append(executor.submit(sum, [1, 2]).result())
            executor.submit(die).result()

    local_workers(2).carry_out(work, lambda: len(finished), "'cup'")
    assert len(finished) == 3 * MAX_BREAKDOWNS


def test_a_book_grows_on_when_a_worker_dies() -> None:
    growth, alone = (Growth.begin("othello-6", "depth=3") for _ in range(2))
    workers, opened = local_workers(2), list[Executor]()

    @contextmanager
    def executor() -> Iterator[Executor]:
        with workers.executor() as opened_now:
            opened.append(opened_now)
            yield opened_now

    def kill_once(_: Growth) -> None:
        if len(opened) == 1:
            with suppress(BrokenExecutor):
                opened[0].submit(die).result()

    growth.run(20, replace(workers, executor=executor), progress=kill_once)
    alone.run(20)
    assert len(opened) == 2
    assert growth.book.positions == alone.book.positions
