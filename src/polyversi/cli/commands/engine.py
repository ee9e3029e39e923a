"""`polyversi engine`: the engine behind GTP or NBoard, for front ends and match tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyversi.engines.levels import STRONGEST
from polyversi.engines.search import DEFAULT_MEGABYTES, MAX_MEGABYTES, MAX_THREADS

if TYPE_CHECKING:
    from polyversi.protocols.session import Session


class Protocol(StrEnum):
    """The protocols of the engine."""

    AUTO = "auto"
    NBOARD = "nboard"
    GTP = "gtp"


def engine(
    protocol: Annotated[Protocol, typer.Option(
        help="auto is NBoard when the first line says so, otherwise GTP.")] = Protocol.AUTO,
    level: Annotated[int, typer.Option(min=1, max=STRONGEST, help="Playing strength.")] = STRONGEST,
    threads: Annotated[int, typer.Option(min=1, max=MAX_THREADS, help="Threads of the search.")] = 1,
    megabytes: Annotated[int, typer.Option(
        "--hash", metavar="MB", min=1, max=MAX_MEGABYTES,
        help="Transposition table, rounded down to a power of two.")] = DEFAULT_MEGABYTES,
    weights: Annotated[Path | None, typer.Option(
        metavar="FILE", help="Weights made by `polyversi train`, in place of the default ones.")] = None,
) -> None:
    """Speak NBoard or GTP on standard input and output, for front ends and match tools.

    It ends with the command quit or with its input, also during a search.

    Examples:

      polyversi engine

      polyversi engine --protocol gtp --level 8

      polyversi engine --threads 2 --hash 256

      polyversi engine --weights new.weights
    """
    from functools import partial

    from polyversi.engines.weights import load
    from polyversi.protocols.gtp.engine import GtpEngine
    from polyversi.protocols.nboard.engine import NBoardEngine
    from polyversi.protocols.session import Settings, serve

    settings = Settings(level, threads, megabytes, None if weights is None else load(weights))

    def chosen(first: str) -> type[Session]:
        says_nboard = first.split(None, 1)[:1] == ["nboard"]
        is_nboard = says_nboard if protocol == Protocol.AUTO else protocol == Protocol.NBOARD
        return NBoardEngine if is_nboard else GtpEngine

    try:
        serve(chosen, partial(print, flush=True), settings)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
