"""`polyversi host`: waits for players on a TCP port and plays games with them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import typer

from polyversi.cli import options
from polyversi.cli.views.network import NetworkView
from polyversi.gameplay.events import Event, StartEvent
from polyversi.games.variants import game
from polyversi.protocols.spec import check_suited, seat_of
from polyversi.server.host import Host, HostPlan, MakeSeat

REMOTE = "remote"


def host(
    players: Annotated[list[str] | None, typer.Argument(
        metavar="PLAYER", help="Who sits on each seat, in order: 'remote', 'human' or a player of "
                               "`polyversi players`; the other seats are remote.")] = None,
    variant: options.Variant = "othello",
    limit: options.SeatLimits = None,
    games: Annotated[int, typer.Option(min=1, help="Play this many games, one after the other.")] = 1,
    grace: Annotated[float, typer.Option(
        metavar="SECONDS", min=0, help="Time to come back after a lost connection.")] = 30.0,
    address: options.Listening = "127.0.0.1",
    port: options.Port = 7778,
    seed: Annotated[int | None, typer.Option(help="Seed of random starts.")] = None,
    plain: options.Plain = False,
) -> None:
    """Host games that others join over the network with `polyversi join`.

    A game starts when every remote seat is taken. The command ends with the last game. Anybody may watch.
    Without --host only people on this machine can join.

    Examples:
      polyversi host
      polyversi host human --variant hex --limit bank=300,increment=2
      polyversi host --variant xt:starfish --host 0.0.0.0 --grace 60 --games 3
    """
    chosen = game(variant)
    words = [*(players or []), *[REMOTE] * (chosen.seats - len(players or []))]
    view = NetworkView(has_person=options.HUMAN in words, plain=plain)
    people = [seat for seat, word in enumerate(words, 1) if word == options.HUMAN]
    check_suited([word for word in words if word not in (options.HUMAN, REMOTE)], chosen)
    makers: dict[str, MakeSeat | None] = {REMOTE: None, options.HUMAN: partial(view.person, "host")}
    filled = [makers.get(word, partial(seat_of, word, in_thread=True)) for word in words]
    plan = HostPlan(chosen, filled, options.limits(limit or [], chosen.seats), grace, games, seed)

    def show(event: Event) -> None:
        if isinstance(event, StartEvent):
            view.view.begin(chosen.position(event.start), people)
        view.show_here(event)

    async def run() -> None:
        server = Host(plan, [show], view.say)
        await server.open(address, port)
        view.say(options.opened("waiting", address, server.port, "take a free seat or watch"))
        view.say(f"join with: polyversi join {options.reachable_at(address, server.port)}")
        await server.run()

    with options.good_bye("Good-bye; nobody can join any longer."):
        asyncio.run(run())
