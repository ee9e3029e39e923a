"""`polyversi players`: who plays, with what options, and which games they are not for."""

from __future__ import annotations

import inspect
import re
import textwrap
from contextlib import suppress
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from polyversi.cli.views.terminal import new_console
from polyversi.games.game import Game
from polyversi.games.variants import VARIANTS, game
from polyversi.players import PLAYERS, Player, options_of, strongest_first
from polyversi.players import player as named
from polyversi.protocols.spec import BOTS

SENTENCE = re.compile(r'^ +(\w+): [^\n]*\n +"""(.+?)"""', re.MULTILINE | re.DOTALL)
"""An option in the source of a player, and what is said below it."""


def players(
    player: Annotated[str | None, typer.Argument(
        metavar="NAME", help="Describe this player in full.")] = None,
    variant: Annotated[str | None, typer.Option(help="List only players of this game.")] = None,
) -> None:
    """List the players with their options, or describe one of them.

    Examples:
      polyversi players
      polyversi players t77
      polyversi players --variant xt:starfish
    """
    console = new_console()
    wanted = game(variant) if variant is not None else None
    if player is not None:
        _show(console, type(named(player)), wanted, whole=True)
        return
    for cls in map(PLAYERS.__getitem__, strongest_first()):
        if wanted is None or cls().unsuited(wanted) is None:
            _show(console, cls, wanted, whole=False)
    if wanted is None:
        words = ", ".join(f"{prefix}:…" for prefix in BOTS)
        console.print(f"Also: 'human' is you, and {words} are programs of your own.")
        console.print("Options follow a colon: six-factor:level=3, matrix:gamma=0.5,depth=3.")


def _show(console: Console, cls: type[Player], wanted: Game | None, *, whole: bool) -> None:
    described = (cls.__doc__ or "").split("\n\n")
    text = "\n\n".join(part for part in described if ">>>" not in part) if whole else described[0]
    console.print(Text.assemble((cls.name, "bold"), f" · {cls.label}"))
    for paragraph in text.split("\n\n"):
        console.print(_indented(paragraph, 4))
    sentences = option_sentences(cls)
    for option in options_of(cls):
        default = f"(default {option.default_text})" if option.default_text else ""
        console.print(_indented(f"{option} {default} {sentences.get(option.name, '')}", 8))
    if wanted is None:
        for reason, names in unsuited(cls()).items():
            console.print(_indented(f"not for {', '.join(names)}: {reason}", 4))


def _indented(text: str, columns: int) -> str:
    margin = " " * columns
    return textwrap.fill(" ".join(text.split()), 78, initial_indent=margin, subsequent_indent=margin)


def option_sentences(cls: type[Player]) -> dict[str, str]:
    """What the source of a player says below each of its options.

    >>> from polyversi.players import PLAYERS
    >>> option_sentences(PLAYERS["random"])
    {'seed': 'Makes its choices repeatable.'}
    """
    sentences: dict[str, str] = {}
    for ancestor in reversed(cls.__mro__[:-1]):
        with suppress(OSError, TypeError):    # a class of somebody's own without a source
            for name, text in SENTENCE.findall(inspect.getsource(ancestor)):
                sentences[name] = " ".join(text.split())
    return {option.name: sentences[option.name] for option in options_of(cls) if option.name in sentences}


def unsuited(player: Player) -> dict[str, list[str]]:
    """The variants a player does not play, by the reason.

    >>> import polyversi as pv
    >>> unsuited(pv.player("random"))
    {}
    """
    reasons: dict[str, list[str]] = {}
    examples = {variant.name: variant.example for variant in VARIANTS.values()} | {"othello-6": "othello-6"}
    for name, spec in examples.items():
        reason = player.unsuited(game(spec))
        if reason is not None:
            reasons.setdefault(reason, []).append(name)
    return reasons
