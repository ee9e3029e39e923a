"""The registry of the arena view: every series there is, resumed after a restart."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from polyversi.server.limits import ConcurrencyLimit, TooManyError, is_local
from polyversi.server.series import STOPPED, NewSeries, Series, new_series

if TYPE_CHECKING:
    from polyversi.server.lobby import Lobby
    from polyversi.storage.games import StoredSeries

MAX_SERIES = 200
MAX_SERIES_PER_VISITOR = 4


class SeriesRegistry:
    """All series of a server that are not done, and those that are as long as somebody looks at them."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._series: dict[str, Series] = {}
        self._finding = ConcurrencyLimit(1)
        self._past: WeakValueDictionary[str, Series] = WeakValueDictionary()

    async def start(self) -> None:
        """Resumes every series that was going on when the server ended."""
        lobby = self._lobby
        for stored in await asyncio.to_thread(lobby.store.open_series):
            await self._open(stored)
        for game in await asyncio.to_thread(lobby.store.running):
            if game.series and game.series not in self._series:    # it was stopped just before
                lobby.open(await asyncio.to_thread(lobby.restore, game)).break_off(STOPPED)

    async def create(self, wanted: NewSeries, visitor: str) -> tuple[Series, str]:
        """Sets a series up; its token controls it."""
        own = sum(series.visitor == visitor for series in self._series.values())
        if len(self._series) >= MAX_SERIES or (own >= MAX_SERIES_PER_VISITOR and not is_local(visitor)):
            raise TooManyError("there are too many series going on; stop one of yours, or try again later")
        stored, token = await asyncio.to_thread(new_series, wanted, self._lobby.bots)
        await self._lobby.write_queue.write(lambda tx: tx.add_series(stored))
        return await self._open(stored, visitor), token

    async def find(self, name: str) -> Series | None:
        """The series of that id, opened again if it is done."""
        async with self._finding.of(name):
            if series := self._present(name):
                return series
            stored = await asyncio.to_thread(self._lobby.store.series, name)
            return None if stored is None else await self._open(stored)

    def listed(self) -> list[dict[str, Any]]:
        """The series that go on, newest first."""
        newest = sorted(self._series.values(), key=lambda series: -series.stored.created)
        return [series.status() for series in newest if not series.is_done]

    def _present(self, name: str) -> Series | None:
        return self._series.get(name) or self._past.get(name)

    async def _open(self, stored: StoredSeries, visitor: str = "") -> Series:
        games = await asyncio.to_thread(self._lobby.store.games_of, stored.id)
        series = Series(stored, games, self._lobby, visitor)
        if series.is_done:
            self._past[series.id] = series
        else:
            self._series[series.id] = series
            self._lobby.go(self._run(series))
        return series

    async def _run(self, series: Series) -> None:
        await series.run()
        self._past[series.id] = self._series.pop(series.id)
