"""`polyversi match`: the table, the files it goes on from, and how it is broken off."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from polyversi.contest.match import Match
from polyversi.games.errors import RecordError
from polyversi.games.limit import Limit
from polyversi.records import Record, read
from tests.testing.marks import slow
from tests.testing.terminal import PseudoTerminal, polyversi


def test_a_match_ends_with_a_table(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    done = polyversi("match", "random", "t77", "--variant", "hex", "--seed", "3", "--out", str(out))
    assert done.returncode == 0, done.stderr
    heading, columns, first, second, *where = done.stdout.splitlines()
    assert heading == "hex, seats change after half of the games, limit none, seed 3"
    assert columns.split()[:7] == ["player", "games", "won", "drawn", "lost", "points", "stones"]
    assert [first.split()[0], second.split()[0]] == ["t77", "random"]
    assert "".join(where).startswith("the games are in ")
    records = [item for item in read(out) if isinstance(item, Record)]
    assert [record.players[0] for record in records] == ["random"] * 5 + ["t77"] * 5
    stones = sum(record.final.scores[record.players.index("t77")] for record in records)
    assert int(first.split()[6].replace(",", "")) == stones
    results = [record.result for record in records]
    winners = [record.players[result.winner - 1] for record, result in zip(records, results, strict=True)
               if result is not None and result.winner]
    assert int(first.split()[2]) == winners.count("t77")


def test_the_same_command_again_plays_nothing_again(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    arguments = ("random", "greedy", "--variant", "othello-4", "--out", str(out))
    first = polyversi("match", *arguments)
    written = out.read_bytes()
    assert polyversi("match", *arguments).stdout == first.stdout
    assert out.read_bytes() == written
    other = polyversi("match", "random", "random", "--variant", "othello-4", "--out", str(out))
    assert other.returncode == 1
    assert "the file holds" in other.stderr and "choose another file" in other.stderr


@pytest.mark.parametrize("file", ["games.jsonl", "games.db"])
def test_a_file_of_another_match_says_what_differs(tmp_path: Path, file: str) -> None:
    def play(variant: str = "othello-4", **settings: Any) -> None:
        Match(("random", "greedy"), variant, games=2, **settings).run(out=tmp_path / file)

    play()
    seed = "another seed than 3" if file == "games.jsonl" else "seed 0, not 3"
    for settings, different in (
        ({"seed": 3}, seed),
        ({"limit": Limit(depth=3)}, "limit none, not depth=3"),
        ({"variant": "hex"}, "variant othello-4, not hex"),
    ):
        with pytest.raises(RecordError, match=f": {different}; choose another file"):
            play(**settings)


def test_names_of_a_file_do_nothing_to_a_terminal(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    arguments = ("match", "random", "greedy", "--variant", "othello-4", "--games", "2", "--out", str(out))
    polyversi(*arguments)
    out.write_text(out.read_text().replace('"players":["random"', r'"players":["\u001b[2Jann"'))
    refused = polyversi(*arguments)
    assert refused.returncode == 1
    assert "of ?[2Jann and greedy, not a game of this match" in " ".join(refused.stderr.split())


def test_all_pairs_of_more_players_meet() -> None:
    few = ("--variant", "othello-4", "--games", "4", "--openings", "2")
    done = polyversi("match", "random", "greedy", "value", *few)
    assert done.returncode == 0, done.stderr
    assert "won/drawn/lost against" in done.stdout
    assert [line.split()[1] for line in done.stdout.splitlines()[2:5]] == ["8", "8", "8"]


def test_players_that_repeat_themselves_are_noticed() -> None:
    done = polyversi("match", "t77", "mobility", "--games", "6")
    assert "only 2 of the 6 games are different" in done.stdout
    assert "only" not in polyversi("match", "t77", "mobility", "--games", "6", "--openings", "8").stdout


def test_more_than_two_seats() -> None:
    done = polyversi("match", "random", "greedy", "--variant", "xt:arena,players=4", "--games", "4")
    assert done.returncode == 0, done.stderr
    assert "seats change through every order" in done.stdout
    assert "Elo" in done.stdout    # two players share the seats evenly


def test_several_variants_and_the_mean_of_rank_points() -> None:
    few = ("--games", "3", "--openings", "2")
    done = polyversi("match", "random", "greedy", "t77", "--variant", "xt:arena,players=3", *few,
                     "--variant", "xt:cube,players=3")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("xt:arena,players=3, xt:cube,players=3, seats change through every order")
    table = next(number for number, line in enumerate(lines) if line.startswith("player"))
    assert lines[table].endswith("points/game ± error")
    for line in lines[table + 1 : table + 4]:
        name, games, *_, points, _stones, mean, _sign, error = line.split()
        assert games == "6" and float(mean) == pytest.approx(float(points) / 6, abs=0.01), name
        assert float(error) >= 0
    heading, *rows = lines[-5:]
    assert heading.split() == ["points/game", "xt:arena,players=3", "xt:cube,players=3"]
    ranking = [line.split()[0] for line in lines[table + 1 : table + 4]]
    assert [row.split()[0] for row in rows] == [*ranking, "games"]
    assert rows[-1].split() == ["games", "3", "3"]


def test_players_with_names(tmp_path: Path) -> None:
    out = str(tmp_path / "games.jsonl")
    players = ("Ann and Bob=greedy", "Cid=random", "--games", "2", "--variant", "othello-4", "--out", out)
    done = polyversi("match", *players)
    assert done.returncode == 0, done.stderr
    table = done.stdout.splitlines()[1:4]
    assert sorted(line.partition("  ")[0] for line in table) == ["Ann and Bob", "Cid", "player"]
    assert [record.players for record in read(tmp_path / "games.jsonl")] == [  # type: ignore[union-attr]
        ("Ann and Bob", "Cid"), ("Cid", "Ann and Bob")]
    assert polyversi("match", *players).stdout == done.stdout, "they are all in the file"
    other = polyversi("match", "Ann and Bob=mobility", *players[1:])
    assert other.returncode == 1
    assert "named Ann and Bob=greedy, Cid=random, not Ann and Bob=mobility" in other.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_with_the_table_so_far_and_it_can_go_on(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "games.jsonl"
    arguments = ("match", "random", "t77", "--games", "100000", "--jobs", jobs, "--out", str(out))
    with PseudoTerminal(*arguments, width=200, height=40) as terminal:
        terminal.expect_pattern(r"[1-9]\d*/100000")
        terminal.type("\x03")
        terminal.expect("stopped after ")
        assert terminal.finish() == 130
        assert "Traceback" not in terminal.raw
    played = len(list(read(out)))
    assert 1 <= played < 100000
    assert out.read_bytes().endswith(b"\n")


TESTED = ("match", "t77", "random", "--variant", "hex:side=3", "--openings", "2", "--sprt", "elo0=0,elo1=100")


def test_a_match_with_a_test_stops_when_it_knows(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    done = polyversi(*TESTED, "--games", "400", "--jobs", "2", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "seats change after each game" in done.stdout
    test, evidence, verdict = done.stdout.splitlines()[-3:]
    assert test == "SPRT elo0=0,elo1=100,alpha=0.05,beta=0.05"
    pattern = r"LLR \+(\d\.\d\d), bounds -3\.00 and \+3\.00, pairs with 0, ½, 1, 1½ and 2 points: (.*)"
    said = re.fullmatch(pattern, evidence)
    assert said is not None and float(said[1]) > 2.9
    games = 2 * sum(map(int, said[2].split()))
    assert verdict == f"accepted H1 after {games} games: +100 Elo for t77 fits better than +0"
    assert len(list(read(out))) == games < 400
    assert polyversi(*TESTED, "--games", "400", "--out", str(out)).stdout == done.stdout
    assert len(list(read(out))) == games


def test_a_match_with_a_test_that_is_not_decided() -> None:
    done = polyversi(*TESTED, "--games", "4")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "undecided after 4 games; the test continues with a larger --games"


def test_a_test_is_shown_while_games_are_played() -> None:
    with PseudoTerminal(*TESTED, "--games", "400", width=100, height=40) as terminal:
        terminal.expect_pattern(r"LLR [+-]\d\.\d\d, bounds -3\.00 and \+3\.00")
        terminal.expect_pattern(r"/400")    # the bar below it
        terminal.expect("accepted H1 after ")
        assert terminal.finish() == 0


def test_openings_of_a_file_and_adjudication(tmp_path: Path) -> None:
    book, out = tmp_path / "book.txt", tmp_path / "games.jsonl"
    book.write_text("f5d6c3\nf5f6e6\n")
    done = polyversi("match", "greedy", "mobility", "--openings", f"{book} in order", "--adjudicate", "12",
                     "--games", "4", "--seats", "alternate", "--out", str(out))
    assert done.returncode == 0, done.stderr
    heading = " ".join(done.stdout.split("player")[0].split())
    assert "openings: 2 positions from a file, in order, adjudicated at 12 empty cells, limit none" in heading
    records = [item for item in read(out) if isinstance(item, Record)]
    assert len({record.start.text for record in records}) == 2 and len(records) == 4
    assert all(record.outcome is not None and record.outcome.reason == "adjudicated" for record in records)


def test_game_formats_are_refused_before_a_game_is_played(tmp_path: Path) -> None:
    done = polyversi("match", "random", "greedy", "--games", "2", "--out", str(tmp_path / "g.ggf"))
    assert done.returncode == 1 and done.stdout == ""
    said = " ".join(done.stderr.split())
    assert "use --out g.jsonl, and afterwards `polyversi convert g.jsonl g.ggf`" in said
    assert not list(tmp_path.iterdir())


def test_the_first_failure_of_a_bot_is_shown_with_its_reason(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.stdin.readline()\nraise KeyError('the [bold] corner')\n")
    arguments = ("match", f"bot:{bot}", "random", "--variant", "othello-4", "--games", "2", "--trust",
                 "--out", str(tmp_path / "games.jsonl"))
    done = polyversi(*arguments)
    assert done.returncode == 0, done.stderr
    assert polyversi(*arguments).stdout == done.stdout    # from the file
    [line] = [line for line in done.stdout.splitlines() if "first failure" in line]
    assert re.match(r"first failure of bot:\S+: crash: its process ended with status 1; its errors: ", line)
    assert "raise KeyError(" in line


def test_a_path_in_place_of_a_player_says_how_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bots/ann").mkdir(parents=True)
    Path("bots/ann/main.py").write_text("class AI:\n    def go(self, chessboard): ...\n")
    Path("bob.txt").write_text("not a bot")
    for word, words in (
        ("bots/ann", "'bots/ann' is a file or a folder, not a player; write course:bots/ann/main.py"),
        ("bob.txt", "bob.txt is not a bot: it is neither"),
    ):
        done = polyversi("match", word, "random")
        assert done.returncode == 1 and words in done.stderr


SLEEPER = "import sys, time\nsys.stdin.readline()\ntime.sleep(86400)\n"


@pytest.mark.parametrize("arguments", [["match", "--jobs", "1"], slow(["match", "--jobs", "2"]),
                                       slow(["watch"]), slow(["watch", "--plain"])])
def test_a_terminal_says_who_is_thinking(tmp_path: Path, arguments: list[str]) -> None:
    bot = tmp_path / "sleeper.py"
    bot.write_text(SLEEPER)
    command, *options = arguments
    words = (command, f"bot:{bot}", "random", "--trust", "--limit", "none", *options)
    with PseudoTerminal(*words, width=200, height=40) as terminal:
        terminal.expect_pattern(r"bot:\S+ has been thinking for \d+ s")
        terminal.type("\x03")
        terminal.finish()
        assert "Traceback" not in terminal.raw


@pytest.mark.parametrize(("arguments", "message"), [
    (["random", "random", "--openings", "nowhere.ggf"], "there is no file 'nowhere.ggf' with openings"),
    (["random", "random", "--variant", "torus", "--adjudicate", "9"], "torus cannot be adjudicated"),
    (["random", "random", "--sprt", "elo1=5"], "'elo1=5' is not a test; write elo0=0,elo1=5"),
    (["random", "random", "--sprt", "elo0=0,elo1=5", "--seats", "course"], "seats must change after each"),
    (["random", "t77", "greedy", "--sprt", "elo0=0,elo1=5"], "an SPRT compares two players"),
    (["random"], "a match needs at least two players"),
    (["random", "nobody"], "there is no player 'nobody'"),
    (["random", "random", "random", "--variant", "rolit"], "3 players cannot share 4 seats evenly"),
    (["random", "group6"], "group6 does not play othello"),
    (["random", "t34", "--variant", "hex", "--variant", "rolit"], "t34 does not play rolit"),
    (["random", "random", "--seats", "never"], "--seats cannot be 'never'"),
    (["random", "random", "--out", "/nowhere/games.jsonl"], "cannot be written: No such file or directory"),
    (["random", "random", "--variant", "othello-4", "--openings", "99"], "is over within 99 random plies"),
])
def test_what_cannot_be_is_said(arguments: list[str], message: str) -> None:
    done = polyversi("match", *arguments)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
