"""`polyversi join`: plays or watches a game that somebody hosts."""

from __future__ import annotations

from typing import Annotated

import typer


def join(
    address: Annotated[str, typer.Argument(metavar="HOST:PORT", help="Where `polyversi host` waits.")],
    name: Annotated[str | None, typer.Option(help="What the others call you.")] = None,
    seat: Annotated[int | None, typer.Option(min=1, max=8, help="The seat you want; any by default.")] = None,
    player: Annotated[str | None, typer.Option(
        help="Plays for you: one of `polyversi players`, with its options.")] = None,
    level: Annotated[int | None, typer.Option(
        min=1, max=4, help="The six-factor player of this level plays for you.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Only watch.")] = False,
    token: Annotated[str, typer.Option(help="Takes a seat up again; the host gave you the token.")] = "",
    plain: Annotated[bool, typer.Option("--plain", help="Words, no boards; for screen readers.")] = False,
) -> None:
    """Join a game over the network: play yourself, let the computer play, or watch.

    A lost connection is taken up again by itself within the host's grace time. The command ends with the
    host's last game.

    Examples:

      polyversi join 192.168.1.20:7778 --name Ann

      polyversi join localhost --level 4

      polyversi join localhost --watch
    """
    import asyncio
    from functools import partial

    from polyversi.arena.human import PersonLeft
    from polyversi.cli.network_view import NetworkView
    from polyversi.games.errors import PlayerError
    from polyversi.server.client import Client
    from polyversi.server.connection import parse_address
    from polyversi.server.thinking import thinking_seat

    if sum((player is not None, level is not None, watch)) > 1:
        raise PlayerError("--player, --level and --watch exclude each other")
    spec = f"six-factor:level={level}" if level else player
    is_person = spec is None and not watch
    where, port = parse_address(address)
    view = NetworkView(has_person=is_person, plain=plain, address=address)
    called = name or spec or ("guest" if is_person else "spectator")
    person, computer = partial(view.person, called), partial(thinking_seat, spec or "")
    make_seat = None if watch else person if is_person else computer
    if make_seat is not None:
        make_seat()    # what cannot be made is told before anybody is bothered
    client = Client(where, port, make_seat, name=called[:40], wanted=seat, token=token, view=view)
    try:
        reason = asyncio.run(client.run())
    except PersonLeft:
        typer.echo("Good-bye.")
    except KeyboardInterrupt:
        typer.echo("\nGood-bye; you left the game.")
        raise typer.Exit(130) from None
    else:
        typer.echo(f"the host says good-bye: {reason}" if reason else "the host says good-bye")
