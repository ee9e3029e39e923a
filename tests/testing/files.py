"""Circumstances that a file system can be in: no permission to write, no room left."""

from __future__ import annotations

import codecs
import os
import pwd
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def ordinary_user() -> Iterator[None]:
    """What a user may who is not root; root itself may write anywhere."""
    if os.getuid() != 0:
        yield
        return
    codecs.lookup("unicode-escape")    # Jinja needs it late, and only root may look where root's Python is
    nobody = pwd.getpwnam("nobody").pw_uid
    os.setresuid(nobody, nobody, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A disk with room for half a megabyte in this folder, where this may be."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(folder)]
    if os.getuid() or subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode:
        pytest.skip("only root may mount a small disk; the test with a limit on files is much the same")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
