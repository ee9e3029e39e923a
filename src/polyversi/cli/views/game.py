"""Views: a game in the terminal as boards one under the other, as a page that is redrawn, or in words."""

from __future__ import annotations

import sys
from collections.abc import Collection
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from polyversi import records
from polyversi.cli.views.board import board_lines, counts, ending, move_text, seat_name, wrapped
from polyversi.cli.views.terminal import Lines, draw_page, fold, is_colourful, new_console, print_board
from polyversi.drawing.marks import marked_moves
from polyversi.drawing.words import describe
from polyversi.gameplay.events import EndEvent, Event, MoveEvent, StartEvent, UndoEvent, VerdictEvent
from polyversi.gameplay.human import Command, PersonLeft, clock
from polyversi.gameplay.log import GameLog
from polyversi.games.errors import RecordError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.records.opening_names import opening_name

RECENT = 3
"""Lines under a board for what happened since a person was last asked."""
UNLIMITED = 10_000
"""A height that every board fits in."""


class GameView:
    """Boards one under the other: for output that goes to a file, and for terminals that only scroll."""

    def __init__(self) -> None:
        self.console, self.lines = new_console(), Lines()
        self.log: GameLog
        self.people: Collection[int] = ()
        self.marks_moves = True
        """Whether the legal moves are marked on the board."""
        self.commands = {
            "board": Command("shows it all: + legal move, > last move, ~ turned stone", self.show_board),
            "save": Command("writes the game so far: .jsonl, .ggf or .txt", self.save, "FILE"),
            "quit": Command("leaves the game", _quit),
        }

    def begin(self, start: State, people: Collection[int]) -> None:
        """Gets ready for the next game, in which people have these seats."""
        self.log = GameLog(start)
        self.people = people

    def __call__(self, event: Event) -> None:
        """Shows what happened."""
        self.log.apply(event)
        match event:
            case StartEvent():
                self.show_start()
            case MoveEvent():
                named = opening_name(self.log.state)
                sentence = move_text(self.log.plies[-1], self.log.state)
                self.show_change(f"{sentence}: {named}" if named else sentence)
            case UndoEvent(seat=seat, plies=plies):
                moves = "a move" if plies == 1 else f"{plies} moves"
                self.show_change(f"{seat_name(self.game, seat)} takes back {moves}")
            case VerdictEvent():
                self.say(self._offence(event))
            case EndEvent():
                self.show_end(ending(self.game, event))

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.log.start.game

    @property
    def title(self) -> str:
        """Who plays what."""
        seated = []
        for name, group in groupby(enumerate(self.log.players, 1), key=itemgetter(1)):
            first, *others = [seat_name(self.game, seat) for seat, _ in group]
            to = f" to {others[-1]}" if others else ""
            seated.append(f"{first}{to}: {'you' if name == 'human' else name}")
        return f"{self.game.spec} · {' · '.join(seated)}"

    def show_start(self) -> None:
        """Shows who plays, and the board."""
        self.say(self.title)
        self.show_board()

    def show_change(self, sentence: str) -> None:
        """Shows the board after it has changed, and why."""
        self.say(f"\n{sentence}")
        self.show_board()

    def show_end(self, sentence: str) -> None:
        """Shows how the game ended."""
        self.say(f"\n{sentence}")

    async def ask(self, question: str) -> str | None:
        """Asks the person at the terminal."""
        self.console.print(question, end="")
        self.console.file.flush()
        line = await self.lines.next()
        if line is None or not sys.stdin.isatty():    # a terminal shows what is typed
            self.console.print(line or "")
        return line

    def say(self, text: str) -> None:
        """Tells the person something."""
        self.console.print(text)

    def save(self, name: str) -> None:
        """Writes the game so far to a file."""
        if not name:
            raise RecordError("name a file, such as 'save game.jsonl'")
        if not any(Path(name).suffix.lower() in known.suffixes for known in records.FORMATS.values()):
            raise RecordError("name the file .jsonl, .ggf or .txt, such as 'save game.jsonl'")
        records.write([self.log.record], Path(name).expanduser())
        self.say(f"saved to {name}")

    def show_board(self, rest: str = "") -> None:  # noqa: ARG002
        """Shows the whole board, however large it is."""
        print_board(self.console, self._board(UNLIMITED))

    def _board(self, height: int) -> list[str]:
        lines = board_lines(
            self.log.state, self.log.last, color=is_colourful(self.console), width=self.console.width,
            height=height, legal=self.marks_moves)
        return lines + self._clocks()

    def _clocks(self) -> list[str]:
        left = [
            f"{seat_name(self.game, seat)} {clock(seconds)}"
            for seat, seconds in enumerate(self.log.clocks, 1) if seconds is not None
        ]
        return [f"clocks: {', '.join(left)}"] if left else []

    def _offence(self, event: VerdictEvent) -> str:
        rule, cost = self.game.definition.bad_move, ""
        if rule == "disqualify":
            cost = "; the seat is disqualified"
        elif rule == "pass" and event.verdict == "illegal move":
            cost = "; it counts as a pass"
        return f"{seat_name(self.game, event.seat)}: {event.verdict} ({event.detail}){cost}"


class PageView(GameView):
    """One page that is redrawn in place, with what has happened since a person was last asked under it."""

    def __init__(self) -> None:
        super().__init__()
        self._has_page = False
        self.recent: list[str] = []
        """What happened since a person was last asked."""

    def show_start(self) -> None:
        self.recent = []
        self.redraw()

    def show_change(self, sentence: str) -> None:
        if self.log.last is not None and self.log.last.before.turn in self.people:
            self.recent = []
        self.recent.append(sentence)
        self.redraw()

    def show_end(self, sentence: str) -> None:
        self.redraw()
        self.say(sentence)

    def header(self) -> list[str]:
        """What stands above the board."""
        return fold(self.title, self.console.width - 1)

    def footer(self) -> list[str]:
        """What stands below the board: what happened, and who is to move if it is not the person."""
        state = self.log.state
        recent = wrapped(self.recent, self.console.width - 1, RECENT)
        if state.turn and state.turn not in self.people:
            return [*recent, f"{seat_name(self.game, state.turn)} is thinking …"]
        return recent

    def redraw(self) -> None:
        """Shows everything anew in its place."""
        if not self._has_page:    # what was on the terminal moves up, where it can still be read
            self.console.file.write("\n" * self.console.height)
            self._has_page = True
        header = self.header()
        taken = len(header) + RECENT + len(self._clocks()) + 1    # and a line for the question
        draw_page(self.console, [*header, *self._board(self.console.height - taken), *self.footer()])


class PlainView(GameView):
    """Words only, for screen readers: each change in a sentence, and the legal moves before each question."""

    def __init__(self) -> None:
        super().__init__()
        self._asked: State | None = None

    def show_change(self, sentence: str) -> None:
        self.say(f"{sentence}; {counts(self.log.state)}.")

    def show_end(self, sentence: str) -> None:
        self.say(sentence)

    async def ask(self, question: str) -> str | None:
        state = self.log.state
        if state.turn and self._asked != state:
            self._asked = state
            moves = "any cell that is left" if state.phase == "bomb" else " ".join(map(str, state.moves))
            self.say(f"{seat_name(self.game, state.turn)}, your moves: {moves}")
        return await super().ask(question)

    def show_board(self, rest: str = "") -> None:  # noqa: ARG002
        state = self.log.state
        self.say(describe(state, None, marked_moves(state) if self.marks_moves else frozenset()))
        for line in self._clocks():
            self.say(line)


def _quit(rest: str) -> None:  # noqa: ARG001
    raise PersonLeft
