"""The contest of an event: games are kept without folders of this machine, and without what was deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyversi.contest.redaction import folders_left_out
from polyversi.contest.tournament import Tournament
from polyversi.site.bot_traces import without_outputs_of_deleted
from polyversi.site.events import BOT, Events, SiteEvent
from polyversi.storage.stored import PlayedGame


class EventContest(Tournament):
    """The tournament of an event of a site."""

    def __init__(self, events: Events, event: SiteEvent) -> None:
        self._store = events.store
        self._versions = {one.name: one.who.removeprefix(BOT) for one in events.entrants(event)
                          if one.who.startswith(BOT)}
        super().__init__(events.contests, event.contest)

    def load(self) -> None:
        super().load()
        self._clean = folders_left_out(self.plan)

    def keep(self, games: Sequence[PlayedGame]) -> list[PlayedGame]:
        """Stores finished games, of which people read what their own bots wrote."""
        with self._store.writing() as connection:
            left = [without_outputs_of_deleted(connection, self._seats(game), game) for game in games]
        return super().keep([self._cleaned(game) for game in left])

    def _seats(self, game: PlayedGame) -> list[str]:
        """BOT/NUMBER in seat order; nothing for who is no bot of the site."""
        return [self._versions.get(self.plan.entrants[entrant].name, "") for entrant in game.seating]

    def _cleaned(self, game: PlayedGame) -> PlayedGame:
        clean = self._clean
        return replace(game, verdict=replace(game.verdict, detail=clean(game.verdict.detail)),
                       offences=tuple(replace(one, detail=clean(one.detail)) for one in game.offences),
                       outputs=tuple(map(clean, game.outputs)))
