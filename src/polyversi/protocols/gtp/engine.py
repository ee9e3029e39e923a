"""The engine's side of GTP, with the commands that make sense for Othello."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import ClassVar

from polyversi import __version__
from polyversi._core import Move
from polyversi.engines.engine import Engine
from polyversi.engines.levels import LEVELS, STRONGEST
from polyversi.games.errors import IllegalMoveError, NotationError, PolyversiError
from polyversi.games.state import State
from polyversi.games.variants import game
from polyversi.protocols.gtp import SEATS
from polyversi.protocols.gtp.clock import Clock
from polyversi.protocols.session import Event, Session, Settings

NAME, GAME = "Polyversi", "Othello"
SIZES = range(4, 9)
LATER = "the answer comes when the search has ended"
COMMAND = re.compile(r"(?:([0-9]{1,10})(?: +|$))?([^ ]*) *(.*)", re.ASCII)
INTEGER = re.compile(r"[0-9]{1,9}", re.ASCII)
NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)
KOMI = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)


class GtpError(PolyversiError):
    """A command that fails, with the words that the protocol has for it where it has some."""


class GtpEngine(Session):
    """A session in which every command is answered before the next one is read.

    >>> session = GtpEngine(print, Settings(), post=lambda event: None)
    >>> session.handle("1 name")
    =1 Polyversi
    <BLANKLINE>
    >>> session.report_error("illegal move")
    ? illegal move
    <BLANKLINE>
    """

    is_sequential: ClassVar[bool] = True

    def __init__(self, say: Callable[[str], None], settings: Settings, post: Callable[[Event], None]) -> None:
        super().__init__(say, settings, post)
        self._id = ""
        self._states = [game("othello").start()]
        """The position and those before it, for `undo`."""
        self._timing: tuple[float, float, int] = (0, 0, 0)
        self._clocks = {1: Clock(), 2: Clock()}
        self._prepare_engine()

    def handle(self, line: str) -> None:
        text = "".join(filter(str.isprintable, line.partition("#")[0].replace("\t", " "))).strip()
        if not text:
            return
        found = COMMAND.fullmatch(text)
        self._id, word, rest = ("", "", "") if found is None else (found[1] or "", found[2], found[3])
        if word not in COMMANDS:
            raise GtpError("unknown command")
        count, run = COMMANDS[word]
        words = rest.split()
        if len(words) != count:
            raise GtpError("syntax error")
        answer = run(self, *words)
        if answer is not LATER:
            self._answer(answer or "")

    def report_error(self, sentence: str) -> None:
        self.say(f"?{self._id} {sentence}\n")
        self._id = ""

    def _answer(self, text: str) -> None:
        self.say(f"={self._id} {text}\n")
        self._id = ""

    @property
    def _state(self) -> State:
        return self._states[-1]

    def _prepare_engine(self) -> None:
        """Creates the engine while no clock runs; an error is reported when it is to move."""
        with suppress(PolyversiError):
            self.engine_for(self._state.game)

    def quit(self) -> None:
        """Ends the session."""
        self.is_over = True

    def set_game(self, name: str) -> None:
        """Accepts Othello, the only game, for front ends of several games."""
        if name.lower() != GAME.lower():
            raise GtpError("unsupported game")

    def boardsize(self, text: str) -> None:
        """Starts a game on another board."""
        size = _integer(text)
        if size not in SIZES:
            raise GtpError("unacceptable size")
        wanted = game(f"othello:size={size}")
        self.engine_for(wanted)    # while no clock runs
        self._states = [wanted.start()]
        self.clear_board()

    def clear_board(self) -> None:
        """Starts a game."""
        self._states = [self._state.game.start()]
        self._reset_clocks()

    def komi(self, text: str) -> None:
        """Accepts a komi, which Othello does not have."""
        _number(text, KOMI)

    def play(self, colour: str, vertex: str) -> None:
        """Plays a move of either side, and before it the pass of a side that has no other move."""
        seat = _seat(colour)
        try:
            move = self._state.game.move(vertex)
        except NotationError:
            raise GtpError("syntax error") from None
        if self._state.is_over and move.is_pass:
            self._states.append(self._state)    # some front ends end every game with two passes
            return
        try:
            self._states.append(self._with_turn(seat, "illegal move", passes=not move.is_pass).play(move))
        except IllegalMoveError:
            raise GtpError("illegal move") from None

    def undo(self) -> None:
        """Undoes the last `play` or `genmove`."""
        if len(self._states) == 1:
            raise GtpError("cannot undo")
        self._states.pop()

    def choose(self, colour: str, *, plays: bool) -> str:
        """Chooses a move, and plays it if asked."""
        seat = _seat(colour)
        if self._state.is_over:
            if plays:
                self._states.append(self._state)
            return "pass"
        begin = time.perf_counter()
        state = self._with_turn(seat, "wrong color")
        engine = self.engine_for(state.game)
        self.search(engine, self._choice(engine, state, seat, plays, begin))
        return LATER

    def _choice(
        self, engine: Engine, state: State, seat: int, plays: bool, begin: float
    ) -> Iterator[Event]:
        move = engine.choose(state, self._clocks[seat].limit.ticked(time.perf_counter() - begin))
        yield partial(self._chosen, state, move, seat if plays else 0, time.perf_counter() - begin)

    def _chosen(self, state: State, move: Move, seat: int, seconds: float) -> None:
        if seat:
            self._states.append(state.play(move))
            self._clocks[seat].spend(seconds)
        self._answer(str(move))

    def _with_turn(self, seat: int, wrong: str, *, passes: bool = True) -> State:
        """The position with this seat to move, after the pass of the other if that has no other move."""
        state = self._state
        if passes and state.turn == 3 - seat and state.must_pass:
            state = state.play(state.moves[0])
        if state.turn != seat:
            raise GtpError(wrong)
        return state

    def time_settings(self, main: str, period: str, moves: str) -> None:
        """Sets the clocks of both sides."""
        self._timing = (_number(main), _number(period), _integer(moves))
        self._reset_clocks()

    def time_left(self, colour: str, seconds: str, moves: str) -> None:
        """Sets the clock of one side."""
        self._clocks[_seat(colour)].set_left(_number(seconds), _integer(moves))

    def _reset_clocks(self) -> None:
        self._clocks = {seat: Clock(*self._timing) for seat in (1, 2)}

    def final_score(self) -> str:
        """Who has won, and by how many stones."""
        if not self._state.is_over:
            raise GtpError("cannot score")
        black, white = self._state.scores
        return f"B+{black - white}" if black > white else f"W+{white - black}" if white > black else "0"

    def showboard(self) -> str:
        """The position for people, in ASCII as all of the protocol is."""
        return "\n" + self._state.draw(color=False).replace("·", ".")

    def level(self, text: str) -> None:
        """Changes the level."""
        if _integer(text) not in LEVELS:
            raise GtpError(f"levels are 1 to {STRONGEST}")
        self.change(replace(self.settings, level=_integer(text)))
        self._prepare_engine()


COMMANDS: dict[str, tuple[int, Callable[..., str | None]]] = {
    "protocol_version": (0, lambda _: "2"),
    "name": (0, lambda _: NAME),
    "version": (0, lambda _: __version__),
    "known_command": (1, lambda _, name: "true" if name in COMMANDS else "false"),
    "list_commands": (0, lambda _: "\n".join(COMMANDS)),
    "quit": (0, GtpEngine.quit),
    "boardsize": (1, GtpEngine.boardsize),
    "clear_board": (0, GtpEngine.clear_board),
    "komi": (1, GtpEngine.komi),
    "play": (2, GtpEngine.play),
    "genmove": (1, partial(GtpEngine.choose, plays=True)),
    "reg_genmove": (1, partial(GtpEngine.choose, plays=False)),
    "undo": (0, GtpEngine.undo),
    "time_settings": (3, GtpEngine.time_settings),
    "time_left": (3, GtpEngine.time_left),
    "final_score": (0, GtpEngine.final_score),
    "showboard": (0, GtpEngine.showboard),
    "list_games": (0, lambda _: GAME),
    "set_game": (1, GtpEngine.set_game),
    "level": (1, GtpEngine.level),
}
"""Every command with the number of its arguments."""


def _seat(colour: str) -> int:
    if colour.lower() not in SEATS:
        raise GtpError("syntax error")
    return SEATS[colour.lower()]


def _number(text: str, pattern: re.Pattern[str] = NUMBER) -> float:
    if not pattern.fullmatch(text):
        raise GtpError("syntax error")
    return float(text)


def _integer(text: str) -> int:
    return int(_number(text, INTEGER))
