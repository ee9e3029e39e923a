"""Matching: everybody is put together with one other so that all pairs together cost the least.

This is Edmonds' method: duals are raised until edges that cost no more than the duals of both ends allow one
more pair to be made. Odd circles of such edges are treated as one vertex, a blossom, while that is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FREE, EVEN, ODD = 0, 1, 2
"""How far a blossom is from an unmatched one, over edges in and out of the matching by turns."""
NEVER = 2**62
"""More than any edge can lack."""

Edge = tuple[int, int]


def cheapest_pairs(costs: NDArray[Any]) -> list[Edge]:
    """The pairs of an even number of vertices that cost the least together; costs are whole and symmetric.

    >>> costs = [[0, 1, 4, 9], [1, 0, 1, 9], [4, 1, 0, 1], [9, 9, 1, 0]]
    >>> cheapest_pairs(np.array(costs))
    [(0, 1), (2, 3)]
    """
    mates = _Matching(np.asarray(costs, np.int64)).solve()
    return [(one, other) for one, other in enumerate(mates) if one < other]


@dataclass(eq=False)
class _Blossom:
    """A vertex, or an odd circle of blossoms of which all but one are matched with a neighbour."""

    vertices: list[int]
    base: int
    """The vertex that is matched with somebody outside, or with nobody."""
    children: list[_Blossom] = field(default_factory=list)
    """The circle; the first one has the base."""
    links: list[Edge] = field(default_factory=list)
    """The edge from each child to the next one, from vertex to vertex."""
    dual: int = 0
    entry: Edge = (-1, -1)
    """Of an odd blossom: the edge by which it was reached, its own vertex last."""

    def place(self, vertex: int) -> int:
        """Which of the children has a vertex."""
        return next(place for place, child in enumerate(self.children) if vertex in child.vertices)

    def link(self, one: int, other: int) -> Edge:
        """The edge from one child to its neighbour."""
        if (one + 1) % len(self.children) == other:
            return self.links[one]
        there, here = self.links[other]
        return here, there


class _Matching:
    """The pairs found so far, and the duals that prove that none of them costs too much."""

    def __init__(self, costs: NDArray[np.int64]) -> None:
        self._number = len(costs)
        # Four times the costs, and duals that begin even: so all that is halved on the way is even.
        self._costs = 4 * costs
        np.fill_diagonal(self._costs, NEVER)
        self._duals = self._costs.min(axis=1, initial=NEVER) // 2
        self._mates = [-1] * self._number
        self._tops = [_Blossom([vertex], vertex) for vertex in range(self._number)]
        self._labels = np.zeros(self._number, np.int8)
        self._bases = np.arange(self._number)
        """The base of the blossom of each vertex, by which blossoms are told apart."""

    def solve(self) -> list[int]:
        """The mate of each vertex."""
        everybody = np.arange(self._number)
        for one, other in np.argwhere(self._lacks(everybody, everybody) == 0).tolist():
            if self._mates[one] < 0 and self._mates[other] < 0:
                self._mates[one], self._mates[other] = other, one
        while min(self._mates, default=0) < 0:
            for top in self._blossoms():
                self._put(top, EVEN if self._mates[top.base] < 0 else FREE)
            while not self._step():
                pass
        return self._mates

    def _step(self) -> bool:
        """Raises the duals as far as possible, and uses what that allows; whether a pair was gained."""
        even, free = np.flatnonzero(self._labels == EVEN), np.flatnonzero(self._labels == FREE)
        outwards = self._lacks(even, free)
        between = self._lacks(even, even)
        between[self._bases[even][:, None] == self._bases[even]] = NEVER
        odd = [top for top in self._blossoms() if top.children and self._labels[top.base] == ODD]
        spent = min(odd, key=lambda top: top.dual, default=None)

        growth = int(outwards.min(initial=NEVER))
        bridge = int(between.min(initial=NEVER)) // 2
        raised = min(growth, bridge, spent.dual // 2 if spent else NEVER)
        self._raise(raised)
        if bridge == raised:
            here, there = np.unravel_index(int(between.argmin()), between.shape)
            return self._join(int(even[here]), int(even[there]))
        if growth == raised:
            here, there = np.unravel_index(int(outwards.argmin()), outwards.shape)
            self._grow(int(even[here]), int(free[there]))
        elif spent:
            self._expand(spent)
        return False

    def _lacks(self, ones: NDArray[Any], others: NDArray[Any]) -> NDArray[np.int64]:
        """By how much the duals fall short of the costs, between vertices of different blossoms."""
        duals = self._duals[ones][:, None] + self._duals[others]
        found: NDArray[np.int64] = self._costs[np.ix_(ones, others)] - duals
        return found

    def _blossoms(self) -> list[_Blossom]:
        return list(dict.fromkeys(self._tops))

    def _raise(self, by: int) -> None:
        if by:
            self._duals[self._labels == EVEN] += by
            self._duals[self._labels == ODD] -= by
            for top in self._blossoms():
                label = self._labels[top.base]
                if top.children and label != FREE:
                    top.dual += 2 * by if label == EVEN else -2 * by

    def _put(self, top: _Blossom, label: int) -> None:
        """Makes a blossom one that is in no other, with a label."""
        for vertex in top.vertices:
            self._tops[vertex] = top
        self._labels[top.vertices] = label
        self._bases[top.vertices] = top.base

    def _grow(self, here: int, there: int) -> None:
        """Reaches a matched pair of blossoms."""
        odd = self._tops[there]
        odd.entry = here, there
        self._put(odd, ODD)
        self._put(self._tops[self._mates[odd.base]], EVEN)

    def _join(self, one: int, other: int) -> bool:
        """Two even blossoms are joined: there is one more pair, or a new blossom."""
        first, second = self._way(self._tops[one]), self._way(self._tops[other])
        if first[-1] is not second[-1]:
            self._flip(one, other)
            self._flip(other, one)
            return True
        there = {id(top) for top in second}
        up = next(place for place, top in enumerate(first) if id(top) in there)
        down = second.index(first[up])
        self._shrink([first[: up + 1], second[: down + 1]], (one, other))
        return False

    def _way(self, top: _Blossom) -> list[_Blossom]:
        """From an even blossom to the unmatched one from which it was reached."""
        found = [top]
        while self._mates[top.base] >= 0:
            odd = self._tops[self._mates[top.base]]
            top = self._tops[odd.entry[0]]
            found += [odd, top]
        return found

    def _shrink(self, ways: list[list[_Blossom]], bridge: Edge) -> None:
        """Makes a blossom of two ways that end in the same one."""
        first, second = (
            [
                (top.base, self._mates[top.base]) if self._labels[top.base] == EVEN else top.entry[::-1]
                for top in way[:-1]
            ]
            for way in ways
        )
        children = [*reversed(ways[0]), *ways[1][:-1]]
        links = [*((there, here) for here, there in reversed(first)), bridge, *second]
        vertices = [vertex for child in children for vertex in child.vertices]
        self._put(_Blossom(vertices, children[0].base, children, links), EVEN)

    def _expand(self, odd: _Blossom) -> None:
        """Takes an odd blossom apart; its children on the even way from entry to base stay reached."""
        for child in odd.children:
            self._put(child, FREE)
        size, place, entry = len(odd.children), odd.place(odd.entry[1]), odd.entry
        step = 1 if place % 2 else -1
        while True:
            odd.children[place].entry = entry
            self._put(odd.children[place], ODD)
            if place == 0:
                return
            mate, place = place + step, (place + 2 * step) % size
            self._put(odd.children[mate], EVEN)
            entry = odd.link(mate, place)

    def _flip(self, vertex: int, mate: int) -> None:
        """Matches a vertex of an even blossom, and all others anew on the way from it."""
        while True:
            even = self._tops[vertex]
            before = self._mates[even.base]
            self._rebase(even, vertex)
            self._mates[vertex] = mate
            if before < 0:
                return
            odd = self._tops[before]
            mate, vertex = odd.entry[1], odd.entry[0]
            self._rebase(odd, mate)
            self._mates[mate] = vertex

    def _rebase(self, blossom: _Blossom, vertex: int) -> None:
        """Makes a vertex the base, and matches all others in the blossom among themselves."""
        if not blossom.children:
            return
        size, first = len(blossom.children), blossom.place(vertex)
        self._rebase(blossom.children[first], vertex)
        step, place = (1 if first % 2 else -1), first
        while place:
            one, place = (place + step) % size, (place + 2 * step) % size
            here, there = blossom.link(one, place)
            self._rebase(blossom.children[one], here)
            self._rebase(blossom.children[place], there)
            self._mates[here], self._mates[there] = there, here
        blossom.children = blossom.children[first:] + blossom.children[:first]
        blossom.links = blossom.links[first:] + blossom.links[:first]
        blossom.base = vertex
