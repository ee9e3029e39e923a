"""The rules of a game in sections of short sentences, composed from its definition and from nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from polyversi.drawing.geometry import joined_edges, transitions
from polyversi.drawing.palette import paints
from polyversi.games.board import Board
from polyversi.games.definition import BadMove, Definition, Passing
from polyversi.games.errors import VariantError
from polyversi.games.family import Family
from polyversi.games.game import Game
from polyversi.games.result import DISQUALIFIED_POINTS, RANK_POINTS
from polyversi.games.rules.sentence import Entry, Section, Sentence
from polyversi.games.tiles import BONUS, CHOICE, EXPANSION, HOLE, INVERSION, TILE_NAMES

JOINED = {
    (True, False): "The left and right edges are joined: a line that leaves at one goes on at the other.",
    (False, True): "The top and bottom edges are joined: a line that leaves at one goes on at the other.",
    (True, True): "Opposite edges are joined: a line that leaves at one goes on at the other.",
}
"""What joined edges mean, by whether columns and rows are."""

PLACE = "Place a stone of your colour on a free cell so that it encloses stones of your opponent."
PLACE_AMONG_MANY = "Place a stone of your colour on a free cell so that it encloses stones of other players."

LINES = {
    "square": "Lines run across, up and down, and along the diagonals.",
    "hexagon": "Lines run along the three axes of the hexagons.",
}

PASSING: dict[Passing, tuple[str, ...]] = {
    "forced": (
        "You may pass only when you have no move. Your turn is then passed by itself.",
        "If you have a move, you must move.",
    ),
    "free": ("You may pass at any time, and you have to when you have no move.",),
    "skip": (
        "Nobody passes: whoever has a move must move.",
        "A player without a move is skipped and may move again later.",
    ),
}

END: dict[Passing, tuple[str, ...]] = {
    "forced": ("The game ends when nobody can move, at the latest when the board is full.",),
    "free": ("The game ends after {passes} passes in a row, or when the board is full.",),
    "skip": (
        "The game ends when all bombs are used.",
        "It ends earlier if no tile is left, or only one player.",
    ),
}

BAD_MOVES: dict[BadMove, str] = {
    "lose": "Whoever makes an illegal move loses the game.",
    "pass": "An illegal move counts as a pass.",
    "disqualify": "An illegal move, a late answer or a lost connection disqualifies a player: "
                  "the stones stay, and the player ranks last with {points} points.",
}

TILES = {
    CHOICE: ("Whoever plays here chooses a player and swaps all stones with that player.",
             "Choosing yourself leaves everything as it is."),
    INVERSION: ("Whoever plays here makes all stones change hands: those of each player go to the next one, "
                "and those of the last to the first.",),
    BONUS: ("Whoever plays here takes one more bomb or one more override stone.",),
    EXPANSION: ("It belongs to nobody. It can be enclosed like the stone of another player.",
                "An override stone may cover it even without enclosing anything."),
    HOLE: ("A bomb has fallen here. Nothing can be placed on it, and lines end at it.",),
}
"""What each tile does that is neither free nor a stone."""

TILE_TERMS = {**{tile: name.capitalize() for tile, name in TILE_NAMES.items()}, HOLE: "Bombed hole"}
TILE_EXAMPLES = {
    CHOICE: "choice", INVERSION: "inversion", BONUS: "bonus", EXPANSION: "expansion", HOLE: "bomb"}


def sections(game: Game) -> tuple[Section, ...]:
    """Everything that a player has to know, subject by subject.

    >>> import polyversi as pv
    >>> [section.title for section in sections(pv.game("hex"))]
    ['Goal', 'Set-up', 'A move', 'Passing', 'The end', 'Options']
    """
    rules = game.definition
    written = [
        Section("goal", "Goal", tuple(_goal(rules))),
        Section("setup", "Set-up", tuple(_setup(rules))),
        Section("move", "A move", tuple(_move(rules))),
        Section("passing", "Passing", tuple(_passing(rules))),
        Section("end", "The end", tuple(_end(rules))),
    ]
    if len(rules.phases) > 1:
        written.append(Section("phases", "Phases", entries=tuple(_phases(rules)), is_legend=True))
    if rules.has_special_tiles:
        written.append(Section("tiles", "Special tiles", (
            Sentence("A stone on a special tile must enclose something, as anywhere else."),
            Sentence("The tile acts once. After that a plain stone lies there."),
        ), tuple(_tiles(rules)), is_legend=True))
    if rules.has_stocks:
        stocks = tuple(_stocks(rules))
        written.append(Section("stocks", "Override stones and bombs", entries=stocks, is_legend=True))
    return tuple(_with_family(game, written))


def _goal(rules: Definition) -> Iterator[Sentence]:
    yield Sentence(rules.goal_in_words)
    if rules.scoring == "ranks":
        points = ", ".join(f"{points:g}" for points in RANK_POINTS[:rules.seats])
        yield Sentence("The ranks bring, from the first to the last: {points} points.", {"points": points})
        yield Sentence("Players with equally many stones share the better rank.")
    else:
        yield Sentence("Equally many stones are a draw.")
    if rules.empties == "winner":
        yield Sentence("In analyses and records, cells that stay empty go to the winner. "
                       "They never change who wins.")


def _setup(rules: Definition) -> Iterator[Sentence]:
    yield _shape(rules.board, is_map=rules.has_special_tiles)
    yield from _edges(rules.board)
    names = [paint.name for paint in paints(rules.board, rules.seats)]
    if rules.seats == 2:
        yield Sentence("Two players take turns, {first} and {second}. The first move belongs to {first}.",
                       {"first": names[0], "second": names[1]})
    else:
        yield Sentence("{seats} players take turns in the order of their seats. "
                       "The first move belongs to {first}.", {"seats": rules.seats, "first": names[0]})
    yield _stones(rules)


def _shape(board: Board, is_map: bool) -> Sentence:
    extent = {"cells": board.size, "width": board.width, "height": board.height}
    side = (board.width + 1) // 2
    if board.layout == "hexagon":
        if board.size == 3 * side * (side - 1) + 1:
            return Sentence("The board is a hexagon with {side} cells along each side, {cells} in all.",
                            {"side": side, "cells": board.size})
        return Sentence("The board has {cells} hexagons. Lines end where a cell is missing.",
                        {"cells": board.size})
    if is_map:
        return Sentence("The map has {cells} tiles in {width} columns and {height} rows. "
                        "Lines end where a tile is missing.", extent)
    if board.size == board.width * board.height:
        return Sentence("The board has {width} columns and {height} rows of squares.",
                        {"width": board.width, "height": board.height})
    return Sentence("The board has {cells} squares in {width} columns and {height} rows. "
                    "Lines end where a cell is missing.", extent)


def _edges(board: Board) -> Iterator[Sentence]:
    joined, arcs = joined_edges(board), len(transitions(board))
    if any(joined):
        yield Sentence(JOINED[joined.columns, joined.rows])
    if arcs:
        yield Sentence("Transitions join sides of cells that do not touch (on this board: {count}).",
                       {"count": arcs})
        yield Sentence("A line that leaves through one side goes on at the other, perhaps with a turn.")


def _stones(rules: Definition) -> Sentence:
    if rules.random_cells:
        return Sentence("{count} stones lie on the board at the start. Their colours are drawn at random.",
                        {"count": len(rules.random_cells)})
    counts = Counter(tile for tile in rules.start if 1 <= tile <= rules.seats)
    if not counts:
        return Sentence("The board is empty at the start.")
    if len(counts) == rules.seats and len({*counts.values()}) == 1:
        return Sentence("Stones of each player on the board at the start: {count}.", {"count": counts[1]})
    return Sentence("Stones on the board at the start: {count}.", {"count": counts.total()})


def _move(rules: Definition) -> Iterator[Sentence]:
    if rules.opening:
        yield Sentence("The first {count} stones go to the middle cells, in any order, and turn nothing.",
                       {"count": len(rules.opening)})
    yield Sentence(PLACE if rules.seats == 2 else PLACE_AMONG_MANY)
    yield Sentence("Stones are enclosed when they lie in a line, without a gap, between the new stone and "
                   "another stone of yours.")
    yield Sentence(LINES[rules.board.layout])
    yield Sentence("All enclosed stones turn to your colour, on all lines at once.")
    yield Sentence("Stones that turn enclose nothing themselves.")
    if rules.placing == "adjacent":
        yield Sentence("If you can enclose stones, you must. Otherwise place the stone next to any other.")
    else:
        yield Sentence("Where a stone would enclose nothing, it cannot be placed.")
    if rules.board.links:
        yield Sentence("A line that comes back to the cell where it began encloses nothing.")


def _passing(rules: Definition) -> Iterator[Sentence]:
    if rules.placing == "adjacent":
        yield Sentence("Nobody has to pass as long as there is a free cell next to a stone.")
    else:
        yield from map(Sentence, PASSING[rules.passing])


def _end(rules: Definition) -> Iterator[Sentence]:
    for text in END[rules.passing]:
        yield Sentence(text, {"passes": rules.seats} if "{passes}" in text else {})
    text = BAD_MOVES[rules.bad_move]
    yield Sentence(text, {"points": f"−{-DISQUALIFIED_POINTS:g}"} if "{points}" in text else {})


def _phases(rules: Definition) -> Iterator[Entry]:
    yield Entry("Building", (
        Sentence("Players place stones as long as anybody can."),
        Sentence("A player without a move is skipped."),
    ), example="skip")
    yield Entry("Bombing", (
        Sentence("It begins when nobody can place a stone any more."),
        Sentence("The next player after the last stone who has a bomb throws first."),
        Sentence("In turn, players throw one bomb each until no bombs are left."),
        Sentence("A bomb destroys its target and all tiles within so many steps: {radius}.",
                 {"radius": rules.radius}),
        Sentence("Steps go in all directions and through transitions, but not through holes."),
    ), example="bomb")


def _tiles(rules: Definition) -> Iterator[Entry]:
    counts = Counter(rules.start)
    for tile, texts in TILES.items():
        count = () if tile == HOLE else (Sentence("On this map: {count}.", {"count": counts[tile]}),)
        yield Entry(TILE_TERMS[tile], (*map(Sentence, texts), *count), tile, TILE_EXAMPLES[tile])


def _stocks(rules: Definition) -> Iterator[Entry]:
    yield Entry("Override stones", (
        Sentence("An override stone is placed on an occupied cell, even on a stone of your own."),
        Sentence("It must enclose something."),
        Sentence("Each player begins with {count}.", {"count": rules.overrides}),
    ), example="override")
    yield Entry("Bombs", (
        Sentence("Bombs are thrown after the last stone has been placed, on any tile that is left."),
        Sentence("Each player begins with {count}.", {"count": rules.bombs}),
    ), example="bomb")


def _with_family(game: Game, written: list[Section]) -> Iterator[Section]:
    """The sections with what the family of the game adds to them, and the options that it takes."""
    family = _family(game)
    more: Mapping[str, tuple[str, ...]] = family.rules if family else {}
    names = [section.name for section in written]
    for section in written:
        yield replace(section, sentences=section.sentences + tuple(map(Sentence, more.get(section.name, ()))))
    for name, texts in more.items():
        if name not in names:
            yield Section(name, name[:1].upper() + name[1:], tuple(map(Sentence, texts)))
    options = [(option.label or name.capitalize(), option.meaning) for name, option in family.options.items()
               if option.meaning] if family else []
    if options:
        yield Section("options", "Options", (Sentence("The same game can be played in other ways:"),),
                      tuple(Entry(label, (Sentence(meaning),)) for label, meaning in options))


def _family(game: Game) -> Family | None:
    """The family of a game, or None for one that has no name."""
    from polyversi.games.variants import find

    try:
        return find(game.spec.partition(":")[0])[0].family
    except VariantError:
        return None
