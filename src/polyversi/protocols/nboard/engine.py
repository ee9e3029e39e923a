"""The engine's side of NBoard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import ClassVar

from polyversi._core import Move
from polyversi.engines.engine import DEFAULT_DEPTH, Analysis, Engine, MoveValue
from polyversi.engines.search import final_value
from polyversi.gameplay.bots.process import shown
from polyversi.games.errors import PolyversiError
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import game
from polyversi.protocols.session import Event, Session, Settings
from polyversi.records import ggf
from polyversi.records.line import Line

NAME = "Polyversi"
ENDGAME_EXTENSION = 8
"""Plies beyond the depth that was set, where that reaches the end of the game."""
INTEGER = re.compile(r"[0-9]{1,9}", re.ASCII)
SIGNED = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{0,9})?", re.ASCII)


class NBoardError(PolyversiError):
    """A command that cannot be obeyed."""


class NBoardEngine(Session):
    """A session in which commands may come at any time; one that changes the position stops the search.

    >>> session = NBoardEngine(print, Settings(), post=lambda event: None)
    >>> session.handle("nboard 2")
    set myname Polyversi
    >>> session.handle("set depth 4")
    set myname Polyversi4
    >>> session.handle("ping 7")
    pong 7
    """

    is_sequential: ClassVar[bool] = False

    def __init__(self, say: Callable[[str], None], settings: Settings, post: Callable[[Event], None]) -> None:
        super().__init__(say, settings, post)
        self._line: Line | None = Line(game("othello").start())
        self._depth = DEFAULT_DEPTH

    def handle(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        if word in COMMANDS:
            COMMANDS[word](self, rest.strip())
        elif word:
            known = ", ".join(COMMANDS)
            raise NBoardError(f"'{shown(word)}' is not a command; the commands are {known}")

    def report_error(self, sentence: str) -> None:
        """By a status line, the only one of the protocol that people read."""
        self.say(f"status Error: {sentence}")

    def hello(self, version: str) -> None:
        """Starts; every version is accepted."""
        _integer(version, "a version")
        self.say(f"set myname {NAME}")

    def set(self, what: str) -> None:
        """Sets the depth, the game, or the contempt of an opening book, of which there is none."""
        name, _, value = what.partition(" ")
        if name == "depth":
            depth = _integer(value, "a depth")
            if not depth:
                raise NBoardError("the depth must be at least 1")
            self._depth = depth
            self.say(f"set myname {NAME}{depth}")
        elif name == "game":
            self._set_game(value)
        elif name == "contempt":
            if not SIGNED.fullmatch(value.strip()):
                raise NBoardError(f"'{shown(value)}' is not a number; the contempt is one")
        else:
            raise NBoardError(f"'{shown(name)}' cannot be set; depth, game and contempt can")

    def _set_game(self, text: str) -> None:
        self.stop()
        self._line = None    # nothing is reported about another position if this one cannot be read
        record = ggf.parse(text)
        self.engine_for(record.game)
        self._line = Line(record.start, record.moves)

    def move(self, text: str) -> None:
        """Plays a move; the value and the time that may come with it are of no use here."""
        self.stop()
        self._known.follow(text.split("/", 1)[0].strip())

    def hint(self, text: str) -> None:
        """Analyses the position and reports the best moves, iteration by iteration."""
        self.stop()
        count = max(1, _integer(text, "a number of moves")) if text else 1
        state = self._unfinished
        engine = self.engine_for(state.game)
        self.say(f"status {NAME} is analysing")
        hints = (partial(self._report, found, count) for found in engine.analyse(state, self._limit(state)))
        self._search_and_wait(engine, hints)

    def go(self) -> None:
        """Reports the move that it would play."""
        self.stop()
        state = self._unfinished
        engine = self.engine_for(state.game)
        self.say(f"status {NAME} is thinking")
        self._search_and_wait(engine, self._choice(engine, state, self._limit(state)))

    def _choice(self, engine: Engine, state: State, limit: Limit) -> Iterator[Event]:
        yield partial(self._report_move, engine.think(state, limit))

    def analyze(self) -> None:
        """Reports the value of every position of the game, the last one first."""
        self.stop()
        line = self._known
        engine = self.engine_for(line.start.game)
        self.say(f"status {NAME} is analysing the game")
        self._search_and_wait(engine, self._values(engine, line.states, Limit(depth=self._depth)))

    def _values(self, engine: Engine, states: Sequence[State], limit: Limit) -> Iterator[Event]:
        for number in reversed(range(len(states))):
            state = states[number]
            if state.is_over:
                value: float | None = final_value(state)
            else:
                value = None
                for analysis in engine.analyse(state, limit):
                    value = analysis.best.value
            if value is None:
                return    # stopped before anything was found
            yield partial(self.say, f"analysis {number} {value:.2f}")

    def ping(self, text: str) -> None:
        """Confirms that all commands before are done."""
        number = _integer(text, "a number")
        self.stop()
        self.say(f"pong {number}")

    def learn(self) -> None:
        """Accepts the game; there is no book."""
        self.say("learned")

    def quit(self) -> None:
        """Ends the session."""
        self.is_over = True

    @property
    def _known(self) -> Line:
        if self._line is None:
            raise NBoardError("there is no position; the last game could not be read")
        return self._line

    @property
    def _unfinished(self) -> State:
        state = self._known.state
        if state.is_over:
            raise NBoardError("the game is over; there is no move")
        return state

    def _limit(self, state: State) -> Limit:
        """The depth that was set, or the end of the game where that is near, as NBoard engines do."""
        empties = state.tiles.count(EMPTY)
        is_near = empties <= min(2 * self._depth, self._depth + ENDGAME_EXTENSION)
        return Limit(depth=empties if is_near else self._depth)

    def _report(self, analysis: Analysis, count: int) -> None:
        empties = analysis.state.tiles.count(EMPTY)
        for scored in analysis.moves[:count]:
            line = "".join(map(_move_text, scored.principal_variation))
            self.say(f"search {line} {scored.value:.2f} 0 {_depth_text(scored, empties)}")
        self.say(f"nodestats {analysis.nodes} {analysis.seconds:.2f}")

    def _report_move(self, analysis: Analysis) -> None:
        best = analysis.best
        if best.depth:
            self._report(analysis, 1)
        value = f"{best.value:.2f}" if best.depth else ""    # a forced move is not searched
        self.say(f"=== {_move_text(best.move)}/{value}/{analysis.seconds:.2f}")

    def _search_and_wait(self, engine: Engine, parts: Iterator[Event]) -> None:
        self.search(engine, chain(parts, [partial(self.say, f"status {NAME} is waiting")]))


COMMANDS: dict[str, Callable[[NBoardEngine, str], None]] = {
    "nboard": NBoardEngine.hello, "set": NBoardEngine.set, "move": NBoardEngine.move,
    "hint": NBoardEngine.hint, "go": lambda session, _: session.go(), "ping": NBoardEngine.ping,
    "learn": lambda session, _: session.learn(), "analyze": lambda session, _: session.analyze(),
    "quit": lambda session, _: session.quit(),
}


def _integer(text: str, what: str) -> int:
    if not INTEGER.fullmatch(text.strip()):
        raise NBoardError(f"'{shown(text)}' is not a number; write {what}")
    return int(text)


def _move_text(move: Move) -> str:
    return "PA" if move.is_pass else str(move).upper()


def _depth_text(scored: MoveValue, empties: int) -> str:
    """Plies, or the selectivity of a search to the end of the game; `100%` is exact."""
    return f"{scored.selectivity}%" if scored.depth >= empties else str(scored.depth)
