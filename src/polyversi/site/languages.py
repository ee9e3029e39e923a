"""What people may hand in: recognising the bot in a folder, and what it is run by."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from polyversi.games.errors import PlayerError
from polyversi.protocols.bot_files import SETTINGS, bot_at
from polyversi.site.archives import ArchiveError

ARGUMENT = re.compile(r"[\w{}=,:+-][\w{}=,:+.-]{0,99}", re.ASCII)
"""An argument of an XT client: nothing that could name a file outside of its folder, which it would see."""
MAX_ARGUMENTS = 20


@dataclass(frozen=True)
class Language:
    """What people may hand in, by the name that a site's file has for it."""

    label: str
    """What lists on the page call it."""
    phrase: str
    """What it is called in a sentence."""
    kind: str = "bot"
    """With what the specifications of its bots begin."""
    suffixes: tuple[str, ...] = ()
    """The endings of its files; without any, it is whatever else is of its kind."""
    pasted: str = ""
    """What its code is called where it can be pasted, in a file with its first ending; empty if it cannot."""
    arguments: str = ""
    """The usual arguments of programs that are told an address to connect to; empty for all others."""


LANGUAGES = {
    "python": Language("Python course agent", "a course agent in Python", kind="course"),
    "json-python": Language("Python program (JSON)", "a Python program that speaks our JSON",
                            suffixes=(".py",), pasted="Python"),
    "javascript": Language("JavaScript program (JSON)", "a JavaScript program that speaks our JSON",
                           suffixes=(".js", ".mjs"), pasted="JavaScript"),
    "executable": Language("executable file (JSON)", "an executable file that speaks our JSON"),
    "xt": Language("XT client", "an XT client", kind="xtclient", arguments="-s {host} -p {port}"),
}
"""The languages of a site's file, by their names there."""
CLIENT = "xt"
"""The language of what is handed in with arguments."""


def pasted_files() -> dict[str, str]:
    """What code that is pasted may be written in, with the names of its files.

    >>> pasted_files()
    {'Python': 'main.py', 'JavaScript': 'main.js'}
    """
    return {one.pasted: f"main{one.suffixes[0]}" for one in LANGUAGES.values() if one.pasted}


def language_of(kind: str, suffix: str) -> str:
    """The language of a bot of some kind in a file with this ending.

    >>> language_of("bot", ".mjs"), language_of("bot", ".sh"), language_of("course", ".py")
    ('javascript', 'executable', 'python')
    """
    of_kind = {name: one for name, one in LANGUAGES.items() if one.kind == kind}
    by_suffix = (name for name, one in of_kind.items() if suffix in one.suffixes)
    return next(by_suffix, None) or next(name for name, one in of_kind.items() if not one.suffixes)


def label_of(language: str) -> str:
    """What lists call a language; one that a site knows no more has its name.

    >>> label_of("python"), label_of("cobol")
    ('Python course agent', 'cobol')
    """
    return LANGUAGES[language].label if language in LANGUAGES else language


def _phrase(language: str) -> str:
    return LANGUAGES[language].phrase if language in LANGUAGES else language


@dataclass(frozen=True)
class Recognised:
    """What a folder was found to have."""

    language: str
    command: str
    """The specification of the bot, with its file as it is called in that folder."""


def recognise(folder: Path, arguments: str, allowed: Sequence[str]) -> Recognised:
    """The bot in a folder, an XT client if it has arguments; an ArchiveError says why there is none.

    Nothing of it is run, but its Python is parsed: whoever calls this has bounds on memory and time.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as text:
    ...     _ = Path(text, "mine.py").write_text("print(input())")
    ...     recognise(Path(text), "", ["json-python"])
    Recognised(language='json-python', command='bot:mine.py')
    """
    if found := next(folder.rglob("pyvenv.cfg"), None):
        raise ArchiveError(f"leave the virtual environment '{found.parent.name}' out; bots run with the "
                           "packages of this site")
    try:
        spec = bot_at(folder)
    except PlayerError as error:
        # The folder has a name of ours, which nobody knows.
        reason = str(error).replace(f"the folder {folder.name}", "the archive")
        raise ArchiveError(f"no bot was found: {reason.replace(f' in {folder.name}', '')}") from None
    kind, _, place = spec.partition(":")
    if ",python=" in place:
        raise ArchiveError(f"{SETTINGS} chooses a Python; bots run with that of this site")
    file = Path(place).relative_to(folder.absolute())
    language = language_of(kind, file.suffix)
    if arguments:
        if kind != "bot":
            raise ArchiveError(f"this is {_phrase(language)} ({file.name}), not {_phrase(CLIENT)}")
        kind, language = LANGUAGES[CLIENT].kind, CLIENT
    if language not in allowed:
        kinds = "; ".join(map(_phrase, allowed)) or "nothing"
        raise ArchiveError(f"this is {_phrase(language)} ({file.name}), which this site does not take; it "
                           f"takes: {kinds}")
    words = shlex.join([str(file), *checked_arguments(arguments)]) if arguments else str(file)
    return Recognised(language, f"{kind}:{words}")


def checked_arguments(text: str) -> list[str]:
    """The arguments of an XT client; an ArchiveError if it may not have them.

    >>> checked_arguments("-s {host} -p {port}")
    ['-s', '{host}', '-p', '{port}']
    >>> checked_arguments("-p {port} -l /etc/passwd")
    Traceback (most recent call last):
    polyversi.site.archives.ArchiveError: '/etc/passwd' cannot be an argument of an XT client; ...
    """
    words = text.split()
    for word in words:
        if not ARGUMENT.fullmatch(word):
            raise ArchiveError(f"'{word[:40]}' cannot be an argument of an XT client; they have letters, "
                               "digits and signs, but no files")
    if len(words) > MAX_ARGUMENTS:
        raise ArchiveError(f"an XT client has at most {MAX_ARGUMENTS} arguments")
    if not any("{port}" in word for word in words):
        raise ArchiveError("write {host} and {port} where the client takes address and port, as in "
                           f"{LANGUAGES[CLIENT].arguments}")
    return words


def spec_at(folder: Path, command: str) -> str:
    """The specification of a bot that lies in a folder.

    >>> spec_at(Path("/site/uploads/b/1"), "course:agent.py")
    'course:/site/uploads/b/1/agent.py'
    >>> spec_at(Path("/site/uploads/b/1"), "xtclient:client.jar -p '{port}'")
    "xtclient:/site/uploads/b/1/client.jar -p '{port}'"
    """
    kind, _, rest = command.partition(":")
    if kind != LANGUAGES[CLIENT].kind:
        return f"{kind}:{folder / rest}"
    file, *words = shlex.split(rest)
    return f"{kind}:{shlex.join([str(folder / file), *words])}"
