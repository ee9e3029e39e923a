"""A bot that misbehaves in one way, named by a flag; without one it plays the first legal move."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

OUT = sys.stdout.buffer


def say(data: bytes) -> None:
    OUT.write(data)
    OUT.flush()


def request() -> dict[str, Any]:
    """The next request; ends the program when there is none."""
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    message: dict[str, Any] = json.loads(line)
    return message


def answer(message: dict[str, Any]) -> bytes:
    return json.dumps({"move": message["moves"][0]}).encode() + b"\n"


def play(*, before: bytes = b"", after: bytes = b"") -> NoReturn:
    """Plays well-behaved games, but for what it says around its answers."""
    while True:
        say(before + answer(request()) + after)


def say_instead(data: bytes) -> Callable[[], None]:
    def bot() -> None:
        while True:
            request()
            say(data)

    return bot


def sleep() -> NoReturn:
    while True:
        time.sleep(3600)


def spin() -> NoReturn:
    while True:
        pass


def after_request(act: Callable[[], object]) -> Callable[[], None]:
    def bot() -> None:
        request()
        act()

    return bot


def first(act: Callable[[], object], then: Callable[[], object] = play) -> Callable[[], None]:
    def bot() -> None:
        act()
        then()

    return bot


def ignore_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def ignore_everything() -> None:
    for signum in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(signum, signal.SIG_IGN)


def fork_twice() -> None:
    """Leaves a process in a session of its own whose parent has ended."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            ignore_sigterm()
            sleep()
        os._exit(0)
    os.wait()


def fork_many() -> None:
    for _ in range(30):
        if os.fork() == 0:
            os.setsid()
            sleep()


def hold_memory() -> None:
    held = bytearray(2 * 1024**3)
    held[::4096] = b"x" * len(held[::4096])


def print_line_of_100_mb() -> None:
    for _ in range(1600):
        say(b"x" * 65536)


def print_lines_of_100_mb() -> None:
    for _ in range(1600):
        say((b"x" * 63 + b"\n") * 1024)


def die_of_signal() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def flood_errors() -> None:
    for _ in range(320):
        os.write(2, b"e" * 65535 + b"\n")


def flood_errors_forever() -> NoReturn:
    while True:
        os.write(2, b"e" * 65535 + b"\n")


def open_many_files() -> None:
    held = [Path(os.devnull).open("w") for _ in range(1000)]  # noqa: SIM115
    sys.exit(len(held))


def write_files() -> None:
    for number in range(20):
        Path(f"file{number}").write_text("mine\n")


def close(descriptor: int) -> Callable[[], None]:
    return lambda: os.close(descriptor)


def answer_and_close_input() -> None:
    message = request()
    os.close(0)
    say(answer(message))
    sleep()


def answer_and_exit() -> None:
    say(answer(request()))
    sys.exit(4)


def stop_supervisor() -> None:
    os.kill(os.getppid(), signal.SIGSTOP)


def kill_supervisor() -> None:
    os.kill(os.getppid(), signal.SIGKILL)


def answer_byte_by_byte() -> None:
    while True:
        for byte in answer(request()):
            say(bytes([byte]))


def echo() -> None:
    while True:
        say(json.dumps(request()).encode() + b"\n")


def leave_thread() -> None:
    threading.Thread(target=sleep).start()


FLAGS: dict[str, Callable[[], object]] = {
    "--well-behaved": play,
    "--exit-at-once": lambda: sys.exit(0),
    "--exit-mid-move": after_request(lambda: sys.exit(3)),
    "--exit-after-answer": answer_and_exit,
    "--raise": after_request(lambda: 1 / 0),
    "--signal": after_request(die_of_signal),
    "--sleep": after_request(sleep),
    "--sleep-unread": sleep,
    "--spin": after_request(spin),
    "--ignore-sigterm": first(ignore_sigterm, after_request(sleep)),
    "--ignore-everything": first(ignore_everything, after_request(spin)),
    "--stop-itself": after_request(lambda: os.kill(os.getpid(), signal.SIGSTOP)),
    "--fork": first(fork_twice),
    "--fork-many": first(fork_many),
    "--fork-and-exit": after_request(fork_twice),
    "--fork-and-sleep": first(fork_twice, after_request(sleep)),
    "--kill-supervisor": first(kill_supervisor, after_request(spin)),
    "--stop-supervisor": first(stop_supervisor, after_request(sleep)),
    "--leave-thread": first(leave_thread),
    "--allocate": after_request(hold_memory),
    "--open-files": after_request(open_many_files),
    "--write-files": first(write_files),
    "--print-line": after_request(print_line_of_100_mb),
    "--print-lines": after_request(print_lines_of_100_mb),
    "--never-end-line": after_request(first(lambda: say(b'{"move": "'), sleep)),
    "--half-line": after_request(lambda: say(b'{"move": "b')),
    "--flood-errors": first(flood_errors),
    "--flood-errors-forever": after_request(flood_errors_forever),
    "--close-input": answer_and_close_input,
    "--close-output": after_request(first(close(1), sleep)),
    "--close-errors": first(close(2)),
    "--invalid-utf8": say_instead(b'{"move": "\xff\xfe"}\n'),
    "--not-json": say_instead(b"b1\n"),
    "--no-object": say_instead(b'["b1"]\n'),
    "--wrong-types": say_instead(b'{"move": 5}\n'),
    "--no-move": say_instead(b"{}\n"),
    "--huge-number": say_instead(b'{"move": ' + b"9" * 60000 + b"}\n"),
    "--deep-nesting": say_instead(b"[" * 60000 + b"\n"),
    "--null-byte": say_instead(b"\0\0\0\n"),
    "--null-in-move": say_instead(b'{"move": "b\\u00001"}\n'),
    "--half-character": say_instead(b'{"move": "\\ud800"}\n'),
    "--illegal": say_instead(b'{"move": "a1"}\n'),
    "--no-cell": say_instead(b'{"move": "z99"}\n'),
    "--pass": say_instead(b'{"move": "pass"}\n'),
    "--echo": echo,
    "--out-of-turn": first(lambda: say(b"hello\n")),
    "--out-of-turn-half": first(lambda: say(b'{"mo')),
    "--two-answers": lambda: play(after=b'{"move": "c1"}\n'),
    "--empty-lines": lambda: play(before=b"\n \n", after=b"\n"),
    "--carriage-returns": lambda: play(before=b"\r\n", after=b"\r\n"),
    "--byte-by-byte": answer_byte_by_byte,
    "--resign": say_instead(b'{"resign": true}\n'),
}


if __name__ == "__main__":
    FLAGS[sys.argv[1]]()
