"""Every command line in the README, in docs/ and in the help is understood, and runs where it can."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
from contextlib import closing
from pathlib import Path

import pytest

import polyversi as pv
from polyversi import records
from polyversi.cli.group import load
from polyversi.cli.main import COMMANDS
from polyversi.contest.book_growth import Growth
from polyversi.games.mapkinds import generate
from polyversi.storage.explorer import Explorer
from polyversi.storage.games import Store
from tests.testing.command import forked, polyversi

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WEIGHTS = ROOT / "src" / "polyversi" / "engines" / "data"
BOT = """
import json, random, sys
for line in sys.stdin:
    print(json.dumps({"move": random.choice(json.loads(line)["moves"])}), flush=True)
"""
BLOCK = re.compile(r"```(sh|text)\n(.*?)```", re.DOTALL)

NOT_HERE = re.compile(
    r"^join|^xt-client|^xt-join|^bench|^solve (othello-6|anti:size=6)|xtclient:|gtp:|\./a\.out|course:|"
    r"10\.0\.0\.1|postgresql:|fforum|--port 80\b|maps/|--id 2.3/1|agents|java -jar|--network")
"""What needs a server, more programs, packages or files, a privileged port, or minutes: it is only parsed."""
SMALLER = {
    "analyse": ["--limit", "depth=1"],
    "book grow": ["--limit", "depth=1", "--until", "3", "--jobs", "1"],
    "puzzles make": ["--count", "1"],
    "match": ["--games", "2", "--limit", "depth=1"],
    "train": ["--games", "100", "--generations", "1", "--depth", "1", "--validation", "0"],
    "tune": ["--rounds", "1", "--games", "2", "--limit", "depth=1"],
    "watch": ["--rounds", "1", "--delay", "0"],
    "host": ["--port", "0"],
    "run": ["--port", "0", "--no-browser"],
    "site delete": ["--yes"],
    "xt-server": ["--port", "0"],
}
"""Options that make a command quick, or take a free port; the last of an option counts."""
WAITING = ("host", "run", "xt-server")
"""Commands that wait for people, as do those with a page: Ctrl-C ends them once they say where they are."""


def lines_of(text: str, prompt: str = "") -> list[list[str]]:
    """The command lines of `polyversi` in a text, each as its words without the program's name."""
    joined = text.replace("\\\n", " ").splitlines()
    found = [line for line in map(str.strip, joined) if line.startswith(f"{prompt}polyversi ")]
    return [shlex.split(line.removeprefix(prompt), comments=True)[1:] for line in found]


def collected() -> dict[str, list[str]]:
    """Every command line that is documented, by what a person reads."""
    lines = []
    for page in PAGES:
        text = page.read_text()
        for kind, block in BLOCK.findall(text):
            lines += lines_of(block, "" if kind == "sh" else "$ ")
    for name in COMMANDS:
        command = load(name)
        for part in [command, *getattr(command, "commands", {}).values()]:
            lines += lines_of(part.help or "")
    return {shlex.join(words): words for words in lines if not words[0].startswith("--")}


LINES = collected()


@pytest.mark.parametrize("line", LINES)
def test_it_is_understood(line: str) -> None:
    name, *words = LINES[line]
    command = load(name)
    with command.make_context(name, words) as context:
        if hasattr(command, "resolve_command"):
            _, part, rest = command.resolve_command(context, words)
            part.make_context(part.name, rest, parent=context).close()


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the command lines name."""
    folder = tmp_path_factory.mktemp("files")
    games = [pv.play("othello", [pv.player("random", seed=seed)] * 2).record for seed in range(3)]
    for name in ("game.ggf", "games.ggf", "game.jsonl", "games.jsonl", "WTH_2004.wtb"):
        records.write(games, folder / name)
    records.write(games[:1], folder / "moves.txt", "transcript")
    players = [[pv.player("random", seed=seed)] * 2 for seed in range(2)]
    evening = [pv.play("xt:arena,players=2", both).record for both in players]
    records.write(evening, folder / "evening.log")
    records.write([records.Record.of("othello", moves) for moves in ("f5d6", "f5f6")], folder / "book.ggf")
    for name in ("problems.obf", "endings.obf"):
        (folder / name).write_text("-----OX--XO----- X; b1:-8\n")
    for name in ("my.map", "a.map", "b.map"):
        (folder / name).write_text(generate("arena", players=2).text)
    for name in ("new", "old", "small", "othello"):
        shutil.copy(WEIGHTS / "othello.weights", folder / f"{name}.weights")
    shutil.copy(WEIGHTS / "othello-6.weights", folder / "small.weights")
    for name in ("my_bot.py", "my-bots/bot.py", "bots/ann.py", "late/bot.py", "a.py", "b.py", "ann/bot.py",
                 "bob/bot.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(BOT)
    shutil.copy(WEIGHTS / "puzzles" / "hex.jsonl", folder / "hexagons.jsonl")
    Store.open(str(folder / "games.db")).close()
    shutil.copy(folder / "moves.txt", folder / "lines.txt")
    for name in ("openings.db", "anti.db", "games.explorer.db", "polyversi/explorer.db"):
        (folder / name).parent.mkdir(exist_ok=True)
        with closing(Explorer.open(str(folder / name))) as explorer:
            explorer.add(games)
    for variant, name in (("hex", "hex.book"), ("othello", "mine.book"), ("othello", "othello.book")):
        Growth.begin(variant, "depth=1").run(2, path=folder / name)
    (folder / "students.csv").write_text("name\nDan\nEve\n")
    (folder / "cup.toml").write_text('entrants = ["bots/*", "random"]\nvariant = "othello-4"\nname = "cup"\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for words in ("tune t77 --out t77.jsonl", "tune t77 --out hex.jsonl --variant hex",
                      "tune xt --out xt.jsonl --variant xt:arena,players=2", "tournament new cup.toml",
                      "site new 'Ann Lee'", "site invite 'Bob Ray'", "site backup monday.tar.gz",
                      "site new Ann --site club/site.toml"):
            name, *rest = shlex.split(words)
            done = polyversi(name, *rest, *SMALLER.get(name, []))
            assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in LINES if not NOT_HERE.search(line)])
def test_it_runs(line: str, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "here"
    shutil.copytree(files, folder)
    if match := re.search(r"--out (\S+)|^tournament new (cup)", line):
        (folder / (match[1] or "cup.db")).unlink(missing_ok=True)    # what an earlier command has made
    if line.startswith("site new"):
        for made in (*folder.glob("site.*"), *folder.glob("club/site.*")):
            made.unlink()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    name, *words = LINES[line]
    words = [file for word in words for file in (map(str, Path().glob(word)) if "*" in word else [word])]
    smaller = SMALLER.get(name) or SMALLER.get(f"{name} {words[0] if words else ''}", [])
    more = [*smaller, *(["--page", "0"] if "--page" in words else [])]
    if "-p" in words:    # the courses' name for the port, which goes without ours
        more = ["-p" if word == "--port" else word for word in more]
    waits = name in WAITING or "--page" in words
    with forked(name, *words, *more) as process:
        assert process.stdout is not None and process.stderr is not None
        if waits:
            assert process.stdout.readline()
            process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert process.returncode in ((0, 130) if waits else (0,)), (output + errors).decode()
    assert b"Traceback" not in errors
