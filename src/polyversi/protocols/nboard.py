"""NBoard: the protocol of the front end of that name, version 2."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from polyversi.engines.engine import FREE_DEPTH, Analysis, Engine, Valued
from polyversi.games.errors import PolyversiError
from polyversi.games.limit import Limit
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import game
from polyversi.protocols.session import Event, Session, Settings, shown
from polyversi.records import ggf
from polyversi.records.record import Line

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.state import State

NAME = "Polyversi"
FURTHER_TO_THE_END = 8
"""Plies that it looks further than the depth that was set when the end of the game is there."""
WHOLE = re.compile(r"[0-9]{1,9}", re.ASCII)
SIGNED = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{0,9})?", re.ASCII)


class NBoardError(PolyversiError):
    """A command that cannot be obeyed."""


class NBoard(Session):
    """A talk in which the front end may say anything at any time: what no longer fits is not thought about.

    >>> talk = NBoard(print, Settings(), post=lambda event: None)
    >>> talk.take("nboard 2")
    set myname Polyversi
    >>> talk.take("set depth 4")
    set myname Polyversi4
    >>> talk.take("ping 7")
    pong 7
    """

    in_turn: ClassVar[bool] = False

    def __init__(self, say: Callable[[str], None], settings: Settings, post: Callable[[Event], None]) -> None:
        super().__init__(say, settings, post)
        self._line: Line | None = Line(game("othello").start())
        self._depth = FREE_DEPTH

    def take(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        if word in COMMANDS:
            COMMANDS[word](self, rest.strip())
        elif word:
            known = ", ".join(COMMANDS)
            raise NBoardError(f"'{shown(word)}' is no command; there are {known}")

    def complain(self, sentence: str) -> None:
        """By the status, the only line of the protocol that people read."""
        self.say(f"status Error: {sentence}")

    def hello(self, version: str) -> None:
        """Begins; every version is taken for the one that is spoken here."""
        _whole(version, "a version")
        self.say(f"set myname {NAME}")

    def set(self, what: str) -> None:
        """Sets the depth, the game, or what draws are worth in a book, of which there is none."""
        name, _, value = what.partition(" ")
        if name == "depth":
            depth = _whole(value, "a depth")
            if not depth:
                raise NBoardError("a depth of 0 is not possible; 1 and more are")
            self._depth = depth
            self.say(f"set myname {NAME}{depth}")
        elif name == "game":
            self._set_game(value)
        elif name == "contempt":
            if not SIGNED.fullmatch(value.strip()):
                raise NBoardError(f"'{shown(value)}' is no contempt; write a number")
        else:
            raise NBoardError(f"'{shown(name)}' cannot be set; depth, game and contempt can")

    def _set_game(self, text: str) -> None:
        self.stop()
        self._line = None    # so that nothing is said about another position if this one cannot be read
        record = ggf.parse(text)
        self.engine_for(record.game)
        line = Line(record.start)
        for move in record.moves:
            line.play(move)
        self._line = line

    def move(self, text: str) -> None:
        """Plays a move; the value and the time that may come with it are of no use here."""
        self.stop()
        self._known.follow(text.split("/", 1)[0].strip())

    def hint(self, text: str) -> None:
        """Says what the best moves are worth, ever better."""
        self.stop()
        count = max(1, _whole(text, "a number of moves")) if text else 1
        state = self._unfinished
        engine = self.engine_for(state.game)
        self.say(f"status {NAME} is analysing")
        hints = (partial(self._tell, found, count) for found in engine.analyse(state, self._limit(state)))
        self.think(engine, hints, self._tell_waiting)

    def go(self, text: str) -> None:
        """Says which move it would play."""
        del text
        self.stop()
        state = self._unfinished
        engine = self.engine_for(state.game)
        self.say(f"status {NAME} is thinking")
        self.think(engine, self._choice(engine, state, self._limit(state)), self._tell_waiting)

    def _choice(self, engine: Engine, state: State, limit: Limit) -> Iterator[Event]:
        yield partial(self._tell_move, engine.think(state, limit))

    def analyze(self, text: str) -> None:
        """Says what every position of the game is worth, the last one first."""
        del text
        self.stop()
        line = self._known
        engine = self.engine_for(line.start.game)
        states = [line.start]
        for move in line.moves:
            states.append(states[-1].play(move))
        self.say(f"status {NAME} is analysing the game")
        self.think(engine, self._values(engine, states, Limit(depth=self._depth)), self._tell_waiting)

    def _values(self, engine: Engine, states: list[State], limit: Limit) -> Iterator[Event]:
        for number in reversed(range(len(states))):
            state = states[number]
            if state.is_over:
                value: int | None = _final_value(state, seat=3 - states[number - 1].turn if number else 1)
            else:
                value = None
                for analysis in engine.analyse(state, limit):
                    value = analysis.best.value
            if value is None:
                return    # stopped before anything was found
            yield partial(self.say, f"analysis {number} {value:.2f}")

    def ping(self, text: str) -> None:
        """Says that everything before has been said."""
        number = _whole(text, "a number")
        self.stop()
        self.say(f"pong {number}")

    def learn(self, text: str) -> None:
        """Does as if it learnt the game; there is no book."""
        del text
        self.say("learned")

    def quit(self, text: str) -> None:
        """Ends the talk."""
        del text
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
        """The depth that was set, or the end of the game where that is near, as is the custom."""
        empties = state.tiles.count(EMPTY)
        is_near = empties <= min(2 * self._depth, self._depth + FURTHER_TO_THE_END)
        return Limit(depth=empties if is_near else self._depth)

    def _tell(self, analysis: Analysis, count: int) -> None:
        empties = analysis.state.tiles.count(EMPTY)
        for valued in analysis.moves[:count]:
            line = "".join(map(_move_text, valued.line))
            self.say(f"search {line} {valued.value:.2f} 0 {_depth_text(valued, empties)}")
        self.say(f"nodestats {analysis.nodes} {analysis.seconds:.2f}")

    def _tell_move(self, analysis: Analysis) -> None:
        best = analysis.best
        if best.depth:
            self._tell(analysis, 1)
        value = f"{best.value:.2f}" if best.depth else ""    # a forced move is played unseen
        self.say(f"=== {_move_text(best.move)}/{value}/{analysis.seconds:.2f}")

    def _tell_waiting(self) -> None:
        self.say(f"status {NAME} is waiting")


COMMANDS: dict[str, Callable[[NBoard, str], None]] = {
    "nboard": NBoard.hello, "set": NBoard.set, "move": NBoard.move, "hint": NBoard.hint, "go": NBoard.go,
    "ping": NBoard.ping, "learn": NBoard.learn, "analyze": NBoard.analyze, "quit": NBoard.quit,
}


def _whole(text: str, what: str) -> int:
    if not WHOLE.fullmatch(text.strip()):
        raise NBoardError(f"'{shown(text)}' is no number; write {what}")
    return int(text)


def _move_text(move: Move) -> str:
    return "PA" if move.is_pass else str(move).upper()


def _depth_text(valued: Valued, empties: int) -> str:
    """Plies, or how far to trust a value that was looked at to the end; `100%` says that it is proved."""
    return f"{valued.trust}%" if valued.depth >= empties else str(valued.depth)


def _final_value(state: State, seat: int) -> int:
    """What a finished game is worth for the seat whose turn it would be."""
    difference = state.scores[seat - 1] - state.scores[2 - seat]
    return -difference if state.game.definition.goal == "fewest" else difference
