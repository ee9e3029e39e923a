"""How bots are named on the command line: a kind, a colon, and a file or a command."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from polyversi.gameplay.bots.process import Command
from polyversi.gameplay.bots.sandbox import Sandbox, check_sandbox
from polyversi.gameplay.bots.seat import BotSeat
from polyversi.gameplay.seat import LocalSeat, Seat
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.players import player
from polyversi.protocols.course import CourseSeat
from polyversi.protocols.gtp.seat import GtpSeat
from polyversi.protocols.json_bot import JsonSeat
from polyversi.protocols.nboard.seat import NboardSeat
from polyversi.protocols.xt.client_seat import XtClientSeat

INTERPRETERS = {".py": sys.executable, ".js": "node", ".mjs": "node"}
"""What runs the files that do not run by themselves."""


def seat_from(spec: str) -> Seat:
    """The seat that a specification names: a bot, or a player of ours by its name.

    `bot:FILE` speaks our JSON, `gtp:COMMAND` and `nboard:COMMAND` are engines that speak these protocols,
    `course:FILE` is a course agent, `xtclient:COMMAND` a client for servers of Reversi XT. A file of a bot is
    run in its own folder.

    >>> seat_from("random:seed=1").name
    'random:seed=1'
    >>> seat_from("gtp:no-such-engine -gtp")
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: there is no file and no program called 'no-such-engine'
    """
    return bot_from(spec) if is_bot(spec) else LocalSeat(player(spec))


def is_bot(spec: str) -> bool:
    """Whether a specification names a bot.

    >>> is_bot("bot:my_bot.py"), is_bot("random:seed=1")
    (True, False)
    """
    kind, colon, _ = spec.strip().partition(":")
    return bool(colon) and kind in BOTS


def bot_from(spec: str, protection: Sandbox | None = None, *, suspends: bool = False) -> BotSeat:
    """The seat of the bot that a specification names; in a sandbox, and still while others think, if asked.

    >>> bot_from("bot:cat").command.words
    ('cat',)
    """
    if not is_bot(spec):
        raise PlayerError(f"'{shorten(spec)}' is no bot; write {', '.join(f'{kind}:…' for kind in BOTS)}")
    kind, _, rest = spec.strip().partition(":")
    seat = BOTS[kind](rest.strip(), spec.strip())
    seat.protection, seat.suspends = protection, suspends
    return seat


def sandbox_of(specs: Iterable[str], limits: Sandbox | None = None) -> Sandbox:
    """The sandbox for all who take part together, in which none of them sees the files of another.

    It raises a SandboxError where there is none, if any of them is a bot.

    >>> sandbox_of(["random", "t77"]).entrants
    ()
    """
    bots = [bot_from(spec) for spec in specs if is_bot(spec)]
    if bots:
        check_sandbox()
    return replace(limits or Sandbox(), entrants=tuple(file for bot in bots for file in bot.files))


def command(text: str) -> Command:
    """The command that a file, or a line as for a shell, stands for.

    >>> command("cat -u").words
    ('cat', '-u')
    """
    words = [text] if _is_file(text) else _split(text)
    if not words:
        raise PlayerError("a bot needs a file or a command, as in bot:path/to/bot.py")
    program = Path(words[0]).expanduser().absolute()
    if _is_file(words[0]):
        return Command((*_runner(program), str(program), *words[1:]), program.parent)
    if shutil.which(words[0]):
        return Command(tuple(words))
    raise PlayerError(f"there is no file and no program called '{shorten(words[0])}'")


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise PlayerError(f"'{shorten(text)}' is no command: {error}") from None


def _is_file(text: str) -> bool:
    try:
        return Path(text).expanduser().is_file()
    except (OSError, RuntimeError, ValueError):
        return False


def _runner(program: Path) -> tuple[str, ...]:
    if runner := INTERPRETERS.get(program.suffix):
        if not shutil.which(runner):
            raise PlayerError(f"{program.name} needs {runner}, which is not installed")
        return (runner,)
    if not os.access(program, os.X_OK):
        raise PlayerError(f"{program} cannot be run; make it executable, or name what runs it, "
                          f"as in 'bot:ruby {program.name}'")
    return ()


def _course(text: str, name: str) -> CourseSeat:
    if not _is_file(text):
        raise PlayerError(f"there is no file '{shorten(text)}'; write course:path/to/agent.py")
    return CourseSeat(Path(text).expanduser().absolute(), name)


BOTS: dict[str, Callable[[str, str], BotSeat]] = {
    "bot": lambda text, name: JsonSeat(command(text), name),
    "gtp": lambda text, name: GtpSeat(command(text), name),
    "nboard": lambda text, name: NboardSeat(command(text), name),
    "course": _course,
    "xtclient": lambda text, name: XtClientSeat(command(text), name),
}
"""Every kind of bot, made from what follows its colon and the whole name."""
