"""Notation: moves and whole positions as text, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from polyversi import _core
from polyversi.games.board import shorten
from polyversi.games.errors import NotationError
from polyversi.games.tiles import XT_SYMBOLS

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.game import Game
    from polyversi.games.state import State

TWO_SEATS = "-XO"
MANY_SEATS = "-12345678"
PASSES = frozenset({"pass", "--", "pa", "ps"})
MAX_POSITION = 1 << 17
"""Longest position line that is read: 90,000 tiles and the stocks of eight seats fit well within it."""


def symbols(game: Game) -> dict[int, str]:
    """The character of each tile in the position lines of a game.

    >>> import polyversi as pv
    >>> symbols(pv.game("othello"))
    {0: '-', 1: 'X', 2: 'O'}
    """
    return XT_SYMBOLS if game.definition.has_special_tiles else _symbols_of_seats(game.seats)


def _symbols_of_seats(seats: int) -> dict[int, str]:
    return dict(enumerate(TWO_SEATS if seats == 2 else MANY_SEATS[: seats + 1]))


def seat_symbol(game: Game, seat: int) -> str:
    """The character of a seat: X and O for two seats, otherwise its number."""
    return TWO_SEATS[seat] if game.seats == 2 and not game.definition.has_special_tiles else str(seat)


def read_move(game: Game, text: str) -> Move:
    """The move that the text names: a cell, in XT with `:special` after it, or a pass."""
    word = text.strip().lower()
    if word in PASSES:
        return game.action(game.actions - 1)
    name, colon, special = word.partition(":")
    cell = game.board.cell(name)
    first, last = game.first_action(cell)
    if not colon:
        return game.action(last)
    moves = [game.action(index) for index in range(first, last + 1)]
    for move in moves:
        if str(move.special) == special:
            return move
    possible = ", ".join(map(str, moves))
    raise NotationError(f"'{shorten(text)}' is not a move of its cell; write one of {possible}")


def position_text(state: State) -> str:
    """The position as one line: the tiles, the seat to move, and whatever else is not as at the start."""
    game = state.game
    table = _translation(0 if game.definition.has_special_tiles else game.seats)
    words = [state.tiles.translate(table).decode("ascii"), seat_symbol(game, state.next_seat)]
    if state.passes:
        words.append(f"passes={state.passes}")
    if state.phase == "bomb":
        words.append("phase=bomb")
    start = game.definition
    if any(stock != start.overrides for stock in state.overrides):
        words.append(f"overrides={'/'.join(map(str, state.overrides))}")
    if any(stock != start.bombs for stock in state.bombs):
        words.append(f"bombs={'/'.join(map(str, state.bombs))}")
    if state.out:
        words.append(f"out={'/'.join(map(str, state.out))}")
    if state.last:
        words.append(f"last={state.last}")
    return " ".join(words)


@cache
def _translation(seats: int) -> bytes:
    """Of tiles into characters, for so many seats, or 0 where there are special tiles."""
    table = _symbols_of_seats(seats) if seats else XT_SYMBOLS
    return bytes(ord(table.get(tile, "?")) for tile in range(256))


def read_position(game: Game, text: str) -> State:
    """The state that a position line describes."""
    words = text.split() if len(text) <= MAX_POSITION else []
    if len(words) < 2:
        example = position_text(game.start())
        raise NotationError(
            f"a position is one line of {game.board.size} tiles, the seat to move and what else there is, "
            f"such as '{shorten(example, 90)}'"
        )
    tiles = _read_tiles(game, words[0])
    turn = _read_seat(game, words[1])
    options = _read_options(game, words[2:])
    start = game.definition
    return make_state(
        game, tiles, turn, passes=options.get("passes", [0])[0], is_bombing="phase" in options,
        overrides=options.get("overrides", [start.overrides] * game.seats),
        bombs=options.get("bombs", [start.bombs] * game.seats),
        out=options.get("out", []), last=options.get("last", [0])[0])


def make_state(game: Game, tiles: bytes, turn: int, *, passes: int, is_bombing: bool,
               overrides: Sequence[int], bombs: Sequence[int], out: Sequence[int], last: int) -> State:
    """The state of these parts; a NotationError says why the rules do not allow it."""
    from polyversi.games.state import State

    try:
        if not game.definition.has_stocks:
            return _core.new_state(State, game, tiles, turn - 1, passes)
        return _core.new_xt_state(State, game, tiles, turn - 1, is_bombing, overrides, bombs, out, last)
    except ValueError as error:
        raise NotationError(f"not a position of {game.spec}: {error}") from None


def _read_tiles(game: Game, word: str) -> bytes:
    table, board = {symbol: tile for tile, symbol in symbols(game).items()}, game.board
    if len(word) != board.size:
        raise NotationError(f"a position of {game.spec} has {board.size} tiles, not {len(word)}")
    if unknown := {*word} - table.keys():
        name, symbol = next((board.name(cell), tile) for cell, tile in enumerate(word) if tile in unknown)
        raise NotationError(f"'{symbol}' on {name} is not a tile of {game.spec}; use {' '.join(table)}")
    return bytes(map(table.__getitem__, word))


def _read_seat(game: Game, word: str) -> int:
    seats = {seat_symbol(game, seat): seat for seat in range(1, game.seats + 1)}
    if word.upper() not in seats:
        raise NotationError(f"'{shorten(word)}' is not a seat to move; use one of {' '.join(seats)}")
    return seats[word.upper()]


def _read_options(game: Game, words: Iterable[str]) -> dict[str, list[int]]:
    """The key=value words after tiles and turn, each a list of numbers."""
    known = {"phase", "overrides", "bombs", "out", "last"} if game.definition.has_stocks else {"passes"}
    options: dict[str, list[int]] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if key not in known or not equals or key in options:
            allowed = ", ".join(sorted(known))
            raise NotationError(f"'{shorten(word)}' is unknown here; only {allowed} can follow the seat")
        is_phase = key == "phase"
        if not re.fullmatch("bomb" if is_phase else "[0-9]{1,6}(/[0-9]{1,6})*", value):
            wrong = "is not a phase; write phase=bomb" if is_phase else f"needs numbers, such as {key}=2"
            raise NotationError(f"'{shorten(word)}' {wrong}")
        options[key] = [] if is_phase else [int(number) for number in value.split("/")]
    return options
