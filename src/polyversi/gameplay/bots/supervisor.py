"""The supervisor of a bot: a small process that starts it, limits it and ends it with all its processes.

It is run as a script, so it imports nothing of ours:

    python supervisor.py OWNER MEMORY FILES WHOLE TASKS CPU SIZE FILTER GROUP -- COMMAND ...

OWNER is the process that started it. MEMORY, FILES and SIZE (bytes of a file) are limits of each process;
WHOLE (bytes), TASKS and CPU (seconds) are limits of a sandbox as a whole, which the supervisor watches; 0
means no limit. FILTER is a filter of system calls in hexadecimal digits, or empty; GROUP is the folder of a
control group for the bot, or empty.

The supervisor adopts orphans (a subreaper), so that it finds even what was forked twice into another session.
When the bot's first process ends, when the supervisor is terminated (SIGTERM) and when its owner dies, all of
them end. It exits as the bot did: with its exit status, or by the same signal.
"""

from __future__ import annotations

import os
import signal
import sys
import time

SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
SET_NO_NEW_PRIVILEGES, SET_FILTER, FILTER_MODE = 38, 22, 2
"""What prctl(2) calls them."""
INPUT, OUTPUT = 8, 9
"""Under which numbers a bot that is watched finds its pipes; it may hold them alone."""
INTERVAL = 0.05
"""Seconds between two looks at what a bot uses."""
FILE = 2048
"""Bytes that the system keeps for a file in memory, besides what is in it."""
FEW_SOCKETS = 16
"""Sockets that every bot may have without a closer look."""
MAX_LOCKS = 10_000
"""Locks of files; each takes some memory of the system."""
TABLE_SPAN = 512
"""Bytes of memory that a byte of page tables describes."""
TERMINATE_TIMEOUT = 0.15
"""Seconds between asking and making."""
KILL_TIMEOUT = 10.0
"""Seconds after which the supervisor gives up on what cannot be killed."""
CANNOT_RUN = 127
"""The exit status of a command that could not be run, as shells have it."""


class _Terminated(Exception):  # noqa: N818 no error
    pass


def process_tree(ancestor: int) -> list[int]:
    """All living processes below one, nearest first; none where the system has no /proc.

    >>> os.getpid() in process_tree(os.getppid())
    True
    """
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():  # noqa: PTH112, PTH208
        if name.isdigit() and (fields := _stat(f"/proc/{name}/stat")) and fields[0] not in (b"Z", b"X"):
            children.setdefault(int(fields[1]), []).append(int(name))
    found = [ancestor]
    for pid in found:
        found += children.get(pid, [])
    return found[1:]


def descendants(ancestor: int) -> list[int]:
    """The same as `process_tree`, faster beside many others; may miss one whose parent is just ending.

    >>> os.getpid() in descendants(os.getppid())
    True
    """
    if not os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children"):  # noqa: PTH110
        return process_tree(ancestor)    # a kernel that does not tell
    found = [ancestor]
    for pid in found:
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
                found += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
        except OSError:
            continue    # it has just ended
    return found[1:]


def _read(path: str, folder: int | None = None, most: int = 0) -> bytes:
    """A part of a file, or as much as that of what is in it."""
    file = os.open(path, os.O_RDONLY, dir_fd=folder)
    try:
        text = part = os.read(file, 1 << 16)
        while part and len(text) < most:
            part = os.read(file, 1 << 16)
            text += part
        return text
    finally:
        os.close(file)


def _stat(path: str, folder: int | None = None) -> list[bytes]:
    """What the system tells of a process, from its state on; nothing if it has just ended."""
    try:
        text = _read(path, folder)
    except OSError:
        return []
    return text[text.rindex(b")") + 2 :].split()


def send(signum: int, pid: int) -> None:
    """Signals a process, or with a negative number a whole group; it may have ended meanwhile."""
    try:  # noqa: SIM105 contextlib would take longer to import than all of this
        (os.kill if pid > 0 else os.killpg)(abs(pid), signum)
    except (ProcessLookupError, PermissionError):
        pass


class _Watch:
    """What the processes of a sandbox use together; they are those that its own /proc shows."""

    def __init__(self, bot: int, memory: int, tasks: int, cpu: int) -> None:
        self.bot, self.memory, self.tasks, self.cpu = bot, memory, tasks, cpu
        self.proc: int | None = None
        self.folders: list[int] = []    # its temporary ones, which lie in memory
        self.page, self.tick = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
        self.socket, self.tcp_socket = _most_in_sockets()

    def excess(self) -> str:
        """What there is too much of, or nothing."""
        if self.proc is None and not self._find_proc():
            return ""
        tasks = ticks = pages = addresses = 0
        pids = [name for name in os.listdir(self.proc) if name.isdigit()]  # noqa: PTH208
        for fields in filter(None, (_stat(f"{pid}/stat", self.proc) for pid in pids)):
            ticks += sum(map(int, fields[11:15]))
            tasks += int(fields[17])
            addresses += int(fields[20])
            pages += int(fields[21])
        if tasks > self.tasks + 1:    # the first one is the sandbox's own
            return f"more than {self.tasks} processes and threads"
        if ticks > self.cpu * self.tick:
            return f"more than {self.cpu} s of processor time"
        if self._locks() > MAX_LOCKS:
            return f"more than {MAX_LOCKS} locks of files"
        kernel = self._in_files() + self._in_sockets()
        if kernel + pages * self.page + addresses // TABLE_SPAN > self.memory:
            kernel += self._in_page_tables(pids)
            if kernel + self._proper_size(pids) > self.memory:
                kept = f", {kernel // 2**20} MiB of it for files, sockets and page tables"
                is_much = kernel > self.memory // 2
                return f"more than {self.memory // 2**20} MiB of memory{kept if is_much else ''}"
        return ""

    def _in_files(self) -> int:
        """Bytes that the system keeps for files in memory, however empty they are."""
        known = [os.fstatvfs(folder) for folder in self.folders]
        return FILE * sum(one.f_files - one.f_ffree for one in known)

    def _in_sockets(self) -> int:
        """Bytes that may be in its sockets; how many there really are, nobody tells."""
        try:
            used = int(_read("1/net/sockstat", self.proc).split()[2])
            if used <= FEW_SOCKETS:
                return 0
            most = 200 * self.memory // self.socket    # lines of so many bytes
            local = _read("1/net/unix", self.proc, most).count(b"\n") - 1
        except (OSError, ValueError, IndexError):
            return 0    # it has just ended
        return self.socket * local + self.tcp_socket * max(0, used - local)

    def _locks(self) -> int:
        try:
            return _read("locks", self.proc, 100 * MAX_LOCKS).count(b"\n")
        except OSError:
            return 0

    def _in_page_tables(self, pids: list[str]) -> int:
        size = 0
        for pid in pids:
            try:
                fields = _read(f"{pid}/status", self.proc).split()
                size += int(fields[fields.index(b"VmPTE:") + 1]) * 1024
            except (OSError, ValueError):
                continue
        return size

    def _find_proc(self) -> bool:
        """Whether the sandbox is ready, so that there is something to watch."""
        for pid in descendants(self.bot):
            try:
                proc = os.open(f"/proc/{pid}/root/proc", os.O_RDONLY | os.O_DIRECTORY)
            except OSError:
                continue    # it belongs to bwrap, and only root may look there
            try:
                os.readlink("self", dir_fd=proc)
            except OSError:    # we are not among its processes
                return self._open_folders(pid, proc)
            os.close(proc)    # it is still the one of everybody
        return False

    def _open_folders(self, pid: int, proc: int) -> bool:
        """Whether there is something to watch, by what a process of the sandbox sees."""
        folders: list[int] = []
        try:
            for name in ("/tmp", "/dev/shm"):
                folders.append(os.open(f"/proc/{pid}/root{name}", os.O_RDONLY | os.O_DIRECTORY))
        except OSError:    # it has just ended
            for folder in (proc, *folders):
                os.close(folder)
            return False
        self.proc, self.folders = proc, folders
        return True

    def _proper_size(self, pids: list[str]) -> int:
        """Bytes in memory, each counted once however many share it."""
        size = 0
        for pid in pids:
            try:
                fields = _read(f"{pid}/smaps_rollup", self.proc).split()
                size += int(fields[fields.index(b"Pss:") + 1]) * 1024
            except (OSError, ValueError):
                continue
        return size


def _most_in_sockets() -> tuple[int, int]:
    """Bytes that the system keeps at most for a socket of this machine, and for one of the network."""
    def number(path: str, otherwise: int) -> int:
        try:
            return int(_read(f"/proc/sys/net/{path}").split()[-1])
        except (OSError, ValueError):
            return otherwise

    settings = ("core/wmem_max", "core/rmem_max", "core/wmem_default", "core/rmem_default")
    local = 2 * max(number(path, 212_992) for path in settings)    # who asks for some gets twice as much
    return local, local + number("ipv4/tcp_wmem", 4 << 20) + number("ipv4/tcp_rmem", 6 << 20)


def main(arguments: list[str]) -> None:
    """Runs the command of the arguments and ends as it does."""
    owner, memory, files, whole, tasks, cpu, size = map(int, arguments[:7])
    group = arguments[8]
    signal.signal(signal.SIGTERM, _terminate)
    bot, status, excess = 0, 0, ""
    try:
        _become_supervisor(owner)
        bot = os.fork()
        if bot == 0:
            _enter(group)
            calls = bytes.fromhex(arguments[7])
            _become_bot(arguments[10:], (memory, files, cpu, size), calls, is_watched=tasks > 0)
        # The pipes are the bot's, so that their other ends see when it closes them.
        _connect_to_nothing(*range(2 if tasks else 3))
        if tasks:
            status, excess = _watch(_Watch(bot, whole, tasks, cpu))
        else:
            ended = 0
            while ended != bot:
                ended, status = os.wait()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    except _Terminated:
        status = _request_exit(bot) if bot else 0
    _kill_descendants(bot)
    _remove(group)
    if excess:
        try:  # noqa: SIM105
            os.write(2, f"its sandbox stopped it: it used {excess}\n".encode())
        except OSError:
            pass
    _exit_like(status)


def _watch(watch: _Watch) -> tuple[int, str]:
    """The status of the bot when it has ended, or is to be ended for what it has too much of."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    ended = 0
    while ended != watch.bot:
        if excess := watch.excess():
            return int(signal.SIGKILL), excess
        ended, status = os.waitpid(-1, os.WNOHANG)
        if not ended:
            signal.sigtimedwait({signal.SIGCHLD}, INTERVAL)
    code = os.waitstatus_to_exitcode(status)
    # The sandbox tells of a signal as shells do.
    return code - 128 if 128 < code < 128 + signal.NSIG else status, ""


def _terminate(signum: int, frame: object) -> None:  # noqa: ARG001
    # The system signals for each thread of the owner that dies; a second signal must not end the supervisor.
    signal.signal(signum, signal.SIG_IGN)
    raise _Terminated


def _become_supervisor(owner: int) -> None:
    if sys.platform == "linux":
        import ctypes

        system = ctypes.CDLL(None)
        system.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        system.prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)
    if os.getppid() != owner:
        raise _Terminated    # it died before the system could tell


def _enter(group: str) -> None:
    """Takes this process into a control group, if there is one and it may be entered."""
    try:
        if group:
            with open(f"{group}/cgroup.procs", "w") as file:  # noqa: PTH123
                file.write("0")
    except OSError:
        pass


def _remove(group: str) -> None:
    try:
        if group:
            os.rmdir(group)  # noqa: PTH106
    except OSError:
        pass    # somebody in it cannot be killed


def _become_bot(
    command: list[str], limits: tuple[int, int, int, int], calls: bytes, *, is_watched: bool
) -> None:
    """Turns this process into the bot, in a session of its own and within its limits."""
    import resource

    memory, files, cpu, size = limits
    try:
        for signum in (signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(signum, signal.SIG_DFL)
        os.setsid()
        # Memory is what is written to: runtimes reserve far more address space than they ever use.
        wanted = [(resource.RLIMIT_DATA, memory), (resource.RLIMIT_NOFILE, files), (resource.RLIMIT_CORE, 0)]
        wanted += [(resource.RLIMIT_CPU, cpu + 1)] if cpu else []
        wanted += [(resource.RLIMIT_FSIZE, size)] if size else []
        for what, maximum in wanted:
            hard = resource.getrlimit(what)[1]
            limit = maximum if hard == resource.RLIM_INFINITY else min(maximum, hard)
            resource.setrlimit(what, (limit, limit))
        if is_watched:
            os.dup2(0, INPUT)
            os.dup2(1, OUTPUT)
            _connect_to_nothing(0, 1)
            _prefer_oom_kill()
        if calls:
            _filter(calls)
        os.execvp(command[0], command)
    except BaseException as error:
        os.write(2, f"{command[0]} cannot be run: {error}\n".encode())
    os._exit(CANNOT_RUN)


def _prefer_oom_kill() -> None:
    """Where the whole machine runs out of memory, it is the bot that ends."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
            file.write("1000")
    except OSError:
        pass


def _filter(calls: bytes) -> None:
    """Lets a filter decide on all system calls from here on."""
    import ctypes

    class Program(ctypes.Structure):
        _fields_ = (("steps", ctypes.c_ushort), ("code", ctypes.c_char_p))

    system = ctypes.CDLL(None, use_errno=True)
    program = Program(len(calls) // 8, calls)
    if (system.prctl(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
            or system.prctl(SET_FILTER, FILTER_MODE, ctypes.byref(program), 0, 0)):
        raise OSError(ctypes.get_errno(), "its system calls cannot be filtered")


def _connect_to_nothing(*descriptors: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _request_exit(bot: int) -> int:
    """Asks the bot to end and waits a moment; its status."""
    send(signal.SIGTERM, -bot)
    until = time.monotonic() + TERMINATE_TIMEOUT
    try:
        while time.monotonic() < until:
            ended, status = os.waitpid(bot, os.WNOHANG)
            if ended:
                return status
            time.sleep(0.005)
    except ChildProcessError:
        return 0    # it ended just when the supervisor was told
    return int(signal.SIGKILL)


def _kill_descendants(bot: int) -> None:
    """Kills and reaps until nobody is left, however fast they fork."""
    if bot:
        send(signal.SIGKILL, -bot)
    until = time.monotonic() + KILL_TIMEOUT
    while time.monotonic() < until:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for pid in process_tree(os.getpid()):
            send(signal.SIGKILL, pid)
        time.sleep(0.001)


def _exit_like(status: int) -> None:
    if os.WIFSIGNALED(status):
        signum = os.WTERMSIG(status)
        if signum != signal.SIGKILL:
            signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
