"""The gate of XT events: who gets in while others crowd its port."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from polyversi.site.event_plans import EventSettings, MapFile
from polyversi.site.events import Events
from polyversi.site.gate import MAX_OF_GROUP, MAX_STRANGERS, Connected, Gate
from polyversi.site.opened import open_site
from polyversi.site.roles import Person, Role
from tests.testing.conducted import connected
from tests.testing.timeout import TIMEOUT
from tests.testing.waiting import until

ORGANISER = Person("o", "Olga", Role.ORGANISER)


@dataclass
class Doors:
    """A gate, and an event with a group."""

    gate: Gate
    event: str
    token: str

    def client(self) -> socket.socket:
        """A client of the group."""
        client = connected(self.gate.port)
        client.sendall(f"{self.token}\n".encode())
        return client

    def waiting(self, number: int) -> Connected:
        """What the gate says when so many clients of the group wait."""
        return {self.event: {"One": (number, 0)}}


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Doors]:
    path = tmp_path / "site.toml"
    path.write_text("xt_port = 7800\n")
    with open_site(path) as site:
        events = Events(site.file, site.store, site.contests)
        maps = (MapFile("pair", "2 0 0 0  1 6  0 0 1 2 0 0"),)
        settings = EventSettings(maps=maps, groups=("One", "Two"), limit="bank=20")
        event = events.create(ORGANISER, "XT", settings).id
        yield Doors(Gate(site.store, "127.0.0.1", 0), event, events.make_tokens(ORGANISER, event)["One"])


def test_strangers_who_say_nothing_keep_no_group_out(doors: Doors) -> None:
    with ExitStack() as stack:
        crowd = [stack.enter_context(connected(doors.gate.port)) for _ in range(MAX_STRANGERS + 10)]
        stack.enter_context(doors.client())
        until(lambda: doors.gate.connected() == doors.waiting(1))
        crowd[0].settimeout(TIMEOUT)
        with suppress(ConnectionResetError):
            assert crowd[0].recv(1) == b""


def test_a_group_has_so_many_clients(doors: Doors) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(doors.client()) for _ in range(MAX_OF_GROUP + 1)]
        until(lambda: doors.gate.connected() == doors.waiting(MAX_OF_GROUP))
        assert len(clients) > MAX_OF_GROUP
