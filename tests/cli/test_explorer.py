"""`polyversi explorer` and `polyversi book`: files in, tables and JSON out, sentences where it cannot."""

from __future__ import annotations

import json
from pathlib import Path

from polyversi import records
from polyversi.records import Record
from tests.testing.command import polyversi


def test_import_and_show(tmp_path: Path) -> None:
    games = [Record.of("othello", moves).with_values(players=("Ann", "Bob"), tags=(("date", "2019"),))
             for moves in ("f5d6c3", "f5f6e6f4", "c4e3f6")]
    file, db = tmp_path / "games.ggf", str(tmp_path / "openings.db")
    records.write(games, file)
    (tmp_path / "bad.txt").write_text("f5d6c4\nf5f5\n")
    done = polyversi("explorer", "import", str(file), str(tmp_path / "bad.txt"), "--db", db)
    assert "games.ggf: 3 games counted" in done.stdout and "bad.txt: 1 game counted" in done.stdout
    assert "left out: bad.txt: line 2" in done.stderr
    again = polyversi("explorer", "import", str(file), "--db", db)
    assert "games.ggf: counted before" in again.stdout and "has 4 games" in again.stdout
    shown = polyversi("explorer", "show", "f5", "--db", db).stdout
    assert "othello, 4 games" in shown and "Ann – Bob" in shown and "75.0%" in shown
    told = json.loads(polyversi("explorer", "show", "d3", "--db", db, "--db", db, "--json").stdout)
    assert [(move["move"], move["games"]) for move in told["moves"]] == [("c5", 6), ("c3", 2)]
    start = polyversi("explorer", "show", "--db", db).stdout
    assert "f5 = e6 = d3 = c4" in start


def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path: Path) -> None:
    for words, told in (
        (["explorer", "show", "--db", str(tmp_path / "none.db")], "there is no store"),
        (["explorer", "show", "q9", "--db", str(tmp_path / "none.db")], "q9"),
        (["explorer", "import", str(tmp_path / "x.wtb"), "--db", str(tmp_path / "x.db")], "cannot be opened"),
        (["book", "show", "anti"], "no book of anti comes with the package"),
        (["book", "show", "--book", str(tmp_path / "none.book")], "cannot be read"),
        (["book", "grow", "--variant", "xt:starfish", "--out", str(tmp_path / "xt.book")], "no engine"),
    ):
        done = polyversi(*words)
        assert done.returncode == 1 and told in done.stderr and "Traceback" not in done.stderr
