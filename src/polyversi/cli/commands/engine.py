"""`polyversi engine`: the engine behind GTP or NBoard, for front ends and match tools."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import typer

from polyversi.cli.engine_options import Megabytes, WeightsFile
from polyversi.engines.levels import STRONGEST
from polyversi.engines.search import DEFAULT_MEGABYTES, MAX_THREADS
from polyversi.engines.weights import load
from polyversi.protocols.gtp.engine import GtpEngine
from polyversi.protocols.nboard.engine import NBoardEngine
from polyversi.protocols.session import Session, Settings, serve


def engine(
    protocol: Annotated[Literal["auto", "nboard", "gtp"], typer.Option(
        help="auto takes NBoard if the first line says so, otherwise GTP.")] = "auto",
    level: Annotated[int, typer.Option(min=1, max=STRONGEST, help="Playing strength.")] = STRONGEST,
    threads: Annotated[int, typer.Option(min=1, max=MAX_THREADS, help="Threads of the search.")] = 1,
    megabytes: Megabytes = DEFAULT_MEGABYTES,
    weights: WeightsFile = None,
) -> None:
    """Speak NBoard or GTP on standard input and output, for front ends and match tools.

    The engine ends with the command quit or when its input ends, even during a search.

    Examples:
      polyversi engine
      polyversi engine --protocol gtp --level 8
      polyversi engine --threads 2 --hash 256
      polyversi engine --weights new.weights
    """
    settings = Settings(level, threads, megabytes, None if weights is None else load(weights))

    def chosen(first: str) -> type[Session]:
        says_nboard = protocol == "auto" and first.split(None, 1)[:1] == ["nboard"]
        return NBoardEngine if says_nboard or protocol == "nboard" else GtpEngine

    serve(chosen, partial(print, flush=True), settings)
