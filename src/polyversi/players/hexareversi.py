"""The players of the HexaReversi course, those of the task and those of its groups, on every board."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, ClassVar, Literal

from polyversi._core import Move
from polyversi.games.board import Board
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.state import State
from polyversi.players.options import NAMES_FILE
from polyversi.players.player import Player, SeededPlayer, register_player
from polyversi.players.weights import Weight, read_weights

Kind = Literal["corner", "beside corner", "edge", "inside corner", "towards corner", "inside edge", "inner"]

T97_VALUES: Mapping[Kind, int] = {
    "corner": 9, "beside corner": 3, "edge": 6, "inside corner": 1, "towards corner": 3, "inside edge": 2,
    "inner": 3,
}
"""The table of t97. On the course's board this is the course's table, number for number."""
T77_VALUES: Mapping[Kind, int] = {**T97_VALUES, "beside corner": 2, "towards corner": 4}
"""The table of t77: worse beside a corner, better where the way to a corner begins."""


@lru_cache(maxsize=64)
def kinds(board: Board) -> tuple[Kind, ...]:
    """What each cell is, by the lines on which it can be enclosed, from both of its ends.

    A corner has no such line, an edge one. Beside a corner lie the edge cells next to it, inside it the other
    cells next to it, towards it the cell behind those in a straight line; inside an edge lie the cells next
    to one. All others are inner cells: on a torus there is nothing else.

    >>> from polyversi.games.board import rectangle
    >>> board = rectangle(8, 8)
    >>> [kinds(board)[board.cell(name)] for name in ("a1", "b1", "c1", "b2", "c2", "c3", "d4")]
    ['corner', 'beside corner', 'edge', 'inside corner', 'inside edge', 'towards corner', 'inner']
    """
    count, cells = board.directions, range(board.size)
    lines = [enclosing_lines(board, cell) for cell in cells]
    from_corners = [to for cell in cells if lines[cell] == 0 for to in _steps(board, cell) if to >= 0]
    beside = {to // count for to in from_corners}
    towards = {board.steps[to] // count for to in from_corners if lines[to // count] > 1}
    inside_edge = {to // count for cell in cells if lines[cell] == 1 for to in _steps(board, cell)}

    def kind(cell: int) -> Kind:
        if lines[cell] == 0:
            return "corner"
        if cell in beside:
            return "beside corner" if lines[cell] == 1 else "inside corner"
        if lines[cell] == 1:
            return "edge"
        if cell in inside_edge:
            return "inside edge"
        return "towards corner" if cell in towards else "inner"

    return tuple(map(kind, cells))


def enclosing_lines(board: Board, cell: int) -> int:
    """How many lines go on at both sides of a cell, so that its stone can be enclosed on them."""
    steps, half = _steps(board, cell), board.directions // 2
    return sum(one >= 0 and other >= 0 for one, other in zip(steps[:half], steps[half:], strict=True))


def _steps(board: Board, cell: int) -> tuple[int, ...]:
    """Where a step in each direction leads, as in `board.steps`."""
    return board.steps[cell * board.directions : (cell + 1) * board.directions]


def stone_moves(state: State) -> list[Move]:
    """The legal moves but the pass, or the pass alone where there is nothing else."""
    return [move for move in state.moves if not move.is_pass] or list(state.moves)


@register_player("random")
class RandomPlayer(SeededPlayer):
    """Plays any legal move, all equally likely, and passes only without one (HexaReversi's t99)."""

    label: ClassVar[str] = "Random mover"
    sentence: ClassVar[str] = "Plays any legal move, without a thought."
    is_quick: ClassVar[bool] = True

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        return self._random.choice(stone_moves(state))


def gain(state: State, move: Move) -> int:
    """The stones a move turns; for a bomb, how many more stones of others than of one's own it destroys.

    Where the fewest stones win, a bomb is counted the other way round.
    """
    cells = state.turned(move)
    if state.phase == "build":
        return len(cells)
    tiles, own = state.tiles, state.turn
    stones = [tiles[cell] for cell in cells if 1 <= tiles[cell] <= state.game.seats]
    others = len(stones) - 2 * stones.count(own)
    return others if state.game.definition.goal == "most" else -others


@register_player("greedy")
class GreedyPlayer(RandomPlayer):
    """Plays at random, more often the moves that turn more stones (t98 of the HexaReversi course).

    The probability of a move is in proportion to the stones it turns, or to 1 / (stones turned + 1) where the
    fewest stones win. Moves that all turn nothing are equally likely. It passes only without a move. A bomb
    counts the stones of others that it destroys minus those of its own.
    """

    label: ClassVar[str] = "Greedy"
    sentence: ClassVar[str] = ("Likes what looks best in stones right now, as most people do in their "
                               "first games.")
    strength: ClassVar[int] = 20

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        return self.draw(state, stone_moves(state))

    def draw(self, state: State, moves: list[Move]) -> Move:
        """One of the moves, the more likely the better it is in stones."""
        weights: list[float] = [max(0, gain(state, move)) for move in moves]
        if state.game.definition.goal == "fewest" and state.phase == "build":
            weights = [1 / (stones + 1) for stones in weights]
        return self._random.choices(moves, weights if any(weights) else None)[0]


@register_player("value")
class ValuePlayer(GreedyPlayer):
    """Plays on the cell that is worth most, and among equals as greedy does (t97 of the HexaReversi course).

    A corner is worth 9, an edge 6 and beside a corner 3; inside, a cell next to a corner is worth 1, next to
    an edge 2, and any other 3: the course's table on its own board, and its reasoning on every other. Where
    the fewest stones win it takes the cell that is worth least. It throws bombs as greedy does. On a torus
    all cells are equal, and it plays as greedy does.
    """

    label: ClassVar[str] = "Cell by cell"
    sentence: ClassVar[str] = "Judges a move by its cell alone: corners first of all, then edges."
    strength: ClassVar[int] = 40

    def strength_in(self, game: Game) -> int:
        return 76 if game.definition.goal == "fewest" else self.strength

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        moves = stone_moves(state)
        if state.phase == "build" and not moves[0].is_pass:
            worth = {move: T97_VALUES[kinds(state.board)[move.cell]] for move in moves}
            best = (max if state.game.definition.goal == "most" else min)(worth.values())
            moves = [move for move in moves if worth[move] == best]
        return self.draw(state, moves)


def replies(state: State, move: Move) -> int:
    """On how many cells the next opponent can play after a move; none when it has to pass."""
    after = state.play(move)
    if after.turn in (0, state.turn):
        return 0
    return len({reply.cell for reply in after.moves if not reply.is_pass})


@register_player("mobility")
class MobilityPlayer(Player):
    """Leaves the next opponent the fewest moves, and passes only without a move of its own.

    The first version of t77, of the HexaReversi course. Where the fewest stones win it leaves the most: there
    every move takes stones, and who passes takes none. Among equals it takes the first in board order. In the
    bombing phase of XT, where nobody lacks moves, it destroys as many more stones of others than of its own
    as it can.
    """

    label: ClassVar[str] = "Move counter"
    sentence: ClassVar[str] = "Thinks only of how many moves its next opponent will have."
    strength: ClassVar[int] = 38
    is_quick: ClassVar[bool] = True

    def strength_in(self, game: Game) -> int:
        return 10 if game.definition.goal == "fewest" else self.strength

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        if state.phase == "bomb":
            return max(state.moves, key=lambda move: gain(state, move))
        best = min if state.game.definition.goal == "most" else max
        return best(stone_moves(state), key=lambda move: self.freedom(state, move))

    def freedom(self, state: State, move: Move) -> float:
        """What a move leaves the next opponent."""
        return replies(state, move)


@register_player("t77")
class T77Player(MobilityPlayer):
    """Plays where (moves it leaves the next opponent) / (worth of the cell) is least.

    The player that group t77 of the HexaReversi course handed in. It passes only without a move. A corner is
    worth 9, an edge 6 and beside a corner 2; inside, a cell next to a corner is worth 1, next to an edge 2,
    on the way to a corner 4 and any other 3: the group's table on the course's board, and its reasoning on
    every other. Among equals it takes the first in board order. Where the fewest stones win it plays where
    the fraction is greatest. It throws bombs as mobility does. Weights of one's own replace what the kinds of
    cells are worth: t77:weights=corner=20/edge=8.
    """

    label: ClassVar[str] = "Tight grip"
    sentence: ClassVar[str] = "Weighs how many moves it leaves its opponent against how good a cell is."
    strength: ClassVar[int] = 50

    WEIGHTS: ClassVar[Mapping[str, Weight]] = {
        kind: Weight(float(value), low=0.5, high=30.0, step=1.0) for kind, value in T77_VALUES.items()
    }
    """What a cell is worth, by its kind."""

    weights: Annotated[str, NAMES_FILE] = ""
    """What the kinds of cells are worth: a JSON file, or name=number/name=number."""

    def strength_in(self, game: Game) -> int:
        return 60 if game.definition.goal == "fewest" else self.strength

    def __post_init__(self) -> None:
        self._worth = read_weights(self.weights, self.WEIGHTS)

    def freedom(self, state: State, move: Move) -> float:
        """The fraction that the group's document minimises."""
        if move.is_pass:
            return 0
        return replies(state, move) / self._worth[kinds(state.board)[move.cell]]


CORNER = 9999
BONUS: Mapping[Kind, int] = {"corner": CORNER, "beside corner": -60, "edge": 60, "inside corner": -120}
"""What a cell adds to the count of a move; with a corner nothing else counts."""
TOO_BAD = -10
"""Who is ahead rather passes than plays a move that counts less."""


@register_player("t34")
class T34Player(Player):
    """Plays the move after which most replies leave it better off than it is now, with an eye on corners.

    The player of group t34 of the HexaReversi course. A move counts 1, and 1 more for every reply after which
    it has a move and leads by more than now, 1 less where it leads by less; 2 more where it leads and the
    opponent has no reply. A corner counts 9999 whatever follows, another cell on an edge 60 more but beside a
    corner 60 less, inside a corner 120 less. Where passing is free it passes when it is ahead and no move
    counts -10 or more. Among equals it takes the first in board order. Where the fewest stones win, leading
    means having fewer, and what the cells add is turned round.
    """

    label: ClassVar[str] = "Corner watcher"
    sentence: ClassVar[str] = "Looks at each of your replies and never forgets the corners."
    strength: ClassVar[int] = 48

    def strength_in(self, game: Game) -> int:
        return 80 if game.definition.goal == "fewest" else self.strength

    def unsuited(self, game: Game) -> str | None:
        if game.definition.has_stocks:
            return "it knows nothing of bombs and override stones"
        return "it thinks of one opponent only" if game.seats > 2 else None

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        counts = {move: self.count(state, move) for move in stone_moves(state)}
        best = max(counts, key=lambda move: counts[move])
        passes = [move for move in state.moves if move.is_pass]
        if passes and counts[best] < TOO_BAD and lead(state, state.turn) > 0:
            return passes[0]
        return best

    def count(self, state: State, move: Move) -> int:
        """The net number of replies that leave it better off, and what the cell adds."""
        if move.is_pass:
            return 0
        bonus = BONUS.get(kinds(state.board)[move.cell], 0)
        if state.game.definition.goal == "fewest":
            bonus = -bonus
        return bonus if abs(bonus) == CORNER else bonus + outlook(state, move)


def outlook(state: State, move: Move) -> int:
    """1 for the move and each reply that leaves the mover better off than now, -1 for each that does not."""
    seat, now = state.turn, lead(state, state.turn)
    after = state.play(move)
    replies = [reply for reply in after.moves if not reply.is_pass] if after.turn != seat else []
    if not replies:
        return 3 if lead(after, seat) > 0 else 1
    count = 1
    for reply in replies:
        then = after.play(reply)
        if any(not move.is_pass for move in then.moves):
            gained = lead(then, seat) - now
            count += (gained > 0) - (gained < 0)
    return count


def lead(state: State, seat: int) -> int:
    """How many stones a seat is ahead of the other; how many fewer it has where the fewest win."""
    ahead = state.scores[seat - 1] - state.scores[2 - seat]
    return ahead if state.game.definition.goal == "most" else -ahead
