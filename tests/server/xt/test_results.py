"""The results of a server's games: rows for a table, totals, and a file that outlives the evening."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.gameplay.referee import Finished
from polyversi.gameplay.verdict import Verdict
from polyversi.games.errors import RecordError
from polyversi.games.limit import Limit
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.records import Note, Record, games
from polyversi.server.xt.results import CourseResultsFile, LogFile, ResultsFile, Totals, XtGameResult

BEGAN = datetime(2026, 11, 22, 12, 30, tzinfo=UTC)
BANK = Limit(bank=2.0, increment=2.0)


def played(number: int = 1, limit: Limit = BANK) -> XtGameResult:
    """Seat 2 builds, then seat 3 is late for its bomb, and the others throw theirs."""
    game = xt_game(XtMap.parse("3 0 1 0  1 4  0 1 2 3"))
    moves = tuple(game.move(text) for text in ("0,0", "2,0", "3,0"))
    notes = tuple(Note(seconds=seconds) for seconds in (0.5004, 1.25, 2.0))
    names = ("group 1", "group 2", "random")
    record = Record(game.start(), moves, names, notes=notes, disqualified=((1, 3),))
    assert record.result is not None
    offence = Verdict("timeout", 3, "no answer within 2 s")
    finished = Finished(record.result, Verdict("win", 2), record, (offence,))
    return XtGameResult(number, BEGAN, "a, b", (1, 2, None), finished, limit)


def test_a_row_for_each_seat() -> None:
    first, second, third = played().seats
    assert (first.moves, first.seconds, first.verdict) == (1, 1.25, "")
    assert (second.moves, second.seconds, second.rank, second.points) == (2, 2.5, 1, 25)
    assert (third.group, third.player, third.points) == (None, "random", -50)
    assert (third.moves, str(third.seconds)) == (0, "0.0")    # as it stands in the file
    assert (third.verdict, third.reason) == ("timeout", "no answer within 2 s")
    assert [row.worst for row in played().seats] == [1.25, 2.0, 0.0]
    assert [row.left for row in played().seats] == [0.75, 1.5, 0.0]    # of 2, of 1.5 + 2, and too late
    assert [row.left for row in played(limit=Limit(depth=3)).seats] == [None] * 3


def test_the_record_says_when_and_why() -> None:
    record = played(4).record
    assert record.tag("date") == "2026-11-22T12:30:00+00:00"
    assert record.tag("round") == "4"
    assert record.tag("comment") == "seat 3: timeout (no answer within 2 s)"
    assert record.tag("time") == "bank=2,increment=2"
    assert [note.seconds for note in record.notes] == [0.5, 1.25, 2.0]
    assert record.final == played().finished.record.final


def test_totals_are_by_the_mean_of_points() -> None:
    totals = Totals()
    for number in (1, 2):
        totals.add(played(number))
    first, *_, last = totals.ranking()
    assert (first.player, first.games, first.points, first.firsts) == ("group 2", 2, 50, 2)
    assert (last.player, last.points, last.disqualified) == ("random", -100, 2)
    assert (first.worst, first.left, last.left) == (2.0, 1.5, 0.0)


def test_the_file_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    for number in (1, 2):
        with ResultsFile(path) as file:
            file.append(played(number))
    lines = path.read_text().splitlines()
    assert len(lines) == 7 and sum(line.startswith("game,") for line in lines) == 1
    assert lines[-1].startswith('2,2026-11-22T12:30:00+00:00,"a, b",3,,random,')


@pytest.mark.parametrize("kind", [ResultsFile, CourseResultsFile, LogFile])
@pytest.mark.parametrize("there", [b"Dear Ann,\n", b"x" * 10_000, b"game,when\n1,2\n"])
def test_a_file_with_something_else_is_left_alone(there: bytes, kind: type[ResultsFile],
                                                  tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(there)
    with pytest.raises(RecordError, match=f"is not a {kind.what}; choose another file"), kind(path):
        pass
    assert path.read_bytes() == there


def test_the_courses_lines(tmp_path: Path) -> None:
    path = tmp_path / "results"
    for number, limit in ((1, BANK), (2, Limit(depth=3))):
        with CourseResultsFile(path) as file:
            file.append(played(number, limit))
    assert path.read_text() == "1, 1, 750, 1\n2, 2, 1500, 1\n-1, 3, 0, 0\n" \
                               "1, 1, 0, 1\n2, 2, 0, 1\n-1, 3, 0, 0\n"


@pytest.mark.parametrize("limit", [BANK, Limit(depth=3), Limit(bank=0.25, increment=0.25, depth=1)], ids=str)
def test_a_log_reads_back_to_the_same_records(limit: Limit, tmp_path: Path) -> None:
    path = tmp_path / "evening.log"
    for number in (1, 2):
        with LogFile(path) as file:
            file.append(played(number, limit))
    assert list(games(path)) == [played(number, limit).record for number in (1, 2)]


def test_a_row_that_was_cut_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(ResultsFile.header + b"1,2026-")
    with ResultsFile(path) as file:
        file.append(played(2))
    assert [line.partition(",")[0] for line in path.read_text().splitlines()] == ["game", "1", "2", "2", "2"]


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be written: Is a directory"), ResultsFile(tmp_path):
        pass


def test_a_game_of_our_players_has_no_groups() -> None:
    start = pv.game("xt:torus,players=2").start()
    finished = pv.play(start, [pv.player("random", seed=seed) for seed in (1, 2)])
    rows = XtGameResult(1, BEGAN, "torus", (None, None), finished, Limit(depth=1)).seats
    assert sum(row.moves for row in rows) == len(finished.record.moves)
    assert [row.points for row in rows] == list(finished.result.points)
