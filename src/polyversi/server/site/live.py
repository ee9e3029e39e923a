"""Games of a site that workers play, shown on its page while they are played."""

from __future__ import annotations

import socket
from contextlib import suppress
from urllib.parse import urlsplit

from polyversi.server.feeds import Feeds
from polyversi.server.site.site import Part, Site


class LivePart(Part):
    """Listens to workers, and has the conductor run that gives them their games."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._feeds = Feeds(site.lobby)

    async def start(self) -> None:
        """Begins to listen, then to play."""
        live = await self._feeds.open(_address_for(self.site.file.settings.cluster))
        self.site.conductor.start(f"{live.host}:{live.port}", live.token)

    async def close(self) -> None:
        """Ends both."""
        await self.site.conductor.close()
        await self._feeds.close()


def _address_for(cluster: str) -> str:
    """The address of this machine at which workers find it: its own ones, or those of a cluster."""
    host = urlsplit(cluster).hostname
    if not host:
        return "127.0.0.1"
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect((host, urlsplit(cluster).port or 1))    # sends nothing
        return str(line.getsockname()[0])
    return "127.0.0.1"
