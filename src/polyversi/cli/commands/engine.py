"""`polyversi engine`: speaks to front ends and match tools over standard input and output."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyversi.engines.engine import MEGABYTES
from polyversi.engines.levels import STRONGEST
from polyversi.engines.making import MOST_MEGABYTES, MOST_THREADS

if TYPE_CHECKING:
    from polyversi.protocols.session import Session


class Protocol(StrEnum):
    """What can be spoken."""

    AUTO = "auto"
    NBOARD = "nboard"
    GTP = "gtp"


def engine(
    protocol: Annotated[Protocol, typer.Option(
        help="What to speak; auto is NBoard when the first line says so, otherwise GTP.")] = Protocol.AUTO,
    level: Annotated[int, typer.Option(min=1, max=STRONGEST, help="How strong it plays.")] = STRONGEST,
    threads: Annotated[int, typer.Option(min=1, max=MOST_THREADS, help="Threads that think.")] = 1,
    megabytes: Annotated[int, typer.Option(
        "--hash", metavar="MB", min=1, max=MOST_MEGABYTES,
        help="Memory for positions seen, rounded down to a power of two.")] = MEGABYTES,
    weights: Annotated[Path | None, typer.Option(
        metavar="FILE", help="Weights that `polyversi train` has made, in place of the usual ones.")] = None,
) -> None:
    """Speak NBoard or GTP on standard input and output, for front ends and match tools.

    It ends with the command quit or with its input, also while it thinks.

    Examples:

      polyversi engine

      polyversi engine --protocol gtp --level 8

      polyversi engine --threads 2 --hash 256

      polyversi engine --weights new.weights
    """
    from functools import partial

    from polyversi.engines.weights import load
    from polyversi.protocols.gtp import Gtp
    from polyversi.protocols.nboard import NBoard
    from polyversi.protocols.session import Settings, serve

    settings = Settings(level, threads, megabytes, None if weights is None else load(weights))

    def chosen(first: str) -> type[Session]:
        is_nboard = first.split(None, 1)[:1] == ["nboard"]
        return NBoard if protocol == Protocol.NBOARD or (protocol == Protocol.AUTO and is_nboard) else Gtp

    try:
        serve(chosen, partial(print, flush=True), settings)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
