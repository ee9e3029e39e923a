"""Logs of Reversi XT servers: ours, those of the courses, and those that something is wrong with."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polyversi as pv
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.records import FORMATS, Note, Record, games, parse, write, xt_log
from tests.testing.sample_records import SMALL_MAP, played

TINY = "3 0 1 0  1 4  0 1 2 3"
LOG = """\
game id is 4
Starting game with map "tiny"
3
0
1 0
1 4
0 1 2 3
Player 1 is group 6 (Ann)
Player 2 is group 7
Player 3 is random
timelimit 2, depthlimit 0
[2026-11-22T12:30:00+00:00] Game started.
move 0: player 2 moved (0,0,0). time left: 1500 msecs
reached terminal phase
Scores:
Player 1: 0 points
Player 2: 3 points
Player 3: 1 points
Player 3 disqualified (timeout (no answer within 2 s)).
move 1: player 1 moved (2,0,0). time left: 750 msecs
move 2: player 2 moved (3,0,0). time left: 1500 msecs
reached final phase
Scores:
Player 1: 0 points
Player 2: 2 points
Player 3: disqualified
"""
TERMINAL = """\
game id is 9
Starting Server.
Loading board from file "/home/ann/maps/tiny.map"... OK
This is a 3-player map.
Waiting client 1 to connect...OK
Waiting for group id of client 1...OK. Group ID is 6.
Waiting for group id of client 2...OK. Group ID is 7.
Waiting for group id of client 3...OK. Group ID is 6.
[18:33:31] Game started.
[18:33:31] First player can not do first move... Oh well, skipping him.
Board:
0123


Player 2 has 0 overrides and 1 bombs.
Sending move request to player 2 with depth 1, time left: 2000 msecs.
Answer from player 2 for move 0 was (x,y,c) = (0,0,0); time left: 1500 msecs.
Board:
2223


\x1b[;1;34mTerminal state reached.\x1b[m
Scores:
Player 1: 0 points
Player 2: 3 points
Player 3: 1 points
Player 3 has 0 overrides and 1 bombs.
Sending move request to player 3 with depth 1, time left: 2000 msecs.
timeout detected! (poll timeout)
Player 3 disqualified (timeout during move).
Failed to propagate disqualification to player 3
Player 1 has 0 overrides and 1 bombs.
Sending move request to player 1 with depth 1, time left: 2000 msecs.
Answer from player 1 for move 2 was (x,y,c) = (2,0,7); time left: 750 msecs.
Board:
22-3

Player 2 has 0 overrides and 1 bombs.
Sending move request to player 2 with depth 1, time left: 3500 msecs.
Answer from player 2 for move 3 was (x,y,c) = (3,0,0); time left: 1500 msecs.
Board:
22--

Final state reached.
Scores:
Player 1: 0 points
Player 2: 2 points
Player 3: disqualified
bye bye.
"""


def tiny() -> Record:
    game = xt_game(XtMap.parse(TINY), "xt:tiny")
    tags = (("date", "2026-11-22T12:30:00+00:00"), ("round", "4"), ("time", "bank=2,increment=2"),
            ("comment", "seat 3: timeout (no answer within 2 s)"))
    notes = tuple(Note(seconds=seconds) for seconds in (0.5, 1.25, 2.0))
    moves = tuple(game.move(text) for text in ("0,0", "2,0", "3,0"))
    return Record(game.start(), moves, ("Ann (group 6)", "group 7", "random"), tags, notes,
                  disqualified=((1, 3),))


def test_a_game_is_written_as_the_courses_write_it(tmp_path: Path) -> None:
    path = tmp_path / "evening.log"
    assert write(tiny(), path) == 1
    assert path.read_text() == LOG
    assert list(games(path)) == [tiny()]
    (record,) = games(path)
    assert record.game.spec == "xt:tiny"


def test_a_game_without_a_time_limit_keeps_its_times(tmp_path: Path) -> None:
    game = tiny().with_tags((("time", "depth=3"),))
    write(game, tmp_path / "game.log")
    text = (tmp_path / "game.log").read_text()
    assert "timelimit 0, depthlimit 3\nGame started.\n" in text
    assert "move 0: player 2 moved (0,0,0). time left: 0 msecs, 500 used\n" in text
    assert list(games(tmp_path / "game.log")) == [game]


def test_a_map_of_ours_keeps_its_name(tmp_path: Path) -> None:
    game = Record(pv.game("xt:torus,players=2").start(), disqualified=((0, 2),))
    write(game, tmp_path / "game.log")
    (record,) = games(tmp_path / "game.log")
    assert record == game and record.game.spec == "xt:torus,players=2"


def test_what_the_courses_server_shows_is_a_log_too(tmp_path: Path) -> None:
    path = tmp_path / "match-9-server-out"
    path.write_text(TERMINAL)
    (tmp_path / "tiny.map").write_text(TINY)
    (record,) = games(path)
    assert (record.start, record.moves, record.notes) == (tiny().start, tiny().moves, tiny().notes)
    assert record.disqualified == ((1, 3),)
    assert record.players == ("group 6", "group 7", "group 6")
    assert dict(record.tags) == {"round": "9", "time": "bank=2,increment=2,depth=1",
                                 "comment": "seat 3: timeout during move"}


def test_the_map_lies_beside_the_log_or_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    path.write_text(TERMINAL)
    with pytest.raises(pv.RecordError, match=r"^game\.log: line 11: the log does not hold its map; put the "
                                             r"file tiny\.map beside the log, or name it as the variant"):
        list(games(path))
    (tmp_path / "other.map").write_text(TINY)
    (record,) = games(path, game=f"xt:{tmp_path}/other.map")
    assert record.moves == tiny().moves
    with pytest.raises(pv.RecordError, match="this is a log of Reversi XT; othello is another game"):
        list(games(path, game="othello"))


def test_where_no_file_lies_beside_a_log_its_map_stands_in_front() -> None:
    with pytest.raises(pv.RecordError, match=r"^line 11: the log does not hold its map; put the text of "
                                             r"tiny\.map in front of it$"):
        list(parse(TERMINAL))
    (record,) = parse(f"{TINY}\n{TERMINAL}")
    assert isinstance(record, Record)
    assert (record.start, record.moves) == (tiny().start, tiny().moves)


def test_no_other_file_is_opened_for_a_map(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "secret.map").write_text(TINY)
    for name in ("../secret.map", "..\\secret.map", str(tmp_path / "secret.map"), ".map", ""):
        path = tmp_path / "logs" / "game.log"
        path.write_text(TERMINAL.replace("/home/ann/maps/tiny.map", name))
        with pytest.raises(pv.RecordError, match=r"line 11: the log (does not hold its|has no) map"):
            list(games(path))


def test_a_log_may_begin_with_its_map_and_have_any_line_ends() -> None:
    text = LOG.partition("\n")[2].partition("\n")[2]
    (record,) = parse("\ufeff" + text.replace("\n", "\r\n"))
    assert record == tiny().with_tags(tuple(tag for tag in tiny().tags if tag[0] != "round"))


def test_a_large_map_at_the_beginning_is_no_map_file(tmp_path: Path) -> None:
    game = Record(pv.game("xt:starfish").start(), disqualified=tuple((0, seat) for seat in range(1, 8)))
    write(game, tmp_path / "game.log")
    text = (tmp_path / "game.log").read_text().partition("\n")[2]
    assert text.startswith("8\n")
    (tmp_path / "log_game_1.txt").write_text(text)
    assert list(games(tmp_path / "log_game_1.txt")) == [game]


def test_the_last_two_may_be_lost_at_once(tmp_path: Path) -> None:
    game = Record(pv.game("xt:torus,players=2").start(), disqualified=((0, 2), (0, 1)))
    write(game, tmp_path / "game.log")
    assert (tmp_path / "game.log").read_text().endswith("Player 1: disqualified\nPlayer 2: disqualified\n")
    assert list(games(tmp_path / "game.log")) == [game]


def test_games_follow_each_other(tmp_path: Path) -> None:
    path, errors = tmp_path / "evening.log", list[str]()
    cut = LOG[: LOG.index("move 1")]
    path.write_text(LOG + LOG.replace("moved (0,0,0)", "moved (1,0,0)") + cut + LOG + cut)
    found = list(games(path, on_error=lambda error: errors.append(str(error))))
    assert found == [tiny(), tiny()]
    assert errors[0].startswith("line 39: 1,0 is not legal")
    assert errors[1:] == [
        "line 72: another game begins here, but the game has not ended after 1 move",
        "line 116: the log ends here, but the game has not ended after 1 move",
    ]


def changed(old: str, new: str) -> str:
    assert old in LOG
    return LOG.replace(old, new, 1)


@pytest.mark.parametrize(("text", "message"), [
    (LOG[: LOG.index("reached final")], "line 21: the log ends here, but the game has not ended after 3 "),
    (LOG[: LOG.rindex("Player 3")], "line 25: the log ends here, but the game has not ended after 3 moves"),
    (LOG[: LOG.index("move 0")], "line 12: the log ends here, but the game has not ended after 0 moves"),
    (changed("player 2 moved", "player 1 moved"),
     "line 13: player 1 is to move, but it is the turn of player 2"),
    (changed("player 2 moved", "player 9 moved"), "line 13: there is no player 9; the map is for 3 players"),
    (changed("moved (0,0,0)", "moved (7,0,0)"), "line 13: '7,0' is not on this board"),
    (changed("moved (0,0,0)", "moved (0,0,20)"), "line 13: '0,0:20' is not a move of its cell"),
    (changed("0 1 2 3\n", "0 1 2 4\n"), "line 13: the map that begins in line 3 is wrong: line 5, column 7: "
                                        "there is a stone of player 4"),
    (changed("Player 2: 3 points", "Player 2: 4 points"),
     "line 17: player 2 has 4 points here; by the rules it has 3"),
    (changed("Player 3: 1 points", "Player 3: disqualified"), "line 18: player 3 is not disqualified by the"),
    (changed("Player 3: disqualified", "Player 3: 0 points"), "line 26: player 3 is disqualified by the"),
    (changed("move 0", "reached terminal phase\nmove 0"),
     "line 13: building ends here, but player 2 can still move"),
    (changed("move 1", "reached final phase\nmove 1"),
     "line 20: the game ends here, but player 1 can still throw a bomb"),
    (changed("reached final", "move 3: player 1 moved (0,0,0). time left: 1 msecs\nreached final"),
     "line 22: player 1 is to move, but the game is over"),
    (changed("reached final", "Player 1 disqualified.\nreached final"),
     "line 22: player 1 cannot be disqualified: the game is over"),
    (changed("Player 3 dis", "Board:\n2224\n\nPlayer 3 dis"),
     "line 21: the board above has '4' at (3,0); by the rules it is '3'"),
    (changed("Player 3 dis", "Player 1 has 2 overrides and 1 bombs.\nPlayer 3 dis"),
     "line 19: player 1 has 2 overrides and 1 bombs here; by the rules it has 0 and 1"),
    ("move 0: player 1 moved (0,0,0). time left: 1 msecs\n", "line 1: the log has no map before this line"),
    ("game id is 3\nDear Ann,\n", "there is no game in this log; it should have lines such as 'move 0: "),
])
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(pv.RecordError) as caught:
        list(parse(text, "xt-log"))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("item", "message"), [
    (Record.of("othello", "f5"), "a log holds games of XT in which the most stones win, not othello"),
    (Record(pv.game("xt:torus").start()), "a log holds games that were played to their end"),
])
def test_what_a_log_cannot_hold(item: Record, message: str, tmp_path: Path) -> None:
    with pytest.raises(pv.RecordError, match=message):
        write(item, tmp_path / "game.log")


NAMES = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ["group 6", "Ann (group 6)", "group 6 (x)"])
COMMENTS = st.sampled_from(
    ["", "why not?", "seat 1: late", "seat 2: a; seat 1: b", "seat 2: ", "seat 2: a\nb; seat 2: c"])
TIMES = st.sampled_from(["", "2", "bank=0.25,increment=0.25", "depth=3", "bank=60,increment=1"])


@st.composite
def whole_games(draw: st.DrawFn) -> Record:
    """Games to their end, often with somebody who is disqualified on the way."""
    start, seed = xt_game(XtMap.parse(SMALL_MAP), "xt:small").start(), draw(st.integers(0, 2**32))
    first = played(start, seed, draw(st.integers(0, 20)))
    record, seat = Record(start, first), draw(st.integers(0, 3))
    out = ((len(first), seat),) if seat else ()
    middle = Record(start, first, disqualified=out).final if seat else record.final
    moves = (*first, *played(middle, seed, 400))
    tags = {"comment": draw(COMMENTS), "time": draw(TIMES), "round": "7"}
    notes = st.builds(Note, st.just("x"), st.none() | st.floats(-1, 5), st.just(2.0))
    return Record(start, moves, draw(st.tuples(NAMES, NAMES, NAMES)), tuple(tags.items()),
                  draw(st.tuples(*[notes] * len(moves))), disqualified=out)


@settings(max_examples=60, deadline=None)
@given(whole_games())
def test_whole_games_come_back(record: Record) -> None:
    form = FORMATS["xt-log"]
    held = form.fit(record)
    assert form.fit(held) == held
    assert list(parse(b"".join(form.encode([held, held])), "xt-log")) == [held, held]


def test_a_game_that_was_just_played_is_not_played_again_for_its_log() -> None:
    game = xt_game(XtMap.parse(SMALL_MAP), "xt:small")
    played = FORMATS["xt-log"].fit(pv.play(game, [f"random:seed={seat}" for seat in (1, 2, 3)]).record)
    assert isinstance(played, Record)
    wrong = played.with_values(moves=(game.move("0,0"),) * len(played.moves))    # unlike its states
    assert "player 1 moved (0,0,0)" in xt_log.write(wrong)
    with pytest.raises(pv.RecordError, match="move"):
        xt_log.write(Record(wrong.start, wrong.moves))
