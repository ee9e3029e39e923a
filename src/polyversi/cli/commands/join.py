"""`polyversi join`: plays or watches a game that somebody hosts."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import typer

from polyversi.cli.options import Plain, good_bye
from polyversi.cli.views.network import NetworkView
from polyversi.games.errors import PlayerError
from polyversi.protocols.spec import seat_of
from polyversi.server.client import Client
from polyversi.server.connection import Endpoint, NetworkError, parse_address


def join(
    address: Annotated[str, typer.Argument(
        metavar="HOST:PORT|LINK", help="Where `polyversi host` waits, or the link to a game on a page.")],
    name: Annotated[str | None, typer.Option(help="Your name in the game.")] = None,
    seat: Annotated[int | None, typer.Option(
        min=1, max=8, help="Your seat, by default the first free one.")] = None,
    player: Annotated[str | None, typer.Option(
        help="Let this player of `polyversi players` play for you.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Only watch.")] = False,
    token: Annotated[str, typer.Option(help="Return to the seat of this token.")] = "",
    plain: Plain = False,
) -> None:
    """Join a game over the network: play yourself, let the computer play, or watch.

    A lost connection is restored automatically within the host's grace time. The command ends with the
    host's last game. A link to a game of `polyversi run` ends with # and the token of a seat; a link without
    a token only lets you watch.

    Examples:
      polyversi join 192.168.1.20:7778 --name Ann
      polyversi join localhost --player six-factor:level=4
      polyversi join localhost --watch
      polyversi join 'http://127.0.0.1:8777/game/ID#TOKEN' --player t77
    """
    if player is not None and watch:
        raise PlayerError("give only one of --player and --watch")
    is_person = player is None and not watch
    endpoint, token = _endpoint(address, token, has_seat=not watch)
    view = NetworkView(has_person=is_person, plain=plain, address=str(endpoint))
    called = name or player or ("guest" if is_person else "spectator")
    person, computer = partial(view.person, called), partial(seat_of, player or "", in_thread=True)
    make_seat = None if watch else person if is_person else computer
    if make_seat is not None:
        make_seat()    # a bad player is reported before the host is asked
    client = Client(endpoint, make_seat, name=called[:40], wanted=seat, token=token, view=view)
    with good_bye("Good-bye; you left the game."):
        reason = asyncio.run(client.run())
        typer.echo("the host has closed the connection" + (f": {reason}" if reason else ""))


def _endpoint(address: str, token: str, *, has_seat: bool) -> tuple[Endpoint, str]:
    """Where to go, and the token of the seat there."""
    if "://" not in address:
        return parse_address(address), token
    from polyversi.server.websocket import parse_link  # needs packages that hosts do without

    link = parse_link(address)
    if not has_seat:
        return link, ""
    if not (token or link.token):
        raise NetworkError("this link has no token after a #, so it only lets you watch; add --watch")
    return link, token or link.token
