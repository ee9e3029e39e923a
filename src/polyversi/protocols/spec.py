"""How players and bots are named on the command line, and the seats that they get."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from polyversi.gameplay.bots.process import Command
from polyversi.gameplay.bots.sandbox import TRUST, Sandbox, check_sandbox
from polyversi.gameplay.bots.seat import BotSeat
from polyversi.gameplay.seat import LocalSeat, Seat
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.games.seeds import derive_seed
from polyversi.players import Player, options_of, player
from polyversi.protocols.agent_python import python_beside, python_named, split_python
from polyversi.protocols.course import CourseSeat
from polyversi.protocols.gtp.seat import GtpSeat
from polyversi.protocols.json_bot import JsonSeat
from polyversi.protocols.nboard.seat import NboardSeat
from polyversi.protocols.xt.client_seat import XtClientSeat
from polyversi.protocols.xt.group_seat import XtGroupSeat

INTERPRETERS = {
    ".py": (sys.executable,), ".js": ("node",), ".mjs": ("node",), ".jar": ("java", "-jar"),
}
"""What runs the files that do not run by themselves."""


def seat_of(
    spec: str | Player,
    *,
    name: str | None = None,
    seed: int | None = None,
    protection: Sandbox | None = None,
    suspends: bool = False,
    in_thread: bool = False,
) -> Seat:
    """The seat of a player; a seed is for those that take one, and is combined with one of their own.

    A player that exists already stays as it is, whatever the seed.

    The protection is for bots, as is standing still while others think. In a thread of its own a player of
    ours does not hold up the event loop of whoever also talks to the network.

    >>> seat_of("random", seed=3).player.spec()
    'random:seed=3'
    >>> seat_of("random:seed=1", name="Ann").name
    'Ann'
    """
    if isinstance(spec, Player):
        return LocalSeat(spec, name, in_thread=in_thread)
    if is_bot(spec):
        seat = bot_from(spec, protection, suspends=suspends)
        seat.name = name or seat.name
        return seat
    chosen = player(spec)
    takes_seed = any(option.name == "seed" for option in options_of(type(chosen)))
    if takes_seed and seed is not None:
        own = getattr(chosen, "seed", None)
        # A seed of one's own alone would make the same choices in every game of a match.
        chosen = player(spec, seed=seed if own is None else derive_seed(own, seed))
    return LocalSeat(chosen, name or spec, in_thread=in_thread)


def check_suited(specs: Sequence[str | Player], game: Game) -> None:
    """Raises a PlayerError for a player or a bot that does not exist, and for one that does not play this.

    >>> import polyversi as pv
    >>> check_suited(["random", "random:seed=1"], pv.game("othello"))
    """
    for spec in specs:
        who = spec if isinstance(spec, Player) else bot_from(spec) if is_bot(spec) else player(spec)
        if reason := who.unsuited(game):
            name = who.name if isinstance(spec, Player) else spec
            raise PlayerError(f"{name} does not play {game.spec}: {reason}")


def is_bot(spec: str) -> bool:
    """Whether a specification names a bot.

    >>> is_bot("bot:my_bot.py"), is_bot("random:seed=1")
    (True, False)
    """
    kind, colon, _ = spec.strip().partition(":")
    return bool(colon) and kind in BOTS


def bot_from(spec: str, protection: Sandbox | None = None, *, suspends: bool = False) -> BotSeat:
    """The seat of the bot that a specification names; in a sandbox, and still while others think, if asked.

    `bot:FILE` speaks our JSON, `gtp:COMMAND` and `nboard:COMMAND` are engines that speak these protocols,
    `course:FILE` or `course:FILE,python=PYTHON` is a course agent, `xtclient:COMMAND` a client for servers of
    Reversi XT. The file of a bot is run in its own folder.

    >>> bot_from("bot:cat").command.words
    ('cat',)
    >>> bot_from("gtp:no-such-engine -gtp")
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: there is no file or program called 'no-such-engine'
    """
    if not is_bot(spec):
        raise PlayerError(f"'{shorten(spec)}' is not a bot; write {', '.join(f'{kind}:…' for kind in BOTS)}")
    kind, _, rest = spec.strip().partition(":")
    seat = BOTS[kind](rest.strip(), spec.strip())
    seat.protection, seat.suspends = protection, suspends
    return seat


def sandbox_of(specs: Iterable[str], limits: Sandbox | None = None, instead: str = TRUST) -> Sandbox:
    """The sandbox for all who take part together, in which none of them sees the files of another.

    If any of them is a bot, it raises a SandboxError where there is no sandbox, with what to do instead,
    and a PlayerError if a bot lacks something that it needs.

    >>> sandbox_of(["random", "t77"]).entrants
    ()
    """
    bots = [bot_from(spec) for spec in specs if is_bot(spec)]
    if bots:
        check_sandbox(instead)
    for bot in bots:
        if problem := bot.problem(in_sandbox=True):
            raise PlayerError(f"{bot.name} cannot play: {problem}")
    return replace(limits or Sandbox(), entrants=tuple(file for bot in bots for file in bot.files))


def command(text: str) -> Command:
    """The command that a file, or a line as for a shell, stands for.

    >>> command("cat -u").words
    ('cat', '-u')
    """
    try:
        words = [text] if _file(text) else shlex.split(text)
    except ValueError as error:
        raise PlayerError(f"'{shorten(text)}' is not a command: {error}") from None
    if not words:
        raise PlayerError("a bot needs a file or a command, as in bot:path/to/bot.py")
    if program := _file(words[0]):
        return Command((*_interpreter(program), str(program), *words[1:]), program.parent)
    if shutil.which(words[0]):
        return Command(tuple(words))
    raise PlayerError(f"there is no file or program called '{shorten(words[0])}'")


def _file(text: str) -> Path | None:
    path = os.path.expanduser(text)  # noqa: PTH111 it leaves a ~ as it is where Path's method raises
    return Path(path).absolute() if os.path.isfile(path) else None  # noqa: PTH113 and so does this


def _interpreter(program: Path) -> tuple[str, ...]:
    if interpreter := INTERPRETERS.get(program.suffix):
        if not shutil.which(interpreter[0]):
            raise PlayerError(f"{program.name} needs {interpreter[0]}, which is not installed")
        return interpreter
    if not os.access(program, os.X_OK):
        raise PlayerError(f"{program} cannot be run; make it executable, or name what runs it, "
                          f"as in 'bot:ruby {program.name}'")
    return ()


def _course(text: str, name: str) -> CourseSeat:
    file, python = split_python(text)
    if path := _file(file):
        return CourseSeat(path, name, python=python_named(python, Path()) if python else python_beside(path))
    before, _, last = text.rpartition(",")
    if _file(before) and "=" in last:
        raise PlayerError(f"there is no option '{shorten(last.partition('=')[0])}'; write python=")
    raise PlayerError(f"there is no file '{shorten(file)}'; write course:path/to/agent.py")


BOTS: dict[str, Callable[[str, str], BotSeat]] = {
    "bot": lambda text, name: JsonSeat(command(text), name),
    "gtp": lambda text, name: GtpSeat(command(text), name),
    "nboard": lambda text, name: NboardSeat(command(text), name),
    "course": _course,
    "xtclient": lambda text, name: XtClientSeat(command(text), name),
    "xtgroup": XtGroupSeat,
}
"""Every kind of bot, made from what follows its colon and the whole name."""
