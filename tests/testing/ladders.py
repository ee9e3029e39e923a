"""A ladder in tests: bots that play on it without having been checked, and their games."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sql

from polyversi.contest.playing import play_game
from polyversi.site.bots import Bot
from polyversi.site.ladder import LadderMatch, Ladders
from polyversi.site.ladder_games import LadderGames
from polyversi.site.roles import Person
from polyversi.site.tables import BOTS, VERSIONS
from tests.testing.uploads import FIRST_MOVE, SITE, Desk

LAST_MOVE = FIRST_MOVE.replace('["moves"][0]', '["moves"][-1]')
CRASHES = "import sys\nprint('\\x1b[31mno <b>way</b>', file=sys.stderr)\ninput()\nsys.exit(3)\n"


class Rungs(Desk):
    """A site with a ladder of small games and bots on it."""

    def __init__(self, folder: Path, where: str = "", more: str = SITE) -> None:
        super().__init__(folder, where, more)
        self.ladders = Ladders(self.file, self.store)
        self.games = LadderGames(self.file, self.store)

    def climb(self, name: str, source: str = FIRST_MOVE) -> tuple[Person, Bot]:
        """Somebody new whose bot plays on the ladder."""
        person = self.person(name)
        bot = self.bots.create(person, f"{name}'s", self.file.settings.ladders[0].id)
        self.renew(person, bot, source)
        return person, self.bots.find(bot.id)

    def renew(self, person: Person, bot: Bot, source: str, arguments: str = "") -> None:
        """Another version of a bot, which plays at once; with arguments it is an XT client."""
        number = self.hand_in(person, bot, source, arguments=arguments).number
        with self.store.writing() as connection:
            connection.execute(sql.update(VERSIONS).where(VERSIONS.c.bot == bot.id).values(
                phase="passed", report={"has_passed": True}))
            connection.execute(sql.update(BOTS).where(BOTS.c.id == bot.id).values(active=number))

    def play(self, match: LadderMatch) -> None:
        """Plays what is left of a match in this process."""
        for number in self.games.due(match):
            ready = self.games.make_ready(match.id, number)
            assert ready is not None
            self.games.keep(match, number, ready, play_game(ready.task, ready.protection))

    def automatic(self) -> LadderMatch:
        """The next match that the site makes by itself."""
        match = self.games.add_automatic(self.file.settings.ladders[0], self.ladders.waiting())
        assert match is not None
        return match

    @property
    def names(self) -> list[str]:
        """The bots in the order of their places."""
        return [ranked.bot.name for ranked in self.ladders.ranking("othello")]
