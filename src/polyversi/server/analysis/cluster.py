"""Engine workers on other machines: the threads of the dask cluster that contests use."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack

import msgspec

from polyversi.contest.workers import cluster_workers
from polyversi.server.analysis.tasks import (
    F,
    Task,
    TaskAnswer,
    TaskRequest,
    TaskRunner,
    carry_out,
    request_of,
)
from polyversi.server.analysis.workers import RESPONSE_TIMEOUT, WorkerLostError


class Cluster:
    """The cluster at an address; a PolyversiError says that there is none, or that it has no workers."""

    def __init__(self, address: str) -> None:
        self._workers = cluster_workers(address)
        self._thread = ThreadPoolExecutor(1, "cluster")    # dask wants to be left where it was entered
        self._open = ExitStack()
        self._executor: Executor | None = None

    @property
    def threads(self) -> int:
        """How many workers it stands for."""
        return self._workers.jobs

    async def executor(self) -> Executor:
        """What carries out tasks there; the first one who asks connects to the cluster."""
        return await asyncio.wrap_future(self._thread.submit(self._connected))

    def _connected(self) -> Executor:
        if self._executor is None:
            self._executor = self._open.enter_context(self._workers.executor())
        return self._executor

    async def close(self) -> None:
        """Leaves the cluster."""
        await asyncio.wrap_future(self._thread.submit(self._open.close))
        self._thread.shutdown(wait=False)


class ClusterWorker:
    """A thread of the cluster, which does one task after another.

    It tells what it has found at the end of a task, and cannot be stopped before: slices are short.
    """

    pid = 0
    is_gone = False

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._end: asyncio.Future[list[bytes]] | None = None

    async def start(self) -> None:
        """Connects to the cluster."""
        await self._cluster.executor()

    async def run(self, task: Task[F], tell: Callable[[F], None], seconds: float | None) -> TaskAnswer:
        """Has a task done; a WorkerLostError if that fails for another reason than the task."""
        executor = await self._cluster.executor()
        self._end = asyncio.wrap_future(executor.submit(perform, msgspec.json.encode(request_of(0, task))))
        try:
            async with asyncio.timeout(None if seconds is None else seconds + RESPONSE_TIMEOUT):
                lines = await asyncio.shield(self._end)
        except asyncio.CancelledError:
            raise
        except Exception as error:    # whatever dask says of a worker that died
            raise WorkerLostError from error
        *found, last = (msgspec.json.decode(line, type=TaskAnswer) for line in lines)
        for one in found:
            if one.found is not None:
                tell(task.read(one.found))
        return last

    async def settled(self) -> bool:
        """Waits until it has ended what it was doing; the cluster sees to its workers."""
        if self._end is not None:
            await asyncio.wait([self._end], timeout=RESPONSE_TIMEOUT)
        return True

    def stop(self) -> None:
        """Does nothing: it ends soon."""

    async def close(self) -> None:
        """Leaves it to the cluster."""


_own = threading.local()


def perform(request: bytes) -> list[bytes]:
    """Carries out a task in a thread of the cluster; the last finding and the answer, as lines of JSON.

    >>> from polyversi.server.analysis.tasks import Think
    >>> task = Think("othello-4", "", "-----OX--XO----- X", 5)
    >>> found, answer = perform(msgspec.json.encode(TaskRequest(0, task)))
    >>> msgspec.json.decode(found)["found"]["exact"], answer
    (True, b'{"number":0,"found":null,"problem":"","fault":"","final":true}')
    """
    if not hasattr(_own, "runner"):
        _own.runner = TaskRunner()
    answers: list[TaskAnswer] = []
    carry_out(_own.runner, msgspec.json.decode(request, type=TaskRequest), answers.append)
    return [msgspec.json.encode(answer) for answer in answers[-2:]]
