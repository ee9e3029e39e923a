"""The list of a server's games: those that go on, those that wait, and those that are over, page by page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast, get_args

import msgspec
from msgspec import Struct

from polyversi.games.errors import PolyversiError, VariantError
from polyversi.games.variants import find, variant_label
from polyversi.server.lobby import Lobby
from polyversi.server.room import Room
from polyversi.server.series import SeriesRegistry
from polyversi.server.series_messages import SeriesStanding
from polyversi.server.summaries import ListedGame, listed, summary_of
from polyversi.storage.games import Chosen, PageCursor, StoredGame, StoredSeries

PAGE = 24
"""Games of a page."""
MAX_RUNNING = 240
"""Games that go on in one answer at most."""
QUIET_AFTER = 600.0
"""Seconds after its last event at which a game that no player is at does not count as going on."""
QUIET_WITH_PLAYERS = 3_600.0
"""The same for a game with a player at it, who may be thinking."""

StateFilter = Literal["", "running", "quiet", "over"]
Who = Literal["", "people", "computers"]


@dataclass(frozen=True)
class Wanted:
    """Which games somebody wants to see."""

    state: StateFilter = ""
    """Going on, without an event for a while, or over; empty is for those that go on and those over."""
    variant: str = ""
    """What the variant is called; empty for any."""
    family: str = ""
    who: Who = ""
    """With people at it, or computers alone."""
    running: int = PAGE
    """How many of those that go on."""
    after: PageCursor | None = None
    """Where the list of those that are over goes on."""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Wanted:
        """What a request asks for; a PolyversiError says what is wrong with it.

        >>> Wanted.read({"who": "people", "running": "48"}).running
        48
        """
        for name, kind in (("state", StateFilter), ("who", Who)):
            if (given := query.get(name, "")) not in get_args(kind):
                known = ", ".join(filter(None, get_args(kind)))
                raise PolyversiError(f"there is no {name} '{given[:40]}'; there are {known}")
        try:
            running = min(MAX_RUNNING, max(0, int(query.get("running", "") or PAGE)))
            ended, _, id = query.get("after", "").partition(" ")
            after = PageCursor(float(ended), id) if id else None
        except ValueError:
            raise PolyversiError("the place where the list goes on is not one; begin without it") from None
        state, who = cast("StateFilter", query.get("state", "")), cast("Who", query.get("who", ""))
        return cls(state, query.get("variant", ""), query.get("family", ""), who, running, after)

    def fits(self, spec: str) -> bool:
        """Whether a game is of the variant and the family."""
        if not self.variant and not self.family:
            return True
        label, family = _kind(spec)
        return self.variant in ("", label) and self.family in ("", family)

    def fits_seats(self, stored: StoredGame) -> bool:
        """Whether the right ones sit at a game."""
        return self.who == "" or (self.who == "people") == stored.has_people


@lru_cache(maxsize=4096)
def _kind(spec: str) -> tuple[str, str]:
    """What the variant of a game is called, and its family."""
    try:
        return variant_label(spec), find(spec.partition(":")[0])[0].family.name
    except VariantError:
        return spec, ""


class GameList(Struct, frozen=True):
    """A part of the list."""

    running: list[ListedGame]
    count: int
    """How many there are of those that are `running`."""
    quiet: int
    """How many games have had no event for a while."""
    recent: list[ListedGame]
    after: str
    """Where the list of those that are over goes on; empty at its end."""
    damaged: int
    """Stored games that cannot be read."""


@dataclass
class Listing:
    """The list of games over a lobby and its series."""

    lobby: Lobby
    series: SeriesRegistry

    async def page(self, wanted: Wanted) -> GameList:
        """The games that are wanted, and what visitors should know of the store.

        Of a series there is one entry, with the game of its round and how the series stands. Games of people
        come first among those that go on.
        """
        going, quiet = self._open(wanted)
        over: list[ListedGame] = []
        place = None
        if wanted.state in ("", "over"):
            shown = frozenset(room.stored.series for room in going if room.stored.series)
            people = None if not wanted.who else wanted.who == "people"
            chosen = Chosen(wanted.fits, people, shown, wanted.after)
            games, place = await asyncio.to_thread(self.lobby.store.recent, PAGE, chosen)
            over = await self._entries(games)
        self.lobby.report_damage()
        listed = {"": going, "running": going, "quiet": quiet, "over": []}[wanted.state]
        return GameList(
            running=[self._entry(room) for room in listed[:wanted.running]],
            count=len(listed),
            quiet=len(quiet),
            recent=over,
            after=f"{place.ended!r} {place.id}" if place else "",
            damaged=len(self.lobby.store.damaged),
        )

    def _open(self, wanted: Wanted) -> tuple[list[Room], list[Room]]:
        """The games that are not over: those in which something happens, and those in which nothing does."""
        rooms = [room for room in self.lobby.rooms.values() if not room.stored.series]
        rooms += [series.room for series in self.series.open() if series.room is not None]
        fitting = [room for room in rooms if wanted.fits(room.stored.spec) and wanted.fits_seats(room.stored)]
        fitting.sort(key=lambda room: (not room.stored.has_people, -room.stored.created))
        now = time.time()
        going = [room for room in fitting if is_going_on(room, now)]
        return going, [room for room in fitting if not is_going_on(room, now)]

    def _entry(self, room: Room) -> ListedGame:
        series = self.series.known(room.stored.series)
        return room.listed(series.standing() if series else None)

    async def _entries(self, games: Iterable[StoredGame]) -> list[ListedGame]:
        """The entries of games that are over."""
        games = list(games)
        ids = {game.series for game in games if game.series}
        series = await asyncio.to_thread(self.lobby.store.several_series, ids) if ids else {}
        return [listed(summary_of(game, game.summary), game.ended, self._rounds(game, series))
                for game in games]

    def _rounds(self, game: StoredGame, series: Mapping[str, StoredSeries]) -> SeriesStanding | None:
        """How the series of a game that is over stands; the store may not have the last of it yet."""
        known = self.series.known(game.series)
        return known.standing() if known else _stored_rounds(game, series.get(game.series))


def _stored_rounds(game: StoredGame, found: StoredSeries | None) -> SeriesStanding | None:
    """How the series of a game stands, as far as that is stored."""
    if found is None:
        return None
    settings = found.settings
    stored = {"players": settings["wanted"]["players"], "phase": settings["phase"], "round": game.number}
    return msgspec.convert({"id": found.id, **stored, **settings.get("standing", {})}, SeriesStanding)


def is_going_on(room: Room, now: float) -> bool:
    """Whether something has happened in a game lately; one that is run elsewhere counts while it is shown."""
    if room.stored.is_remote:
        return True
    has_player = any(room.guests.values())
    return now - room.changed < (QUIET_WITH_PLAYERS if has_player else QUIET_AFTER)
