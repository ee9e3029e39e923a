"""The contest of an event: bots whose files are gone lose, and games are kept without what nobody may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyversi._core import Move
from polyversi.contest.plan import Plan
from polyversi.contest.redaction import folders_left_out
from polyversi.contest.tournament import Tournament
from polyversi.games.errors import PlayerError
from polyversi.games.state import State
from polyversi.players import NO_LIMIT, Limit, Player
from polyversi.site.bot_traces import without_outputs_of_deleted
from polyversi.site.events import BOT, Events, SiteEvent
from polyversi.storage.stored import PlayedGame


class Missing(Player):
    """Plays for a bot whose files are gone: it loses, and the others go on."""

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        """Fails."""
        raise PlayerError("its files are gone")


class EventContest(Tournament):
    """The tournament of an event of a site.

    A bot without files loses its games instead of stopping everybody. Games are kept without folders of this
    machine, and without what bots wrote that were deleted meanwhile.
    """

    def __init__(self, events: Events, event: SiteEvent) -> None:
        self.missing = events.missing(event)
        """The names of bots without files."""
        self._store = events.store
        self._versions = {one.name: one.who.removeprefix(BOT) for one in events.entrants(event)
                          if one.who.startswith(BOT)}
        super().__init__(events.contests, event.contest)

    def _stored_plan(self) -> Plan:
        plan = super()._stored_plan()
        return replace(plan, entrants=tuple(
            replace(one, player=Missing()) if one.name in self.missing else one for one in plan.entrants))

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
