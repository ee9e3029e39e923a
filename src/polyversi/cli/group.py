"""The commands as typer knows them: each is loaded when it is called, and checked before it starts."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from polyversi.cli import help
from polyversi.cli.main import COMMANDS
from polyversi.games import extras
from polyversi.games.errors import PlayerError, PolyversiError


class Command(TyperCommand):
    """A command with our help, which starts only with everything that it needs."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        formatter.write(help.usage(ctx.command_path, self))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(help.page(ctx.command_path, self))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if error.message and error.param and (wanted := help.number_wanted(error.param)):
                error.message = wanted
            raise

    def invoke(self, ctx: Any) -> Any:
        extras.require(*needs(ctx.command_path, ctx.params))
        for parameter in self.params:
            if parameter.name in PLAYERS:
                given = ctx.params[parameter.name]
                words = [given] if isinstance(given, str) else given or []
                check_players(words, takes_files=parameter.name == "spec")
        return super().invoke(ctx)


class Group(TyperGroup):
    """A command that consists of several, with our help."""

    format_usage = Command.format_usage
    format_help = Command.format_help


class Commands(Group):
    """The commands, each a name and a sentence until it is called.

    >>> Commands(name="polyversi").list_commands(None)[:3]
    ['run', 'play', 'watch']
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, sentence in COMMANDS.items():
            self.add_command(TyperCommand(name, help=sentence))

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        formatter.write(help.overview(COMMANDS.items()))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names, loaded, and the words after it."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and load(command.name or ""), rest


def load(name: str) -> Any:
    """The command of this name with all its options.

    >>> [option.name for option in load("perft").params]
    ['depth', 'variant', 'position']
    """
    word = name.replace("-", "_")
    module = import_module(f"polyversi.cli.commands.{word}")
    holder = typer.Typer(rich_markup_mode=None)
    if hasattr(module, "app"):
        for part in module.app.registered_commands:
            part.cls = Command
        holder.add_typer(module.app, name=name, cls=Group)
    else:
        settings = getattr(module, "SETTINGS", None)
        holder.command(name, cls=Command, context_settings=settings)(getattr(module, word))
    loaded: Any = typer.main.get_group(holder).commands[name]
    for command in getattr(loaded, "commands", {}).values() or [loaded]:
        for parameter in command.params:
            if parameter.name in COMPLETED:
                # By its name, which means the same in all commands, and not in each of them.
                parameter._custom_shell_complete = _completer(COMPLETED[parameter.name])
    return loaded


def needs(path: str, given: Mapping[str, Any]) -> Iterator[extras.Need]:
    """What a command needs that may not be installed, from its name and its options.

    >>> [need.what for need in needs("polyversi match", {"out": "games.db", "cluster": "tcp://10.0.0.1:8786"})]
    ['a database', 'a cluster']
    """
    command = path.split()[1]
    if command == "run" or given.get("page") is not None:
        yield extras.PAGE
    if command == "site" or given.get("site") is not None:
        yield extras.SITE
    if command == "tournament":
        yield extras.TOURNAMENTS
    if command == "explorer":
        yield extras.DATABASE
    if command == "join" and "://" in given["address"]:
        yield extras.LINKS
    for store in (given.get("store"), given.get("out"), *(given.get("db") or ())):
        if isinstance(store, Path):
            yield from (extras.PICTURES,) if store.suffix.lower() in (".png", ".gif") else ()
        elif store:
            yield from extras.store_needs(store)
    if given.get("cluster") is not None:
        yield extras.CLUSTER


def check_players(words: Iterable[str], *, takes_files: bool = False) -> None:
    """Tells somebody who has named a variant or a file in place of a player how it is written.

    >>> check_players(["t77", "hex"])
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: 'hex' is a variant, not a player; write --variant hex
    """
    from polyversi.cli.options import HUMAN
    from polyversi.games.variants import game
    from polyversi.players import player

    for word in words:
        if word == HUMAN or _is(player, word):
            continue
        if _is(game, word):
            raise PlayerError(f"'{word}' is a variant, not a player; write --variant {word}")
        if not takes_files and os.path.exists(word):  # noqa: PTH110 never raises, whatever characters it has
            from polyversi.protocols.bot_files import bot_at

            spec = bot_at(Path(word)).replace(f"{Path.cwd()}/", "")
            raise PlayerError(f"'{word}' is a file or a folder, not a player; write {shlex.quote(spec)}")


def _is(find: Callable[[str], object], word: str) -> bool:
    """Whether a word names what the function finds."""
    try:
        find(word)
    except PolyversiError:
        return False
    return True


PLAYERS = ("players", "player", "against", "spec")
"""The parameters that name players."""


def _variants() -> list[str]:
    from polyversi.games.variants import VARIANTS

    return [name for variant in VARIANTS.values()
            for name in (variant.name, *(each.name for each in variant.family.gallery()))]


def _players() -> list[str]:
    from polyversi.cli.options import HUMAN
    from polyversi.players import PLAYERS

    return [*PLAYERS, HUMAN]


def _kinds() -> list[str]:
    from polyversi.games.mapkinds import KINDS

    return list(KINDS)


def _puzzle_kinds() -> list[str]:
    from polyversi.engines.puzzles import KINDS

    return list(KINDS)


COMPLETED: dict[str, Callable[[], list[str]]] = {
    "variant": _variants, "kind": _kinds, "maps": _kinds, "puzzle_kind": _puzzle_kinds,
    **dict.fromkeys(PLAYERS, _players)}
"""The parameters whose values the shell completes."""


def _completer(words: Callable[[], list[str]]) -> Callable[[Any, Any, str], list[str]]:
    def complete(ctx: Any, parameter: Any, begun: str) -> list[str]:  # noqa: ARG001
        return [word for word in words() if word.startswith(begun)]

    return complete


app = typer.Typer(
    name="polyversi", cls=Commands, no_args_is_help=True, rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
"""All commands, for completion and for words that are none of them."""


@app.callback()
def polyversi() -> None:
    """Makes the command a group, whatever its commands are."""
