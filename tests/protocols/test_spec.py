"""How bots are named: kinds, files, commands, and what is said when a name means nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.gameplay import LocalSeat
from polyversi.protocols.course import CourseSeat
from polyversi.protocols.gtp.seat import GtpSeat
from polyversi.protocols.json_bot import JsonSeat
from polyversi.protocols.nboard.seat import NboardSeat
from polyversi.protocols.spec import bot_from, command, seat_of
from polyversi.protocols.xt.client_seat import XtClientSeat


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "my bot.py"
    path.write_text("")
    return path


def test_kinds(bot: Path) -> None:
    assert isinstance(seat_of("random"), LocalSeat)
    assert isinstance(seat_of(f"bot:{bot}"), JsonSeat)
    assert isinstance(seat_of("gtp:cat -u"), GtpSeat)
    assert isinstance(seat_of("nboard:cat"), NboardSeat)
    assert isinstance(seat_of(f"course:{bot}"), CourseSeat)
    assert isinstance(seat_of("xtclient:cat {host} {port}"), XtClientSeat)
    assert seat_of(f" bot: {bot} ").name == f"bot: {bot}"


def test_a_file_runs_in_its_folder_with_what_runs_it(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bot.parent)
    found = command("my bot.py")
    assert found.words == (sys.executable, str(bot))
    assert found.folder == bot.parent
    assert command("'my bot.py' --level 3").words == (sys.executable, str(bot), "--level", "3")


def test_a_program_runs_in_the_current_folder() -> None:
    assert (command("cat -u").words, command("cat -u").folder) == (("cat", "-u"), None)


@pytest.mark.parametrize(("spec", "words"), [
    ("bot:", "a bot needs a file or a command"),
    ("bot:missing.py", "there is no file or program called 'missing.py'"),
    ("bot:'half", "is not a command"),
    ("gtp:no-such-engine -gtp", "there is no file or program called 'no-such-engine'"),
    ("course:missing.py", "there is no file 'missing.py'"),
    ("course:missing.py,python=foo", "there is no file 'missing.py'"),
    (f"course:{__file__},pyton=3", "there is no option 'pyton'; write python="),
    ("xtclient:cat {host} 7777", "has no {port}; write {host} and {port} where the client takes address"),
    ("robot:x", "there is no player 'robot'"),
    ("bot:" + "x" * 5000, "there is no file or program called 'xxx"),
    ("bot:a\0b", "there is no file or program"),
])
def test_names_that_mean_nothing(spec: str, words: str) -> None:
    with pytest.raises(pv.PlayerError) as error:
        seat_of(spec)
    assert words in str(error.value)


def test_only_bots_are_bots() -> None:
    with pytest.raises(pv.PlayerError, match="'random' is not a bot; write bot:…, gtp:…, nboard:…, "):
        bot_from("random")


def test_a_file_that_cannot_be_run(tmp_path: Path) -> None:
    text = tmp_path / "bot.txt"
    text.write_text("")
    with pytest.raises(pv.PlayerError, match=r"bot.txt cannot be run; make it executable"):
        seat_of(f"bot:{text}")


def test_an_interpreter_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "bot.js"
    script.write_text("")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(pv.PlayerError, match=r"bot\.js needs node, which is not installed"):
        seat_of(f"bot:{script}")
