"""`polyversi variants`: what can be played, with a sentence and a small picture of each."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from polyversi.drawing import picture
from polyversi.games.variants import VARIANTS, describe, find, game


def variants(
    variant: Annotated[str | None, typer.Argument(
        metavar="NAME", help="Show this variant with its options.")] = None,
    pictures: Annotated[bool, typer.Option(help="Show a small picture of each variant, or none.")] = True,
) -> None:
    """List the variants, or show one of them with its options.

    Examples:
      polyversi variants
      polyversi variants hex
    """
    console = Console(highlight=False)
    if variant is not None:
        _show_one(console, variant)
        return
    for one in VARIANTS.values():
        console.print(f"[bold]{one.written}[/]  {one.sentence}")
        if pictures:
            console.print(Text.from_ansi(picture(game(one.example), color=console.is_terminal)))
            console.print()
    console.print("Options follow a colon: [bold]othello:size=10[/], [bold]hex:side=4,start=ring[/].")
    console.print("[bold]polyversi variants NAME[/] lists them, [bold]polyversi map kinds[/] the XT maps.")


def _show_one(console: Console, spec: str) -> None:
    sentence, options = describe(spec)
    variant, given = find(spec.partition(":")[0])
    family = variant.family
    if family.first and ":" not in spec:
        first = family.first.upper()
        names = ", ".join(one.name.partition(":")[2] for one in family.gallery())
        console.print(f"[bold]{spec}:{first}[/]  {sentence}")
        console.print(f"{first} is a file or one of {names}")
    else:
        chosen = game(spec)
        console.print(f"[bold]{chosen.spec}[/]  {sentence}")
        console.print(f"{chosen.board.size} cells, {chosen.seats} seats")
        console.print(Text.from_ansi(chosen.start().draw(color=console.is_terminal, width=console.width)))
    for key, takes in options.items():
        default = {**variant.defaults, **given}[key]
        shown = f" (default {default})" if takes.read(str(default)) is not None else ""
        console.print(f"  {key}={takes}{shown} {takes.meaning}", markup=False)
