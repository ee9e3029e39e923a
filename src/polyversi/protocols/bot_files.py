"""Finding bots in folders: which files are bots and of what kind, without running any of them."""

from __future__ import annotations

import ast
import glob
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from polyversi.gameplay.bots.process import shown
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.protocols.spec import INTERPRETERS, bot_from

MAIN = ("main", "bot", "agent")
"""How the file is called, but for its ending, that is the bot of a folder with several files."""
MAX_FOUND = 1000
"""Bots that a pattern may find."""
MAX_FILE = 1 << 23
"""Bytes of a Python file that are looked at."""
MAX_REASON = 1000
"""Characters of a sentence on what is wrong with a bot."""
DOCUMENTS = frozenset((".md", ".rst", ".txt", ".pdf", ".html", ".csv", ".json", ".toml", ".log",
                       ".db", ".db-wal", ".db-shm", ".lock"))
"""Endings of files that lie beside bots without being meant for one."""


@dataclass(frozen=True)
class FoundBot:
    """What a pattern has found: a bot, or something that was meant for one and cannot be played."""

    name: str
    path: Path
    spec: str
    """Its specification, where it can be played."""
    problem: str = ""
    """Why it cannot."""


def is_pattern(text: str) -> bool:
    """Whether a text stands for several files.

    >>> is_pattern("bots/*"), is_pattern("bots/ann.py")
    (True, False)
    """
    return not set("*?[").isdisjoint(text)


def files_of(pattern: str, folder: Path) -> list[Path]:
    """The files and folders that a pattern stands for in a folder, in the order of their names.

    Hidden ones do not count, nor does what Python leaves behind.
    """
    if not pattern.strip():
        return []
    if os.path.exists(place := beside(folder, pattern)):  # noqa: PTH110 whatever characters its name has
        return [place]
    try:
        # Path.glob takes no absolute patterns, and the folder's own name is none.
        names = glob.iglob(os.path.expanduser(pattern), root_dir=folder)  # noqa: PTH111, PTH207
        found = list(islice((path for name in names if not _is_hidden(path := folder / name)), MAX_FOUND + 1))
    except (OSError, ValueError):    # names that no file can have
        return []
    if len(found) > MAX_FOUND:
        raise PlayerError(f"'{shorten(pattern)}' finds more than {MAX_FOUND} files")
    return sorted(found, key=lambda path: (str(path).casefold(), str(path)))


def find_bots(pattern: str, folder: Path, games: Iterable[Game] = ()) -> list[FoundBot]:
    """Every bot that a pattern stands for, those too that are broken or do not play one of the games.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "ann.py").write_text("class AI:\\n    def go(self, chessboard): ...")
    ...     _ = Path(folder, "bob.py").write_text("class AI:\\n    def go(self, chessboard)")
    ...     for bot in find_bots("*", Path(folder)):
    ...         print(bot.name, "plays" if bot.spec else bot.problem)
    ann plays
    bob bob.py is no Python that can be run (line 2: expected ':')
    """
    paths = files_of(pattern, folder)
    if is_pattern(pattern):
        paths = [path for path in paths if path.suffix.lower() not in DOCUMENTS or is_folder(path)] or paths
    if not paths:
        raise PlayerError(f"'{shorten(pattern)}' finds no bot in {folder}; "
                          "write a file or a pattern such as bots/*")
    stems, folders = Counter(path.stem for path in paths), Counter(path.parent for path in paths)
    found = []
    for path in paths:
        # bots/*/main.py finds files that only their folders tell apart.
        is_alike = stems[path.stem] > 1 and folders[path.parent] == 1
        named = path.parent if is_alike else path
        name = named.name if is_folder(named) else named.stem
        try:
            found.append(FoundBot(name, path.absolute(), playable_at(path, games)))
        except PlayerError as error:
            found.append(FoundBot(name, path.absolute(), "", str(error)))
    return found


def playable_at(path: Path, games: Iterable[Game]) -> str:
    """The specification of the bot that a file or a folder is; a PlayerError if it does not play a game.

    Everybody may read the sentence: it names no folders, and a file's name in it does nothing to a terminal.
    """
    try:
        spec = bot_at(path)
        bot = bot_from(spec)
        for game in games:
            if reason := bot.unsuited(game):
                raise PlayerError(f"{path.name} does not play {game.spec}: {reason}")
    except PlayerError as error:
        sentence = str(error).replace(f"{path.absolute().parent}/", "")
        raise PlayerError(shown(sentence, MAX_REASON)) from None
    return spec


def bot_at(path: Path) -> str:
    """The specification of the bot that a file or a folder is.

    A Python file with a class `AI` that has a method `go` is a course agent. Any other that does something
    when it is run, a JavaScript file or a program speaks our JSON. Of a folder it is the file called main,
    bot or agent, or the only one in it that can be a bot. A PlayerError names what cannot be decided.
    """
    path = path.absolute()
    file = _nameable(_bot_of_folder(_nameable(path)) if is_folder(path) else path)
    if not is_file(file):
        raise PlayerError(f"{path.name} is neither a file nor a folder; a bot is one of these")
    return f"{_kind_of(file)}:{file}"


def _nameable(path: Path) -> Path:
    """The path itself; a PlayerError if a specification cannot name it."""
    fault = "" if str(path) == str(path).rstrip() or is_folder(path) else "ends with a blank"
    try:
        str(path).encode()
    except UnicodeEncodeError:
        fault = "or of its folder is not in UTF-8"
    if fault:
        raise PlayerError(f"the name of '{path.name}' {fault}; rename it, and let it play by "
                          "`polyversi tournament add`")
    return path


def _bot_of_folder(folder: Path) -> Path:
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file() and not _is_hidden(path))
    except OSError as error:
        raise PlayerError(f"the folder {folder.name} cannot be read: {error.strerror}") from None
    named = [path for path in files if path.stem in MAIN and _may_be_bot(path)]
    possible = named or [path for path in files if _may_be_bot(path)]
    if len(candidates := possible or files) == 1:
        return candidates[0]    # or says itself why it is none
    which = " or ".join(path.name for path in possible[:3]) or "no file in it is one"
    raise PlayerError(f"the bot of the folder {folder.name} cannot be told: {which}; "
                      f"call one main.py, or write its specification, as in bot:{folder.name}/FILE")


class _BrokenFileError(PlayerError):
    """A Python file that Python cannot read."""


def _may_be_bot(path: Path) -> bool:
    try:
        return bool(_kind_of(path))
    except _BrokenFileError:
        return True    # it was meant to be one
    except PlayerError:
        return False


def _kind_of(path: Path) -> str:
    """The kind of bot a file is; a PlayerError if it is none."""
    if path.suffix == ".py":
        statements = list(_outermost(_parsed(path).body))
        if any(map(_offers_agent, statements)):
            return "course"
        if any(map(_acts, statements)):
            return "bot"
        raise PlayerError(f"{path.name} is no bot: it has no class AI with a method go, and does nothing "
                          "when it is run; move it elsewhere if it only helps others")
    if path.suffix in INTERPRETERS or os.access(path, os.X_OK):
        return "bot"
    raise PlayerError(f"{path.name} is no bot: it is neither a Python or JavaScript file nor a program; "
                      "make it executable, or move it elsewhere")


def _parsed(path: Path) -> ast.Module:
    try:
        with path.open("rb") as file:
            source = file.read(MAX_FILE + 1)
        if len(source) > MAX_FILE:
            raise ValueError(f"it is larger than {MAX_FILE >> 20} MiB")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")    # about a student's backslashes
            return ast.parse(source)
    except OSError as error:
        raise PlayerError(f"{path.name} cannot be read: {error.strerror}") from None
    except SyntaxError as error:
        where = f"line {error.lineno}: " if error.lineno else ""
        raise _BrokenFileError(f"{path.name} is no Python that can be run ({where}{error.msg})") from None
    except (ValueError, RecursionError, MemoryError) as error:
        reason = str(error) or "it is nested too deeply"
        raise _BrokenFileError(f"{path.name} is no Python that can be run ({reason})") from None


def _outermost(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those within `if`, `try` and `with` included."""
    rest = body[::-1]    # the next one last; a long chain of elif is nested too deeply for a recursion
    while rest:
        statement = rest.pop()
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            for name in ("handlers", "finalbody", "orelse", "body"):
                for part in reversed(getattr(statement, name, [])):
                    rest += part.body[::-1] if isinstance(part, ast.ExceptHandler) else [part]


def _offers_agent(statement: ast.stmt) -> bool:
    """Whether it makes a name AI that a course's platform can play with."""
    match statement:
        case ast.ClassDef(name="AI", bases=bases, body=body):
            inherits = any(not (isinstance(base, ast.Name) and base.id == "object") for base in bases)
            methods = [part.name for part in body if isinstance(part, ast.FunctionDef)]
            return inherits or "go" in methods or any(_assigns(part, "go") for part in body)
        case ast.ImportFrom(names=names) | ast.Import(names=names):
            return any((alias.asname or alias.name) == "AI" for alias in names)
    return _assigns(statement, "AI")


def _assigns(statement: ast.stmt, name: str) -> bool:
    return isinstance(statement, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == name for target in statement.targets)


def _acts(statement: ast.stmt) -> bool:
    """Whether it does something when the file is run: a loop, a call, or what stands under `__main__`."""
    match statement:
        case ast.For() | ast.While() | ast.AsyncFor() | ast.Expr(value=ast.Call() | ast.Await()):
            return True
        case ast.If(test=test):
            return any(isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(test))
    return False


def beside(folder: Path, text: str) -> Path:
    """The path that a text names, seen from a folder.

    >>> beside(Path("/class"), "bots/ann.py"), beside(Path("/class"), "/tmp/ann.py")
    (PosixPath('/class/bots/ann.py'), PosixPath('/tmp/ann.py'))
    """
    return folder / os.path.expanduser(text)  # noqa: PTH111 which leaves the ~ of somebody not known here


is_file, is_folder = os.path.isfile, os.path.isdir
"""Unlike those of `Path`, they are just False for names that no file can have."""


def _is_hidden(path: Path) -> bool:
    return path.name.startswith(".") or path.name == "__pycache__"
