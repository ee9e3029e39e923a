"""The bots of a server: a folder of them, found and run as in tournaments, which visitors choose by name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from polyversi.gameplay.bots import BotSeat, Sandbox
from polyversi.gameplay.bots.process import shown
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.game import Game
from polyversi.protocols.bot_files import FoundBot, files_to_hide, find_bots, is_folder
from polyversi.protocols.spec import bot_from, sandbox_of


class BotFolder:
    """The bots in a folder as it is when the server starts; with None there are none.

    Visitors call a bot `bot:NAME`, after its file or folder, and never by a path.

    >>> BotFolder(None).specs()
    []
    >>> BotFolder(None).seat("bot:/bin/cat")
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: this server has no bot '/bin/cat'
    """

    def __init__(self, folder: Path | None, *, trust: bool = False) -> None:
        self._found: dict[str, FoundBot] = {}
        self._protection: Sandbox | None = None
        if folder is None:
            return
        if not is_folder(folder):
            raise PlayerError(f"there is no folder {shown(str(folder))}; --bots takes a folder of bots")
        self._found = {f"bot:{shown(bot.path.name)}": bot for bot in find_bots("*", folder)}
        if not trust:
            sandbox = sandbox_of(bot.spec for bot in self._found.values() if bot.spec)
            hidden = files_to_hide(bot.path for bot in self._found.values() if bot.problem)
            self._protection = replace(sandbox, entrants=(*sandbox.entrants, *hidden))

    @property
    def problems(self) -> list[str]:
        """Why some of what is in the folder cannot play, in sentences for the operator."""
        return [bot.problem for bot in self._found.values() if bot.problem]

    def specs(self) -> list[str]:
        """What visitors call the bots."""
        return list(self._found)

    def seat(self, spec: str) -> BotSeat:
        """A seat for the bot; a PlayerError if it cannot play."""
        bot = self._found.get(spec)
        if bot is None:
            raise PlayerError(f"this server has no bot '{shorten(spec.partition(':')[2])}'")
        if bot.problem:
            raise PlayerError(bot.problem)
        try:
            seat = bot_from(bot.spec, self._protection)
        except PolyversiError as error:    # visitors may not see in which folder the files are
            raise PlayerError(shown(str(error).replace(f"{bot.path.parent}/", ""))) from None
        seat.name = spec
        return seat

    def unsuited(self, spec: str, game: Game) -> str | None:
        """Why the bot cannot play a game, in a sentence, or None when it may be able to."""
        try:
            return self.seat(spec).unsuited(game)
        except PolyversiError as error:
            return str(error)
