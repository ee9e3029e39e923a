"""Options that several commands have, what their texts mean, and how these commands open and end."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from polyversi.contest.model import SeatOrder
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError, RecordError
from polyversi.games.limit import Limit

if TYPE_CHECKING:    # the options are enough for a command that only shows its help
    from polyversi.games.game import Game
    from polyversi.storage.line_file import RecordFile

Variant = Annotated[str, typer.Option("--variant", help="The game; `polyversi variants` lists them.")]
Variants = Annotated[list[str] | None, typer.Option(
    "--variant", help="The game, by default othello; repeat it to play several.")]
Players = Annotated[list[str], typer.Argument(
    metavar="PLAYER...", help="Two or more players of `polyversi players` or bots; NAME=PLAYER names one.")]
OneLimit = Annotated[str | None, typer.Option("--limit", show_default=False, help=(
    "seconds=5, bank=60,increment=1, depth=4, …; without a time limit a bot has 60 s to answer; none waits "
    "forever."))]
SeatLimits = Annotated[list[str] | None, typer.Option(
    "--limit", help="seconds=5, bank=60,increment=1, depth=4, …; repeat it to give each seat its own.")]
Openings = Annotated[str, typer.Option(metavar="PLIES|FILE", help=(
    "Random plies at the start (6), even ones ('balanced 6'), or a file of positions or games; the same for "
    "both seats."))]
Jobs = Annotated[int, typer.Option(min=0, help="Games at the same time; 0 for one on each processor.")]
Cluster = Annotated[str | None, typer.Option(
    metavar="ADDRESS", help="Use the dask cluster at this address.")]
Trust = Annotated[bool, typer.Option("--trust", help="Run bots without a sandbox.")]
Plain = Annotated[bool, typer.Option("--plain", help="Text without boards, for screen readers.")]
Listening = Annotated[str, typer.Option(
    "--host", metavar="ADDRESS", help="The address to listen on; 0.0.0.0 lets other machines in.")]
Port = Annotated[int, typer.Option(
    "--port", "-p", min=0, max=65535, help="The TCP port; 0 takes a free one.")]
KeepDays = Annotated[float, typer.Option("--keep-days", metavar="DAYS", min=0, help=(
    "Days that games without people, uploaded games and series are kept; 0 for ever."))]
KeepMegabytes = Annotated[float, typer.Option("--keep-megabytes", metavar="MB", min=0, help=(
    "Megabytes of these beyond which the oldest go earlier; 0 for any number."))]
GamesFile = Annotated[Path | None, typer.Option(
    "--out", metavar="FILE.jsonl", help="Append the games to this file.")]

HUMAN = "human"
EVERYWHERE = ("0.0.0.0", "::")


def default_opponent(game: Game) -> str:
    """The opponent of a person who has named none: the strongest of the game, as people meet it first.

    >>> import polyversi as pv
    >>> default_opponent(pv.game("othello")), default_opponent(pv.game("torus"))
    ('polyversi:level=5', 't77')
    """
    from polyversi.players import PLAYERS, strongest_first

    name = strongest_first(game)[0]
    options = ",".join(f"{option}={value}" for option, value in PLAYERS[name].offered.items())
    return f"{name}:{options}" if options else name


def seat_specs(game: Game, players: Sequence[str], seat: int | None) -> list[str]:
    """The player of each seat: `human` or a player's specification.

    As many players as seats take the seats in order. Otherwise the person has a seat, the first by default,
    and the players have the others, the last of them as often as needed.

    >>> import polyversi as pv
    >>> seat_specs(pv.game("othello"), ["random"], seat=2), seat_specs(pv.game("rolit"), ["random"], None)
    (['random', 'human'], ['human', 'random', 'random', 'random'])
    """
    if len(players) == game.seats and seat is None:
        return list(players)
    mine = 1 if seat is None else seat
    if mine > game.seats:
        raise PlayerError(f"{game.spec} has no seat {mine}; its seats are 1 to {game.seats}")
    free = game.seats - (mine > 0)
    if len(players) > free:
        where = f" and you take seat {mine}" if mine else ""
        raise PlayerError(f"too many players: {game.spec} has {game.seats} seats{where}")
    others = [*players, *[players[-1] if players else default_opponent(game)] * (free - len(players))]
    if mine:
        others.insert(mine - 1, HUMAN)
    return others


def limits(texts: Sequence[str], seats: int) -> list[Limit]:
    """The limit of each seat: none, one for all, or one for each.

    >>> [str(limit) for limit in limits(["none", "seconds=5"], 2)]
    ['none', 'seconds=5']
    """
    if len(texts) not in (0, 1, seats):
        raise PlayerError(f"{len(texts)} limits for {seats} seats; give one limit, or one for each seat")
    read = [Limit.parse(text) for text in texts] or [Limit()]
    return read * seats if len(read) == 1 else read


def seat_order(text: str) -> SeatOrder:
    """When players change seats, from the option's text.

    >>> seat_order("alternate")
    'alternate'
    """
    if text not in get_args(SeatOrder):
        known = " or ".join(get_args(SeatOrder))
        raise PlayerError(f"--seats cannot be '{shorten(text)}'; write {known}")
    return cast("SeatOrder", text)


def reachable_at(address: str, port: int) -> str:
    """The address for others: the name of this machine where it listens everywhere.

    >>> reachable_at("::1", 7778)
    '[::1]:7778'
    """
    host = socket.gethostname() if address in EVERYWHERE else f"[{address}]" if ":" in address else address
    return f"{host}:{port}"


def listening_at(address: str, port: int) -> tuple[str, bool | None]:
    """An address as people write it, and whether others can reach it; None where a name does not say so.

    >>> listening_at("::1", 7778), listening_at("0.0.0.0", 7778)
    (('[::1]:7778', False), ('port 7778 on all addresses of this machine', True))
    """
    if address in EVERYWHERE:
        return f"port {port} on all addresses of this machine", True
    is_open = False if address == "localhost" else None
    with suppress(ValueError):
        is_open = not ipaddress.ip_address(address).is_loopback
    return reachable_at(address, port), is_open


def opened(waiting: str, address: str, port: int, allowed: str) -> str:
    """Where a server listens, for whom, and what others may do there.

    >>> opened("waiting", "127.0.0.1", 7778, "watch")
    'waiting on 127.0.0.1:7778, for this machine only'
    """
    where, is_open = listening_at(address, port)
    if is_open:
        return (f"{waiting}, open to the network: {where}\n"
                f"anybody who can reach it may {allowed}; nothing is encrypted")
    return f"{waiting} on {where}" + (", for this machine only" if is_open is False else "")


@contextmanager
def good_bye(sentence: str = "Good-bye.") -> Iterator[None]:
    """Says good-bye when the person leaves, and after Ctrl-C, which is status 130."""
    from polyversi.gameplay.human import PersonLeft

    try:
        yield
    except PersonLeft:
        typer.echo(sentence)
    except KeyboardInterrupt:
        typer.echo(f"\n{sentence}")
        raise typer.Exit(130) from None


def record_file(path: Path | None) -> RecordFile | nullcontext[None]:
    """The JSON Lines file that finished games are appended to, or nothing without a path.

    >>> record_file(Path("game.ggf"))
    Traceback (most recent call last):
    polyversi.games.errors.RecordError: games are stored as JSON Lines; name the file game.jsonl
    """
    if path is None:
        return nullcontext()
    if path.suffix.lower() != ".jsonl":
        raise RecordError(f"games are stored as JSON Lines; name the file {path.with_suffix('.jsonl').name}")
    from polyversi.storage.line_file import RecordFile

    return RecordFile(path)
