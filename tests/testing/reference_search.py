"""Exact values by brute force in plain Python, on the boards of the reference implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polyversi as pv
from tests import reference as ref

Position = tuple[int, int]
"""The stones of the seat to move and of the other one; bit n is cell n."""
Judge = Callable[[int, int], int]
"""What an evaluation makes of a position, in stones for the seat to move."""


class Plain:
    """The values of positions of one game, and all positions that had to be looked at for them.

    >>> plain = Plain(pv.game("othello:width=4,height=4"))
    >>> plain.value(0b0001, 0b0110), plain.value(0b0110, 0b0001)
    (4, -4)
    """

    def __init__(self, game: pv.Game) -> None:
        board = game.board
        steps = ref.neighbours(board.layout, board.coordinates)
        self.cells = board.size
        self.sign = 1 if game.definition.goal == "most" else -1
        self.may_pass = game.definition.passing == "free"
        self.credits_winner = game.definition.empties == "winner"
        self.rays = [[_ray(steps, cell, direction) for direction in range(board.directions)]
                     for cell in range(self.cells)]
        self.known: dict[Position, int] = {}

    def value(self, own: int, other: int) -> int:
        """Stones of the seat to move less the other's after perfect play, or the other way round."""
        known = self.known.get((own, other))
        if known is None:
            search = self._freely if self.may_pass else self._forced
            known = self.known[own, other] = search(own, other)
        return known

    def _forced(self, own: int, other: int) -> int:
        """The value where one passes only if one must."""
        if following := self.following(own, other):
            return max(-self.value(*position) for position in following)
        return -self.value(other, own) if self.following(other, own) else self.now(own, other)

    def _freely(self, own: int, other: int) -> int:
        """The value where one may pass, and the other seat may answer that by ending the game."""
        if not self.empties((own, other)):
            return self.now(own, other)
        stones = [-self.value(*position) for position in self.following(own, other)]
        return max([*stones, -self.answer_to_pass(other, own)])

    def answer_to_pass(self, own: int, other: int) -> int:
        """The value for a seat that may end the game by passing, because the other one has just passed."""
        following = self.following(own, other)
        return max([self.now(own, other), *(-self.value(*position) for position in following)])

    def now(self, own: int, other: int) -> int:
        """The value if the game ended here."""
        ahead = own.bit_count() - other.bit_count()
        if ahead and self.credits_winner:
            ahead += self.empties((own, other)) * (1 if ahead > 0 else -1)
        return self.sign * ahead

    def ahead(self, own: int, other: int, depth: int, judge: Judge) -> int:
        """The value of a search of this many plies; a pass counts as a ply only where it is free."""
        if depth >= self.empties((own, other)):
            return self.value(own, other)
        if self.may_pass:
            return self._freely_ahead(own, other, depth, judge)
        if depth == 0:
            return judge(own, other)
        if following := self.following(own, other):
            return max(-self.ahead(*position, depth - 1, judge) for position in following)
        return -self.ahead(other, own, depth, judge) if self.following(other, own) else self.now(own, other)

    def _freely_ahead(self, own: int, other: int, depth: int, judge: Judge) -> int:
        def with_stones(mine: int, theirs: int, plies: int) -> list[int]:
            if plies <= 0:
                return [judge(mine, theirs)]
            return [-self.ahead(*position, plies - 1, judge) for position in self.following(mine, theirs)]

        answer = max([self.now(other, own), *with_stones(other, own, depth - 1)])
        return max([*with_stones(own, other, depth), -answer])

    def following(self, own: int, other: int) -> list[Position]:
        """The positions after each stone that may be put down, seen by the seat that moves then."""
        taken = own | other
        return [
            (other & ~turned, own | turned | 1 << cell)
            for cell in range(self.cells)
            if not taken >> cell & 1 and (turned := self.turned(cell, own, other))
        ]

    def turned(self, cell: int, own: int, other: int) -> int:
        """What a stone put down here turns."""
        turned = 0
        for ray in self.rays[cell]:
            line = 0
            for stone in ray:
                if other & stone:
                    line |= stone
                else:
                    if own & stone:
                        turned |= line
                    break
        return turned

    def empties(self, position: Position) -> int:
        """How many cells are empty."""
        return self.cells - (position[0] | position[1]).bit_count()

    def text(self, position: Position, turn: int) -> str:
        """The position as the package reads it, with this seat to move."""
        own, other = ("XO", "OX")[turn - 1]
        symbols = (
            own if position[0] >> cell & 1 else other if position[1] >> cell & 1 else "-"
            for cell in range(self.cells)
        )
        return "".join(symbols) + f" {own}"


def _ray(steps: ref.Steps, cell: int, direction: int) -> list[int]:
    """The cells in one direction, the nearest first."""
    def walk() -> Iterator[int]:
        here = steps.get((cell, direction))
        while here is not None:
            yield 1 << here[0]
            here = steps.get(here)
    return list(walk())


def seen_by_mover(state: pv.State) -> Position:
    """A state's stones, for the seat to move."""
    seat = state.next_seat
    own = sum(1 << cell for cell, tile in enumerate(state.tiles) if tile == seat)
    other = sum(1 << cell for cell, tile in enumerate(state.tiles) if tile == 3 - seat)
    return own, other


def plain_value(state: pv.State, known: dict[pv.State, int]) -> int:
    """The value by plain minimax over the public API."""
    if state not in known:
        result = state.result
        if result:
            sign = 1 if state.game.definition.goal == "most" else -1
            mine, theirs = result.scores if state.next_seat == 1 else result.scores[::-1]
            empty = state.tiles.count(0) if state.game.definition.empties == "winner" else 0
            known[state] = sign * (mine - theirs + ((mine > theirs) - (mine < theirs)) * empty)
        else:
            known[state] = max(-plain_value(state.play(move), known) for move in state.moves)
    return known[state]
