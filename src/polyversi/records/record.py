"""Records: stored games of any variant, checked by playing them through."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from polyversi._core import Move
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.game import Game
from polyversi.games.result import Result
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import start_state

if TYPE_CHECKING:
    from polyversi.records.tree import Tree

Tags = tuple[tuple[str, str], ...]
Number = int | float
"""Integers stay integers, so that a number is written as it was read."""

MAX_TEXT_LENGTH = 1 << 16
"""Characters of a name, a tag or a comment; longer ones are refused."""

MAX_NUMBER = 999_999_999
"""Evaluations, seconds and margins beyond this are garbage."""

MAX_WRITING, MAX_WRITINGS = 16, 4
"""Characters of a written move that is known again, and such writings, on average, of each move of a game."""

MAX_SIDE_MOVES = 20_000
"""Moves in all the variations of a game together."""


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
    """The result of a game where the board does not show it: a resignation, a timeout, an agreement.

    >>> Outcome("resigned", margin=64.0)
    Outcome(reason='resigned', margin=64.0, ranks=(), scores=())
    """

    reason: str = ""
    """Why the game ended: 'resigned', 'timeout', 'agreed', 'adjudicated', …; empty if unknown."""
    margin: Number | None = None
    """The result in favour of seat 1, in stones, in games of two seats."""
    ranks: tuple[int, ...] = ()
    """A rank for each seat, 1 the best; empty if unknown."""
    scores: tuple[int, ...] = ()
    """The final stones of each seat, where the last position does not show them: in an adjudicated game."""

    def __post_init__(self) -> None:
        check_text(self.reason, "a reason")
        check_number(self.margin, "a margin")
        for score in self.scores:
            check_number(score, "a score")
        if any(not 1 <= rank <= 8 for rank in self.ranks):
            raise RecordError("a rank lies between 1 and 8")


@dataclass(frozen=True)
class Variation:
    """A side line of a game, as it is stored; `Record.tree` is the way to make and change them.

    >>> import polyversi as pv
    >>> Variation(ply=1, moves=(pv.game("othello").move("f6"),))
    Variation(ply=1, moves=(Move('f6'),), line=0, notes=())
    """

    ply: int
    """Moves of the game before it: 0 for another first move."""
    moves: tuple[Move, ...]
    line: int = 0
    """The line it leaves: 0 for the main line, n for the n-th variation."""
    notes: tuple[Note, ...] = ()
    """A note for each move, or none at all."""

    def __post_init__(self) -> None:
        if not self.moves:
            raise RecordError("a variation needs at least one move")
        if self.notes and len(self.notes) != len(self.moves):
            raise RecordError(f"{len(self.notes)} notes for {len(self.moves)} moves")
        self.__dict__["notes"] = () if all(note == Note() for note in self.notes) else self.notes


@dataclass(frozen=True, repr=False)
class Record:
    """A stored game: where it began, its moves, its variations, and what is known about it.

    Making one plays all moves through, so that a record is always a possible game. Iterating over a record
    gives each move with the position in which it was played. A notebook draws it.

    >>> import polyversi as pv
    >>> game = pv.game("othello")
    >>> record = Record(game.start(), (game.move("f5"), game.move("d6")), players=("Ann", "Bob"))
    >>> record.final.scores, record.players[0], record.result
    ((3, 3), 'Ann', None)
    >>> record
    <Record othello: Ann – Bob, 3–3, 2 moves>
    >>> print(record)
    othello: Ann – Bob, 3–3
    f5d6
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
    variations: tuple[Variation, ...] = ()
    """The side lines, each after the line it leaves."""

    def __post_init__(self) -> None:
        seats, ranks = self.game.seats, self.outcome.ranks if self.outcome else ()
        if self.players and len(self.players) != seats:
            raise RecordError(f"{len(self.players)} player names for {seats} seats")
        if ranks and len(ranks) != seats:
            raise RecordError(f"{len(ranks)} ranks for {seats} seats")
        if self.outcome and self.outcome.scores and len(self.outcome.scores) != seats:
            raise RecordError(f"{len(self.outcome.scores)} scores for {seats} seats")
        if self.notes and len(self.notes) != len(self.moves):
            raise RecordError(f"{len(self.notes)} notes for {len(self.moves)} moves")
        for text in (*self.players, *chain(*self.tags)):
            check_text(text, "a name or a tag")
        if len({name for name, _ in self.tags}) != len(self.tags):
            raise RecordError("two tags have the same name; give every tag a name of its own")
        if any(not (0 <= ply <= len(self.moves) and 1 <= seat <= seats) for ply, seat in self.disqualified):
            raise RecordError("a disqualification names a move or a seat outside the game")
        if len({seat for _, seat in self.disqualified}) < len(self.disqualified):
            raise RecordError("a seat is disqualified twice")
        self.__dict__.update(    # the same record is written in one way only
            players=self.players if any(self.players) else (),
            tags=tuple(sorted(self.tags)),
            notes=() if all(note == Note() for note in self.notes) else self.notes,
            disqualified=tuple(sorted(self.disqualified, key=lambda pair: pair[0])),
        )
        _ = self.final    # plays the game through, unless it was played just now
        if self.variations:
            _check_variations(self)
            self.__dict__["variations"] = _in_order(self.variations)

    @classmethod
    def played(cls, states: Sequence[State], final: State | None = None, **values: Any) -> Record:
        """The record of a game whose states are known, or the last one: it need not be played again.

        >>> import polyversi as pv
        >>> start = pv.game("othello").start()
        >>> states = [start, start.play("f5")]
        >>> Record.played(states, start=start, moves=(pv.game("othello").move("f5"),)).final.turn
        2
        """
        record = cls.__new__(cls)
        record.__dict__["final"] = final or states[-1]
        if states:
            record.__dict__["_states"] = tuple(states)
        record.__init__(**values)  # type: ignore[misc]
        return record

    def with_tags(self, tags: Tags) -> Record:
        """The same game with these tags instead of its own; it is not played again."""
        return self.with_values(tags=tags)

    def with_values(self, **values: Any) -> Record:
        """The same moves with other players, tags, notes or another outcome; they are not played again."""
        known = self.__dict__.get("_states", ())
        return Record.played(known, self.final, **self.__getstate__() | values)

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: the record without its states."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def of(cls, start: State | Game | str, moves: str | Iterable[Move | str]) -> Record:
        """A game as people write it down: what was played, and its transcript or its moves.

        It begins from a state, or from the start of a game or of the game that a specification names. Forced
        passes may be missing.

        >>> Record.of("othello", "f5d6c3").final.scores
        (5, 2)
        >>> Record.of(Record.of("othello", "f5d6").final, ["c3", "d3"]).final.scores
        (4, 4)
        """
        from polyversi.records.line import Line
        from polyversi.records.transcript import parse

        if isinstance(moves, str):
            return parse(moves, start_state(start))
        line = Line(start)
        line.follow_all(moves)
        return line.record()

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.start.game

    @cached_property
    def final(self) -> State:
        """The state after the last move."""
        return deque(self.states(), maxlen=1)[0]

    @property
    def result(self) -> Result | None:
        """How the game ended on the board, or None when it was not played to its end."""
        return self.final.result

    def states(self) -> Iterator[State]:
        """The positions of the main line, from the start to the last; one more than there are moves.

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

    def __iter__(self) -> Iterator[tuple[State, Move]]:
        """Each move of the main line with the position in which it was played.

        >>> for state, move in Record.of("othello", "f5d6c3"):
        ...     print(state.turn, move, state.scores)
        1 f5 (2, 2)
        2 d6 (4, 1)
        1 c3 (3, 3)
        """
        return zip(self.states(), self.moves, strict=False)    # there is one more state

    def tree(self) -> Tree:
        """The game as a tree of positions, to add variations and comments to it.

        >>> tree = Record.of("othello", "f5d6c3").tree()
        >>> tree.root.play("f5").play("f6").comment = "the diagonal opening"
        >>> tree.record().variations[0].moves
        (Move('f6'),)
        """
        from polyversi.records.tree import Tree

        return Tree(self)

    def __str__(self) -> str:
        """What was played by whom and how it stands at the end, and the transcript."""
        from polyversi.records.transcript import write

        known = self.outcome or Outcome()
        scores = "–".join(map(str, known.scores or self.final.scores))
        reason = f" ({known.reason})" if known.reason else ""
        names = f"{' – '.join(self.players)}, " if self.players else ""
        return f"{self.game.spec}: {names}{scores}{reason}\n{write(self)}".rstrip()

    def __repr__(self) -> str:
        return f"<Record {str(self).partition(chr(10))[0]}, {len(self.moves)} moves>"

    def _repr_html_(self) -> str:
        from polyversi.records.pictures import html

        return html(self)

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


def _check_variations(record: Record) -> None:
    """Plays every variation through; a RecordError names the first one that is not possible."""
    size = sum(len(side.moves) for side in record.variations)
    if size > MAX_SIDE_MOVES:
        raise RecordError(f"the variations have {size:,} moves; at most {MAX_SIDE_MOVES:,} are possible")
    lines = [(0, list(record.states()))]    # of every line: the ply at which it begins, and its states
    followed = {(0, ply, move) for ply, move in enumerate(record.moves)}
    for number, side in enumerate(record.variations, 1):
        try:
            if not 0 <= side.line < number:
                raise RecordError(f"it leaves line {side.line}, which must come before it")
            first, states = lines[side.line]
            if not first + (side.line > 0) <= side.ply < first + len(states):
                raise RecordError(f"line {side.line}, which it leaves, has no ply {side.ply}")
            if (side.line, side.ply, side.moves[0]) in followed:
                raise RecordError(f"it begins with {side.moves[0]}, as another line does there")
            followed.add((side.line, side.ply, side.moves[0]))
            followed |= {(number, ply, move) for ply, move in enumerate(side.moves[1:], side.ply + 1)}
            lines.append((side.ply, list(_played_on(states[side.ply - first], side.moves))))
        except RecordError as error:
            raise RecordError(f"variation {number}: {error}") from None


def _played_on(state: State, moves: Sequence[Move]) -> Iterator[State]:
    """The state and those after each of the moves."""
    yield state
    for number, move in enumerate(moves, 1):
        try:
            state = state.play(move)
        except PolyversiError as error:
            raise RecordError(f"move {number}: {error}") from None
        yield state


def _in_order(variations: Sequence[Variation]) -> tuple[Variation, ...]:
    """The variations line by line and ply by ply, so that a tree is written in one way only."""
    leaving = defaultdict[int, list[int]](list)
    for number, side in enumerate(variations, 1):
        leaving[side.line].append(number)
    order = [0]
    for line in order:    # which grows meanwhile
        order.extend(sorted(leaving[line], key=lambda number: variations[number - 1].ply))
    places = {number: place for place, number in enumerate(order)}
    chosen = (variations[number - 1] for number in order[1:])
    return tuple(replace(side, line=places[side.line]) for side in chosen)


def read_move(game: Game, text: str) -> Move:
    """The move that a word in a file names; passes in any of their writings.

    >>> import polyversi as pv
    >>> read_move(pv.game("othello"), "F5"), read_move(pv.game("othello"), "PA")
    (Move('f5'), Move('pass'))
    """
    word, known = text.strip(), game.known_moves
    move = known.get(word)
    if move is None:
        move = game.move(word)
        if len(word) <= MAX_WRITING and len(known) < MAX_WRITINGS * game.actions:
            known[word] = move
    return move


def credited_margin(state: State) -> int:
    """The margin in favour of seat 1 with the empty cells given to the leader, as tournaments count."""
    first, second = state.scores
    margin = with_empty_cells(first - second, state)
    return -margin if state.game.definition.goal == "fewest" else margin


def with_empty_cells(margin: int, state: State) -> int:
    """A margin with the empty cells of a state given to the seat that is ahead."""
    empty = state.tiles.count(EMPTY)
    return margin + empty if margin > 0 else margin - empty if margin < 0 else 0


def check_text(text: str, what: str) -> None:
    """Refuses text that is too long, or that cannot be encoded."""
    if len(text) > MAX_TEXT_LENGTH:
        raise RecordError(f"{what} has {len(text)} characters; at most {MAX_TEXT_LENGTH} are possible")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RecordError(f"{what} holds half a character (a lone surrogate)") from None


def check_number(number: float | None, what: str) -> None:
    """Refuses infinities, NaN and absurdly large numbers."""
    if number is not None and not abs(number) <= MAX_NUMBER:    # also catches NaN
        raise RecordError(f"{what} cannot be stored; it must lie between ±{MAX_NUMBER}")
