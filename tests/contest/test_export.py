"""What a tournament is exported to: a table, games to be read again, and sentences for what goes wrong."""

from __future__ import annotations

import csv
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from polyversi.contest.export import HEADER, export
from polyversi.contest.formats.swiss_pairing import cheapest_pairs
from polyversi.contest.openings import Openings
from polyversi.contest.plan import Entrant, Plan, entrants_of
from polyversi.contest.redaction import folders_left_out, shown_spec
from polyversi.contest.standings import table_of
from polyversi.contest.tournament import Tournament
from polyversi.contest.workers import local_workers
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.limit import NO_LIMIT
from polyversi.records import Record, read
from polyversi.storage.contests import ContestStore
from tests.testing.files import ordinary_user

ENTRANTS = (Entrant("Ann", "greedy"), Entrant("=1+1", "random"), Entrant('Zoë, "Z"', "mobility"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ContestStore]:
    opened = ContestStore.open(str(tmp_path / "cup.db"))
    yield opened
    opened.close()


def cup(store: ContestStore, *variants: str, games: int = 2) -> Tournament:
    """A tournament that is over."""
    plan = Plan(
        "cup", ENTRANTS, variants, games=games, openings=Openings("random", 2), limit=NO_LIMIT, seed=5
    )
    tournament = Tournament.create(store, plan)
    tournament.run(workers=local_workers(1))
    return tournament


def test_the_table_as_csv(store: ContestStore, tmp_path: Path) -> None:
    tournament = cup(store, "othello-4", games=6)
    export(tournament, tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    assert tuple(found[0]) == (*HEADER, "score")
    rows = table_of(tournament).rows
    names = {entrant.name: entrant.name for entrant in ENTRANTS} | {"=1+1": "'=1+1"}
    assert [row["name"] for row in found] == [names[row.name] for row in rows]
    for place, (written, row) in enumerate(zip(found, rows, strict=True), 1):
        score, rating = row.score, row.rating
        assert rating is not None
        assert written["place"] == str(place) and written["player"] == ENTRANTS[row.entrant].spec
        assert [int(written[name]) for name in ("games", "won", "drawn", "lost", "stones", "failures")] == [
            score.games, score.wins, score.draws, score.losses, score.stones, 0]
        assert float(written["points"]) == score.points and written["set aside"] == "no"
        bounds = [float(written[name]) for name in ("rating", "low", "high")]
        assert bounds == pytest.approx([rating.value, rating.low, rating.high], abs=0.06)


@pytest.mark.parametrize("suffix", ["jsonl", "ggf"])
def test_games_can_be_read_again(store: ContestStore, tmp_path: Path, suffix: str) -> None:
    tournament = cup(store, "othello-4", "anti:size=6")
    path = tmp_path / f"games.{suffix}"
    export(tournament, path)
    found = [item for item in read(path) if isinstance(item, Record)]
    assert len(found) == 12
    for record, game in zip(found, tournament.played.values(), strict=True):
        stored = game.record
        assert (record.start, record.moves, record.players) == (stored.start, stored.moves, stored.players)
        assert record.tag("event") == "cup" and record.tag("round") == str(game.round)
        assert game.id in (record.tag("game"), record.tag("comment").removeprefix("game "))


def test_ggf_says_which_variant_it_cannot_hold(store: ContestStore, tmp_path: Path) -> None:
    tournament = cup(store, "othello-4", "hex:side=3")
    export(tournament, tmp_path / "games.jsonl")
    assert len(list(read(tmp_path / "games.jsonl"))) == 12
    path = tmp_path / "games.ggf"
    path.write_text("as before")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(RecordError, match=r"GGF cannot store hex:side=3.*; \.jsonl holds games of"):
        export(tournament, path)
    assert path.read_text() == "as before" and sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "ggf", "html"])
def test_a_tournament_without_games(store: ContestStore, tmp_path: Path, suffix: str) -> None:
    tournament = Tournament.create(store, Plan("cup", ENTRANTS))
    export(tournament, tmp_path / f"cup.{suffix}")
    size = {"csv": 4, "jsonl": 0, "ggf": 0}.get(suffix)
    lines = (tmp_path / f"cup.{suffix}").read_text().splitlines()
    assert len(lines) == size or size is None


def test_other_endings_are_refused(store: ContestStore, tmp_path: Path) -> None:
    tournament = Tournament.create(store, Plan("cup", ENTRANTS))
    for name in ("cup.pdf", "cup"):
        with pytest.raises(RecordError, match=rf"{name} has no known suffix; use \.csv for"):
            export(tournament, tmp_path / name)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "ggf", "html"])
def test_what_cannot_be_written(store: ContestStore, tmp_path: Path, suffix: str) -> None:
    tournament = cup(store, "othello-4")
    full = tmp_path / f"full.{suffix}"
    full.symlink_to("/dev/full")
    with pytest.raises(RecordError, match=rf"full\.{suffix} cannot be written: No space left on device"):
        export(tournament, full)
    with pytest.raises(RecordError, match="cannot be written: No such file or directory"):
        export(tournament, tmp_path / "nowhere" / f"cup.{suffix}")
    with pytest.raises(RecordError, match="cannot be written: Is a directory"):
        (tmp_path / f"folder.{suffix}").mkdir()
        export(tournament, tmp_path / f"folder.{suffix}")
    assert not list(tmp_path.glob(".*"))


def test_a_folder_that_may_not_be_written(store: ContestStore) -> None:
    tournament = Tournament.create(store, Plan("cup", ENTRANTS))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        with ordinary_user(), pytest.raises(RecordError, match=r"cup\.html cannot be written: Permission"):
            export(tournament, Path(folder, "cup.html"))


def test_no_folders_are_shown_though_nothing_is_in_them_here() -> None:
    """As on another machine than the one on which the tournament was played."""
    specs = ["bot:/home/ann/My Class/bob.py", "course:/home/a,b/cid.py", "gtp:/data/edax -book=/opt/b/b.dat"]
    assert [shown_spec(spec) for spec in specs] == ["bot:bob.py", "course:cid.py", "gtp:edax -book=b.dat"]
    without_folders = folders_left_out(Plan("cup", entrants_of(specs)))
    for words, left in {
        'File "/home/ann/My Class/bob.py", line 3': 'File "bob.py", line 3',
        "in '/home/ann/My Class' is no /home/ann/My Class/x": "in '.' is no x",
        "/data/edax: /opt/b/b.dat and /var/data/edax": "edax: b.dat and /var/data/edax",
        "/home/ann/My Classes": "My Classes",
    }.items():
        assert without_folders(words) == left


def test_without_the_extra_it_is_said(
    store: ContestStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.setitem(sys.modules, "rustworkx", None)
    with pytest.raises(PolyversiError, match=re.escape("polyversi[arena]")):
        export(cup(store, "othello-4"), tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()
    with pytest.raises(PolyversiError, match=re.escape("polyversi[arena]")):
        cheapest_pairs(np.zeros((2, 2), np.int64))
