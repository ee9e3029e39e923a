"""Processes of bots: lines, bounds, readiness, and the end of a whole family."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from polyversi.gameplay import SeatFailure
from polyversi.gameplay.bots import Command, supervisor
from polyversi.gameplay.bots.process import MAX_LINE, Child, shown
from polyversi.gameplay.bots.supervisor import descendants
from tests.testing.processes import nothing_left, processes, run, wait_until_gone, zoo
from tests.testing.timeout import TIMEOUT

OWNER = """
import asyncio, sys
from pathlib import Path
from polyversi.gameplay.bots.process import Child
from tests.testing.processes import zoo

async def main():
    child = Child(zoo(Path(sys.argv[1]), "--fork-and-sleep"))
    child.start()
    await child.wait_until_reading(60)
    print("ready", flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""


async def lines_of(command: Command, count: int, sent: bytes = b"") -> list[bytes]:
    """The first lines that a process writes."""
    child = Child(command)
    child.start()
    try:
        child.send(sent)
        return [await child.line() for _ in range(count)]
    finally:
        await child.stop()


def python(code: str) -> Command:
    return Command((sys.executable, "-c", code))


def test_lines_come_one_by_one(tmp_path: Path) -> None:
    with nothing_left(tmp_path):
        assert run(lines_of(Command(("cat",)), 3, b"a\nb\r\n\n")) == [b"a", b"b", b""]


def test_what_a_java_program_says_is_told_rather_than_where_it_was() -> None:
    errors = "NullPointerException: no map\n" + "\tat Game.run(Game.java:110)\n" * 4
    with pytest.raises(SeatFailure, match=r"status 3; its errors: NullPointerException: no map$"):
        run(lines_of(python(f"import sys; sys.stderr.write({errors!r}); sys.exit(3)"), 1))


def test_more_than_a_pipe_holds_goes_through() -> None:
    sent = b"".join(b"%d" % number * 1000 + b"\n" for number in range(10, 99))
    assert run(lines_of(Command(("cat",)), 89, sent * 3)) == sent.splitlines()


def test_the_longest_line_is_read_and_a_longer_one_is_not() -> None:
    longest = b"x" * MAX_LINE
    assert run(lines_of(Command(("cat",)), 1, longest + b"\n")) == [longest]
    with pytest.raises(SeatFailure, match="longer than 64 KiB"):
        run(lines_of(Command(("cat",)), 1, longest + b"x\n"))


def test_a_talkative_process_has_to_wait() -> None:
    """What nobody asks for stays in the pipe; only a little of it is ever held here."""
    def written(pid: int) -> int:
        """Bytes that a process could get rid of."""
        return int(Path(f"/proc/{pid}/io").read_text().partition("wchar: ")[2].split()[0])

    async def taken() -> int:
        child = Child(python("import os\nwhile True: os.write(1, b'y\\n' * 512)"))
        child.start()
        try:
            assert await child.line() == b"y"
            [talker] = descendants(child.pid)
            while written(talker) <= 2 * MAX_LINE:
                await asyncio.sleep(0)
            for _ in range(100):
                await asyncio.sleep(0)
            amount = written(talker)
            for _ in range(2 * MAX_LINE):
                assert await child.line() == b"y"
            return amount
        finally:
            await child.stop()

    pipe = 64 * 1024
    assert run(taken()) <= 3 * MAX_LINE + pipe + 2    # the line that was asked for is not held any more


def test_output_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyversi.gameplay.bots.process.MAX_OUTPUT", 2**20)
    with pytest.raises(SeatFailure, match="it wrote more than 1 MiB"):
        run(lines_of(python("while True: print('x' * 99)"), 10**9))


def test_a_process_is_ready_when_it_reads() -> None:
    async def ready(code: str, seconds: float) -> bool:
        child = Child(python(code))
        child.start()
        try:
            return await child.wait_until_reading(seconds)
        finally:
            await child.stop()

    assert run(ready("import sys; sys.stdin.readline()", TIMEOUT))
    assert not run(ready("import time; time.sleep(3600)", 0.1))
    with pytest.raises(SeatFailure, match="ended with status 7"):
        run(ready("raise SystemExit(7)", TIMEOUT))


def test_the_end_of_its_errors_is_kept() -> None:
    code = "import os; [os.write(2, b'%d ' % n * 100) for n in range(1000)]; os.write(2, b'the end')"
    with pytest.raises(SeatFailure, match=r"ended with status 0; its errors: .*"):
        run(lines_of(python(code), 1))

    async def errors() -> bytes:
        child = Child(python(code))
        child.start()
        try:
            with pytest.raises(SeatFailure):
                await child.line()
        finally:
            await child.stop()
        return bytes(child.errors)

    kept = run(errors())
    assert len(kept) == 8192
    assert kept.endswith(b"999 the end")


def test_what_cannot_be_run_says_so(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no program")
    text.chmod(0o755)
    for command in (Command(("no such program",)), Command((str(text),))):
        with pytest.raises(SeatFailure, match="cannot be run"):
            run(lines_of(command, 1))


def test_limits_are_set() -> None:
    limits = "(r.RLIMIT_DATA, r.RLIMIT_NOFILE, r.RLIMIT_CORE)"
    code = f"import resource as r; print([r.getrlimit(limit) for limit in {limits}])"
    command = Command((sys.executable, "-c", code), memory=2**30, files=99)
    assert run(lines_of(command, 1)) == [f"{[(2**30,) * 2, (99, 99), (0, 0)]}".encode()]


def test_a_prefix_stands_before_the_command() -> None:
    assert run(lines_of(Command(("a", "b"), prefix=("echo", "-n")), 0)) == []
    assert run(lines_of(Command(("a", "b"), prefix=("echo",)), 1)) == [b"a b"]


def test_stopping_twice_is_no_harm(tmp_path: Path) -> None:
    async def twice() -> None:
        child = Child(zoo(tmp_path, "--ignore-sigterm"))
        child.start()
        child.kill()
        child.kill()
        await child.stop()
        await child.stop()

    with nothing_left(tmp_path):
        run(twice())


def test_many_at_once(tmp_path: Path) -> None:
    async def many() -> list[bytes]:
        children = [Child(zoo(tmp_path, "--fork")) for _ in range(8)]
        for child in children:
            child.start()
            child.send(b'{"moves": ["f5"]}\n')
        try:
            return [await child.line() for child in children]
        finally:
            await asyncio.gather(*(child.stop() for child in children))

    with nothing_left(tmp_path):
        assert run(many()) == [b'{"move": "f5"}'] * 8


def test_when_the_owner_is_killed_its_bots_end_too(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"ready\n"
        assert len(processes(str(tmp_path / "zoo.py"))) >= 2
        os.kill(owner.pid, signal.SIGKILL)
    wait_until_gone(str(tmp_path / "zoo.py"))


@pytest.mark.parametrize("number", range(3))
def test_a_supervisor_that_is_terminated_again_and_again_ends_its_bot(tmp_path: Path, number: int) -> None:
    """As by the death of an owner with many threads, each of which the system tells it of."""
    command = zoo(tmp_path, "--fork-and-sleep")
    limits = ["1000000000", "64", "0", "0", "0", "0", "", ""]
    words = [sys.executable, supervisor.__file__, str(os.getpid()), *limits, "--", *command.words]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as supervising:
        while len(processes(str(tmp_path / "zoo.py"))) < 3:
            pass    # the supervisor, the bot and what it forks
        while supervising.poll() is None:
            supervising.terminate()
    wait_until_gone(str(tmp_path / "zoo.py"))


def test_what_is_shown_fits_a_sentence() -> None:
    assert shown(b"a\nb\x1b[31m\xff") == "a\\nb\\x1b[31m\\xff"
    assert shown("\ud800é") == "\\ud800é"
    assert len(shown(b"x" * 1000)) == 200
