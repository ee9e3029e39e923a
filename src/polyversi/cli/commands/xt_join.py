"""`polyversi xt-join`: takes part in an event of a site with a client of Reversi XT."""

from __future__ import annotations

from typing import Annotated

import typer

from polyversi.gameplay.interrupt import run_interruptibly
from polyversi.games.errors import PolyversiError
from polyversi.server.xt.joining import Joined


def xt_join(
    address: Annotated[str, typer.Argument(metavar="HOST:PORT", help="Where the event is.")],
    token: Annotated[str, typer.Argument(metavar="TOKEN", help="The token of your group for the event.")],
    command: Annotated[str, typer.Argument(metavar="COMMAND", help=(
        "What starts your client, with {host} and {port} where it takes them."))],
    games: Annotated[int, typer.Option(min=0, help="Play this many games; 0 for as many as come.")] = 0,
) -> None:
    """Take part in a site's event with your client of Reversi XT.

    The client is started for each game and connects as to any server of the courses; Ctrl-C ends it.

    Example:
      polyversi xt-join club.example:7800 TOKEN 'java -jar client.jar -s {host} -p {port}'
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise PolyversiError("write the address as HOST:PORT, such as club.example:7800")
    joined = Joined(host, int(port), token, command, typer.echo)
    try:
        run_interruptibly(joined.play(games))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
