"""Opens a port for a client, in its sandbox if it has one, and passes the listening socket to the referee.

A sandbox has a network of its own, which nobody outside can reach. So this script listens in there, sends the
listening socket over SOCKET, the number of a socket to the referee, and becomes the client. It imports
nothing of ours:

    python sandbox_port.py SOCKET COMMAND ...
"""

from __future__ import annotations

import os
import socket
import sys

ADDRESS = "127.0.0.1"
HOST, PORT = "{host}", "{port}"


def main(number: str, *command: str) -> None:
    """Listens, and runs the command with the address."""
    with socket.create_server((ADDRESS, 0)) as listener, socket.socket(fileno=int(number)) as referee:
        port = str(listener.getsockname()[1])
        socket.send_fds(referee, [b"port"], [listener.fileno()])
    words = [word.replace(HOST, ADDRESS).replace(PORT, port) for word in command]
    try:
        os.execvp(words[0], words)
    except OSError as error:
        sys.exit(f"{words[0]} cannot be run: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
