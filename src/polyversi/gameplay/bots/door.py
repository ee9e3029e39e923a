"""The door of a sandboxed client: a port inside, handed out to the referee, who waits behind it.

It is run as a script inside of the sandbox, so it imports nothing of ours:

    python door.py SOCKET COMMAND ...

A sandbox has a network of its own with nobody in it. The port is opened in there; SOCKET is the number of a
socket to the referee, over which the listening end goes out. Then this process becomes the client.
"""

from __future__ import annotations

import os
import socket
import sys

ADDRESS = "127.0.0.1"
HOST, PORT = "{host}", "{port}"


def main(number: str, *command: str) -> None:
    """Opens the door and runs the command with its address."""
    with socket.create_server((ADDRESS, 0)) as door, socket.socket(fileno=int(number)) as referee:
        port = str(door.getsockname()[1])
        socket.send_fds(referee, [b"door"], [door.fileno()])
    words = [word.replace(HOST, ADDRESS).replace(PORT, port) for word in command]
    try:
        os.execvp(words[0], words)
    except OSError as error:
        sys.exit(f"{words[0]} cannot be run: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
