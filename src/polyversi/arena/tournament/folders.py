"""Leaving out the folders of the organiser's machine: what others are shown names files alone."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import polyversi
from polyversi.arena.bots.spec import is_bot
from polyversi.arena.tournament.botfiles import is_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyversi.arena.tournament.plan import TournamentPlan


def shown_spec(spec: str) -> str:
    """The specification of a player or a bot, of files only their names.

    >>> shown_spec("course:/home/ann/class/bob.py"), shown_spec("gtp:/opt/edax -gtp -book=/opt/b.dat")
    ('course:bob.py', 'gtp:edax -gtp -book=b.dat')
    """
    kind, colon, text = spec.strip().partition(":")
    if not is_bot(spec):
        return f"{kind}{colon}{_bare(text)}"
    return f"{kind}:{shlex.join(map(_bare, _words(kind, text)))}"


def folders_left_out(plan: TournamentPlan) -> Callable[[str], str]:
    """Takes the folders of the entrants out of words, and ours: bots write where an error was.

    >>> from polyversi.arena.tournament.plan import TournamentPlan, entrants_of
    >>> plan = TournamentPlan("cup", entrants_of(["bot:/home/ann/class/bob.py", "random"]))
    >>> folders_left_out(plan)('File "/home/ann/class/bob.py", line 3')
    'File "bob.py", line 3'
    """
    found = {Path(polyversi.__file__).parent, Path(sys.prefix), Path(sys.base_prefix)}
    found |= {Path(bot.path).parent for bot in plan.broken}
    for entrant in plan.entrants:
        if is_bot(entrant.spec):
            words = _words(*entrant.spec.strip().split(":", 1))
            found |= {Path(word).parent for word in words if word.startswith("/")}
    # The longest first, so that a folder within another one goes as a whole.
    prefixes = sorted((f"{folder}/" for folder in found if len(folder.parts) > 2), key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, prefixes)))
    return lambda words: pattern.sub("", words)


def _words(kind: str, text: str) -> list[str]:
    """The words of a bot's command; a file is one, whatever its name has in it."""
    text = text.strip()
    if kind == "course" or is_file(Path(text)):
        return [text]
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _bare(word: str) -> str:
    """A word without the folders in it, also where it is an option.

    >>> _bare("--book=/opt/edax/book.dat")
    '--book=book.dat'
    """
    return re.sub(r"[^=,]*/", "", word)
