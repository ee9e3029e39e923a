"""XT maps as records: a map is a game without moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePath
from typing import BinaryIO

from polyversi.games.errors import MapError, PolyversiError, RecordError, VariantError
from polyversi.games.game import Game
from polyversi.games.tiles import XT_SYMBOLS
from polyversi.games.variants import game as named
from polyversi.games.xt import MapSpec, xt_game
from polyversi.games.xtmap import MAX_TEXT, Transition, XtMap
from polyversi.records.formats import Context, Format, Item, only_game
from polyversi.records.record import Record

HEAD = re.compile(rb"\s*(?:\S+\s+){4}([+-]?[0-9]{1,9})\s+([+-]?[0-9]{1,9})(?:\s|$)")
"""Where a map says its height and its width."""
LOOKS = re.compile(rb"\s*\+?[2-8](?:\s+[+-]?[0-9]{1,5}){5}\s+[0-8cibx-](?:\s|$)")


def map_of(game: Game) -> XtMap:
    """The map that a game of Reversi XT is played on.

    >>> import polyversi as pv
    >>> map_of(pv.game("xt:starfish")).players
    8
    """
    rules, board = game.definition, game.board
    places = board.coordinates
    tiles = {place: XT_SYMBOLS[tile] for place, tile in zip(places, rules.start, strict=True)}
    sheet = "".join(tiles.get((x, y), "-") for y in range(board.height) for x in range(board.width))
    transitions = tuple(
        Transition(*places[link.cell], link.direction, *places[link.to], link.entry) for link in board.links
    )
    stocks = rules.overrides, rules.bombs, rules.radius
    return XtMap(rules.seats, *stocks, board.height, board.width, sheet, transitions)


def is_on_map(game: Game) -> bool:
    """Whether a game is played by the rules and on the board of an XT map."""
    return game.definition.has_stocks and game.board.notation == "pairs"


def is_told_by_map(game: Game) -> bool:
    """Whether its map says everything about a game: stocks and tiles; on every map the most stones win.

    >>> import polyversi as pv
    >>> is_told_by_map(pv.game("xt:arena")), is_told_by_map(pv.game("anti-xt:arena"))
    (True, False)
    """
    return game.definition.has_stocks and game.definition.goal == "most"


def embedded_map(game: Game) -> str:
    """The text of the map that must go with the name of a game, or nothing when the name says it all.

    >>> import polyversi as pv
    >>> embedded_map(pv.game("othello")), embedded_map(pv.game("xt:starfish"))
    ('', '')
    """
    if _by_name(game.spec) == game:
        return ""
    if not is_on_map(game):
        raise RecordError(f"'{game.spec}' is not a registered variant, so its files could not be read "
                          f"again; register it first: pv.register_variant({game.spec!r}, game)")
    return map_of(game).text


def name_without_path(game: Game) -> str:
    """The name of a game on a map from a file, without the folders of the machine it was read on.

    >>> from polyversi.games.mapkinds import generate
    >>> name_without_path(xt_game(generate("torus"), "xt:/home/ann/maps/mine.map", "fewest"))
    'xt:mine,goal=fewest'
    """
    return str(map_spec_of(game))


def map_spec_of(game: Game) -> MapSpec:
    """How a game on a map is called, without the folders and the ending of the map's file."""
    known = MapSpec.read(game.spec)
    return MapSpec(PurePath(known.map if known else game.spec).stem, game.definition.goal)


def named_game(spec: str, map_text: str = "", *, max_tiles: int | None = None) -> Game:
    """The game of that name, on a map if there is one; never reads a file, since names come from strangers.

    On a map it needs no name. A map with more than `max_tiles`, holes included, is refused before anything
    large is made of it.

    >>> named_game("xt:mine", "2 0 0 0  1 3  0 1 2").spec
    'xt:mine'
    """
    if not map_text:
        return named(spec, files=False)
    check_map_size(map_text.encode(errors="replace"), max_tiles)
    return _on_map(spec or str(MapSpec()), map_text)


def check_map_size(text: bytes, max_tiles: int | None) -> None:
    """Refuses a map with more than so many tiles; what else may be wrong with it is for its reader to say.

    >>> check_map_size(b"2 0 0 0  1 3  0 1 2", max_tiles=2)
    Traceback (most recent call last):
    polyversi.games.errors.MapError: the map has 3 tiles; at most 2 are possible here
    """
    head = HEAD.match(text)
    tiles = int(head[1]) * int(head[2]) if head else 0
    if max_tiles is not None and tiles > max_tiles:
        raise MapError(f"the map has {tiles:,} tiles; at most {max_tiles:,} are possible here")


@lru_cache(maxsize=32)
def _on_map(spec: str, map_text: str) -> Game:
    known = MapSpec.read(spec)
    if known is None:
        raise RecordError(f"'{spec[:40]}' has a map; only games of XT have one, and are named 'xt:…'")
    return xt_game(XtMap.parse(map_text), str(replace(known, goal="most")), known.goal)


def _by_name(spec: str) -> Game | None:
    try:
        return named(spec, files=False)
    except VariantError:
        return None


def _decode(stream: BinaryIO, context: Context) -> Iterator[Record]:
    spec = str(MapSpec(context.path.stem) if context.path else MapSpec())
    try:
        text = stream.read(MAX_TEXT + 1)
        check_map_size(text, context.max_tiles)
        game = xt_game(XtMap.parse(text), spec)
    except PolyversiError as error:
        context.failed(RecordError(str(error)))
    else:
        yield Record(game.start())


def _fit(item: Item) -> Record:
    record = only_game(item, "a map")
    game = record.game
    if not (is_on_map(game) and is_told_by_map(game)):
        raise RecordError(f"a map holds games of XT in which the most stones win, not {game.spec}")
    if record.moves or record.start != game.start():
        raise RecordError("a map holds a game without moves")
    return Record(xt_game(map_of(game)).start())


def _encode(items: Iterable[Item]) -> Iterator[bytes]:
    for number, item in enumerate(items):
        if number:
            raise RecordError("a map file holds one map")
        yield map_of(item.game).text.encode()


FORMAT = Format(
    name="map",
    suffixes=(".map",),
    sentence="An XT map: a game of Reversi XT before the first move.",
    looks=lambda head: LOOKS.match(head) is not None,
    decode=_decode,
    fit=_fit,
    encode=_encode,
    pasted="the text of an XT map",
)
