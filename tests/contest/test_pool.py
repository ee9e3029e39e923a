"""The process pool: what its processes are at when it is left, they close, and begin nothing else."""

from __future__ import annotations

import os
import select
import signal
import struct
import subprocess
import sys
import threading
import weakref
from multiprocessing.connection import Connection
from pathlib import Path
from unittest.mock import patch

import pytest

from polyversi.contest.pool import in_process, process_pool
from tests.testing.endless_game import endless
from tests.testing.timeout import TIMEOUT


def test_a_game_is_closed_and_the_next_one_is_not_begun(tmp_path: Path) -> None:
    begun, closed, other = tmp_path / "begun", tmp_path / "closed", tmp_path / "other"
    os.mkfifo(begun)
    with pytest.raises(KeyboardInterrupt), process_pool(1) as pool:
        pool.submit(endless, begun, closed)
        pool.submit(other.touch)
        begun.read_text()    # waits until the first one has begun
        raise KeyboardInterrupt
    assert closed.exists()
    assert not other.exists()


def interrupted_in_a_finalizer() -> str:
    """Python can raise nothing there: it writes that the exception was ignored, and goes on."""
    weakref.finalize(threading.Event(), os.kill, os.getpid(), signal.SIGINT)
    return "went on"


def test_ctrl_c_in_a_finalizer_of_this_process_is_not_lost() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), in_process() as executor:
        for _ in range(2):
            done.append(executor.submit(interrupted_in_a_finalizer).result())
    assert done == ["went on"]


def test_a_game_of_this_process_is_closed_and_the_next_one_is_not_begun(tmp_path: Path) -> None:
    begun, closed, other = tmp_path / "begun", tmp_path / "closed", tmp_path / "other"
    os.mkfifo(begun)

    def interrupt() -> None:
        os.kill(int(begun.read_text()), signal.SIGINT)

    waiting = threading.Thread(target=interrupt)
    waiting.start()
    with pytest.raises(KeyboardInterrupt), in_process() as executor:
        executor.submit(endless, begun, closed)
        executor.submit(other.touch)
    waiting.join()
    assert closed.exists()
    assert not other.exists()


def half_a_result(begun: Path) -> None:
    """From now on this process writes the length of a result, and never the result."""
    def send_half(pipe: Connection, result: bytes) -> None:
        os.write(pipe.fileno(), struct.pack("!i", len(result)))
        begun.write_text("")
        while True:
            signal.pause()

    patch.object(Connection, "send_bytes", send_half).start()


def test_a_result_that_is_broken_off_is_not_waited_for(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    with pytest.raises(KeyboardInterrupt), process_pool(1) as pool:
        pool.submit(half_a_result, begun)
        begun.read_text()
        raise KeyboardInterrupt


def miss_the_first_signal() -> None:
    """As if it had arrived in the moment before the process waited for its next task."""
    heard = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, lambda *_: signal.signal(signal.SIGTERM, heard))


def test_a_process_that_has_not_heard_it_is_told_again_to_stop() -> None:
    with pytest.raises(KeyboardInterrupt), process_pool(1) as pool:
        pool.submit(miss_the_first_signal).result()
        raise KeyboardInterrupt


LEADER = """
import sys
from pathlib import Path
from polyversi.contest.pool import process_pool
from tests.testing.endless_game import endless

if __name__ == "__main__":
    with process_pool(2) as pool:
        for number in (1, 2):
            begun, closed = (Path(sys.argv[1]) / f"{name}{number}" for name in ("begun", "closed"))
            pool.submit(endless, begun, closed)
        pool.submit(print)    # waits for its turn for ever
        input()
"""


def test_no_process_is_left_when_the_parent_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "leader.py"
    program.write_text(LEADER)
    for number in (1, 2):
        os.mkfifo(tmp_path / f"begun{number}")
    with subprocess.Popen(
        [sys.executable, str(program), str(tmp_path)], stdin=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as leader:
        workers = [os.pidfd_open(int((tmp_path / f"begun{number}").read_text())) for number in (1, 2)]
        leader.send_signal(signal.SIGKILL)
    for worker in workers:
        assert select.select([worker], [], [], TIMEOUT)[0], "it outlives its parent"
        os.close(worker)
    assert (tmp_path / "closed1").exists() and (tmp_path / "closed2").exists()


INTERRUPTED = """
import os
import signal
import threading
from polyversi.contest.pool import process_pool

enter, main, left = threading.Condition.__enter__, threading.get_ident(), 0

def enter_and_interrupt(condition):
    global left
    taken = enter(condition)
    if threading.get_ident() == main:
        left -= 1
        if left == 0:
            os.kill(main_process, signal.SIGINT)
    return taken

if __name__ == "__main__":
    main_process = os.getpid()
    threading.Condition.__enter__ = enter_and_interrupt
    for moment in range(1, 13):
        left = moment
        try:
            with process_pool(2) as pool:
                while True:
                    for game in [pool.submit(abs, number) for number in range(3)]:
                        game.result()
        except KeyboardInterrupt:
            print(moment, left <= 0, flush=True)
"""


def test_ctrl_c_ends_it_whatever_lock_the_main_thread_has_just_taken(tmp_path: Path) -> None:
    program = tmp_path / "interrupted.py"
    program.write_text(INTERRUPTED)
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=False, timeout=TIMEOUT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, preexec_fn=heed_ctrl_c,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [f"{moment} True" for moment in range(1, 13)]


def heed_ctrl_c() -> None:
    """Whoever runs tests in the background may ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
