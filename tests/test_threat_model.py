"""The threat model: every defence names tests, and these exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODEL = (ROOT / "docs" / "threat-model.md").read_text()
NAME = re.compile(r"`(test_\w+)`")


def test_every_defence_names_its_tests() -> None:
    tables = [table for table in re.findall(r"(?:^\|.*\n)+", MODEL, re.MULTILINE) if "| defence |" in table]
    rows = [row for table in tables for row in table.splitlines()[2:]]
    assert len(rows) > 30
    assert [row for row in rows if not NAME.search(row.split("|")[3])] == []


def test_every_test_that_is_named_exists() -> None:
    written = {name for path in (ROOT / "tests").glob("**/test_*.py") if "node_modules" not in path.parts
               for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.MULTILINE)}
    assert set(NAME.findall(MODEL)) - written == set()
