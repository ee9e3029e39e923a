"""Brings a client of Reversi XT that is elsewhere to a referee's port: passes on whatever either side says.

It connects to the referee as a client does, and to a gate where clients wait, which it shows the ticket in
its environment. It is run for each game as a client would be, and imports nothing of ours:

    python relay.py HOST PORT GATE_HOST GATE_PORT
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from contextlib import suppress

TICKET = "POLYVERSI_GATE_TICKET"
"""The environment variable with the line that the gate wants to hear."""
CHUNK = 1 << 16


def copy(source: socket.socket, target: socket.socket) -> None:
    """Passes on what one side says until it says no more."""
    with suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def main(host: str, port: str, gate_host: str, gate_port: str) -> None:
    """Connects both sides until neither says anything any more."""
    with (socket.create_connection((host, int(port))) as referee,
          socket.create_connection((gate_host, int(gate_port))) as client):
        for line in (referee, client):
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.sendall(os.environ[TICKET].encode() + b"\n")
        hearing = threading.Thread(target=copy, args=(client, referee))
        hearing.start()
        copy(referee, client)
        hearing.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
