"""Finds examples of the rules in short random games, always the same ones for the same game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

from polyversi._core import Move
from polyversi.drawing.palette import paints
from polyversi.games.game import Game
from polyversi.games.rules.example import Example
from polyversi.games.rules.lines import EnclosedLine, enclosed_lines
from polyversi.games.rules.sentence import Sentence
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY

GAMES = 40
"""Random games in which examples are looked for."""
MAX_PLIES = 2400
"""Moves of all these games together: how much work this can be, however large the board is."""

MAX_SHOWN = 700
"""Cells of a start position that is still worth a small picture."""

ENDINGS = {
    "board full": "The board is full.",
    "no moves": "Nobody can move any more.",
    "passes": "Everybody has passed in a row.",
    "bombs used": "All bombs are used.",
    "no tiles left": "No tile is left.",
}
WINNERS = {
    "most": "The winner is {winner} with the most stones: {stones}.",
    "fewest": "The winner is {winner} with the fewest stones: {stones}.",
}


@dataclass(frozen=True)
class Ply:
    """A move of a random game."""

    before: State
    move: Move
    after: State
    following: tuple[Move, ...]
    """The moves after it."""

    @cached_property
    def lines(self) -> list[EnclosedLine]:
        """What it encloses."""
        return [] if self.move.is_pass or self.turned_nothing else enclosed_lines(self.before, self.move)

    @cached_property
    def turned_nothing(self) -> bool:
        """Whether no stone turned."""
        return not self.before.turned(self.move)

    @cached_property
    def stones(self) -> int:
        """Stones on the board before it: the fewer there are, the clearer is an example."""
        return self.before.board.size - self.before.tiles.count(EMPTY)


Finder = Callable[[Game, list[Ply]], Example | None]


def find_examples(game: Game) -> tuple[Example, ...]:
    """Examples of everything that short random games of a game show.

    >>> import polyversi as pv
    >>> [example.name for example in find_examples(pv.game("torus-6"))]
    ['start', 'capture', 'lines', 'joined', 'pass', 'end']
    """
    plies = [ply for played in _random_games(game) for ply in played]
    found = (finder(game, plies) for finder in FINDERS)
    return tuple(example for example in found if example is not None)


def _random_games(game: Game) -> Iterator[list[Ply]]:
    left = MAX_PLIES
    for seed in range(GAMES):
        random, states, moves = Random(seed), [game.start(seed)], []
        while states[-1].moves and left:
            placing = [move for move in states[-1].moves if not move.is_pass]
            moves.append(random.choice(placing or states[-1].moves))
            states.append(states[-1].play(moves[-1]))
            left -= 1
        yield [Ply(before, move, after, tuple(moves[at + 1:at + 3]))
               for at, (before, move, after) in enumerate(zip(states, moves, states[1:], strict=False))]


def _clearest(plies: Iterator[Ply]) -> Ply | None:
    return min(plies, key=lambda ply: ply.stones, default=None)


def _name(state: State, seat: int) -> str:
    return paints(state.board, state.game.seats)[seat - 1].name


def _cell(ply: Ply) -> str:
    return ply.before.board.name(ply.move.cell)


def _players(ply: Ply) -> int:
    """How many players own the stones on its first line."""
    return len({ply.before.tiles[cell] for cell in ply.lines[0].cells})


def start_example(game: Game, _: object = None) -> Example | None:
    """The start position, unless it is too large for a small picture."""
    start = game.start()
    if game.board.size > MAX_SHOWN or not start.turn:
        return None
    player = _name(start, start.turn)
    sentence = Sentence("The start. Marks show where {player} may play.", {"player": player})
    return Example("start", "setup", (sentence,), start, ())


def _opening(game: Game, plies: list[Ply]) -> Example | None:
    count = len(game.definition.opening)
    if not count or len(plies) < count:
        return None
    sentence = Sentence("The players fill the cells in the middle in turn. No stone turns.")
    return Example("opening", "move", (sentence,), plies[0].before, tuple(ply.move for ply in plies[:count]))


def _capture(_: Game, plies: list[Ply]) -> Example | None:
    single = [ply for ply in plies
              if len(ply.lines) == 1 and not ply.lines[0].is_joined and _players(ply) == 1]
    longer = (ply for ply in single if 2 <= len(ply.lines[0].cells) <= 3)
    ply = _clearest(longer) or _clearest(iter(single))
    if ply is None:
        return None
    far = ply.before.board.name(ply.lines[0].far)
    sentence = Sentence("A stone on {cell}: everything between {cell} and {far} turns.",
                        {"cell": _cell(ply), "far": far})
    return Example("capture", "move", (sentence,), ply.before, (ply.move,))


def _several_lines(_: Game, plies: list[Ply]) -> Example | None:
    ply = next((found for count in (3, 2)
                if (found := _clearest(ply for ply in plies if len(ply.lines) == count))), None)
    if ply is None:
        return None
    sentence = Sentence("The stone on {cell} encloses stones on {count} lines at once.",
                        {"cell": _cell(ply), "count": len(ply.lines)})
    return Example("lines", "move", (sentence,), ply.before, (ply.move,))


def _of_several_players(game: Game, plies: list[Ply]) -> Example | None:
    if game.seats == 2:
        return None
    ply = _clearest(ply for ply in plies if len(ply.lines) == 1 and _players(ply) > 1)
    if ply is None:
        return None
    sentence = Sentence("The line from {cell} to {far} encloses stones of several players. All of them turn.",
                        {"cell": _cell(ply), "far": ply.before.board.name(ply.lines[0].far)})
    return Example("players", "move", (sentence,), ply.before, (ply.move,))


def _across_edges(_: Game, plies: list[Ply]) -> Example | None:
    ply = _clearest(ply for ply in plies if len(ply.lines) == 1 and ply.lines[0].is_joined)
    if ply is None:
        return None
    sentence = Sentence("The line from {cell} leaves the board, goes on at the other side and ends at {far}.",
                        {"cell": _cell(ply), "far": ply.before.board.name(ply.lines[0].far)})
    return Example("joined", "setup", (sentence,), ply.before, (ply.move,))


def _next_to_stones(game: Game, plies: list[Ply]) -> Example | None:
    if game.definition.placing != "adjacent":
        return None
    ply = _clearest(ply for ply in plies if ply.turned_nothing)
    if ply is None:
        return None
    sentence = Sentence("Nothing can be enclosed by {player}: the stone goes to {cell}, next to another.",
                        {"player": _name(ply.before, ply.before.turn), "cell": _cell(ply)})
    return Example("adjacent", "move", (sentence,), ply.before, (ply.move,))


def _forced_pass(game: Game, plies: list[Ply]) -> Example | None:
    if game.definition.passing != "forced":
        return None
    ply = _clearest(ply for ply in plies if ply.after.must_pass and not ply.move.is_pass
                    and len(ply.following) > 1 and not ply.following[1].is_pass)
    if ply is None:
        return None
    sentence = Sentence("After {cell}, {player} has no move and passes.",
                        {"player": _name(ply.after, ply.after.turn), "cell": _cell(ply)})
    return Example("pass", "passing", (sentence,), ply.before, (ply.move, *ply.following[:2]))


def _passes_in_a_row(game: Game, plies: list[Ply]) -> Example | None:
    if game.definition.passing != "free":
        return None
    usual = game.board.size // 2
    ply = next((ply for ply in plies if ply.stones >= usual and not ply.after.is_over
                and len({*ply.after.scores}) == game.seats), None)
    if ply is None:
        return None
    ended, passes = ply.after, []
    while not ended.is_over:
        passes.append(game.move("pass"))
        ended = ended.play(passes[-1])
    return Example("passes", "passing", _ending(ended), ply.after, tuple(passes))


def _end(game: Game, plies: list[Ply]) -> Example | None:
    last = next((at for at, ply in enumerate(plies)
                 if ply.after.result and ply.after.result.winner and not ply.move.is_pass), None)
    if last is None:
        return None
    shown = plies[max(0, last - game.seats + 1):last + 1]
    moves = tuple(ply.move for ply in shown)
    return Example("end", "end", _ending(plies[last].after), shown[0].before, moves)


def _ending(ended: State) -> tuple[Sentence, ...]:
    """Why a game is over and who has won it."""
    result = ended.result
    assert result is not None
    if result.winner is None:
        return (Sentence(ENDINGS[result.reason]),)
    stones = result.scores[result.winner - 1]
    winner = Sentence(WINNERS[ended.game.definition.goal], {
        "winner": _name(ended, result.winner), "stones": stones})
    return Sentence(ENDINGS[result.reason]), winner


FINDERS: tuple[Finder, ...] = (
    start_example, _opening, _capture, _several_lines, _of_several_players, _across_edges,
    _next_to_stones, _forced_pass, _passes_in_a_row, _end,
)
"""What is looked for; each takes the clearest move of all games, or none."""
