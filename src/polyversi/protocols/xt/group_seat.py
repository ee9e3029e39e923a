"""The seat of a group whose client of Reversi XT connects from elsewhere, through the gate of an event."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from polyversi.gameplay.bots.process import Command
from polyversi.gameplay.bots.sandbox_port import HOST, PORT
from polyversi.gameplay.verdict import SeatFailure
from polyversi.protocols.xt import relay
from polyversi.protocols.xt.client_seat import XtClientSeat
from polyversi.protocols.xt.started import ClientProcess


@dataclass(frozen=True)
class GateAddress:
    """Where clients of groups wait, and what the gate wants to hear from whoever comes for one.

    >>> GateAddress("127.0.0.1", 7800, "secret").spec("Cup", "Group 3")
    'xtgroup:127.0.0.1 7800 secret Cup Group 3'
    """

    host: str
    port: int
    ticket: str

    def spec(self, event: str, group: str) -> str:
        """The specification of a group's seat, for a worker."""
        return f"xtgroup:{self.host} {self.port} {self.ticket} {event} {group}"


class XtGroupSeat(XtClientSeat):
    """A client that somebody else runs. The process that plays for it here only passes on what is said.

    A plan names the group alone; whoever plays the game adds where the client is found.

    >>> XtGroupSeat("Group 3", "xtgroup:Group 3").is_reachable
    False
    """

    def __init__(self, text: str, name: str) -> None:
        host, port, ticket = text.split(" ", 2) if text.count(" ") >= 4 else ("", "", "")
        environment = {"PATH": os.environ.get("PATH", ""), relay.TICKET: ticket}
        words = (sys.executable, "-I", "-S", "-B", str(Path(relay.__file__)), HOST, PORT, host, port)
        super().__init__(Command(words, environment=environment), name)
        self.is_reachable = port.isdecimal()
        """Whether it is known where the client is found."""

    @property
    def files(self) -> tuple[Path, ...]:
        return ()

    def new_process(self) -> ClientProcess:
        """The relay, which is ours and needs the network: in no sandbox."""
        if not self.is_reachable:
            raise SeatFailure("crash", "clients of groups connect only to events of a site")
        return ClientProcess(self.command)
