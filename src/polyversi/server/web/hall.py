"""The hall of the arena view: every series there is, taken up again after a restart."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from polyversi.server.web.lobby import Crowded
from polyversi.server.web.security import is_local
from polyversi.server.web.series import MOST_ROUNDS, NewSeries, Series, new_series

if TYPE_CHECKING:
    from polyversi.arena.store import StoredGame, StoredSeries
    from polyversi.server.web.lobby import Lobby

MOST_SERIES = 200
MOST_SERIES_FOR_ONE = 4


class Hall:
    """All series of a server that are not done, and those that are as long as somebody looks at them."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._series: dict[str, Series] = {}

    async def start(self) -> None:
        """Takes up every series that was going on when the server ended."""
        for stored in await asyncio.to_thread(self._lobby.store.open_series):
            await self._open(stored)

    async def create(self, wanted: NewSeries, visitor: str) -> tuple[Series, str]:
        """Sets a series up; its token controls it."""
        active = [series for series in self._series.values() if not series.is_done]
        own = sum(series.visitor == visitor for series in active)
        if len(active) >= MOST_SERIES or (own >= MOST_SERIES_FOR_ONE and not is_local(visitor)):
            raise Crowded("there are too many series going on; stop one of yours, or try again later")
        stored, token = new_series(wanted, self._lobby)
        done = asyncio.get_running_loop().create_future()
        self._lobby.journal.submit(lambda tx: tx.add_series(stored), lambda: done.set_result(None))
        await done
        return await self._open(stored, visitor), token

    async def find(self, name: str) -> Series | None:
        """The series of that id, opened again if it is done."""
        if name not in self._series:
            stored = await asyncio.to_thread(self._lobby.store.series, name)
            if stored is None:
                return None
            if name not in self._series:
                await self._open(stored)
        return self._series[name]

    def listed(self) -> list[dict[str, Any]]:
        """The series that go on, newest first."""
        active = [series for series in self._series.values() if not series.is_done]
        return [series.status() for series in sorted(active, key=lambda series: -series.stored.created)]

    async def _open(self, stored: StoredSeries, visitor: str = "") -> Series:
        games = await asyncio.to_thread(self._games_of, stored.id)
        if stored.id in self._series:
            return self._series[stored.id]
        series = self._series[stored.id] = Series(stored, self._lobby, visitor)
        self._lobby.go(series.run(games))
        return series

    def _games_of(self, name: str) -> list[StoredGame]:
        store = self._lobby.store
        running = [stored for stored in store.running() if stored.series == name]
        return sorted([*store.recent(MOST_ROUNDS, name), *running], key=lambda stored: stored.number)
