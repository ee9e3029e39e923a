"""Help pages: plain text that fills the terminal, made without loading what commands need."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size
from typing import Any

MAX_WIDTH = 120
"""Columns of a page at most; longer lines are hard to read."""
MAX_TERM = 30
"""Columns of an option and its value; what is said about a longer one begins on the next line."""
MAX_RANGE = 1000
"""Bounds up to this number are worth knowing; beyond it nobody meets them."""
NUMBERS = {"port": "PORT"}
"""What a number is called in the help, where that says more than NUMBER."""
HELP = "--help", "Show this message and exit."


def width() -> int:
    """Columns of a page."""
    return min(get_terminal_size().columns, MAX_WIDTH)


def heading(text: str) -> str:
    """A heading, bold on a terminal."""
    return f"\x1b[1m{text}\x1b[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else text


def paragraph(text: str, columns: int) -> str:
    """A text without the line breaks of its source.

    >>> print(paragraph("one two\\nthree", 10))
    one two
    three
    """
    return textwrap.fill(" ".join(text.split()), columns, break_on_hyphens=False, break_long_words=False)


def terms(title: str, rows: Sequence[tuple[str, str]], columns: int) -> str:
    """Words on the left and what they mean on the right, below a title.

    >>> print(terms("Options:", [("--seat NUMBER", "Your seat.")], 40))
    Options:
      --seat NUMBER  Your seat.
    """
    room = max((len(term) for term, _ in rows if len(term) <= MAX_TERM), default=MAX_TERM)
    room = min(room, columns // 2)
    margin = " " * (room + 4)
    lines = [heading(title)]
    for term, meaning in rows:
        told = paragraph(meaning, columns - len(margin)).splitlines() or [""]
        if len(term) > room:
            lines.append(f"  {term}")
        else:
            lines.append(f"  {term:<{room}}  {told.pop(0)}".rstrip())
        lines += [margin + line for line in told]
    return "\n".join(lines)


def overview(commands: Iterable[tuple[str, str]]) -> str:
    """The page of `polyversi` itself, with its commands."""
    columns = width()
    return "\n\n".join([
        "Usage: polyversi COMMAND [OPTIONS] [ARGUMENTS]...",
        paragraph("The home of every Reversi: play, watch, compare, study and convert games.", columns),
        terms("Commands:", list(commands), columns),
        terms("Options:", [
            ("--help", "Show this message and exit; after a command, show its arguments and options."),
            ("--version", "Show the version and exit."),
            ("--install-completion", "Let the Tab key complete commands, options, variants and players."),
        ], columns),
    ])


def usage(path: str, command: Any) -> str:
    """How a command is written.

    >>> from polyversi.cli.group import load
    >>> usage("polyversi play", load("play"))
    'Usage: polyversi play [OPTIONS] [PLAYER]...'
    """
    if hasattr(command, "commands"):
        return f"Usage: {path} COMMAND [OPTIONS] [ARGUMENTS]..."
    return " ".join([f"Usage: {path} [OPTIONS]", *map(_written, _parameters(command, "argument"))])


def page(path: str, command: Any) -> str:
    """The whole help of a command, or of a group of commands."""
    columns = width()
    text, _, examples = (command.help or "").partition("\n\nExample")
    parts = [usage(path, command), *(paragraph(part, columns) for part in text.split("\n\n"))]
    if hasattr(command, "commands"):
        rows = [(name, (one.help or "").partition("\n\n")[0]) for name, one in command.commands.items()]
        return "\n\n".join([*parts, terms("Commands:", rows, columns), terms("Options:", [HELP], columns)])
    if arguments := [(_written(one), _meaning(one)) for one in _parameters(command, "argument")]:
        parts.append(terms("Arguments:", arguments, columns))
    options = [(_option(one), _meaning(one)) for one in _parameters(command, "option")]
    names = (command.context_settings or {}).get("help_option_names", HELP[:1])
    parts.append(terms("Options:", [*options, (" / ".join(names), HELP[1])], columns))
    if examples:
        lines = [line.strip() for line in examples.splitlines()[1:] if line.strip()]
        parts.append("\n".join([heading("Examples:"), *(f"  {line}" for line in lines)]))
    return "\n\n".join(parts)


def _parameters(command: Any, kind: str) -> list[Any]:
    return [one for one in command.params
            if one.param_type_name == kind and not one.hidden and one.name != "help"]


def _written(argument: Any) -> str:
    """An argument as one writes it: in brackets if it can be left out, with dots if there can be several."""
    name = (argument.metavar or argument.name.replace("_", "-").upper()).strip("[].")
    return (name if argument.required else f"[{name}]") + ("..." if argument.nargs == -1 else "")


def _option(option: Any) -> str:
    """An option with the kind of its value."""
    names = sorted(option.opts, key=len, reverse=True)
    if option.is_flag:
        return " / ".join([*names, *option.secondary_opts])
    return f"{', '.join(names)} {value_name(option)}"


def value_name(option: Any) -> str:
    """What the value of an option is called.

    >>> from polyversi.cli.group import load
    >>> {option.name: value_name(option) for option in load("perft").params}
    {'depth': 'NUMBER', 'variant': 'VARIANT', 'position': 'POSITION'}
    """
    if option.metavar:
        return str(option.metavar)
    described = option.type_descriptor
    if described.is_choice:
        return "|".join(map(str, described.choices))
    if described.is_path:
        return "FILE"
    if described.annotation in (int, float):
        return NUMBERS.get(option.name, "NUMBER")
    return str(option.name).strip("_").upper()


def number_wanted(parameter: Any) -> str:
    """What to write for an option or argument that takes a number; nothing for others.

    >>> from polyversi.cli.group import load
    >>> [number_wanted(option) for option in load("engine").params][:3]
    ['', 'write a whole number from 1 to 20', 'write a whole number from 1 to 256']
    """
    annotation, low, high = parameter.type_descriptor.annotation, parameter.min, parameter.max
    if annotation not in (int, float):
        return ""
    number = "write a whole number" if annotation is int else "write a number"
    if low is not None and high is not None:
        return f"{number} from {low} to {high}"
    return f"{number} of at least {low}" if low is not None else number


def _meaning(parameter: Any) -> str:
    """The help of a parameter, with its bounds and its default where they tell something."""
    told = []
    low, high = parameter.min, parameter.max
    if low is not None and high is not None and high <= MAX_RANGE:
        told.append(f"{low:g} to {high:g}")
    default = parameter.default
    if parameter.required and parameter.param_type_name == "option":
        told.append("required")
    elif parameter.show_default and not isinstance(default, bool) and default not in (None, "", [], ()):
        told.append(f"default: {default:g}" if isinstance(default, float) else f"default: {default}")
    return " ".join([parameter.help or "", *([f"[{'; '.join(told)}]"] if told else [])])
