"""Finding bots in folders: what counts as one, of which kind it is, and what is said of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

import polyversi as pv
from polyversi.protocols.bot_files import FoundBot, bot_at, files_of, find_bots

AGENT = "class AI:\n    def __init__(self, size, color, time): ...\n    def go(self, board): ...\n"
BOT = "import sys\nfor line in sys.stdin:\n    print('x')\n"


def put(path: Path, text: str = "", mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(("text", "kind"), [
    (AGENT, "course"),
    ("import random\nrandom.seed(0)\n" + AGENT + "if __name__ == '__main__':\n    AI(8, 1, 5)\n", "course"),
    ("try:\n    import numba\nexcept ImportError:\n    pass\nelse:\n    class AI:\n        go = 1", "course"),
    ("from other import AI\n", "course"),
    ("import other as AI\n", "course"),
    ("class Agent: ...\nAI = Agent\n", "course"),
    ("from other import Base\nclass AI(Base):\n    pass\n", "course"),
    (BOT, "bot"),
    ("while True:\n    input()\n", "bot"),
    ("def main(): ...\nif __name__ == '__main__':\n    main()\n", "bot"),
    ("def main(): ...\nmain()\n", "bot"),
    ("class AI:\n    def choose(self): ...\nprint(AI().choose())\n", "bot"),
    ("class AI(object):\n    def choose(self): ...\nprint(AI().choose())\n", "bot"),
    ("# -*- coding: latin-1 -*-\nprint('\\d')\n", "bot"),
])
def test_kinds_of_python_files(tmp_path: Path, text: str, kind: str) -> None:
    path = put(tmp_path / "ann.py", text)
    assert bot_at(path) == f"{kind}:{path}"


def test_nothing_is_run_read_only(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    bot_at(put(tmp_path / "ann.py", f"open({str(trace)!r}, 'w')\n" + AGENT))
    assert not trace.exists()


@pytest.mark.parametrize(("name", "text", "words"), [
    ("help.py", "import sys\nLEVEL = 3\ndef helper(): ...\n", "has no class AI with a method go, and"),
    ("bad.py", "print('a\nx = 1\n", "bad.py is not valid Python (line 1: unterminated string"),
    ("null.py", "x = 1\0", "null.py is not valid Python"),
    ("deep.py", "x = " + "(" * 10_000, "deep.py is not valid Python"),
    ("notes.txt", "hello", "notes.txt is not a bot: it is neither a Python or JavaScript file"),
])
def test_what_is_not_a_bot(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(pv.PlayerError) as error:
        bot_at(put(tmp_path / name, text))
    assert words in str(error.value)


def test_programs_and_javascript(tmp_path: Path) -> None:
    assert bot_at(put(tmp_path / "a.js")) == f"bot:{tmp_path}/a.js"
    assert bot_at(put(tmp_path / "prog", "#!/bin/sh\n", 0o755)) == f"bot:{tmp_path}/prog"
    with pytest.raises(pv.PlayerError, match="neither a file nor a folder"):
        bot_at(tmp_path / "missing.py")


def test_a_folder_is_one_bot(tmp_path: Path) -> None:
    only = put(tmp_path / "bob" / "my_agent.py", AGENT)
    put(tmp_path / "bob" / "__pycache__" / "x.pyc")
    put(tmp_path / "bob" / ".hidden.py", BOT)
    assert bot_at(tmp_path / "bob") == f"course:{only}"
    put(tmp_path / "bob" / "helper.py", "def f(): ...\n")
    put(tmp_path / "bob" / "README.md", "hello")
    assert bot_at(tmp_path / "bob") == f"course:{only}"
    put(tmp_path / "bob" / "try_out.py", BOT)
    with pytest.raises(pv.PlayerError, match=r"folder bob has more than one bot: my_agent.py, try_out.py"):
        bot_at(tmp_path / "bob")
    main = put(tmp_path / "bob" / "main.py", BOT)
    assert bot_at(tmp_path / "bob") == f"bot:{main}"
    put(tmp_path / "bob" / "main.cpp", "int main() {}")
    put(tmp_path / "bob" / "broken.py", "x = (")
    assert bot_at(tmp_path / "bob") == f"bot:{main}"
    put(tmp_path / "bob" / "agent.py", AGENT)
    with pytest.raises(pv.PlayerError, match=r"folder bob has more than one bot: agent.py, main.py"):
        bot_at(tmp_path / "bob")


def test_folders_without_a_bot(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(pv.PlayerError, match="folder empty has no bot: it needs"):
        bot_at(tmp_path / "empty")
    put(tmp_path / "broken" / "main.py", "x = (")
    put(tmp_path / "broken" / "other.py", BOT)
    with pytest.raises(pv.PlayerError, match=r"main.py is not valid Python"):
        bot_at(tmp_path / "broken")
    put(tmp_path / "text" / "only.txt", "hello")
    with pytest.raises(pv.PlayerError, match=r"only.txt is not a bot"):
        bot_at(tmp_path / "text")


def test_patterns(tmp_path: Path) -> None:
    folder = tmp_path / "class [2026]"    # whose name is no pattern
    put(folder / "bots" / "cid.py", AGENT)
    put(folder / "bots" / "Ann" / "main.py", BOT)
    put(folder / "bots" / "bob.py", BOT)
    put(folder / "bots" / ".git" / "x.py", BOT)
    assert [bot.name for bot in find_bots("bots/*", folder)] == ["Ann", "bob", "cid"]
    assert [bot.name for bot in find_bots("bots/*.py", folder)] == ["bob", "cid"]
    bob = folder / "bots" / "bob.py"
    assert find_bots(f"{tmp_path}/class*/bots/bob.py", Path("/")) == [FoundBot("bob", bob, f"bot:{bob}")]
    put(folder / "bots" / "Dan" / "main.py", BOT)
    assert [bot.name for bot in find_bots("bots/*/main.py", folder)] == ["Ann", "Dan"]
    put(folder / "bots" / "bob" / "x.py", BOT)
    assert [bot.name for bot in find_bots("bots/bob*", folder)] == ["bob", "bob"]    # told apart later
    assert files_of("class [2026]/bots/bob.py", tmp_path) == [folder / "bots" / "bob.py"]
    for nothing in ("bots/*.js", "nowhere/*", "a\0b*", "x" * 5000 + "*", "~nobody-here/*", ""):
        with pytest.raises(pv.PlayerError):
            find_bots(nothing, folder / "bots" / "Ann")


def test_a_folder_without_bots(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    for pattern, folder in (("*", tmp_path / "bots"), ("bots/*", tmp_path)):
        with pytest.raises(pv.PlayerError, match=f"the folder {tmp_path}/bots has no bots; copy files"):
            find_bots(pattern, folder)
    with pytest.raises(pv.PlayerError, match=r"'none/\*' matches no file"):
        find_bots("none/*", tmp_path)


def test_what_is_broken_is_found_with_its_reason(tmp_path: Path) -> None:
    put(tmp_path / "ann.py", AGENT)
    put(tmp_path / "bob.py", "class AI:\n    def go(self, board)\n")
    put(tmp_path / "cid" / "a.py", BOT)
    put(tmp_path / "cid" / "b.py", BOT)
    put(tmp_path / "dan.zip")
    put(tmp_path / "eve.py", BOT)
    found = {bot.name: (bool(bot.spec), bot.problem) for bot in find_bots("*", tmp_path, [pv.game("hex")])}
    assert not found["ann"][0] and found["ann"][1].startswith("ann.py does not play hex: course agents play")
    assert found["bob"] == (False, "bob.py is not valid Python (line 2: expected ':')")
    assert found["cid"][1].startswith("the folder cid has more than one bot: a.py, b.py; rename")
    assert found["dan"][1].startswith("dan.zip is not a bot: ")
    assert found["eve"] == (True, "")


def test_documents_beside_bots_do_not_count(tmp_path: Path) -> None:
    for name in ("README.md", "cup.toml", "cup.db", "cup.db-wal", "marks.csv", "notes.TXT"):
        put(tmp_path / name)
    put(tmp_path / "bot.py", BOT)
    assert [bot.name for bot in find_bots("*", tmp_path)] == ["bot"]
    assert find_bots("README.md", tmp_path)[0].problem.startswith("README.md is not a bot")


def test_too_many_files(tmp_path: Path) -> None:
    for number in range(1001):
        put(tmp_path / f"{number}.js")
    with pytest.raises(pv.PlayerError, match="finds more than 1000 files"):
        find_bots("*", tmp_path)


def test_a_long_chain_of_cases(tmp_path: Path) -> None:
    """Python nests them, each in the one before."""
    cases = "".join(f"elif number == {number}:\n    pass\n" for number in range(1200))
    (tmp_path / "ann.py").write_text(f"number = 5\nif number < 0:\n    pass\n{cases}print(number)\n")
    assert [bot.spec for bot in find_bots("*.py", tmp_path)] == [f"bot:{tmp_path}/ann.py"]
