"""Problem files: one position per line, `-XO` and the side to move, with the values of its moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from typing import BinaryIO

from polyversi._core import Move
from polyversi.games.errors import NotationError, RecordError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.variants import game as named
from polyversi.records.formats import Context, Format, Item, as_text, by_lines, numbered_lines, parse_each
from polyversi.records.record import check_number, check_text, read_move, with_empty_cells

Answers = tuple[tuple["Move", float | None], ...]

SPELLINGS = str.maketrans("._*xbBowW", "--XXXXOOO")
"""How programs write empty cells, black and white stones."""
TURNS = {"black": "X", "white": "O"}
SCORE = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,6})?", re.ASCII)
FILLER = re.compile(r"--\s*:\s*-127", re.ASCII)
"""What Edax writes after the last move: a pass with a score below all others, which says nothing."""
SIZES = {88: "octagon-10", 61: "hex"}
"""The games of boards whose cells are not a square number."""
LOOKS = re.compile(rb"(?:\xef\xbb\xbf)?(?:[#%;][^\n]*\n|\s)*[-._*XxOoBbWw1-8]{8,}")


@dataclass(frozen=True)
class Problem:
    """A position with what is known about its moves.

    >>> problem = parse("-----OX--XO----- X; B1:-8; d3:-8; % four by four")
    >>> problem.game.spec, problem.answers, problem.comment
    ('othello-4', ((Move('b1'), -8), (Move('d3'), -8)), 'four by four')
    """

    state: State
    answers: Answers = ()
    """Moves with their score for the side to move, exact or estimated; None where none is given."""
    comment: str = ""

    def __post_init__(self) -> None:
        check_text(self.comment, "a comment")
        if len({move for move, _ in self.answers}) < len(self.answers):
            raise RecordError("a move is given twice among the answers")
        for move, score in self.answers:
            check_number(score, "a score")
            if not self.state.is_legal(move):
                raise RecordError(f"{move} is not legal in this position")

    @classmethod
    def of(cls, text: str, game: Game | str | None = None) -> Problem:
        """A position as people write it, with the scores of its moves if they are known.

        It is of Othello on a square board with as many cells, unless `game` says otherwise.

        >>> Problem.of("-----OX--XO----- X; b1:-8").expected
        -8
        >>> Problem.of("-----OX--XO----- X", "anti-4").game.spec
        'anti-4'
        """
        return parse(text, named(game) if isinstance(game, str) else game)

    @property
    def game(self) -> Game:
        """The game the position belongs to."""
        return self.state.game

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves with the highest score, or all that are given when none has a score.

        >>> parse("-----OX--XO----- X; b1:+2; a2:-1").best
        (Move('b1'),)
        """
        top = self.expected
        return tuple(move for move, score in self.answers if score == top)

    @property
    def expected(self) -> float | None:
        """The highest score that is given, which is the value of the position; None when there is none.

        >>> parse("-----OX--XO----- X; b1:-8; a2:-8").expected
        -8
        """
        return max((score for _, score in self.answers if score is not None), default=None)


    def _repr_html_(self) -> str:
        from polyversi.records.pictures import problem_html

        return problem_html(self)


def position(text: str, game: Game | None = None) -> State:
    """Reads a position line, in any of the spellings that are common.

    >>> position(".... .wb. .bw. .... white").text
    '-----OX--XO----- O'
    """
    words = text.split()
    # The side to move is the first word after stones that is not a row of stones itself.
    count = next((at for at, word in enumerate(words)
                  if "=" in word or (at and (len(word) == 1 or word.lower() in TURNS))), len(words))
    tiles, rest = "".join(words[:count]), words[count:]
    if not rest:
        if not tiles or len(tiles) == (game.board.size if game else isqrt(len(tiles)) ** 2):
            raise NotationError("the side to move is missing; write X or O after the cells")
        tiles, rest = tiles[:-1], [tiles[-1]]
    if game is None:
        game = _game_of(len(tiles))
    if game.board.size != len(tiles):
        raise NotationError(f"the position has {len(tiles)} cells, but {game.spec} has {game.board.size}")
    if game.seats == 2 and game.board.notation == "letters":
        tiles = tiles.translate(SPELLINGS)
        rest = [word if "=" in word else TURNS.get(word.lower(), word.translate(SPELLINGS)) for word in rest]
    return game.position(" ".join([tiles, *rest]))


def parse(text: str, game: Game | None = None) -> Problem:
    """Reads a line of a problem file: a position, then moves with scores, then a comment after `%`.

    >>> parse("-----OX--XO----- X").answers, parse("-----OX--XO----- X; b1:-8; --:-127;").answers
    ((), ((Move('b1'), -8),))
    """
    text, _, comment = text.partition("%")
    place, *pairs = text.split(";")
    state = position(place, game)
    said = (pair for pair in map(str.strip, pairs) if pair and not FILLER.fullmatch(pair))
    answers = tuple(_answer(pair, state.game) for pair in said)
    return Problem(state, answers, comment.strip())


def write(problem: Problem) -> str:
    """The line of a problem file.

    >>> write(parse(".....o*..*o..... black; b1:0"))
    '-----OX--XO----- X; B1:+0;'
    """
    names = (("PS" if move.is_pass else str(move).upper(), score) for move, score in problem.answers)
    answers = [f" {name};" if score is None else f" {name}:{score:+};" for name, score in names]
    line = problem.state.text + ";" * bool(answers) + "".join(answers)
    return f"{line} % {problem.comment}" if problem.comment else line


def as_problems_count(value: int, final: State) -> int:
    """A value of ours as problem files count it: cells that stay empty go to the winner.

    `final` is the position at the end of the game. In games for the fewest stones both counts are the same.

    >>> import polyversi as pv
    >>> as_problems_count(10, pv.game("othello-4").position("XXXXXXXXXXXX--OO X"))
    12
    """
    return value if final.game.definition.goal == "fewest" else with_empty_cells(value, final)


def _game_of(size: int) -> Game:
    side = isqrt(size)
    if size not in SIZES and (side * side != size or side < 4):
        raise NotationError(f"the position has {size} cells, which fits no square board; say which game")
    return named(SIZES.get(size, f"othello-{side}"))


def _answer(text: str, game: Game) -> tuple[Move, float | None]:
    name, colon, score = (part.strip() for part in text.partition(":"))
    move = read_move(game, name)
    if not colon:
        return move, None
    if not SCORE.fullmatch(score):
        raise RecordError(f"'{score[:20]}' is not a score; write answers as in 'f5:+2'")
    return move, float(score) if "." in score else int(score)


def _decode(stream: BinaryIO, context: Context) -> Iterator[Item]:
    def problem(line: bytes) -> Problem | None:
        text = as_text(line).strip()
        return None if not text or text[0] in "#%;" else parse(text, context.game)

    return parse_each(numbered_lines(stream), problem, context)


def _fit(item: Item) -> Problem:
    if not isinstance(item, Problem):
        raise RecordError("a problem file holds positions, not games")
    if item.game.board.notation == "pairs":
        raise RecordError("a problem file cannot hold XT positions; .jsonl can")
    for _, score in item.answers:
        if score is not None and not SCORE.fullmatch(f"{score:+}"):
            raise RecordError(f"the score {score} does not fit a problem file: six digits and decimals do")
    return Problem(item.state, item.answers, " ".join(item.comment.split()))


FORMAT = Format(
    name="problems",
    suffixes=(".obf", ".script", ".scr"),
    sentence="A position on each line with the scores of its moves; boards with letters and numbers.",
    looks=lambda head: LOOKS.match(head) is not None,
    decode=_decode,
    fit=_fit,
    encode=by_lines(write),
    pasted="a position line",
)
