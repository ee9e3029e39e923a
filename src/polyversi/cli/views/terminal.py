"""The terminal: lines and keys that a person types, and pages that are drawn one over the other."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import termios
import tty
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from types import FrameType
from typing import Literal, NoReturn, Self

from rich import progress
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.table import Column, Table
from rich.text import Text

MAX_LINE = 4096
"""Bytes of a line that are read; a move is never longer."""
GAP = 2
"""Spaces between the columns of a table."""
UNLIMITED = 10_000
"""Columns of a terminal on which everything fits."""
LONG = 36
"""Letters of a word that is never broken."""


class _Console(Console):
    """Raises a broken pipe to the caller."""

    def on_broken_pipe(self) -> None:
        raise    # the BrokenPipeError that is being handled


def new_console() -> Console:
    """A console for sentences and boards: it colours nothing by itself."""
    return _Console(highlight=False, markup=False, emoji=False)


def is_colourful(console: Console) -> bool:
    """Whether boards are drawn in colour: on a terminal that has colours, unless NO_COLOR is set."""
    return console.color_system is not None and not console.no_color


def print_board(console: Console, lines: Iterable[str]) -> None:
    """Prints lines that may hold colours, each on a line of its own, cut where the terminal ends."""
    for line in lines:
        console.print(Text.from_ansi(line), no_wrap=True, overflow="crop", crop=True)


def can_redraw(console: Console) -> bool:
    """Whether a page can be drawn over the one before."""
    return console.is_terminal and not console.is_dumb_terminal


class WholeWords(Table):
    """A table that breaks no word: names and sentences are folded, and if that is not enough it is a list."""

    def __init__(self, *, show_header: bool = True) -> None:
        super().__init__(box=None, pad_edge=False, header_style="bold", show_header=show_header)
        self._names: set[int] = set()
        """The columns with names, by number."""

    def add_names(self, heading: str, justify: Literal["left", "right"] = "left") -> None:
        """Adds a column with names, or with figures below a name: none is broken at a space."""
        self._names.add(len(self.columns))
        self.add_column(heading, justify=justify)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = [[str(column.header), *map(str, column.cells)] for column in self.columns]
        natural = [max(map(cell_len, cells)) for cells in columns]
        least = [
            width if column.no_wrap else cell_len(cells[0]) if _is_cut(column)
            else max((cell_len(part.rstrip()) for cell in cells for part in self._parts(number, cell)),
                     default=0)
            for number, (column, cells, width) in enumerate(zip(self.columns, columns, natural, strict=True))
        ]
        room = options.max_width - GAP * (len(columns) - 1)
        if sum(natural) <= room:
            yield from super().__rich_console__(console, options)
        elif sum(least) <= room:
            yield self._folded(columns, natural, least, room)
        else:
            yield from self._list(columns, options.max_width)

    def _folded(self, columns: list[list[str]], natural: list[int], least: list[int], room: int) -> Table:
        """The same with its longest cells on several lines."""
        table = Table(box=None, pad_edge=False, header_style="bold", show_header=self.show_header)
        spare, folded = room - sum(least), list[Sequence[RenderableType]]()
        both = zip(self.columns, columns, natural, least, strict=True)
        for number, (column, cells, width, narrowest) in enumerate(both):
            width = min(width, narrowest + spare)
            spare -= width - narrowest
            heading, *texts = ("\n".join(_filled(self._parts(number, cell), width)) for cell in cells)
            table.add_column(heading, justify=column.justify, no_wrap=True, max_width=width)
            folded.append([*column.cells] if _is_cut(column) else texts)
        for row, shown in zip(self.rows, zip(*folded, strict=True), strict=True):
            table.add_row(*shown, style=row.style)
        return table

    def _list(self, columns: list[list[str]], width: int) -> Iterator[Text]:
        """Each row as a name, and below it the other cells with their headings."""
        headings = [cells[0] for cells in columns]
        end = 1 + next((number for number, column in enumerate(self.columns) if not column.no_wrap), 0)
        for row, cells in zip(self.rows, list(zip(*columns, strict=True))[1:], strict=True):
            figures = zip(headings[end:], cells[end:], strict=True)
            rest = [f"{heading} {cell}, ".lstrip() for heading, cell in figures if cell]
            name = " ".join(filter(None, cells[:end]))
            lines = _filled(self._parts(end - 1, name), width)
            lines += [f"  {line}" for line in _filled(rest, width - 2) if line]
            yield Text("\n".join(lines), row.style or "")

    def _parts(self, number: int, cell: str) -> list[str]:
        """Where a cell of a column can be broken."""
        return _name_parts(cell) if number in self._names else _parts(cell)


def _is_cut(column: Column) -> bool:
    """Whether its cells may lose their ends, as `Text` that is not wrapped says."""
    return any(isinstance(cell, Text) and cell.no_wrap for cell in column.cells)


def fold(text: str, width: int) -> list[str]:
    """The lines of a text that is broken at spaces, and in a long name after a comma.

    >>> fold("polyversi:level=12,threads=2,hash=256 won", 26)
    ['polyversi:level=12,', 'threads=2,hash=256 won']
    """
    return _filled(_parts(text), width)


def fold_names(text: str, width: int) -> list[str]:
    """The lines of a list of names, which is broken after commas and dashes, but at no space.

    >>> fold_names("Ann and Bob–Cid the Kid, Dora–Eve", 24)
    ['Ann and Bob–Cid the Kid,', 'Dora–Eve']
    """
    return _filled(_name_parts(text), width)


def _filled(parts: Iterable[str], width: int) -> list[str]:
    """Lines of these parts; only a part that is longer than a line is broken."""
    lines = _lines(parts, width)
    lines[-1] = lines[-1].removesuffix(", ")
    return [line.rstrip() for line in lines]


def _lines(parts: Iterable[str], width: int) -> list[str]:
    lines = [""]
    for part in parts:
        if lines[-1] and cell_len((lines[-1] + part).rstrip()) > width:
            lines.append("")
        names, words = _name_parts(part), _parts(part)
        smaller = names if len(names) > 1 else words
        if cell_len(part.rstrip()) > width and len(smaller) > 1:
            first, *others = _lines(smaller, width)
            lines[-1:] = [lines[-1] + first, *others]
        else:
            lines[-1] += part
    return lines


def _parts(text: str) -> list[str]:
    """Where a text can be broken; only a path is so long that it is broken at its slashes, too."""
    return _short(re.findall(r"(?:[^ ,]|,(?=\d))+[ ,]*", text))


def _name_parts(text: str) -> list[str]:
    """Where a list of names can be broken."""
    return _short(re.findall(r"(?:[^,–]|,(?=\d))+[ ,–]*", text))


def _short(words: Iterable[str]) -> list[str]:
    return [part for word in words
            for part in ([word] if len(word) <= LONG else re.findall(r"[^/]+/?|/", word))]


def new_table(
    *headings: str, left: Collection[str] = (), names: Collection[str] = (), show_header: bool = True
) -> WholeWords:
    """A table without lines: columns for text on the `left`, for `names`, and all others for figures."""
    table = WholeWords(show_header=show_header)
    for heading in headings:
        if heading in names:
            table.add_names(heading)
        elif heading in left:
            table.add_column(heading)
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    return table


def widest_that_fits(console: Console, tables: Iterable[Table]) -> Table:
    """The first of the tables that fits the terminal, or the last one."""
    room = console.options.update(width=UNLIMITED)
    for table in tables:
        if console.measure(table, options=room).maximum <= console.width:
            break
    return table


def new_progress(console: Console) -> progress.Progress:
    """Bars with what is counted, how much of it is done, and the time that it took and will take."""
    return progress.Progress(
        progress.TextColumn("{task.description}"), progress.BarColumn(), progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(), progress.TextColumn("left"), progress.TimeRemainingColumn(),
        console=console,
    )


def live(console: Console, table: Callable[[], RenderableType]) -> Live | nullcontext[None]:
    """Shows the table of each moment while a long work goes on, on a terminal; elsewhere nothing."""
    if not console.is_terminal:
        return nullcontext()
    return Live(get_renderable=table, console=console, transient=True)


def run_live(console: Console, table: Callable[[], RenderableType], work: Callable[[], object]) -> bool:
    """Does a long work and shows its table; whether it came to its end before Ctrl-C."""
    try:
        with live(console, table):
            work()
    except KeyboardInterrupt:
        return False
    return True


def draw_page(console: Console, lines: list[str]) -> None:
    """Shows the lines, which may hold colours, from the upper left corner; the cursor stays below."""
    with console.capture() as captured:
        print_board(console, lines)
    # Not by rich.live, which draws from the cursor upwards: a person types lines below the page.
    drawn = captured.get().replace("\n", "\x1b[K\n")
    console.file.write(f"\x1b[H{drawn}\x1b[J")
    console.file.flush()


class Lines:
    """The lines of standard input, awaited one by one, so that clocks go on meanwhile."""

    def __init__(self) -> None:
        self._descriptor = sys.stdin.fileno()
        self._buffer = bytearray()
        self._ended = False

    async def next(self) -> str | None:
        """The next line without its end, or None when there is none any more."""
        while b"\n" not in self._buffer and not self._ended:
            await self._until_readable()
            data = os.read(self._descriptor, MAX_LINE)
            self._ended = not data
            self._buffer += data
            if len(self._buffer) > MAX_LINE and b"\n" not in self._buffer:
                del self._buffer[MAX_LINE:]
        if not self._buffer:
            return None
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer = bytearray(rest)
        return line.decode(errors="replace").rstrip("\r")

    def push_back(self, line: str) -> None:
        """Lets a line be read again."""
        self._buffer[:0] = line.encode() + b"\n"

    def forget(self) -> None:
        """Drops what was typed but not sent, when its question no longer stands."""
        if os.isatty(self._descriptor):
            termios.tcflush(self._descriptor, termios.TCIFLUSH)

    async def _until_readable(self) -> None:
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        try:
            loop.add_reader(self._descriptor, readable.set)
        except PermissionError:
            return    # a plain file, which can always be read
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._descriptor)


class Keys:
    """Single keys as they are pressed; the terminal is as it was when this is left, however it is left."""

    def __init__(self) -> None:
        self.descriptor = sys.stdin.fileno()
        self.signals, self._bell = os.pipe()
        """Readable once a signal has come: one that comes just before a wait begins does not end it."""

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self.descriptor)
        os.set_blocking(self._bell, False)
        self._bell_before = signal.set_wakeup_fd(self._bell)
        self._handlers = {number: signal.signal(number, _leave) for number in (signal.SIGTERM, signal.SIGHUP)}
        tty.setcbreak(self.descriptor)
        return self

    def __exit__(self, *about: object) -> None:
        termios.tcsetattr(self.descriptor, termios.TCSADRAIN, self._before)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._bell_before)
        os.close(self.signals)
        os.close(self._bell)

    def pressed(self) -> str:
        """The keys that have been pressed, once the descriptor is readable; empty when there are no more."""
        return os.read(self.descriptor, 64).decode(errors="replace")


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    sys.exit(128 + number)


def speed(nodes: int, seconds: float) -> str:
    """How many nodes there were, in what time.

    >>> speed(5_000_000, 2.0)
    '5,000,000 nodes in 2.000 s, 2.5 M a second'
    """
    return f"{nodes:,} nodes in {seconds:,.3f} s, {nodes / max(seconds, 1e-6) / 1e6:.1f} M a second"
