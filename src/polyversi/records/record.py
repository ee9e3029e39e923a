"""Records: stored games of any variant, checked by playing them through."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from polyversi.games.errors import IllegalMoveError, PolyversiError, RecordError
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import game as named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from polyversi._core import Move
    from polyversi.games.game import Game
    from polyversi.games.result import Result
    from polyversi.games.state import State

Tags = tuple[tuple[str, str], ...]
Number = int | float
"""A number that is written as it was read."""

MAX_TEXT_LENGTH = 1 << 16
"""Characters of a name, a tag or a comment; more than that is no name, tag or comment."""

MAX_NUMBER = 999_999_999
"""Evaluations, seconds and margins beyond this are garbage."""

MAX_WORDS, MAX_WORD = 20_000, 10
"""How many ways to write the moves of a game are remembered, and of how many characters."""


@dataclass(frozen=True)
class Note:
    """What a record says about one move.

    >>> Note(seconds=0.93, value=-4.5)
    Note(comment='', seconds=0.93, value=-4.5)
    """

    comment: str = ""
    seconds: Number | None = None
    """The time the move took."""
    value: Number | None = None
    """The evaluation of the player who moved, positive when good for that player."""

    def __post_init__(self) -> None:
        check_text(self.comment, "a comment")
        check_number(self.seconds, "the seconds of a move")
        check_number(self.value, "the value of a move")


@dataclass(frozen=True)
class Outcome:
    """What a record says came of a game, where the board does not: a resignation, a time-out, a deal.

    >>> Outcome("resigned", margin=64.0)
    Outcome(reason='resigned', margin=64.0, ranks=())
    """

    reason: str = ""
    """Why the game ended: 'resigned', 'timeout', 'agreed', 'adjourned', 'aborted', …; empty when not said."""
    margin: Number | None = None
    """The result in favour of seat 1, in stones, in games of two seats."""
    ranks: tuple[int, ...] = ()
    """A rank for each seat, 1 the best; empty when not said."""

    def __post_init__(self) -> None:
        check_text(self.reason, "a reason")
        check_number(self.margin, "a margin")
        if any(not 1 <= rank <= 8 for rank in self.ranks):
            raise RecordError("a rank lies between 1 and 8")


@dataclass(frozen=True)
class Record:
    """A stored game: where it began, its moves, and what is known about it.

    Making one plays the moves through, so that a record is always a possible game.

    >>> import polyversi as pv
    >>> game = pv.game("othello")
    >>> record = Record(game.start(), (game.move("f5"), game.move("d6")), players=("Ann", "Bob"))
    >>> record.final.scores, record.players[0], record.result
    ((3, 3), 'Ann', None)
    """

    start: State
    moves: tuple[Move, ...] = ()
    """The moves, forced passes included."""
    players: tuple[str, ...] = ()
    """A name for each seat; empty when none is known."""
    tags: Tags = ()
    """Pairs of name and text in the order of the names: event, site, date, round, time, comment, …"""
    notes: tuple[Note, ...] = ()
    """A note for each move, or none at all."""
    outcome: Outcome | None = None
    """The recorded result, where it is not what the board shows."""
    disqualified: tuple[tuple[int, int], ...] = ()
    """Pairs (moves played before, seat) of the seats that were taken out of the game (XT)."""

    def __post_init__(self) -> None:
        self._check_words()
        seats = self.game.seats
        if self.outcome and self.outcome.ranks and len(self.outcome.ranks) != seats:
            raise RecordError(f"{len(self.outcome.ranks)} ranks for {seats} seats")
        if any(not (0 <= ply <= len(self.moves) and 1 <= seat <= seats) for ply, seat in self.disqualified):
            raise RecordError("a disqualification names a move or a seat outside the game")
        if len({seat for _, seat in self.disqualified}) < len(self.disqualified):
            raise RecordError("a seat is disqualified twice")
        object.__setattr__(self, "disqualified", tuple(sorted(self.disqualified, key=lambda pair: pair[0])))
        _ = self.final    # plays the game through, unless it was played just now

    @classmethod
    def played(cls, states: Sequence[State], **values: Any) -> Record:
        """The record of a game by whoever has just played it and knows its states; it is not played again.

        >>> import polyversi as pv
        >>> start = pv.game("othello").start()
        >>> states = [start, start.play("f5")]
        >>> Record.played(states, start=start, moves=(pv.game("othello").move("f5"),)).final.turn
        2
        """
        record = cls.__new__(cls)
        record.__dict__.update(_states=tuple(states), final=states[-1])
        record.__init__(**values)  # type: ignore[misc]
        return record

    def with_tags(self, tags: Tags) -> Record:
        """The same game with these tags instead of its own; it is not played again."""
        return Record.played(tuple(self.states()), **self.__getstate__() | {"tags": tags})

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: the record without its states."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _check_words(self) -> None:
        if self.players and len(self.players) != self.game.seats:
            raise RecordError(f"{len(self.players)} player names for {self.game.seats} seats")
        for name in self.players:
            check_text(name, "a player's name")
        if not any(self.players):
            object.__setattr__(self, "players", ())
        for name, text in self.tags:
            check_text(name, "the name of a tag")
            check_text(text, "a tag")
        if len({name for name, _ in self.tags}) != len(self.tags):
            raise RecordError("two tags have the same name; give every tag a name of its own")
        object.__setattr__(self, "tags", tuple(sorted(self.tags)))
        if self.notes and len(self.notes) != len(self.moves):
            raise RecordError(f"{len(self.notes)} notes for {len(self.moves)} moves")
        if all(note == Note() for note in self.notes):
            object.__setattr__(self, "notes", ())

    @classmethod
    def of(cls, game: str, moves: str) -> Record:
        """A game as people write it down: what was played, and its transcript.

        >>> Record.of("othello", "f5d6c3").final.scores
        (5, 2)
        """
        from polyversi.records.transcript import parse

        return parse(moves, named(game).start())

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.start.game

    @cached_property
    def final(self) -> State:
        """The state after the last move."""
        state = self.start
        for state in self.states():    # noqa: B007 the last one is wanted
            pass
        return state

    @property
    def result(self) -> Result | None:
        """How the game ended on the board, or None when it was not played to its end."""
        return self.final.result

    def states(self) -> Iterator[State]:
        """The states of the game, from the start to the last; one more than there are moves.

        >>> import polyversi as pv
        >>> [state.turn for state in Record(pv.game("othello").start()).states()]
        [1]
        """
        if "_states" in self.__dict__:
            yield from self.__dict__["_states"]
            return
        state = self._expel(0, self.start)
        yield state
        for number, move in enumerate(self.moves, 1):
            try:
                state = state.play(move)
            except PolyversiError as error:
                raise RecordError(f"move {number}: {error}") from None
            if self.disqualified:
                state = self._expel(number, state)
            yield state

    def _expel(self, ply: int, state: State) -> State:
        for place, seat in self.disqualified:
            if place == ply:
                try:
                    state = state.disqualify(seat)
                except ValueError as error:
                    raise RecordError(f"after move {ply}: {error}") from None
        return state

    def tag(self, name: str, default: str = "") -> str:
        """The tag of that name.

        >>> import polyversi as pv
        >>> Record(pv.game("othello").start(), tags=(("event", "Worlds"),)).tag("event")
        'Worlds'
        """
        return dict(self.tags).get(name, default)


class Line:
    """Plays moves from files one after another and keeps them.

    >>> import polyversi as pv
    >>> line = Line(pv.game("othello").start())
    >>> for text in ("F5", "d6"):
    ...     line.follow(text)
    >>> [str(move) for move in line.moves]
    ['f5', 'd6']
    """

    def __init__(self, start: State) -> None:
        self.start = start
        self.state = start
        self.moves: list[Move] = []

    def play(self, move: Move | str) -> bool:
        """Plays a move; False when it was a pass after the end of the game, which is left out."""
        if isinstance(move, str):
            move = read_move(self.start.game, move)
        if self.state.is_over:
            if move.is_pass:
                return False
            raise RecordError(f"{move} comes after the end of the game")
        self.state = self.state.play(move)
        self.moves.append(move)
        return True

    def follow(self, move: Move | str) -> None:
        """Plays a move, and before it the forced passes that most files leave out."""
        while True:    # with more than two seats, several may have to pass in a row
            try:
                self.play(move)
            except IllegalMoveError:
                if not must_pass(self.state):
                    raise
                self.play(self.state.moves[0])
            else:
                return


def read_move(game: Game, text: str) -> Move:
    """The move that a word in a file names; passes in any of their writings.

    >>> import polyversi as pv
    >>> read_move(pv.game("othello"), "F5"), read_move(pv.game("othello"), "PA")
    (Move('f5'), Move('pass'))
    """
    words = _words_of(game)
    move = words.get(text)
    if move is None:
        move = game.move(text)
        if len(text) <= MAX_WORD and len(words) < MAX_WORDS:
            words[text] = move
    return move


@lru_cache(maxsize=16)
def _words_of(game: Game) -> dict[str, Move]:
    """The moves of a game by the words they were written with so far, since reading one takes its time."""
    del game    # it only tells the dictionaries apart
    return {}


def must_pass(state: State) -> bool:
    """Whether a pass is the only move.

    >>> import polyversi as pv
    >>> must_pass(pv.game("othello").start())
    False
    """
    moves = state.moves
    return len(moves) == 1 and moves[0].is_pass


def without_final_passes(record: Record) -> tuple[Move, ...]:
    """The moves without forced passes at the end, for formats that leave forced passes out.

    >>> import polyversi as pv
    >>> without_final_passes(Record(pv.game("othello").start()))
    ()
    """
    count = len(record.moves)
    if record.game.definition.passing == "forced":
        while count and record.moves[count - 1].is_pass:
            count -= 1
    return record.moves[:count]


def credited_margin(state: State) -> int:
    """The margin in favour of seat 1 with the empty cells given to whoever is ahead, as tournaments count.

    >>> import polyversi as pv
    >>> credited_margin(pv.game("othello").start().play("f5"))    # 4 to 1 with 59 cells empty
    62
    """
    first, second = state.scores
    margin = first - second
    empty = state.tiles.count(EMPTY)
    margin += empty if margin > 0 else -empty if margin < 0 else 0
    return -margin if state.game.definition.goal == "fewest" else margin


def check_text(text: str, what: str) -> None:
    """Refuses text that is absurdly long or that no file could hold."""
    if len(text) > MAX_TEXT_LENGTH:
        raise RecordError(f"{what} has {len(text)} characters; at most {MAX_TEXT_LENGTH} are kept")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RecordError(f"{what} holds half a character (a lone surrogate)") from None


def check_number(number: float | None, what: str) -> None:
    """Refuses infinities and numbers beyond all measure."""
    if number is not None and not abs(number) <= MAX_NUMBER:    # also catches what is no number at all
        raise RecordError(f"{what} cannot be kept; it must lie between ±{MAX_NUMBER}")
