"""Finding bots in folders: which files are bots and of what kind, without running any of them."""

from __future__ import annotations

import ast
import glob
import os
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import msgspec

from polyversi.gameplay.bots import BotSeat, SandboxError, check_sandbox
from polyversi.gameplay.bots.process import shown
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.protocols.agent_python import python_named
from polyversi.protocols.spec import INTERPRETERS, bot_from

MAIN = ("main", "bot", "agent")
"""The names, without their endings, that mark the bot among several files of a folder."""
SETTINGS = "bot.toml"
"""The file in a bot's folder that says which file is the bot, and which Python runs it."""
MAX_FOUND = 1000
"""Bots that a pattern may find."""
MAX_FILE = 1 << 23
"""Bytes of a Python file that are read."""
MAX_SETTINGS = 10_000
"""Bytes of a bot's settings."""
MAX_REASON = 1000
"""Characters of a sentence on what is wrong with a bot."""
DOCUMENTS = frozenset((".md", ".rst", ".txt", ".pdf", ".html", ".csv", ".json", ".toml", ".log",
                       ".db", ".db-wal", ".db-shm", ".lock"))
"""Endings of files that lie beside bots and are not bots themselves."""


class BotSettings(msgspec.Struct, forbid_unknown_fields=True):
    """What `bot.toml` in a bot's folder may say; both are paths within that folder."""

    file: str = ""
    """The bot."""
    python: str = ""
    """The Python that runs a course agent: an interpreter, or the folder of a virtual environment."""


@dataclass(frozen=True)
class FoundBot:
    """What a pattern has found: a bot, or something that looks like one and cannot play."""

    name: str
    path: Path
    spec: str
    """Its specification; empty if it cannot play."""
    problem: str = ""
    """Why it cannot play."""


def is_pattern(text: str) -> bool:
    """Whether a text stands for several files.

    >>> is_pattern("bots/*"), is_pattern("bots/ann.py")
    (True, False)
    """
    return not set("*?[").isdisjoint(text)


def files_of(pattern: str, folder: Path) -> list[Path]:
    """The files and folders that a pattern stands for in a folder, in the order of their names.

    Hidden ones and `__pycache__` are left out.
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
    """Every bot that a pattern stands for, including those that are broken or do not play one of the games.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "ann.py").write_text("class AI:\\n    def go(self, chessboard): ...")
    ...     _ = Path(folder, "bob.py").write_text("class AI:\\n    def go(self, chessboard)")
    ...     for bot in find_bots("*", Path(folder)):
    ...         print(bot.name, "plays" if bot.spec else bot.problem)
    ann plays
    bob bob.py is not valid Python (line 2: expected ':')
    """
    paths = files_of(pattern, folder)
    if is_pattern(pattern):
        paths = [path for path in paths if _may_be_found(path)] or paths
    if not paths:
        whole = Path(pattern)
        if whole.name == "*" and is_folder(place := beside(folder, str(whole.parent))):
            raise PlayerError(f"the folder {place} has no bots; copy files or folders of bots into it")
        raise PlayerError(f"'{shorten(pattern)}' matches no file in {folder}; "
                          "write a file or a pattern such as bots/*")
    stems, folders = Counter(path.stem for path in paths), Counter(path.parent for path in paths)
    found = []
    for path in paths:
        # The files that bots/*/main.py finds are named after their folders.
        is_alike = stems[path.stem] > 1 and folders[path.parent] == 1
        named = path.parent if is_alike else path
        name = named.name if is_folder(named) else named.stem
        try:
            found.append(FoundBot(name, path.absolute(), playable_at(path, games)))
        except PlayerError as error:
            found.append(FoundBot(name, path.absolute(), "", str(error)))
    return found


def playable_at(path: Path, games: Iterable[Game]) -> str:
    """The specification of the bot that a file or a folder is; a PlayerError if it cannot play the games.

    The error is fit to be published: it leaves out the folder, and a file's name in it is printable. An
    agent's own Python is run to see whether it works, in the sandbox or, where there is none, not at all.
    """
    try:
        spec = bot_at(path)
        bot = bot_from(spec)
        if problem := _problem(bot):
            raise PlayerError(f"{path.name} cannot play: {problem}")
        for game in games:
            if reason := bot.unsuited(game):
                raise PlayerError(f"{path.name} does not play {game.spec}: {reason}")
    except PlayerError as error:
        sentence = str(error).replace(f"{path.absolute().parent}/", "")
        raise PlayerError(shown(sentence, MAX_REASON)) from None
    return spec


def bot_at(path: Path) -> str:
    """The specification of the bot that a file or a folder is; a PlayerError if it is not a bot.

    A Python file with a class `AI` that has a method `go` is a course agent. Any other Python file that does
    something when it is run, a JavaScript or .jar file, or an executable file speaks our JSON. The bot of a
    folder is the file that its `bot.toml` names, the file called main, bot or agent, or the only one that can
    be a bot.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "mine.py").write_text("print(input())")
    ...     print(bot_at(Path(folder)).replace(folder, "FOLDER"))
    bot:FOLDER/mine.py
    """
    path = path.absolute()
    settings, file = BotSettings(), _nameable(path)
    if is_folder(path):
        settings = _settings(path)
        file = _nameable(_within(path, settings.file, "file") if settings.file else _bot_of_folder(path))
    if not is_file(file):
        missing = f"'{shorten(settings.file)}', which {SETTINGS} in {path.name} names, is not a file"
        raise PlayerError(missing if settings.file else f"{path.name} is neither a file nor a folder")
    kind = _kind_of(file)
    if not settings.python:
        return f"{kind}:{file}"
    if kind != "course":
        raise PlayerError(f"{SETTINGS} in {path.name} chooses a Python, which only course agents can have; "
                          f"{file.name} is not one")
    if "/" in settings.python or is_folder(path / settings.python):
        _within(path, settings.python, "python")
    return f"{kind}:{file},python={python_named(settings.python, path)}"


def _settings(folder: Path) -> BotSettings:
    """What `bot.toml` in the folder of a bot says; nothing if there is none."""
    path = folder / SETTINGS
    if not is_file(path):
        return BotSettings()
    try:
        with path.open("rb") as file:
            data = file.read(MAX_SETTINGS + 1)
        if len(data) > MAX_SETTINGS:
            raise ValueError(f"it has more than {MAX_SETTINGS} bytes")
        return msgspec.convert(tomllib.loads(data.decode()), BotSettings)
    except (OSError, ValueError, RecursionError, msgspec.ValidationError) as error:
        raise PlayerError(f"{SETTINGS} in {folder.name} cannot be used: {error}; it takes two lines, such as "
                          'file = "agent.py" and python = ".venv"') from None


def _within(folder: Path, text: str, key: str) -> Path:
    """The path that settings name; nobody's settings may show a bot the files of somebody else."""
    if text.startswith(("/", "~")) or ".." in Path(text).parts or "\0" in text:
        raise PlayerError(f"{SETTINGS} in {folder.name} has {key} = '{shorten(text)}'; "
                          "write a path within that folder")
    return folder / text


def _nameable(path: Path) -> Path:
    """The path itself; a PlayerError if a specification cannot name it."""
    problem = "" if str(path) == str(path).rstrip() or is_folder(path) else "ends with a space"
    try:
        str(path).encode()
    except UnicodeEncodeError:
        problem = "or of its folder is not in UTF-8"
    if problem:
        raise PlayerError(f"the name of '{path.name}' {problem}; rename it")
    return path


def _bot_of_folder(folder: Path) -> Path:
    try:
        files = sorted(path for path in folder.iterdir()
                       if path.is_file() and not _is_hidden(path) and path.name != SETTINGS)
    except OSError as error:
        raise PlayerError(f"the folder {folder.name} cannot be read: {error.strerror}") from None
    named = [path for path in files if path.stem in MAIN and _may_be_bot(path)]
    possible = named or [path for path in files if _may_be_bot(path)]
    if len(candidates := possible or files) == 1:
        return candidates[0]    # if it is not a bot, its own error says why
    if not possible:
        raise PlayerError(f"the folder {folder.name} has no bot: it needs a course agent, a Python or "
                          "JavaScript program, or an executable file")
    names = ", ".join(path.name for path in possible[:3])
    raise PlayerError(f"the folder {folder.name} has more than one bot: {names}; rename one to main.py, or "
                      f'write a line such as file = "{possible[0].name}" into {SETTINGS}')


def files_to_hide(paths: Iterable[Path]) -> Iterator[Path]:
    """What a sandbox must hide from others of files and folders that cannot play but may be somebody's work.

    Links that lead nowhere are left out: no sandbox could be made around them.
    """
    for path in paths:
        if is_folder(path):
            yield path / "bot"
        elif is_file(path) or (is_folder(path.parent) and not os.path.islink(path)):  # noqa: PTH114 never raises
            yield path


def _problem(bot: BotSeat) -> str:
    try:
        check_sandbox()
    except SandboxError:
        return ""    # it is said elsewhere, or the bots are trusted: then they are checked when they start
    return bot.problem(in_sandbox=True)


def _may_be_found(path: Path) -> bool:
    """Whether a pattern that a path matches may mean it: documents and virtual environments are not bots."""
    if is_folder(path):
        return not is_file(path / "pyvenv.cfg")
    return path.suffix.lower() not in DOCUMENTS


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
    """The kind of bot a file is; a PlayerError if it is not a bot."""
    if path.suffix == ".py":
        statements = list(_outermost(_parsed(path).body))
        if any(map(_offers_agent, statements)):
            return "course"
        if any(map(_acts, statements)):
            return "bot"
        raise PlayerError(f"{path.name} is not a bot: it has no class AI with a method go, and does nothing "
                          "when it is run; put a module that a bot imports into a folder with that bot")
    if path.suffix in INTERPRETERS or os.access(path, os.X_OK):
        return "bot"
    raise PlayerError(f"{path.name} is not a bot: it is neither a Python or JavaScript file nor executable; "
                      "make it executable, or move it out of this folder")


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
        raise _BrokenFileError(f"{path.name} is not valid Python ({where}{error.msg})") from None
    except (ValueError, RecursionError, MemoryError) as error:
        reason = str(error) or "it is nested too deeply"
        raise _BrokenFileError(f"{path.name} is not valid Python ({reason})") from None


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
    return folder / os.path.expanduser(text)  # noqa: PTH111 it leaves the ~ of an unknown user as it is


is_file, is_folder = os.path.isfile, os.path.isdir
"""Unlike those of `Path`, they are just False for names that no file can have."""


def _is_hidden(path: Path) -> bool:
    return path.name.startswith(".") or path.name == "__pycache__"
