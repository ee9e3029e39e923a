"""`polyversi host`: waits for players on a TCP port and plays games with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from polyversi.cli.views.network import NetworkView
    from polyversi.gameplay.events import Event
    from polyversi.games.game import Game
    from polyversi.server.host import Host, MakeSeat

REMOTE = "remote"


def host(
    variant: Annotated[str, typer.Argument(help="What to play; see `polyversi variants`.")] = "othello",
    seats: Annotated[list[str] | None, typer.Argument(
        metavar="[SEAT]...",
        help="'remote', 'human', or one of `polyversi players`, in order; the rest are remote.")] = None,
    limit: Annotated[list[str] | None, typer.Option(
        help="seconds=5, bank=300,increment=2, … for all, or once for each seat.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games, one after the other.")] = 1,
    grace: Annotated[float, typer.Option(min=0, help="Seconds to rejoin after a lost connection.")] = 30.0,
    address: Annotated[str, typer.Option(
        "--host", help="Where to listen; 0.0.0.0 lets other machines join.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The TCP port; 0 takes a free one.")] = 7778,
    seed: Annotated[int | None, typer.Option(help="Repeats the set-ups, where they are drawn.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Words, no boards; for screen readers.")] = False,
) -> None:
    """Host games that others join over the network with `polyversi join`.

    A game starts when every remote seat is taken, and the command ends with the last one. Anybody may watch.
    Only this machine can join unless --host says otherwise.

    Examples:

      polyversi host

      polyversi host hex human --limit bank=300,increment=2

      polyversi host xt:starfish --host 0.0.0.0 --grace 60 --games 3
    """
    import asyncio

    from polyversi.cli.options import HUMAN, limits
    from polyversi.cli.views.network import NetworkView
    from polyversi.gameplay.events import StartEvent
    from polyversi.gameplay.human import PersonLeft
    from polyversi.games.variants import game
    from polyversi.server.host import Host, Plan

    chosen = game(variant)
    words = [*(seats or []), *[REMOTE] * (chosen.seats - len(seats or []))]
    view = NetworkView(has_person=HUMAN in words, plain=plain)
    people = [seat for seat, word in enumerate(words, 1) if word == HUMAN]
    plan = Plan(chosen, _seats(words, chosen, view), limits(limit or [], chosen.seats), grace, games, seed)

    def show(event: Event) -> None:
        if isinstance(event, StartEvent):
            view.begin(chosen.position(event.start), people)
        view.show_here(event)

    server = Host(plan, [show], view.say)
    try:
        asyncio.run(_run(server, view, address, port))
    except PersonLeft:
        typer.echo("Good-bye.")
    except KeyboardInterrupt:
        typer.echo("\nGood-bye; nobody can join any more.")
        raise typer.Exit(130) from None


def _seats(words: list[str], game: Game, view: NetworkView) -> list[MakeSeat | None]:
    """How to fill each seat for a game; None for those that are remote."""
    from functools import partial

    from polyversi.cli.options import HUMAN
    from polyversi.protocols.seating import check_suited, seat_of

    check_suited([word for word in words if word not in (HUMAN, REMOTE)], game)
    return [
        None if word == REMOTE else partial(view.person, "host") if word == HUMAN
        else partial(seat_of, word, in_thread=True)
        for word in words
    ]


async def _run(server: Host, view: NetworkView, address: str, port: int) -> None:
    await server.open(address, port)
    view.say(opened(address, server.port))
    await server.run()


def opened(address: str, port: int) -> str:
    """What is open to whom, and how to join.

    >>> print(opened("127.0.0.1", 7778))
    waiting on 127.0.0.1:7778, for this machine only
    join with: polyversi join 127.0.0.1:7778
    """
    import socket

    from polyversi.cli.options import listening_at

    where, is_open = listening_at(address, port)
    target = f"{socket.gethostname()}:{port}" if where.startswith("port ") else where
    if is_open:
        said = (f"open to the network: {where}\n"
                "whoever can reach it may take a free seat or watch, and nothing is encrypted")
    else:
        said = f"waiting on {where}" + (", for this machine only" if is_open is False else "")
    return f"{said}\njoin with: polyversi join {target}"
