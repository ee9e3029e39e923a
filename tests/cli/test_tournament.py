"""`polyversi tournament`: from a file to a table, broken off, gone on with, added to and exported."""

from __future__ import annotations

import re
import shutil
import signal
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from polyversi.storage.contests import ContestStore
from tests.testing.command import forked
from tests.testing.terminal import PseudoTerminal, polyversi

FILE = """
variant = "othello-4"
entrants = ["random", "greedy", "mobility"]
games = 4
openings = "random 2"
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A small tournament's file."""
    path = tmp_path / "cup.toml"
    path.write_text(FILE)
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CompletedProcess[str]]:
    """The store of the small tournament when it is over, and what was said."""
    path = tmp_path_factory.mktemp("played") / "cup.toml"
    path.write_text(FILE)
    return path.with_suffix(".db"), polyversi("tournament", "new", str(path), "--jobs", "1")


@pytest.fixture
def over(cup: Path, played: tuple[Path, CompletedProcess[str]]) -> CompletedProcess[str]:
    """The tournament of the file, played in a store beside it: what was said."""
    store, done = played
    shutil.copytree(store.parent, cup.parent, dirs_exist_ok=True)
    return done


COURSE = """
variants = ["othello-4", "xt:cube,players=3"]
entrants = ["Ann and Bob=greedy", "Cid=random", "random"]
limit = "none"
"""


def test_a_course_over_maps_with_different_seats(tmp_path: Path) -> None:
    path = tmp_path / "course.toml"
    path.write_text(COURSE)
    done = polyversi("tournament", "new", str(path), "--jobs", "1")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert {"Ann and Bob", "Cid", "random"} == {re.split(r" {2,}", line)[1] for line in lines[2:5]}
    assert {re.split(r" {2,}", line)[2] for line in lines[2:5]} == {"7"}, "four in pairs, three in threes"
    heading = next(number for number, line in enumerate(lines) if line.startswith("points/game"))
    assert lines[heading].split() == ["points/game", "othello-4", "xt:cube,players=3"]
    rows = [re.split(r" {2,}", line) for line in lines[heading + 1 : heading + 4]]
    assert {row[0] for row in rows} == {"Ann and Bob", "Cid", "random"}
    assert sum(float(row[-1]) for row in rows) == pytest.approx(41, abs=0.02)
    assert lines[heading + 4].split() == ["games", "6", "3"]
    assert lines[-1] == "9 games played, finished"
    added = polyversi("tournament", "add", str(path.with_suffix(".db")), "Dora=random")
    assert added.stdout == "Dora takes part from round 4\n"


def test_a_file_of_a_few_lines_becomes_a_table(cup: Path, over: CompletedProcess[str]) -> None:
    done = over
    assert done.returncode == 0, done.stderr
    heading, columns, *rows = done.stdout.splitlines()
    assert heading == "cup: othello-4, round-robin, openings random 2, limit seconds=1, seed 0"
    assert columns.split()[:7] == ["entrant", "games", "won", "drawn", "lost", "points", "stones"]
    assert [row.split()[0] for row in rows[:3]] == ["1", "2", "3"]
    assert {row.split()[1] for row in rows[:3]} == {"random", "greedy", "mobility"}
    assert sum(float(row.split()[6]) for row in rows[:3]) == 12
    assert rows[-1] == "12 games played, finished"
    shown = polyversi("tournament", "show", str(cup.with_suffix(".db")))
    assert (shown.stdout, shown.stderr) == (done.stdout, "")
    again = polyversi("tournament", "new", str(cup))
    assert again.returncode == 1 and "already has a tournament 'cup'" in again.stderr
    assert "polyversi tournament resume" in again.stderr


@pytest.mark.usefixtures("over")
def test_somebody_comes_later(cup: Path) -> None:
    store = str(cup.with_suffix(".db"))
    added = polyversi("tournament", "add", store, "random:seed=9", "--name", "late")
    assert (added.returncode, added.stderr) == (0, "")
    assert added.stdout.startswith("late takes part from round ")
    assert polyversi("tournament", "show", store).stdout.splitlines()[-1] == "12 games played, 12 due now"
    done = polyversi("tournament", "resume", store, "--jobs", "1")
    assert done.stdout.splitlines()[-1] == "24 games played, finished"


def test_why_a_bot_failed_can_be_seen(cup: Path) -> None:
    bot = cup.parent / "bad.py"
    bot.write_text('import sys\nsys.stdin.readline()\nsys.exit("my head hurts")\n')
    cup.write_text(FILE.replace('"random",', '"bad.py",').replace("games = 4", "games = 2\nfailures = 2"))
    store = str(cup.with_suffix(".db"))
    done = polyversi("tournament", "new", str(cup), "--jobs", "1", "--trust")
    assert done.returncode == 0, done.stderr
    assert re.search(r"3 +bad .* set aside: *\n? *2 crash", done.stdout)
    lines = polyversi("tournament", "show", store, "--entrant", "bad").stdout.splitlines()
    assert lines[0].split() == ["game", "seats", "stones", "points", "ended", "by"] and len(lines) >= 3
    game = lines[1].split()[0]
    told = polyversi("tournament", "show", store, "--id", game).stdout
    assert "bad (seat " in told and "my head hurts" in told and "crash" in told
    for option, wrong, said in (("--entrant", "nobody", "there is no entrant 'nobody' in cup; there are bad"),
                                ("--id", "9.9/9", "no game '9.9/9' has been played in cup")):
        answer = polyversi("tournament", "show", store, option, wrong)
        assert answer.returncode == 1 and said in answer.stderr


def test_a_broken_file_stops_nobody_and_comes_back(cup: Path) -> None:
    (cup.parent / "bots").mkdir()
    bot = cup.parent / "bots" / "bob.py"
    bot.write_text("class AI:\n    def go(self, board)\n")
    cup.write_text(FILE.replace('"random",', '"bots/*", "random",') + "limit = 300\n")
    store = str(cup.with_suffix(".db"))
    done = polyversi("tournament", "new", str(cup), "--jobs", "1", "--trust")
    assert (done.returncode, done.stderr) == (0, "")
    reason = "bob.py is not valid Python (line 2: expected ':')"
    assert re.search(r"\n4 +bob +set aside\n", done.stdout)
    assert f"\nbob is set aside: {reason}\n" in done.stdout
    fixed = f"a bot that has been fixed takes part after `polyversi tournament resume {store}`"
    assert done.stdout.endswith(f"\n{fixed}\n12 games played, finished\n")
    told = polyversi("tournament", "show", store, "--entrant", "bob")
    assert told.returncode == 0 and f"bob has not played: {reason}\n" in told.stdout
    bot.write_text("import sys\nsys.stdin.readline()\nsys.exit('oh')\n")
    again = polyversi("tournament", "add", store, str(bot))
    assert again.returncode == 0 and re.fullmatch(r"bob takes part from round \d+\n", again.stdout)
    over = polyversi("tournament", "resume", store, "--jobs", "1")
    assert over.returncode == 0 and re.search(r"\n4 +bob .* 12 crash\n", over.stdout)


def test_ctrl_c_and_resume(cup: Path) -> None:
    cup.write_text(FILE.replace("games = 4", "games = 4000"))
    store = str(cup.with_suffix(".db"))
    with PseudoTerminal("tournament", "new", str(cup), "--jobs", "1", width=110) as terminal:
        terminal.expect_pattern(r"[1-9]\d*/12000")
        terminal.expect("playing ")
        terminal.type("\x03")
        assert terminal.finish() == 130
        assert re.search(r"stopped after \d+ games; `polyversi", terminal.raw)
        assert "Traceback" not in terminal.raw
    kept = ContestStore.open(store)
    before = len(kept.played("cup"))
    with forked("tournament", "resume", store, "--jobs", "2") as process:
        while len(kept.played("cup")) <= before:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert process.returncode == 130 and errors == b"" and b"stopped after" in output
    kept.close()


@pytest.mark.parametrize(("lines", "said"), [
    ('variant = "othello-4"\nentrant = ["random"]', "cup.toml, line 2: "),
    ('variant = "chess"\nentrants = ["random", "greedy"]', "cup.toml, line 1: there is no variant 'chess'"),
    ('entrants = ["random",\n  "nobody"]', "cup.toml, line 2: "),
    ("entrants = [", "cup.toml, line 1: "),
])
def test_mistakes_in_the_file_are_named_with_their_line(cup: Path, lines: str, said: str) -> None:
    cup.write_text(lines)
    done = polyversi("tournament", "new", str(cup))
    assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr
    assert not cup.with_suffix(".db").exists()


def test_stores_that_are_not_there(tmp_path: Path) -> None:
    for command in ("resume", "show"):
        done = polyversi("tournament", command, str(tmp_path / "none.db"))
        assert done.returncode == 1 and "there is no file" in done.stderr
    (tmp_path / "text.db").write_text("this is no database, but it is long enough to look at" * 100)
    done = polyversi("tournament", "show", str(tmp_path / "text.db"))
    assert done.returncode == 1 and "is not a database" in done.stderr


@pytest.mark.usefixtures("over")
def test_exports(cup: Path) -> None:
    files = [cup.with_suffix(suffix) for suffix in (".csv", ".jsonl", ".ggf", ".html")]
    done = polyversi("tournament", "export", str(cup.with_suffix(".db")), *map(str, files))
    assert done.returncode == 0, done.stderr
    assert all(file.stat().st_size > 100 for file in files)
    again = cup.with_name("again.jsonl")
    converted = polyversi("convert", str(files[2]), str(again))
    assert converted.returncode == 0, converted.stderr
    assert len(again.read_text().splitlines()) == len(files[1].read_text().splitlines()) == 12
    wrong = polyversi("tournament", "export", str(cup.with_suffix(".db")), str(cup.with_suffix(".doc")))
    assert wrong.returncode == 1 and ".doc" in wrong.stderr
