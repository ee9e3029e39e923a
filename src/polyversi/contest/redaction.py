"""Removes the folders of the organiser's machine from what others see: only names of files remain."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import polyversi
from polyversi.contest.plan import Plan
from polyversi.protocols.agent_python import split_python
from polyversi.protocols.bot_files import is_file
from polyversi.protocols.spec import INTERPRETERS, is_bot


def shown_spec(spec: str) -> str:
    """The specification of a player or a bot, with files reduced to their names and without interpreters.

    >>> shown_spec("course:/home/ann/class/bob.py"), shown_spec("gtp:/opt/edax -gtp -book=/opt/b.dat")
    ('course:bob.py', 'gtp:edax -gtp -book=b.dat')
    >>> shown_spec("bot:python3 bots/bob/bot.py --level=1")
    'bot:bot.py --level=1'
    """
    kind, colon, text = spec.strip().partition(":")
    if is_bot(spec):
        text = text.strip()
        if kind == "course":
            return f"{kind}:{Path(split_python(text)[0]).name}"
        if is_file(Path(text)):
            return f"{kind}:{Path(text).name}"
        words = _split(text)
        # Elsewhere nobody can tell a command from a file in a folder with blanks in its name.
        is_gone = text.startswith("/") and not is_file(Path(words[0]))
        if not is_gone and len(words) > 1 and Path(words[1]).suffix in INTERPRETERS:
            words = words[1:]    # python3 bot.py: the file is the bot
        return f"{kind}:{_bare(text) if is_gone else ' '.join(map(_bare, words))}"
    return f"{kind}{colon}{_bare(text)}"


def folders_left_out(plan: Plan) -> Callable[[str], str]:
    """A function that removes the folders of entrants, and ours, from text such as the traceback of a bot.

    >>> from polyversi.contest.plan import Plan, entrants_of
    >>> plan = Plan("cup", entrants_of(["bot:/home/ann/class/bob.py", "random"]))
    >>> folders_left_out(plan)('File "/home/ann/class/bob.py", line 3')
    'File "bob.py", line 3'
    >>> folders_left_out(plan)("nothing is in /home/ann/class")
    'nothing is in .'
    """
    broken = {Path(bot.path).parent for bot in plan.broken}
    return without_folders([entrant.spec for entrant in plan.entrants], broken)


def without_folders(specs: Iterable[str], others: Iterable[Path] = ()) -> Callable[[str], str]:
    """The same for bots of these specifications, and for other folders.

    >>> without_folders(["bot:/home/ann/class/bob.py"])("/home/ann/class/bob.py is not legal")
    'bob.py is not legal'
    """
    found = {Path(polyversi.__file__).parent, Path(sys.prefix), Path(sys.base_prefix), *others}
    for spec in specs:
        if is_bot(spec):
            text = spec.partition(":")[2].strip()
            words = [text, *(part for word in _split(text) for part in re.split("[=,]", word))]
            found |= {Path(word).parent for word in words if word.startswith("/")}
            if python := split_python(text)[1]:
                found.add(Path(python).parent.parent)    # its packages lie beside its folder bin
    found |= {Path(os.path.realpath(folder)) for folder in found}    # a program's own name for where it is
    # The longest first, so that a folder within another one goes as a whole.
    folders = sorted((folder for folder in found if len(folder.parts) > 1), key=lambda one: -len(str(one)))
    pattern = re.compile(f"(?:{'|'.join(map(_at_its_begin, folders))})(?:(/)|(?!\\w))")
    return lambda words: pattern.sub(lambda match: "" if match[1] else ".", words)


def _at_its_begin(folder: Path) -> str:
    """The pattern of a folder; /bin is also the end of /usr/bin, where it is not meant."""
    return ("(?<![\\w.-])" if len(folder.parts) == 2 else "") + re.escape(str(folder))


def _split(text: str) -> list[str]:
    """The words of a bot's command."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _bare(word: str) -> str:
    """A word without the folders in it, also where it is an option."""
    return re.sub(r"[^=,]*/", "", word)
