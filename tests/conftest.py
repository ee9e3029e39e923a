"""What tests of several folders share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import MISSING, Postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for all tests of this process."""
    if MISSING:
        pytest.skip(MISSING)
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where to open a new store: once a file, once a database of a server."""
    if request.param == "sqlite":
        return str(tmp_path / "data" / "games.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.database()
