"""A person at the terminal: a dialogue that asks for a move, answers questions and asks again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Protocol

from polyversi._core import Move
from polyversi.engines.hint import hint
from polyversi.gameplay.seat import Request, Resign, Undo
from polyversi.gameplay.verdict import GameAborted
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State


class Conversation(Protocol):
    """How to talk with a person: a terminal, or a script in a test."""

    async def ask(self, question: str) -> str | None:
        """What the person says, or None when nothing will come any more."""

    def say(self, text: str) -> None:
        """Tells the person something."""


@dataclass(frozen=True)
class Command:
    """Something a person can ask for besides a move: what it does, and how. The rest of the line is given."""

    sentence: str
    carry_out: Callable[[str], None]
    takes: str = ""
    """What follows the word, for the help."""


class PersonLeft(GameAborted):
    """A person has left the game."""


class Dialogue:
    """The channel of a person who types: asks until there is a legal move.

    >>> import asyncio
    >>> import polyversi as pv
    >>> class Script:
    ...     lines = iter(["a1", "moves", "f5"])
    ...     async def ask(self, question):
    ...         return next(self.lines)
    ...     def say(self, text):
    ...         print(text)
    >>> state = pv.game("othello").start()
    >>> asyncio.run(Dialogue(Script()).ask(Request(state, 1, pv.Limit(), state, ())))
    a1 is not legal: it captures nothing; legal: d3 c4 f5 e6
    d3 c4 f5 e6
    Move('f5')
    """

    def __init__(self, conversation: Conversation, commands: Mapping[str, Command] | None = None,
                 refused: Mapping[str, str] | None = None) -> None:
        self._talk = conversation
        self._more = dict(commands or {})
        self._refused = dict(refused or {})
        """Words that mean nothing here, and what is said to them."""
        self._undoing_from: int | None = None

    async def ready(self) -> None:
        """A person at the terminal can always be asked."""

    async def ask(self, request: Request) -> Any:
        """A legal move, Resign or Undo."""
        if self._undoing_from == len(request.moves):
            self._talk.say("There is no move of yours to take back.")
        self._undoing_from = None
        while True:
            line = await self._talk.ask(self._question(request))
            if line is None:
                raise PersonLeft
            line = "".join(filter(str.isprintable, line)).strip()
            answer = self._understand(line.lower(), line, request)
            if answer is not None:
                return answer

    def _question(self, request: Request) -> str:
        allowance = request.limit.allowance
        left = f" ({clock(allowance)} left)" if allowance is not None else ""
        what = "bomb" if request.state.phase == "bomb" else "move"
        return f"your {what}{left}, or ? for help: "

    def _understand(self, text: str, line: str, request: Request) -> Any | None:
        """What the referee is to be told, or None when the person is to be asked again."""
        word, _, rest = line.partition(" ")
        if text in self._refused:
            self._talk.say(self._refused[text])
        elif text in ("?", "help"):
            self._talk.say(self._help(request.state))
        elif text == "moves":
            self._talk.say(" ".join(map(str, request.state.moves)))
        elif text == "hint":
            self._talk.say(f"hint: {hint(request.state)}")
        elif text == "undo":
            self._undoing_from = len(request.moves)
            return Undo()
        elif text == "resign":
            return Resign()
        elif word.lower() in self._more:
            try:
                self._more[word.lower()].carry_out(rest.strip())
            except PolyversiError as error:
                self._talk.say(str(error))
        elif text:
            return self._move(text, request.state)
        return None

    def _move(self, text: str, state: State) -> Move | None:
        pairs = state.board.notation == "pairs"
        try:
            move = state.game.move((",".join if pairs and "," not in text else "".join)(text.split()))
            state.play(move)
        except PolyversiError as error:
            known = ["hint", "moves", "undo", "resign", "pass", *self._more]
            meant = get_close_matches(text.split()[0], known, 1)
            self._talk.say(f"{error}; did you mean '{meant[0]}'?" if meant else str(error))
            return None
        return move

    def _help(self, state: State) -> str:
        example = next((move for move in state.moves if not move.is_pass), state.moves[0])
        words = {str(example): "plays that move"}
        if any(move.is_pass for move in state.moves):
            words["pass"] = "gives the turn away"
        words |= {
            "moves": "lists the legal moves",
            "hint": "suggests a move",
            "undo": "takes your last move back, and what came after it",
            "resign": "gives the game up",
        }
        words = {word: sentence for word, sentence in words.items() if word not in self._refused}
        words |= {f"{word} {more.takes}".strip(): more.sentence for word, more in self._more.items()}
        return "\n".join(f"  {word:<10} {sentence}" for word, sentence in words.items())


def clock(seconds: float) -> str:
    """A time on a clock; tenths where they matter.

    >>> clock(75), clock(4.25), clock(3661)
    ('1:15', '4.2 s', '1:01:01')
    """
    if seconds < 10:
        return f"{max(0, int(seconds * 10) / 10):.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
