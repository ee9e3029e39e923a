"""An engine worker: `python -m polyversi.server.analysis.worker NICE` reads tasks and writes findings."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue

import msgspec

from polyversi.server.analysis.tasks import NO_TASK, TaskAnswer, TaskRequest, TaskRunner, Think, carry_out

WARM_UP = Think("othello", "", "", 0.01)
"""The first thing that is usually asked about; what that needs is loaded before."""


def main() -> None:
    """Works until nobody asks any more; Ctrl-C is for the server, which then closes the line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nothing that a library prints may come between the answers.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    runner, waiting = TaskRunner(), SimpleQueue[TaskRequest]()

    def tell(answer: TaskAnswer) -> None:
        try:
            answers.write(msgspec.json.encode(answer) + b"\n")
        except OSError:
            os._exit(0)    # the server is gone

    threading.Thread(target=_listen, args=[waiting, runner], daemon=True).start()
    with suppress(Exception):
        runner.perform(NO_TASK, WARM_UP, lambda _: None)
    with suppress(OSError):    # not before: on a busy machine it would take minutes to get ready
        os.nice(int(sys.argv[1]))
    tell(TaskAnswer(NO_TASK))
    while True:
        carry_out(runner, waiting.get(), tell)


def _listen(waiting: SimpleQueue[TaskRequest], runner: TaskRunner) -> None:
    decoder = msgspec.json.Decoder(TaskRequest)
    for line in sys.stdin.buffer:
        request = decoder.decode(line)
        if request.task is None:
            runner.stop(request.number)
        else:
            waiting.put(request)
    os._exit(0)    # the server is gone, or wants no more


if __name__ == "__main__":
    main()
