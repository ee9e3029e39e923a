"""The store of a site whose bots play: SQLite at every run, PostgreSQL where there is time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.testing.marks import slow
from tests.testing.postgres import place_of_store


@pytest.fixture(params=["sqlite", slow("postgresql")])
def site_store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where to open the store of a new site."""
    return place_of_store(request, tmp_path)
