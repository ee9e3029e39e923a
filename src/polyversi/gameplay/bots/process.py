"""Processes of bots: pipes with deadlines and bounds, and an end that leaves nobody behind."""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from polyversi.gameplay.bots.standstill import Standstill, new_group
from polyversi.gameplay.bots.supervisor import CANNOT_RUN, process_tree, send
from polyversi.gameplay.verdict import BETWEEN, ITS_ERRORS, SeatFailure

MAX_LINE = 64 * 1024
"""Bytes of a line at most; no valid answer is longer."""
MAX_OUTPUT = 64 * 1024 * 1024
"""Bytes of standard output in a game."""
MAX_SHOWN = 8 * 1024
"""Bytes of standard output and of standard error that can be shown."""
PIPE = 1024 * 1024
"""Bytes that a pipe can hold at the most."""
EXIT_TIMEOUT = 0.5
"""Seconds in which a bot that has closed its input may end by itself."""
ENDING_TIMEOUT = 10.0
"""Seconds in which a bot that has closed its output ends, if it does, however busy the machine is."""
SUPERVISOR_TIMEOUT = 2.0
"""Seconds that the supervisor has to end the bot's processes before we do it."""
MARK = "POLYVERSI_BOT"
"""The variable in the environment that tells whose process one is, should its supervisor be lost."""
SUPERVISOR = str(Path(__file__).with_name("supervisor.py"))


@dataclass(frozen=True)
class Command:
    """What is run, where, and within which limits.

    >>> Command(("./edax", "-gtp")).memory // 2**20
    2048
    """

    words: tuple[str, ...]
    folder: Path | None = None
    """The folder it is run in; None for the current one."""
    memory: int = 2 * 1024**3
    """Bytes that each of its processes may have to write to."""
    files: int = 256
    """Files that each of its processes may have open."""
    prefix: tuple[str, ...] = ()
    """What is put before the words: a sandbox, for one."""
    environment: Mapping[str, str] | None = None
    """Its environment; None for ours."""
    whole_memory: int = 0
    """Bytes that all of its processes may have together; here and below, 0 for any number."""
    tasks: int = 0
    """Processes and threads that it may have at a time."""
    cpu: int = 0
    """Seconds of processor time for all of its processes together."""
    file_size: int = 0
    """Bytes that each of its files may have."""
    filter: bytes = b""
    """A filter of its system calls."""
    is_suspended: bool = False
    """Whether it is to stand still at times."""


def shown(data: bytes | bytearray | str, maximum: int = 200) -> str:
    """What a bot wrote, fit to stand in a sentence: one line, printable, not too long.

    >>> shown(bytes([0xff, 0x00, 0x66, 0x35]))
    '\\\\xff\\\\x00f5'
    """
    text = data if isinstance(data, str) else data.decode("utf-8", "backslashreplace")
    cut = text if len(text) <= maximum else text[: maximum - 1] + "…"
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in cut)


class Child:
    """A bot's process, with its owner: whoever starts one stops it.

    It is not one of `asyncio.subprocess`, whose transports keep the pipes to themselves: here a bot is asked
    how much of its input it has not read yet (FIONREAD), reading stops at a bound while nobody asks for more,
    what it wrote before is taken without waiting, and its end is seen without a watcher for every event loop.
    That costs 3 µs a line (`python -m benchmarks pipes`: 17.0 µs to a process and back, asyncio 13.6).

    >>> async def echo() -> bytes:
    ...     child = Child(Command(("cat",)))
    ...     child.start()
    ...     try:
    ...         child.send(b"f5\\n")
    ...         return await child.line()
    ...     finally:
    ...         await child.stop()
    >>> asyncio.run(echo())
    b'f5'
    """

    def __init__(
        self, command: Command, *, is_asked: bool = True, passed: socket.socket | None = None
    ) -> None:
        self.command = command
        self._is_asked = is_asked    # for lines; otherwise it may write what it likes
        self._passed = passed    # a socket that it gets besides its pipes, under the same number
        self.output = bytearray()
        """The end of what it wrote to standard output."""
        self.errors = bytearray()
        """The end of what it wrote to standard error."""
        self._lines = bytearray()    # written by it, not yet asked for
        self._unsent = bytearray()
        self._amount = 0
        self._pipes: dict[int, IO[bytes]] = {}    # our ends of its pipes, while they are open
        self._mark = secrets.token_hex(8)
        self._is_ending = False
        self._is_killed = False
        self._is_stopped = False    # ended, and everything let go of
        self.group: Path | None = None
        """Its control group, if it is to be suspended and may have one."""
        self._is_suspended = False
        self._news = asyncio.Event()    # something was read, or a pipe was closed

    @property
    def pid(self) -> int:
        """The number of the process that was started: the supervisor above the bot's own."""
        return self._process.pid

    def start(self) -> None:
        """Starts it; whether the command can be run at all shows when it is talked to."""
        command, self._loop = self.command, asyncio.get_running_loop()
        self.group = new_group() if command.is_suspended else None
        numbers = (os.getpid(), command.memory, command.files, command.whole_memory, command.tasks,
                   command.cpu, command.file_size)
        supervisor = [sys.executable, "-I", "-S", "-B", SUPERVISOR, *map(str, numbers), command.filter.hex(),
                      str(self.group or "")]
        surroundings = os.environ if command.environment is None else command.environment
        try:
            self._process = subprocess.Popen(
                [*supervisor, "--", *command.prefix, *command.words],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=command.folder,
                env={**surroundings, "PYTHONUNBUFFERED": "1", MARK: self._mark},
                start_new_session=True,
                pass_fds=() if self._passed is None else (self._passed.fileno(),),
            )
        except BaseException:
            self._remove_group()
            raise
        self._standstill = Standstill(self._process.pid, self.group)
        if self._passed is not None:
            self._passed.close()
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._pipes = {pipe.fileno(): pipe for pipe in pipes if pipe}
        self._in, self._out, self._err = self._pipes
        for descriptor in self._pipes:
            os.set_blocking(descriptor, False)
        self._loop.add_reader(self._out, self._read_output)
        self._loop.add_reader(self._err, self._read_errors)

    def send(self, data: bytes) -> None:
        """Writes to its standard input, now or as soon as there is room."""
        self._unsent += data
        if self._in in self._pipes:
            self._write()

    async def line(self) -> bytes:
        """The next line it writes, without its end; SeatFailure when none will come. Wait with a deadline."""
        while True:
            end = self._lines.find(b"\n")
            is_long = (end if end >= 0 else len(self._lines)) > MAX_LINE
            if is_long or self._amount > MAX_OUTPUT:
                self.kill()
                excess = f"a line longer than {MAX_LINE >> 10} KiB" if is_long else \
                    f"more than {MAX_OUTPUT >> 20} MiB"
                raise SeatFailure("crash", f"it wrote {excess}: {shown(self._lines)}")
            if end >= 0:
                line = bytes(self._lines[:end]).removesuffix(b"\r")
                del self._lines[: end + 1]
                self._listen()
                return line
            await self._check_pipes()
            self._news.clear()
            await self._news.wait()

    def unasked(self) -> bytes:
        """Takes what it has written and nobody has asked for."""
        self._read_output()
        lines = bytes(self._lines)
        self._lines.clear()
        self._listen()
        return lines

    async def wait_until_reading(self, seconds: float) -> bool:
        """Waits until it begins to read its standard input, as it does when it is ready.

        A space is put into the pipe, which JSON allows before a request; the bot is reading once it is gone.
        """
        self.send(b" ")
        until = self._loop.time() + seconds
        pause = 0.001
        while True:
            await self._check_pipes()
            unread = fcntl.ioctl(self._in, termios.FIONREAD, bytes(4))
            if not any(unread) and not self._unsent:
                return True
            if self._loop.time() > until:
                return False
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.02)

    async def _check_pipes(self) -> None:
        """Raises a SeatFailure if it can hear or say nothing any more."""
        for descriptor, name in ((self._out, "output"), (self._in, "input")):
            if descriptor not in self._pipes:
                raise SeatFailure("crash", await self.exit_reason(f"it closed its {name}"))

    def close_input(self) -> None:
        """Tells it that nothing more will be asked."""
        self._close(self._in)

    async def ended(self, seconds: float) -> int | None:
        """Waits for its end; its exit status, or the negative number of the signal that ended it."""
        until = self._loop.time() + seconds
        while (status := self._process.poll()) is None and self._loop.time() < until:
            await asyncio.sleep(0.002)
        return status

    async def exit_reason(self, otherwise: str) -> str:
        """Why nothing more will come from it, with what it wrote last.

        That is how its process ended; one that goes on is ended too, for the reason that there is otherwise.
        """
        try:
            status = await self.ended(ENDING_TIMEOUT)
        except asyncio.CancelledError:
            status = self._process.poll()    # its time is up meanwhile, but this is what happened
        while self._read_errors():
            pass
        if status == CANNOT_RUN and self.errors:
            said = "its command failed"
        elif status is None:
            self.kill()    # nobody can talk to it any more
            said = otherwise
        elif status < 0:
            said = f"its process was ended by {_signal_name(-status)}"
        else:
            said = f"its process ended with status {status}"
        if self._lines:
            said += f" in the middle of a line: {shown(self._lines)}"
        lines = [line for line in bytes(self.errors).splitlines() if line.strip()]
        words = [line for line in lines if not line.startswith(b"\tat ")][-3:]    # where a Java program was
        return said + (f"{ITS_ERRORS}{BETWEEN.join(map(shown, words))}" if words else "")

    def suspend(self) -> None:
        """Has all its processes stand still until it is woken."""
        if not self._is_ending and not self._is_suspended:
            self._is_suspended = True
            self._standstill.begin()

    def wake(self) -> None:
        """Has its processes go on; when this returns, it does."""
        if self._is_suspended:
            self._is_suspended = False
            self._standstill.end()

    @property
    def stands_still(self) -> bool:
        """Whether all its processes stand still: after `suspend`, as soon as the system has seen to it."""
        return self._standstill.is_complete

    def kill(self) -> None:
        """Has it ended with all its processes, at once and whatever it does; `stop` is still to be called."""
        if not self._is_killed:
            self._is_ending = self._is_killed = True
            self._process.send_signal(signal.SIGTERM)

    async def stop(self) -> None:
        """Closes its input, lets it end by itself for a moment, and makes sure that it has."""
        if self._is_stopped:
            return
        self._is_ending = True
        try:
            self.wake()
            self.close_input()
            if not self._is_killed and await self.ended(EXIT_TIMEOUT) is None:
                self.kill()
            await self.ended(SUPERVISOR_TIMEOUT)
        finally:
            self._is_stopped = True
            if self._process.poll() in (None, -signal.SIGKILL):
                self._end_without_supervisor()
            for _ in range(PIPE // MAX_LINE):    # what is left in them
                self._read_output()
                self._read_errors()
            for descriptor in list(self._pipes):
                self._close(descriptor)
            self._remove_group()

    def _remove_group(self) -> None:
        if self.group is not None:
            with suppress(OSError):    # the supervisor has removed it, if it could
                self.group.rmdir()

    def _end_without_supervisor(self) -> None:
        """When the supervisor was stopped or killed itself, its work falls to us."""
        for _ in range(100):
            left = {*process_tree(self._process.pid), *marked(self._mark)} - {self._process.pid}
            if not left:
                break
            for pid in left:
                send(signal.SIGKILL, pid)
        self._process.kill()
        self._process.wait()

    def _listen(self) -> None:
        """Reads on when there is room for more."""
        if self._out in self._pipes and len(self._lines) <= 2 * MAX_LINE:
            self._loop.add_reader(self._out, self._read_output)

    def _read_output(self) -> None:
        data = self._read(self._out)
        if self._is_asked:
            self._amount += len(data)
            self._lines += data
        self.output = (self.output + data)[-MAX_SHOWN:]
        if self._out in self._pipes and len(self._lines) > 2 * MAX_LINE:
            self._loop.remove_reader(self._out)    # it has to wait until this has been taken
        self._news.set()

    def _read_errors(self) -> int:
        data = self._read(self._err)
        self.errors = (self.errors + data)[-MAX_SHOWN:]
        return len(data)

    def _read(self, descriptor: int) -> bytes:
        if descriptor not in self._pipes:
            return b""
        try:
            data = os.read(descriptor, MAX_LINE)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._close(descriptor)
        return data

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._in, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:    # it has closed its input
            self._close(self._in)
            return
        if self._unsent:
            self._loop.add_writer(self._in, self._write)
        else:
            self._loop.remove_writer(self._in)

    def _close(self, descriptor: int) -> None:
        if descriptor in self._pipes:
            self._loop.remove_writer(descriptor)
            self._loop.remove_reader(descriptor)
            self._pipes.pop(descriptor).close()
            self._news.set()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def marked(mark: str) -> list[int]:
    """The living processes that were started with a mark in their environment.

    >>> marked("no such mark")
    []
    """
    wanted = f"{MARK}={mark}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parent.name))
    return found
