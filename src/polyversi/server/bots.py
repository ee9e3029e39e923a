"""The operator's bots: programs in one folder, which visitors can play against by name alone."""

from __future__ import annotations

from pathlib import Path

from polyversi.gameplay.bots.seat import BotSeat
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.game import Game
from polyversi.protocols.spec import bot_from

COURSE = ".course.py"
"""How the file of a course agent ends; every other file speaks our own JSON."""
MAX_BOTS = 200


class BotFolder:
    """A folder of bots, or none at all: `bot:NAME` and `course:NAME` name a file in it, never a path.

    >>> BotFolder(None).specs()
    []
    >>> BotFolder(None).seat("bot:/bin/cat")
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: there is no bot '/bin/cat' on this server
    """

    def __init__(self, folder: Path | None) -> None:
        if folder is not None and not folder.is_dir():
            raise PlayerError(f"{folder} is no folder; --bots takes the folder with the bots of this server")
        self._folder = folder

    def specs(self) -> list[str]:
        """What visitors call the bots."""
        return list(self._files())

    def seat(self, spec: str) -> BotSeat:
        """A seat for the bot; a PlayerError when there is none of that name."""
        kind, _, name = spec.partition(":")
        file = self._files().get(spec)
        if file is None:
            raise PlayerError(f"there is no bot '{shorten(name)}' on this server")
        try:
            seat = bot_from(f"{kind}:{file}")
        except PolyversiError as error:    # it names the file with its folder, which is nobody's business
            raise PlayerError(str(error).replace(str(file), name)) from None
        seat.name = spec
        return seat

    def unsuited(self, spec: str, game: Game) -> str | None:
        """Why the bot cannot play a game, in a sentence, or None when it may be able to."""
        try:
            return self.seat(spec).unsuited(game)
        except PolyversiError as error:
            return str(error)

    def _files(self) -> dict[str, Path]:
        if self._folder is None:
            return {}
        files = [file for file in sorted(self._folder.iterdir())
                 if file.is_file() and not file.name.startswith((".", "_"))]
        return {
            f"{'course' if file.name.endswith(COURSE) else 'bot'}:{file.name}": file.resolve()
            for file in files[:MAX_BOTS]
        }
