"""`python -m tests.soak.busy [--processes N] [--times N] -- COMMAND …`: a command on a busy machine.

It runs again and again beside processes that do nothing but keep the processors busy, until it has failed or
was run as often as wanted.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


def spin(parent: int) -> None:
    """Keeps a processor busy for as long as the parent process lives, however that one ends."""
    while os.getppid() == parent:
        for _ in range(1_000_000):
            pass


@contextmanager
def busy_processes(number: int) -> Iterator[None]:
    """Runs this many busy processes, which end with the block."""
    processes = [multiprocessing.Process(target=spin, args=[os.getpid()], daemon=True) for _ in range(number)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.join()


def main() -> None:
    """Runs the command; ends with its status as soon as it has failed."""
    parser = argparse.ArgumentParser(prog="tests.soak.busy", description="A command on a busy machine.")
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    with busy_processes(options.processes):
        for number in range(1, options.times + 1):
            begin = time.monotonic()
            status = subprocess.run(options.command, check=False).returncode
            print(f"run {number} of {options.times}: status {status} after {time.monotonic() - begin:.0f} s",
                  flush=True)
            if status:
                sys.exit(status)


if __name__ == "__main__":
    main()
