"""Examples of special tiles, stocks and phases on maps of a few tiles, where nothing else distracts."""

from __future__ import annotations

from functools import cache

from polyversi.games.definition import Goal
from polyversi.games.rules.example import Example
from polyversi.games.rules.search import find_examples
from polyversi.games.rules.sentence import Sentence
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap

PLAIN = """
3 0 0 0
8 8
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 0 1 2 3 0 0
0 0 0 3 1 2 0 0
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
"""
"""A map without anything special, on which a move is shown."""
PLAIN_EXAMPLES = ("capture", "lines", "players")

EXAMPLES: tuple[tuple[str, str, str, str, tuple[str, ...]], ...] = (
    ("transition", "setup", "The line from {first} runs through the transition, turns and ends at 4,2.", """
2 0 0 0
3 5
0 0 0 0 2
2 2 0 0 2
0 0 0 0 1
0 1 6 <-> 4 0 0
""", ("2,1",)),
    ("skip", "phases", "After {first}, seat 2 has no move and is skipped. Seat 3 goes on.", """
3 0 0 0
3 5
0 2 1 0 0
0 0 0 0 0
0 3 1 0 0
""", ("0,0", "3,2")),
    ("choice", "tiles", "Seat 1 plays on the choice tile {first}, turns a stone and swaps with seat 2.", """
2 0 0 0
3 5
0 2 2 2 0
c 2 1 0 0
0 2 2 0 0
""", ("0,1:2",)),
    ("inversion", "tiles", "A stone on the inversion tile {first}: all stones change hands.", """
3 0 0 0
3 5
0 3 3 0 0
i 2 1 0 0
0 3 0 2 0
""", ("0,1",)),
    ("bonus", "tiles", "Seat 1 plays on the bonus tile {first} and takes a bomb.", """
2 0 0 0
3 5
0 0 0 2 0
b 2 2 1 0
0 0 0 0 0
""", ("0,1:20",)),
    ("expansion", "tiles", "Seat 1 encloses an expansion stone. Seat 2 covers another by an override.", """
2 1 0 0
3 5
0 0 0 0 0
0 x 2 1 0
2 0 0 0 x
""", ("0,1", "4,2")),
    ("override", "stocks", "Seat 1 places an override stone on {first} and encloses a stone.", """
2 1 0 0
3 5
0 0 0 0 0
1 2 2 2 0
0 0 0 0 0
""", ("2,1",)),
    ("bomb", "phases", "Nobody can place a stone: a bomb of radius 1 falls on {first}.", """
2 0 1 1
4 6
1 1 0 0 2 2
1 1 0 2 2 2
1 0 0 0 2 2
1 1 0 0 0 2
""", ("4,1",)),
)
"""Name, section, what is shown, the map, and the moves; {first} is the cell of the first one."""


@cache
def tile_examples(goal: Goal) -> tuple[Example, ...]:
    """The examples of a game with stocks and special tiles.

    >>> [example.name for example in tile_examples("most")][:5]
    ['capture', 'lines', 'players', 'transition', 'skip']
    """
    plain = xt_game(XtMap.parse(PLAIN), "xt:example", goal)
    found = [example for example in find_examples(plain) if example.name in PLAIN_EXAMPLES]
    for name, section, text, chart, moves in EXAMPLES:
        game = xt_game(XtMap.parse(chart), f"xt:{name}", goal)
        values = {"first": moves[0].partition(":")[0]} if "{first}" in text else {}
        sentence = Sentence(text, values)
        found.append(Example(name, section, (sentence,), game.start(), tuple(map(game.move, moves))))
    return tuple(found)
