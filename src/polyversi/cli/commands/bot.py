"""`polyversi bot`: help for those who write bots."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from polyversi.cli.views.terminal import new_console
from polyversi.gameplay.bots.process import shown
from polyversi.gameplay.bots.seat import BotSeat
from polyversi.games.errors import PlayerError
from polyversi.games.variants import game as named
from polyversi.protocols.bot_files import bot_at
from polyversi.protocols.check import Check, Step
from polyversi.protocols.spec import bot_from, is_bot, sandbox_of

app = typer.Typer(help="Check your own bot.", no_args_is_help=True)
READY = 10.0
"""Seconds for a bot to get ready while it is checked."""


@app.callback()
def bot() -> None:
    """Check your own bot."""


@app.command()
def check(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A file, a folder, or gtp:…, nboard:…, course:…, xtclient:…")
    ],
    variant: Annotated[str, typer.Option(help="What it plays; see `polyversi variants`.")] = "",
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds for a move.")] = 5.0,
    short: Annotated[
        float, typer.Option(min=0.05, help="Seconds for a move in the step with little time.")] = 0.5,
    ready: Annotated[float, typer.Option(min=0.1, help="Seconds to get ready.")] = READY,
    trust: Annotated[bool, typer.Option("--trust", help="Run the bot without a sandbox.")] = False,
) -> None:
    """Check step by step what a referee will ask of a bot, and show the bot's output where a step fails.

    A file or a folder is recognised as in tournaments: as a course agent, or as a program that speaks our
    JSON. Other bots are named by their protocol and command; the command of an XT client contains {host} and
    {port}.

    The bot runs in the same sandbox as in tournaments and matches, so what passes here works there. Use
    --trust only for a bot whose code you have read.

    Examples:

      polyversi bot check my_bot.py

      polyversi bot check ./a.out --variant hex --seconds 1

      polyversi bot check "gtp:edax -gtp"

      polyversi bot check course:agent.py,python=venv

      polyversi bot check "xtclient:java -jar client.jar -s {host} -p {port}"
    """
    spec = bot if is_bot(bot) else bot_at(Path(bot)) if os.path.exists(bot) else f"bot:{bot}"  # noqa: PTH110
    checked = bot_from(spec)
    played = named(variant or checked.default_variant)
    if trust and (problem := checked.problem(in_sandbox=False)):
        raise PlayerError(problem)
    protection = None if trust else sandbox_of([spec])

    def make() -> BotSeat:
        seat = bot_from(spec, protection)
        seat.ready = ready
        return seat

    console = new_console()
    console.print(Text(f"{shown(spec, 1000)} plays {played.spec}"))
    failed = asyncio.run(_report(Check(make, played, seconds, min(short, seconds)), console))
    if failed:
        raise typer.Exit(1)


async def _report(check: Check, console: Console) -> int:
    """Shows each step as it is done; how many failed."""
    failed = done = 0
    async for step in check.run():
        done += 1
        failed += step.fault is not None
        _show(step, console)
    left = check.steps - done
    if failed:
        console.print(f"{failed} of {done} steps failed" + (f"; {left} were not tried" if left else ""))
    else:
        console.print(f"all {done} steps passed")
    return failed


def _show(step: Step, console: Console) -> None:
    if step.fault is None:
        console.print(Text.assemble(("  ok     ", "green"), step.name))
        return
    console.print(Text.assemble(("  FAILED ", "bold red"), step.name))
    console.print(Text(f"         {step.fault}"))
    for title, text in (("standard output", step.output), ("standard error", step.errors)):
        if text:
            console.print(Text(f"         the end of its {title}:", "dim"))
            for line in text.splitlines()[-12:]:
                console.print(Text(f"           {line}"))
