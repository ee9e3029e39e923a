"""What every part of a site over HTTP shares, and what a part is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.routing import BaseRoute

from polyversi.server.lobby import Lobby
from polyversi.server.site.access import Guard
from polyversi.server.site.conductor import ConductorProcess
from polyversi.site.people import People
from polyversi.site.sessions import Sessions
from polyversi.site.settings import SiteFile
from polyversi.site.store import SiteStore
from polyversi.storage.contests import ContestStore


@dataclass(frozen=True)
class Site:
    """A site that is being served: its file, its stores, its games and who may do what."""

    file: SiteFile
    store: SiteStore
    contests: ContestStore
    lobby: Lobby
    people: People
    sessions: Sessions
    guard: Guard
    conductor: ConductorProcess
    """What has bots checked and their games played; nudge it when there is something new to do."""


class Part:
    """A part of a site, such as its bots: its routes, and what runs as long as the server does."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> Sequence[BaseRoute]:
        """Where its handlers are found; each is made by the guard."""
        return ()

    async def start(self) -> None:
        """Begins what it does by itself; the lobby has started."""

    async def close(self) -> None:
        """Ends that; the lobby has not ended yet."""
