"""Who can reach a server: only its own machine, or others too, and at which addresses."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from polyversi.server.limits import is_local

EVERYWHERE = ("0.0.0.0", "::")
PROBES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses in documents only: asking how one would get there tells our own address, and sends nothing."""


@dataclass(frozen=True)
class Reach:
    """Where a server listens."""

    address: str = ""
    port: int = 0
    domains: tuple[str, ...] = ()
    """Names by which others reach it, as its operator says."""

    def to_json(self, *, is_here: bool) -> dict[str, Any]:
        """What the page is told; the addresses only for whoever sits at this machine.

        >>> Reach("127.0.0.1", 8777, ("club.example",)).to_json(is_here=True)
        {'is_open': False, 'addresses': [], 'domains': ['club.example']}
        >>> Reach("10.0.0.2", 8777).to_json(is_here=True)["addresses"]
        ['http://10.0.0.2:8777']
        """
        is_open = None if not self.address else not is_local(self.address)
        found = own_addresses() if self.address in EVERYWHERE else [self.address]
        addresses = [f"http://{f'[{one}]' if ':' in one else one}:{self.port}" for one in found]
        return {"is_open": is_open, "addresses": addresses if is_open and is_here else [],
                "domains": list(self.domains)}


UNKNOWN = Reach()
"""Of an application that somebody else serves."""


def own_addresses() -> list[str]:
    """The addresses of this machine in its networks, the one by which it reaches others first."""
    found: list[str] = []
    for family, target in PROBES:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    return [address for address in dict.fromkeys(found) if _is_for_others(address)]


def _is_for_others(address: str) -> bool:
    with suppress(ValueError):
        parsed = ipaddress.ip_address(address)
        return not (parsed.is_loopback or parsed.is_link_local or parsed.is_unspecified)
    return False
