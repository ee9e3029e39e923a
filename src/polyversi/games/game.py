"""Games: a variant with its options, ready to be played."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from polyversi import _core
from polyversi.games import notation
from polyversi.games.board import Board
from polyversi.games.definition import Definition
from polyversi.games.state import State

if TYPE_CHECKING:
    from polyversi.games.rules import Rules
    from polyversi.games.symmetry import Symmetry


class Game(_core.Rules):
    """A variant with its options: the board, the rules, and where play starts.

    >>> import polyversi as pv
    >>> game = pv.game("othello:size=6")
    >>> game, game.seats, game.board.size
    (pv.game('othello-6'), 2, 36)
    >>> game == pv.game("othello-6")
    True
    """

    spec: str
    definition: Definition

    def __init__(self, spec: str, definition: Definition, *, kernel: str = "") -> None:
        """A game of one's own: any name and any definition.

        The kernel is the part of the core that serves it: `graph`, or for small boards of two seats a
        processor's bit positions (`portable`, `avx2`, `avx512`). Left to itself, the core takes the fastest.
        """
        board = definition.board
        super().__init__(
            directions=board.directions,
            coordinates=board.coordinates,
            steps=board.steps,
            names=[board.name(cell) for cell in range(board.size)],
            start=definition.start,
            seats=definition.seats,
            fewest_wins=definition.goal == "fewest",
            empties=definition.empties,
            passing=definition.passing,
            placing=definition.placing,
            opening=definition.opening,
            overrides=definition.overrides,
            bombs=definition.bombs,
            radius=definition.radius,
            kernel=kernel,
        )
        self.spec = spec
        self.definition = definition

    @property
    def board(self) -> Board:
        """The cells and lines it is played on."""
        return self.definition.board

    @property
    def seats(self) -> int:
        """How many sides play."""
        return self.definition.seats

    def start(self, seed: int | None = None) -> State:
        """The state at the start; a seed draws another set-up where the set-up is random.

        >>> import polyversi as pv
        >>> pv.game("hex").start(seed=1) == pv.game("hex").start(seed=2)
        False
        """
        tiles = bytearray(self.definition.start)
        if self.definition.random_cells:
            from random import Random

            coin = Random(self.definition.seed if seed is None else seed)
            for cell in self.definition.random_cells:
                tiles[cell] = 1 + coin.getrandbits(1)
        return _core.new_start(State, self, bytes(tiles))

    def position(self, text: str) -> State:
        """The state that a line of text describes, as `state.text` writes it.

        >>> import polyversi as pv
        >>> pv.game("othello-4").position("-----OX--XO----- X") == pv.game("othello-4").start()
        True
        """
        return notation.read_position(self, text)

    def move(self, text: str) -> _core.Move:
        """The move that the text names, legal or not.

        >>> import polyversi as pv
        >>> pv.game("othello").move("F5"), pv.game("hex").move("34"), pv.game("othello").move("pass")
        (Move('f5'), Move('d3'), Move('pass'))
        """
        return notation.read_move(self, text)

    @cached_property
    def known_moves(self) -> dict[str, _core.Move]:
        """Moves by how they were written: files repeat the same few, and reading one takes longer.

        >>> import polyversi as pv
        >>> pv.game("othello-4").known_moves is pv.game("othello-4").known_moves
        True
        """
        return {}

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The rotations, reflections and translations of the board that change nothing in the rules.

        The identity comes first. There are 8 for a square board and 12 for a hexagon, fewer for boards with
        holes in odd places, and more where edges are joined: translations too, up to 256 cells.

        >>> import polyversi as pv
        >>> len(pv.game("othello").symmetries), len(pv.game("hex").symmetries)
        (8, 12)
        """
        from polyversi.games.symmetry import symmetries_of

        return symmetries_of(self)

    @property
    def rules(self) -> Rules:
        """The rules in words, with examples that are real positions and moves.

        >>> import polyversi as pv
        >>> rules = pv.game("anti-hex").rules
        >>> rules.goal, [section.title for section in rules.sections]
        ('Fewest stones win.', ['Goal', 'Set-up', 'A move', 'Passing', 'The end', 'Options'])
        >>> print(rules.sections[3].sentences[0])
        You may pass at any time, and you have to when you have no move.
        """
        from polyversi.games.rules import rules_of

        return rules_of(self)

    def _repr_svg_(self) -> str:
        return self.start().svg()

    def __repr__(self) -> str:
        from polyversi.games.variants import is_named

        if is_named(self):
            return f"pv.game({self.spec!r})"
        return f"<pv.Game {self.spec!r}, {self.board.size} cells, {self.seats} seats, not registered>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or self.definition == other.definition

    def __hash__(self) -> int:
        return hash((self.board.size, self.seats, self.definition.goal, self.definition.start))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Game, (self.spec, self.definition)
