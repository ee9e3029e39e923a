"""The stored playthroughs come out as they are stored."""

from __future__ import annotations

import pytest

from tests.testing.playthroughs import FOLDER, GAMES, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    stored = (FOLDER / f"{name}.txt").read_text()
    assert playthrough(GAMES[name]) == stored, "the rules changed; `make playthroughs` writes the new games"


def test_no_other_file_is_stored() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(GAMES)
