"""`polyversi bot`: help for those who write bots."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from polyversi.cli.views.terminal import new_console
from polyversi.gameplay.bots.seat import BotSeat
from polyversi.games.variants import game as named
from polyversi.protocols.check import Check, Step
from polyversi.protocols.spec import bot_from, is_bot, sandbox_of

app = typer.Typer(help="Check a bot of your own.", no_args_is_help=True)
READY = 10.0
"""Seconds for a bot to get ready while it is checked."""
DEFAULT_VARIANTS = {"course": "anti", "xtclient": "xt:arena,players=2"}
"""What is played by kinds of bots that are not for Othello."""


@app.callback()
def bot() -> None:
    """Check a bot of your own."""


@app.command()
def check(
    bot: Annotated[
        str, typer.Argument(metavar="FILE", help="The bot: a file, or gtp:…, nboard:…, course:…, xtclient:…")
    ],
    variant: Annotated[str, typer.Option(help="What it is to play; see `polyversi variants`.")] = "",
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds for a move.")] = 5.0,
    short: Annotated[float, typer.Option(min=0.05, help="Seconds for a move where time is short.")] = 0.5,
    ready: Annotated[float, typer.Option(min=0.1, help="Seconds to get ready.")] = READY,
    trust: Annotated[bool, typer.Option("--trust", help="Run the bot without a sandbox.")] = False,
) -> None:
    """Run a bot through a list of checks; name what failed, with the bot's own output.

    A file speaks our JSON; engines are named by their protocol and command, course agents by `course:`, and
    clients of Reversi XT by `xtclient:` with {host} and {port} in their command.

    The bot runs in the sandbox of tournaments and matches, so that what passes here works there; --trust is
    for a bot that you have read.

    Examples:

      polyversi bot check my_bot.py

      polyversi bot check ./a.out --variant hex --seconds 1

      polyversi bot check "gtp:edax -gtp"

      polyversi bot check course:agent.py

      polyversi bot check "xtclient:java -jar client.jar -s {host} -p {port}"
    """
    spec = bot if is_bot(bot) else f"bot:{bot}"
    played = named(variant or DEFAULT_VARIANTS.get(spec.partition(":")[0], "othello"))

    bot_from(spec)    # a bad name is reported before anything else
    protection = None if trust else sandbox_of([spec])

    def make() -> BotSeat:
        seat = bot_from(spec, protection)
        seat.ready = ready
        return seat

    console = new_console()
    console.print(f"{spec} plays {played.spec}")
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
        console.print(f"{failed} of {done} steps failed" + (f", {left} were not tried" if left else ""))
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
