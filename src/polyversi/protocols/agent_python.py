"""The Python that runs a course agent: which one is meant, and whether it can run the agent at all."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from polyversi.gameplay.bots.process import Child, Command, shown
from polyversi.gameplay.bots.sandbox import Sandbox
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError

OLDEST = (3, 9)
"""The oldest Python that the runner of course agents works with."""
NEARBY = (".venv", "venv")
"""Virtual environments that are used when they lie beside an agent."""
TAKES = "python= takes a Python interpreter or the folder of a virtual environment"
PROBE = """
import sys
print("%d.%d" % sys.version_info[:2])
try:
    import numpy
    print("numpy")
except Exception as error:
    print("%s: %s" % (type(error).__name__, error))
"""
"""Written so that every Python there has been can run it."""
PROBE_TIMEOUT = 55.0
"""Seconds for it: as long as a bot has to get ready."""


def split_python(text: str) -> tuple[str, str]:
    """The file of a course agent and what follows `,python=`, if anything does.

    >>> split_python("agent.py,python=venv/bin/python"), split_python("agent.py")
    (('agent.py', 'venv/bin/python'), ('agent.py', ''))
    """
    file, option, python = text.rpartition(",python=")
    if not option or os.path.isfile(text):  # noqa: PTH113 never raises, whatever characters the name has
        return text.strip(), ""
    return file.strip(), python.strip()


def python_named(text: str, folder: Path) -> Path:
    """The interpreter that a text names, seen from a folder: a file, a virtual environment, or a program.

    >>> python_named("/bin/sh", Path("/tmp")).name
    'sh'
    >>> python_named("no/such/python", Path("/tmp"))
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: there is no file '/tmp/no/such/python'; python= takes a Python ...
    """
    place = folder / os.path.expanduser(text)  # noqa: PTH111 it leaves a ~ as it is where Path's method raises
    if "/" not in text and not os.path.exists(place):  # noqa: PTH110 and so does this
        place = Path(shutil.which(text) or place)
    if os.path.isdir(place):  # noqa: PTH112
        place = place / "bin" / "python"
    if not os.path.isfile(place):  # noqa: PTH113
        raise PlayerError(f"there is no file '{shorten(str(place), 200)}'; {TAKES}")
    if not os.access(place, os.X_OK):
        raise PlayerError(f"{shorten(str(place), 200)} is not executable; {TAKES}")
    # The folder is resolved for the sandbox; the file stays a link, by which Python knows its environment.
    return place.parent.resolve() / place.name


def python_beside(agent: Path) -> Path | None:
    """The interpreter of the virtual environment that lies beside an agent, if one does that works here."""
    for name in NEARBY:
        folder = agent.parent / name
        if (folder / "pyvenv.cfg").is_file() and os.access(folder / "bin" / "python", os.X_OK):
            return python_named(name, agent.parent)
    return None


@cache
def python_problem(python: Path, *, in_sandbox: bool) -> str:
    """Why a Python cannot run course agents, in a sentence; empty when it can. It is run to find out.

    >>> import sys
    >>> python_problem(Path(sys.executable), in_sandbox=False)
    ''
    """
    command = Command((str(python), "-I", "-B", "-c", PROBE), python.parent)
    try:
        # In a thread: there may be an event loop in this one.
        with ThreadPoolExecutor(1) as pool:
            probe = _probe(Sandbox().around(command) if in_sandbox else command)
            version, numpy = pool.submit(asyncio.run, probe).result()
    except TimeoutError:
        return f"{python} did not answer within {PROBE_TIMEOUT:g} s"
    except SeatFailure as failure:
        return f"{python} cannot be run as Python {_text(OLDEST)} or newer: {failure.detail}"
    found = re.fullmatch(rb"([0-9]{1,3})\.([0-9]{1,3})", version)
    if not found:
        return f"{python} is not a Python interpreter: it answered {shown(version)}"
    if (number := (int(found[1]), int(found[2]))) < OLDEST:
        return f"{python} is Python {_text(number)}; course agents need Python {_text(OLDEST)} or newer"
    if numpy.startswith(b"ModuleNotFoundError"):
        return f"{python} has no numpy, which course agents need; run {python} -m pip install numpy"
    return "" if numpy == b"numpy" else f"{python} cannot import numpy: {shown(numpy)}"


async def _probe(command: Command) -> tuple[bytes, bytes]:
    """The two lines that it prints."""
    child = Child(command)
    try:
        child.start()
    except (OSError, ValueError) as error:
        raise SeatFailure("crash", str(error)) from None
    try:
        async with asyncio.timeout(PROBE_TIMEOUT):
            return await child.line(), await child.line()
    finally:
        await child.stop()


def _text(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))
