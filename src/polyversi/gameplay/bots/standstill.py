"""How a bot's processes stand still: frozen as a control group where that can be, otherwise by signals.

What has been stopped by a signal goes on with another (SIGCONT), which the system may send as well. So they
are looked after and stopped again; in a sandbox the filter refuses the calls that lead there.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
from pathlib import Path

from polyversi.gameplay.bots.supervisor import descendants, send

MOUNTS = Path("/proc/self/mounts")
OWN_GROUP = Path("/proc/self/cgroup")
"""Where the system tells of control groups."""
INTERVAL = 0.05
"""Seconds between two looks at those who were stopped."""
STILL = {"T", "t", "Z", "X", ""}
"""The states of threads that do not run, nor will: stopped, traced, ended, gone."""


def new_group() -> Path | None:
    """A control group (version 2) below our own for the processes of a bot; None where there can be none."""
    try:
        mounts = [line.split() for line in MOUNTS.read_text().splitlines()]
        where = next(Path(fields[1]) for fields in mounts if fields[2] == "cgroup2")
        lines = OWN_GROUP.read_text().splitlines()
        own = next(line.removeprefix("0::/") for line in lines if line.startswith("0::/"))
        group = where / own / f"polyversi-bot-{secrets.token_hex(8)}"
        group.mkdir()
    except (OSError, StopIteration):
        return None
    return group


class Standstill:
    """Stops and continues all processes below a supervisor; they are in the group, if there is one."""

    def __init__(self, supervisor: int, group: Path | None) -> None:
        self._supervisor = supervisor
        self._group = group
        self._stopped: list[int] = []
        self._next_look: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Has them all stand still."""
        if not self._freeze("1"):
            self._stop()
            self._look_after()

    def end(self) -> None:
        """Has them go on; when this returns, they do."""
        self._freeze("0")
        if self._next_look is not None:
            self._next_look.cancel()
            self._next_look = None
        stopped, self._stopped = self._stopped, []
        for pid in stopped:
            send(signal.SIGCONT, pid)

    @property
    def is_complete(self) -> bool:
        """Whether they all stand still: a signal reaches who runs when that one's turn is over."""
        if self._group is not None and self._holds_them():
            return "frozen 1" in _text(self._group / "cgroup.events")
        return all(_is_still(pid) for pid in descendants(self._supervisor))

    def _freeze(self, word: str) -> bool:
        """Whether they are a control group that could be told."""
        if self._group is None or not self._holds_them():
            return False
        try:
            (self._group / "cgroup.freeze").write_text(word)
        except OSError:
            return False
        return True

    def _holds_them(self) -> bool:
        """Whether they are in the group: where it may be made, it may still not be entered."""
        return self._group is not None and "populated 1" in _text(self._group / "cgroup.events")

    def _stop(self) -> None:
        signalled: set[int] = set()
        # Who has been signalled forks no more: when nobody new is found, nobody is left.
        while new := set(descendants(self._supervisor)) - signalled:
            signalled |= new
            for pid in new:
                send(signal.SIGSTOP, pid)
        self._stopped = list(signalled)

    def _look_after(self) -> None:
        if not self.is_complete:
            self._stop()
        self._next_look = asyncio.get_running_loop().call_later(INTERVAL, self._look_after)


def _is_still(pid: int) -> bool:
    """Whether no thread of a process runs or waits for something to do."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return True    # it has just ended
    stats = (_text(Path(f"/proc/{pid}/task/{thread}/stat")) for thread in threads)
    return all(stat.rpartition(")")[2][1:2] in STILL for stat in stats)


def _text(path: Path) -> str:
    """What the system tells in a file; nothing when it is gone."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
