"""A bot that tries to get out of its sandbox, says on standard error what came of it, and plays on.

    python escapes.py '["--read", "/etc/passwd"]' ...
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import mmap
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

MIB = 2**20
NEW_USER_NAMESPACE, ATTACH = 0x10000000, 16
SET_PARENT_DEATH_SIGNAL, SET_SIGNAL, MONOTONIC = 1, 10, 1
CLONE = {"x86_64": 56, "aarch64": 220}
KEPT: list[object] = []


def call(name: str, *arguments: int) -> int:
    """Calls the system; raises what it says."""
    system = ctypes.CDLL(None, use_errno=True)
    if (result := int(getattr(system, name)(*map(ctypes.c_long, arguments)))) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def create_timer() -> object:
    """One that has this process go on, whatever stops it."""
    event = (ctypes.c_int * 16)(0, 0, signal.SIGCONT)
    number = ctypes.c_void_p()
    return call("timer_create", MONOTONIC, ctypes.addressof(event), ctypes.addressof(number))


def read(path: str) -> object:
    return Path(path).read_bytes()[:100]


def write(path: str) -> object:
    return Path(path).write_text("I was here")


def seen(path: str) -> object:
    return sorted(os.listdir(path))  # noqa: PTH208


def connect(family: int, address: object) -> object:
    with socket.socket(family) as line:
        line.connect(address)  # type: ignore[arg-type]
        return line.send(b"hello")


def send_datagram(host: str, port: str) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        return line.sendto(b"hello", (host, int(port)))


def fill_disk(folder: str) -> object:
    """Fills a folder and leaves it so."""
    with Path(folder, "full").open("wb", buffering=0) as file:
        while file.write(b"x" * MIB):
            pass
    return "endless"


def write_huge_file() -> object:
    with Path(os.environ["TMPDIR"], "huge").open("wb") as file:
        return file.truncate(2**40)


def bomb() -> NoReturn:
    while True:
        try:
            os.fork()
        except OSError:
            continue


def fill_memory() -> NoReturn:
    """In small pieces of many processes, none of which has much to itself."""
    while True:
        shared = mmap.mmap(-1, 64 * MIB)
        shared.write(b"x" * len(shared))
        if os.fork():
            os.wait()


def fill_with_files() -> NoReturn:
    """Empty ones, which take no room but the system's."""
    for number in range(400_000):
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
    sleep()


def fill_with_sockets() -> NoReturn:
    """Full ones, in several processes."""
    held = []
    for _ in range(8):
        try:
            while True:
                pair = socket.socketpair()
                held.append(pair)
                for end in pair:
                    end.setblocking(False)
                    while True:
                        try:
                            end.send(b"x" * 65536)
                        except BlockingIOError:
                            break
        except OSError:    # no more in this process
            if os.fork():
                sleep()
            held = []
    sleep()


def fill_with_page_tables() -> NoReturn:
    """By looking at memory where there is nothing."""
    for _ in range(8):
        nothing = mmap.mmap(-1, 32 * 1024 * MIB, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
        KEPT.append(nothing)
        for at in range(0, len(nothing), 2 * MIB):
            nothing[at]
    sleep()


def fill_with_locks() -> NoReturn:
    for number in range(100):
        file = os.open(f"/tmp/{number}", os.O_CREAT | os.O_RDWR)
        for at in range(0, 2000, 2):
            fcntl.lockf(file, fcntl.LOCK_EX, 1, at)
    sleep()


def sleep() -> NoReturn:
    while True:
        signal.pause()


def spin() -> NoReturn:
    os.fork()
    while True:
        pass


def signal_all() -> object:
    """Everybody who can be signalled; the first process of the sandbox does not heed it."""
    for pid in {1, os.getppid()}:
        os.kill(pid, 9)
    os.killpg(os.getppid(), 0)
    return "heard"


ATTEMPTS: dict[str, Callable[..., object]] = {
    "--read": read,
    "--write": write,
    "--list": seen,
    "--environment": lambda: sorted(os.environ),
    "--processes": lambda: [pid for pid in os.listdir("/proc") if pid.isdigit()],  # noqa: PTH208
    "--signal": lambda pid: os.kill(int(pid), 15),
    "--signal-all": signal_all,
    "--ptrace": lambda pid: call("ptrace", ATTACH, int(pid), 0, 0),
    "--namespace": lambda: call("unshare", NEW_USER_NAMESPACE),
    "--setuid": lambda: os.setuid(0),
    "--anonymous-file": lambda: os.memfd_create("memory"),
    "--segment": lambda: call("shmget", 0, MIB, 0o600),
    "--tcp": lambda host, port: connect(socket.AF_INET, (host, int(port))),
    "--udp": send_datagram,
    "--abstract": lambda name: connect(socket.AF_UNIX, "\0" + name),
    "--unix": lambda path: connect(socket.AF_UNIX, path),
    "--vsock": lambda: connect(40, (2, 1024)),
    "--fork-bomb": bomb,
    "--fill-disk": fill_disk,
    "--huge-file": write_huge_file,
    "--fill-memory": fill_memory,
    "--fill-with-files": fill_with_files,
    "--fill-with-sockets": fill_with_sockets,
    "--fill-with-page-tables": fill_with_page_tables,
    "--fill-with-locks": fill_with_locks,
    "--spin": spin,
    "--timer": create_timer,
    "--splice": lambda: call("vmsplice", 1, 0, 0, 0),
    "--go-on": lambda: os.kill(0, signal.SIGCONT),
    "--go-on-thread": lambda: signal.pthread_kill(threading.get_ident(), signal.SIGCONT),
    "--go-on-by-death": lambda: call("prctl", SET_PARENT_DEATH_SIGNAL, signal.SIGCONT),
    "--go-on-by-clone": lambda: call("syscall", CLONE[os.uname().machine], signal.SIGCONT, 0, 0, 0, 0),
    "--go-on-by-socket": lambda: fcntl.fcntl(0, SET_SIGNAL, signal.SIGCONT),
}


def main(*attempts: str) -> None:
    """Tries everything, tells what came of it, and plays the first legal move."""
    for attempt in attempts:
        flag, *words = json.loads(attempt)
        try:
            outcome = ATTEMPTS[flag](*words)
        except OSError as error:
            outcome = error.strerror
        print(f"outcome: {outcome}", file=sys.stderr, flush=True)
    for line in sys.stdin:
        print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
