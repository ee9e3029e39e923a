"""The warden of a bot: a small process that starts it, keeps its family together and ends it as a whole.

It is run as a script, so it imports nothing of ours:

    python warden.py OWNER MEMORY FILES -- COMMAND ...

The warden adopts whoever loses a parent below it (a subreaper), so that even what was forked twice into a
session of its own is found. When the bot's first process ends, the rest of the family is ended; when the
warden is told to (SIGTERM) or its owner dies, the bot is asked to end and shortly afterwards made to. It ends
the same way as the bot: with its exit status, or by the same signal.
"""

from __future__ import annotations

import os
import signal
import sys
import time

SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
"""What prctl(2) calls them."""
GRACE = 0.15
"""Seconds between asking and making."""
PERSISTENCE = 10.0
"""Seconds after which the warden gives up on what cannot be killed."""
CANNOT_RUN = 127
"""The exit status of a command that could not be run, as shells have it."""


class _ToldToEnd(Exception):  # noqa: N818 no error
    pass


def family(ancestor: int) -> list[int]:
    """All living processes below one, nearest first; none where the system has no /proc.

    >>> os.getpid() in family(os.getppid())
    True
    """
    children: dict[int, list[int]] = {}
    for pid in _processes():
        try:
            text = _read(f"/proc/{pid}/stat")
        except OSError:
            continue    # it has just ended
        state, parent = text[text.rindex(b")") + 2 :].split()[:2]
        if state not in (b"Z", b"X"):
            children.setdefault(int(parent), []).append(pid)
    found = [ancestor]
    for pid in found:
        found += children.get(pid, [])
    return found[1:]


def _processes() -> list[int]:
    try:
        with os.scandir("/proc") as entries:
            return [int(entry.name) for entry in entries if entry.name.isdigit()]
    except OSError:
        return []


def _read(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)


def send(signum: int, pid: int) -> None:
    """Signals a process, or with a negative number a whole group; it may have ended meanwhile."""
    try:  # noqa: SIM105 contextlib would take longer to import than all of this
        (os.kill if pid > 0 else os.killpg)(abs(pid), signum)
    except (ProcessLookupError, PermissionError):
        pass


def main(arguments: list[str]) -> None:
    """Runs the command of the arguments and ends as it does."""
    owner, memory, files = map(int, arguments[:3])
    signal.signal(signal.SIGTERM, _told_to_end)
    bot = 0
    status = 0
    try:
        _become_warden(owner)
        bot = os.fork()
        if bot == 0:
            _become_bot(arguments[4:], memory, files)
        _let_go_of_pipes()
        ended = 0
        while ended != bot:
            ended, status = os.wait()
    except _ToldToEnd:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        status = _ask_to_end(bot) if bot else 0
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _end_family(bot)
    _end_likewise(status)


def _told_to_end(signum: int, frame: object) -> None:  # noqa: ARG001
    raise _ToldToEnd


def _become_warden(owner: int) -> None:
    if sys.platform == "linux":
        import ctypes

        system = ctypes.CDLL(None)
        system.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        system.prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)
    if os.getppid() != owner:
        raise _ToldToEnd    # it died before the system could tell


def _become_bot(command: list[str], memory: int, files: int) -> None:
    """Turns this process into the bot, in a session of its own and within its limits."""
    import resource

    try:
        for signum in (signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(signum, signal.SIG_DFL)
        os.setsid()
        # Memory is what is written to: runtimes reserve far more address space than they ever use.
        wanted = ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_NOFILE, files), (resource.RLIMIT_CORE, 0))
        for what, most in wanted:
            hard = resource.getrlimit(what)[1]
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (least, least))
        os.execvp(command[0], command)
    except BaseException as error:
        os.write(2, f"{command[0]} cannot be run: {error}\n".encode())
    os._exit(CANNOT_RUN)


def _let_go_of_pipes() -> None:
    """Leaves the pipes to the bot, so that their other ends see when the bot closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _ask_to_end(bot: int) -> int:
    """Asks the bot to end and waits a moment; its status."""
    send(signal.SIGTERM, -bot)
    until = time.monotonic() + GRACE
    try:
        while time.monotonic() < until:
            ended, status = os.waitpid(bot, os.WNOHANG)
            if ended:
                return status
            time.sleep(0.005)
    except ChildProcessError:
        return 0    # it ended just when the warden was told
    return int(signal.SIGKILL)


def _end_family(bot: int) -> None:
    """Kills and reaps until nobody is left, however fast they fork."""
    if bot:
        send(signal.SIGKILL, -bot)
    until = time.monotonic() + PERSISTENCE
    while time.monotonic() < until:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for pid in family(os.getpid()):
            send(signal.SIGKILL, pid)
        time.sleep(0.001)


def _end_likewise(status: int) -> None:
    if os.WIFSIGNALED(status):
        signum = os.WTERMSIG(status)
        if signum != signal.SIGKILL:
            signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
