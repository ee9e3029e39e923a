"""An engine worker: `python -m polyversi.server.analysis.worker NICE` reads tasks and writes findings."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue

import msgspec

from polyversi.server.analysis.tasks import READY, Answered, Asked, Bench, Think, carry_out

WARM_UP = Think("othello", "", "", 0.01)
"""The first thing that is usually asked about; what that needs is loaded before."""


def main() -> None:
    """Works until nobody asks any more; Ctrl-C is for the server, which then closes the line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nothing that a library prints may come between the answers.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    bench, waiting = Bench(), SimpleQueue[Asked]()

    def tell(answer: Answered) -> None:
        try:
            answers.write(msgspec.json.encode(answer) + b"\n")
        except OSError:
            os._exit(0)    # the server is gone

    threading.Thread(target=_listen, args=[waiting, bench], daemon=True).start()
    with suppress(Exception):
        bench.perform(READY, WARM_UP, lambda _: None)
    with suppress(OSError):    # not before: on a busy machine it would take minutes to get ready
        os.nice(int(sys.argv[1]))
    tell(Answered(READY))
    while True:
        carry_out(bench, waiting.get(), tell)


def _listen(waiting: SimpleQueue[Asked], bench: Bench) -> None:
    decoder = msgspec.json.Decoder(Asked)
    for line in sys.stdin.buffer:
        asked = decoder.decode(line)
        if asked.task is None:
            bench.stop(asked.number)
        else:
            waiting.put(asked)
    os._exit(0)    # the server is gone, or wants no more


if __name__ == "__main__":
    main()
