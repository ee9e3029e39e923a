"""The bots of a real server: found as in tournaments, run in the sandbox, known to visitors by name only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from polyversi.gameplay import Verdict
from polyversi.gameplay.events import Event
from tests.testing.command import polyversi
from tests.testing.course_agent import AGENT, CHOOSE
from tests.testing.environments import new_environment
from tests.testing.page_server import Served
from tests.testing.sandbox import needs_sandbox

BOT = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""
SPY = """
import pathlib, sys
sys.exit("I read " + pathlib.Path(__file__).with_name("secret.txt").read_text())
"""
EVIL = "<b>\x1b[31m\u202egnp.py"
SHOWN = "bot:<b>\\x1b[31m\\u202egnp.py"


def agent(path: Path, imports: str = "") -> Path:
    """A course agent in a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(AGENT.format(imports=imports, members="pass", own_list="self.candidate_list = []",
                                 go=indent(CHOOSE, " " * 8)))
    return path


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bots of all kinds, and some that are broken."""
    folder = tmp_path_factory.mktemp("room") / "bots"
    new_environment(agent(folder / "ann" / "agent.py", imports="import only_there").parent / ".venv")
    agent(folder / "bob" / "older.py")
    agent(folder / "bob" / "newer.py")
    (folder / "bob" / "bot.toml").write_text('file = "newer.py"')
    agent(folder / "cid.py")
    for name, text in {"first.py": BOT, "spy.py": SPY, "secret.txt": "the secret", "broken.py": "x = (",
                       "README.md": "hello", EVIL: BOT}.items():
        (folder / name).write_text(text)
    for name in ("one.py", "two.py"):
        agent(folder / "dan" / name)
    return folder


@pytest.fixture(scope="module")
def server(bots: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served"), "--bots", str(bots)) as served:
        yield served


def end_of(server: Served, *players: str) -> Any:
    """How a game of players ended."""
    with server.visit(server.new_game("anti-4", *players)["game"]) as eve:
        while (event := eve.hear(Event)).kind != "end":
            pass
    return event


@needs_sandbox
def test_bots_are_found_as_in_tournaments(server: Served, bots: Path) -> None:
    listed = {player["name"]: player for player in server.get("/api/players?spec=hex")}
    names = sorted(name for name in listed if name.startswith("bot:"))
    assert names == sorted(["bot:ann", "bot:bob", "bot:broken.py", "bot:cid.py", "bot:dan", "bot:first.py",
                            "bot:spy.py", SHOWN])
    assert listed["bot:first.py"]["unsuited"] is None
    assert listed[SHOWN]["label"].startswith("<b>\\x1b[31m")
    assert listed["bot:ann"]["unsuited"] == "course agents play only Othello and anti on square boards"
    assert listed["bot:broken.py"]["unsuited"].startswith("broken.py is not valid Python (line 1: ")
    assert listed["bot:dan"]["unsuited"].startswith("the folder dan has more than one bot: one.py, two.py; ")
    assert str(bots) not in str(listed)
    assert "polyversi: broken.py is not valid Python (line 1: " in server.log    # at the start


@needs_sandbox
@pytest.mark.parametrize("bot", ["bot:ann", "bot:bob", "bot:cid.py", "bot:first.py", SHOWN])
def test_all_kinds_of_bots_play_in_the_sandbox(server: Served, bot: str) -> None:
    assert end_of(server, bot, "random").verdict.kind in ("win", "draw")


@needs_sandbox
def test_a_bot_reads_nothing_of_the_server(server: Served) -> None:
    assert end_of(server, "bot:spy.py", "random").verdict == Verdict("crash", 1, "its program failed")
    assert "bot:spy.py crashed: its process ended with status 1" in server.log
    assert "No such file or directory" in server.log
    assert "I read the secret" not in server.log


def test_trusted_bots_run_without_a_sandbox(bots: Path, tmp_path: Path) -> None:
    with Served(tmp_path, "--bots", str(bots), "--trust") as served:
        assert end_of(served, "bot:spy.py", "random").verdict.kind == "crash"
        assert "I read the secret" in served.log
        assert end_of(served, "bot:ann", "bot:cid.py").verdict.kind in ("win", "draw")


def test_without_bubblewrap_the_server_does_not_start(bots: Path, tmp_path: Path) -> None:
    done = polyversi("run", "--port", "0", "--store", str(tmp_path / "games.db"), "--bots", str(bots),
                     PATH="")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "bots run in a sandbox" in done.stderr and "--trust" in done.stderr
