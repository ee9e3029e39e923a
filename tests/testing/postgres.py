"""A PostgreSQL server for tests: in a temporary folder, reached by a socket in it and no other way."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import psycopg
import pytest

QUICK = ("fsync=off", "full_page_writes=off", "shared_buffers=8MB", "max_wal_size=1GB", "listen_addresses=")
"""Settings for a database that need not outlive the tests."""


def find(program: str) -> str | None:
    """Where a program of PostgreSQL is; Debian does not put the server's into the path."""
    places = [str(folder) for folder in Path("/usr/lib/postgresql").glob("*/bin")]
    return shutil.which(program, path=os.pathsep.join([*places, os.environ.get("PATH", "")]))


MISSING = None if find("initdb") else "PostgreSQL is not installed; `make system` installs it"


class Postgres:
    """A database server that is there while the tests run, or until they end it."""

    def __init__(self) -> None:
        # PostgreSQL refuses to run as root, and the path of a socket has to be short.
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        self._as: dict[str, int] = {}
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid}
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        self._databases = count()
        self._server: subprocess.Popen[bytes] | None = None
        options = ["--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C", "--username=tests"]
        self._run(str(find("initdb")), f"--pgdata={self._data}", *options)
        self.start()

    def start(self) -> None:
        """Starts the server and waits until it can be used."""
        settings = [word for setting in QUICK for word in ("-c", setting)]
        command = [str(find("postgres")), "-D", str(self._data), "-k", str(self.folder), *settings]
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **self._as)  # type: ignore[call-overload]
        waiting = [str(find("pg_isready")), f"--host={self.folder}", "--timeout=1", "--quiet"]
        while subprocess.run(waiting, check=False).returncode:
            assert self._server.poll() is None, (self.folder / "log").read_text()

    def kill(self) -> None:
        """Ends the server at once, as if the power had failed."""
        assert self._server is not None
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait()

    def remove(self) -> None:
        """Ends the server and leaves nothing behind."""
        if self._server is not None and self._server.poll() is None:
            self.kill()
        shutil.rmtree(self.folder)

    def database(self) -> str:
        """The URL of a new, empty database."""
        name = f"d{next(self._databases)}"
        place = f"host={self.folder} user=tests dbname=postgres"
        with psycopg.connect(place, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}")
        return f"postgresql://tests@/{name}?host={self.folder}"

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _run(self, *command: str) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/", **self._as)  # type: ignore[call-overload]


def place_of_store(request: pytest.FixtureRequest, folder: Path) -> str:
    """Where a fixture opens a new store whose parameter is `sqlite` or `postgresql`."""
    if request.param == "sqlite":
        return str(folder / "data" / "games.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.database()
