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
from polyversi.server.connection import NetworkError, Place, parse_address
from polyversi.server.serve import requiring_packages


def join(
    address: Annotated[str, typer.Argument(
        metavar="HOST:PORT|LINK", help="Where `polyversi host` waits, or the link to a game on a page.")],
    name: Annotated[str | None, typer.Option(help="What the others call you.")] = None,
    seat: Annotated[int | None, typer.Option(min=1, max=8, help="The seat you want; any by default.")] = None,
    player: Annotated[str | None, typer.Option(
        help="Plays for you: one of `polyversi players`, with its options.")] = None,
    level: Annotated[int | None, typer.Option(
        min=1, max=4, help="The six-factor player of this level plays for you.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Only watch.")] = False,
    token: Annotated[str, typer.Option(help="Returns to a seat; the host gave you the token.")] = "",
    plain: Plain = False,
) -> None:
    """Join a game over the network: play yourself, let the computer play, or watch.

    A lost connection is restored by itself within the host's grace time. The command ends with the
    host's last game. The link to a game of `polyversi run` has the token of a seat behind a #; without one
    you can watch.

    Examples:

      polyversi join 192.168.1.20:7778 --name Ann

      polyversi join localhost --level 4

      polyversi join localhost --watch

      polyversi join 'http://127.0.0.1:8000/game/ID#TOKEN' --player t77
    """
    if sum((player is not None, level is not None, watch)) > 1:
        raise PlayerError("--player, --level and --watch exclude each other")
    spec = f"six-factor:level={level}" if level else player
    is_person = spec is None and not watch
    place, token = _place(address, token, has_seat=not watch)
    view = NetworkView(has_person=is_person, plain=plain, address=str(place))
    called = name or spec or ("guest" if is_person else "spectator")
    person, computer = partial(view.person, called), partial(seat_of, spec or "", in_thread=True)
    make_seat = None if watch else person if is_person else computer
    if make_seat is not None:
        make_seat()    # a bad player is reported before the host is asked
    client = Client(place, make_seat, name=called[:40], wanted=seat, token=token, view=view)
    with good_bye("Good-bye; you left the game."):
        reason = asyncio.run(client.run())
        typer.echo(f"the host says good-bye: {reason}" if reason else "the host says good-bye")


def _place(address: str, token: str, *, has_seat: bool) -> tuple[Place, str]:
    """Where to go, and the token of the seat there."""
    if "://" not in address:
        return parse_address(address), token
    with requiring_packages():
        from polyversi.server.websocket import parse_link
    link = parse_link(address)
    if not has_seat:
        return link, ""
    if not (token or link.token):
        raise NetworkError("this link has no token of a seat behind a #; add --watch to watch")
    return link, token or link.token
