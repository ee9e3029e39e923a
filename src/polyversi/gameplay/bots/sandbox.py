"""The sandbox, made by bubblewrap: bots that nobody has read run with little to see and within limits.

What holds which limit is written down in docs/bots.md.
"""

from __future__ import annotations

import os
import platform
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from polyversi.gameplay.bots.filter import system_call_filter
from polyversi.gameplay.bots.process import Command
from polyversi.gameplay.bots.supervisor import INPUT, OUTPUT
from polyversi.games.errors import PolyversiError

TEMPORARY = "/tmp"
"""Its temporary folder, as it is called inside."""
ISOLATED = (
    "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
    "--unshare-cgroup-try", "--disable-userns", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL",
    "--die-with-parent",
)
TAKE_PIPES = ("/bin/sh", "-c", f'exec "$@" <&{INPUT} >&{OUTPUT} {INPUT}<&- {OUTPUT}>&-', "sandbox")
"""Only the bot may hold its pipes, so that it shows when it closes them; bwrap keeps descriptors 0 and 1."""
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
UNREAL = ("/dev", "/proc", "/sys")
"""Folders of no files; a sandbox has its own."""
SETTINGS = ("alternatives", "java*", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime",
            "ssl/openssl.cnf")
"""What programs read of /etc; the rest is nobody's business."""
INSTALLED = ("bin", "lib", "lib64", "libexec", "conf", "pyvenv.cfg")
"""What belongs to a program in PREFIX/bin; in a home that is used as a prefix, there is much besides."""
MAX_SETTINGS = 10_000
"""Characters of a virtual environment's settings that are read."""
TRUST = "or use --trust to run bots without a sandbox, if you have read their code"
"""What else can be done where there is no sandbox."""
PER_NAMESPACE = (5, 14)
"""The first Linux that counts the processes of a user namespace by themselves."""


class SandboxError(PolyversiError):
    """There is no sandbox here; the sentence says what is missing."""


@dataclass(frozen=True)
class Sandbox:
    """What a bot may use that is not trusted.

    >>> Sandbox(memory=2**30).tasks
    256
    """

    memory: int = 2 * 1024**3
    """Bytes that all its processes may have together."""
    tasks: int = 256
    """Processes and threads that it may have at a time."""
    cpu: int = 3600
    """Seconds of processor time in a game, all its processes and threads together."""
    disk: int = 256 * 1024**2
    """Bytes in its temporary folder; they are memory, too, and so is as much again in /dev/shm."""
    entrants: tuple[Path, ...] = ()
    """The files of all that take part. Nobody sees another's: a folder in which several of them lie shows
    each its own file and nothing else."""

    def around(self, command: Command) -> Command:
        """The command inside of the sandbox."""
        program, *arguments = command.words
        if os.sep not in program:
            program = shutil.which(program) or program
        words = (program, *arguments)
        return replace(
            command,
            words=(*_bounded(self.tasks), *words),
            prefix=(shutil.which("bwrap") or "bwrap", *ISOLATED, *self._mounts(command, words), "--",
                    *TAKE_PIPES),
            environment=_environment(),
            memory=min(self.memory, command.memory),
            whole_memory=self.memory,
            tasks=self.tasks,
            cpu=self.cpu,
            file_size=self.disk,
            filter=system_call_filter(),
        )

    def _mounts(self, command: Command, words: tuple[str, ...]) -> list[str]:
        """The file system, in bwrap's words; what is mounted later lies over what was before."""
        folder = command.folder or Path.cwd()
        own, hidden = self._own(replace(command, words=words))
        paths = {*own, *_runtime()}
        room = ("--size", str(self.disk), "--tmpfs")
        shown = [*_system(), "--proc", "/proc", "--dev", "/dev", *room, "/dev/shm", *room, TEMPORARY]
        for path in sorted(paths):
            if not _is_system(path) and not _is_within(path, paths - {path}):
                shown += ["--ro-bind", str(path), str(path)]
        for path in hidden:
            shown += ["--tmpfs", str(path), "--remount-ro", str(path)]
        # Root owns the system's settings in /proc even without privileges: nothing there may be written.
        return [*shown, "--dir", str(folder), "--remount-ro", "/proc", "--remount-ro", "/dev",
                "--remount-ro", "/", "--chdir", str(folder)]

    def _own(self, command: Command) -> tuple[set[Path], set[Path]]:
        """What is the bot's own to see, and the folders therein that are others'."""
        files = own_files(command)
        rivals = {path.resolve() for path in self.entrants} - {path.resolve() for path in files}
        own = {path for path in _installation(Path(command.words[0]))
               if not any(_is_within(rival, [path.resolve()]) for rival in rivals)}
        own |= {path.resolve() for path in files if path.is_symlink() and not _is_everybodys(path)}
        hidden = set[Path]()
        for file in files:
            folder = file if file.is_dir() else file.parent
            real = folder.resolve()
            beneath = {rival.parent for rival in rivals if real in rival.parents}
            if _is_everybodys(folder) or real in beneath:
                own |= set() if file.is_dir() else {file}
            else:
                own.add(folder)
                hidden |= {folder / other.relative_to(real) for other in beneath}
        return own, hidden


def check_sandbox(instead: str = TRUST) -> None:
    """Raises a SandboxError where bots cannot be run in a sandbox, with what to do about it."""
    if not shutil.which("bwrap"):
        raise SandboxError("bots run in a sandbox, but bwrap is missing; install bubblewrap "
                           f"('apt install bubblewrap'), {instead}")
    around = Sandbox().around(Command(("true",)))
    fault = _fault_of((*around.prefix[: -len(TAKE_PIPES)], *around.words))
    if fault:
        raise SandboxError(f"bots run in a sandbox, but bwrap does not work here ({fault}); it needs "
                           "version 0.8 or newer and user namespaces, which a container may forbid; fix "
                           f"that, {instead}")


@cache
def _fault_of(words: tuple[str, ...]) -> str:
    """What goes wrong in a sandbox; empty when nothing does."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
    return lines[0] if done.returncode else ""


def own_files(command: Command) -> tuple[Path, ...]:
    """The files and folders that the words of a command name, without programs of the system and of Python.

    >>> from polyversi.gameplay.bots.process import Command
    >>> own_files(Command((sys.executable, __file__, "--level", "3")))
    ()
    """
    folder = command.folder or Path.cwd()
    found = [folder / word for word in command.words if word and os.path.exists(folder / word)]  # noqa: PTH110
    others = (*map(Path, UNREAL), *_runtime())
    return tuple(path for path in found if not _is_system(path) and not _is_within(path, others))


def _environment() -> dict[str, str]:
    """All that a bot learns of its surroundings."""
    folders = (str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin", "/usr/games")
    return {"PATH": ":".join(folders), "HOME": TEMPORARY, "TMPDIR": TEMPORARY, "LANG": "C.UTF-8",
            "USER": "bot", "LOGNAME": "bot"}


def _bounded(tasks: int) -> tuple[str, ...]:
    """What sets the limit on processes: inside, where only the bot's own are counted."""
    version = tuple(int(part) for part in platform.release().split("-")[0].split(".")[:2] if part.isdigit())
    prlimit = shutil.which("prlimit", path="/usr/bin:/bin")
    counts = os.geteuid() != 0 and version >= PER_NAMESPACE and prlimit is not None
    return (str(prlimit), f"--nproc={tasks}:{tasks}") if counts else ()


@cache
def _system() -> tuple[str, ...]:
    words: list[str] = []
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    for path in sorted(path for name in SETTINGS for path in Path("/etc").glob(name)):
        words += ["--ro-bind", str(path), str(path)]
    return tuple(words)


@cache
def _runtime() -> frozenset[Path]:
    """This Python, with its packages and this one."""
    import polyversi

    found = {Path(polyversi.__file__).parent, *_installation(Path(sys.executable))}
    for prefix in {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}:
        found |= {path for part in INSTALLED if (path := Path(prefix, part)).exists()}
    return frozenset(found)


@cache
def _installation(program: Path) -> frozenset[Path]:
    """A program with what was installed along with it, and what its links lead through."""
    found, seen = set[Path](), set[Path]()
    hops = [program.absolute(), program.resolve()]
    for hop in hops:
        if hop in seen or not os.path.exists(hop) or _is_system(hop):  # noqa: PTH110 whatever its name is
            continue
        seen.add(hop)
        found.add(hop)
        prefix = hop.parent.parent
        if hop.parent.name == "bin" and (prefix / "lib").is_dir():
            found |= {path for part in INSTALLED if (path := prefix / part).exists()}
            hops += _base_python(prefix / "pyvenv.cfg")
        if hop.is_symlink():
            hops.append(Path(os.path.normpath(hop.parent / hop.readlink())))
    return frozenset(found)


def _base_python(settings: Path) -> list[Path]:
    """The Python that a virtual environment was made from, which its own may be a copy of."""
    if not settings.is_file():
        return []
    with settings.open(encoding="utf-8", errors="replace") as file:
        home = re.search(r"^home *= *(/.+?) *$", file.read(MAX_SETTINGS), re.MULTILINE)
    return [Path(home[1], "python3")] if home else []


def _is_system(path: Path) -> bool:
    return _is_within(path, map(Path, SYSTEM))


def _is_within(path: Path, folders: Iterable[Path]) -> bool:
    return any(folder == path or folder in path.parents for folder in folders)


def _is_everybodys(folder: Path) -> bool:
    """Whether a folder, or what it is a link to, holds more than a bot: somebody's home, or what all use."""
    real = folder.resolve()
    homes = (home.resolve() for home in {Path.home(), *_homes()})
    return any(_is_within(home, [real]) for home in homes) or real == Path(tempfile.gettempdir()).resolve()


@cache
def _homes() -> frozenset[Path]:
    """The homes of all users that this machine knows."""
    return frozenset(Path(user.pw_dir) for user in pwd.getpwall() if user.pw_dir.startswith("/"))
