"""What there is to choose from and to draw: variants, players, and games described for the page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from polyversi.drawing.layout import board_layout
from polyversi.drawing.palette import COLOURS
from polyversi.games.board_cache import board_cache
from polyversi.games.family import Choice, Family, Number, Option, Text, Variant
from polyversi.games.game import Game
from polyversi.games.notation import seat_symbol, symbols
from polyversi.games.tiles import EMPTY, HOLE, TILE_NAMES, XT_SYMBOLS
from polyversi.games.variants import VARIANTS, describe, game, title
from polyversi.players import (
    PLAYERS,
    OptionInfo,
    Player,
    options_of,
    player,
    strongest_first,
    visitor_options,
    visitor_shares,
)
from polyversi.records import FORMATS
from polyversi.records.maps import is_on_map, map_of
from polyversi.server.bots import BotFolder
from polyversi.server.downloads import kinds

Json = dict[str, Any]
FEATURED = {
    "othello": "Othello", "hex": "HexaReversi", "xt:islands": "Reversi XT", "rolit": "Rolit",
    "anti": "Anti-Othello", "blackhole": "Black hole", "torus": "Torus", "xt:diamond": "XT Diamond",
}
"""The variants that newcomers see first, with what each stands for."""
ARENA = {"variant": "hex", "players": ("t77", "random")}
"""What the arena offers first."""


def families() -> list[Json]:
    """Every family with its variants, and the options that each of these takes.

    >>> [family["label"] for family in families()][:2], families()[0]["variants"][1]["label"]
    (['On squares', 'On hexagons'], 'Anti-Othello')
    """
    return _families(tuple(VARIANTS.values()))


@lru_cache(maxsize=1)
def _families(found: tuple[Variant, ...]) -> list[Json]:
    families: dict[str, Family] = {}
    for variant in found:    # games of one's own have a family each, of the same name
        families.setdefault(variant.family.name, variant.family)
    return [
        {
            "name": family.name,
            "label": family.label,
            "sentence": family.sentence,
            "number": family.number,
            "variants": [_variant(variant) for variant in family.gallery()
                         or (variant for variant in found if variant.family.name == family.name)],
        }
        for family in families.values()
    ]


def _variant(variant: Variant) -> Json:
    family = variant.family
    options = {**family.options, **variant.options}
    chosen = game(variant.example)
    return {
        "name": variant.name,
        "label": variant.label,
        "sentence": variant.sentence,
        **_goal(chosen),
        "seats": chosen.seats,
        "on_map": is_on_map(chosen),
        "for_two": _for_two(chosen, family.seats, options),
        "seat_choices": _seat_choices(chosen, family.seats, options),
        "spec": chosen.spec,
        "options": [_option(name, takes, variant.defaults[name]) for name, takes in options.items()
                    if name != family.first],
    }


def _goal(chosen: Game) -> Json:
    """What is played for: a sentence for people, and a flag for programs."""
    rules = chosen.definition
    return {"goal": rules.goal_in_words, "fewest_wins": rules.goal == "fewest"}


def _for_two(chosen: Game, name: str, options: Mapping[str, Option]) -> dict[str, str] | None:
    """The options that make it a game of two seats; None where it cannot be one."""
    if chosen.seats == 2:
        return {}
    return {name: "2"} if name and options[name].read("2") is not None else None


def _seat_choices(chosen: Game, name: str, options: Mapping[str, Option]) -> dict[str, dict[str, str]]:
    """The numbers of seats that it can have, each with the options that make it so."""
    numbers = [str(number) for number in range(2, 9) if name and options[name].read(str(number)) is not None]
    return {number: {} if number == str(chosen.seats) else {name: number}
            for number in numbers or [str(chosen.seats)]}


def featured() -> list[Json]:
    """The variants of the front page.

    >>> [entry["label"] for entry in featured()][:4]
    ['Othello', 'HexaReversi', 'Reversi XT', 'Rolit']
    """
    return [{"name": name, "label": label} for name, label in FEATURED.items()]


def map_tiles() -> list[Json]:
    """What can lie on a place of an XT map besides stones, by its character in the map.

    >>> [(tile["symbol"], tile["name"]) for tile in map_tiles()][:3]
    [('0', 'empty'), ('-', 'hole'), ('c', 'choice')]
    """
    return [_tile(tile, name) | {"symbol": XT_SYMBOLS[tile]}
            for tile, name in (TILE_NAMES | {HOLE: "hole"}).items()]


def _tile(tile: int, name: str) -> Json:
    """A tile other than a stone, with the key that chooses it in an editor."""
    return {"tile": tile, "name": name, "key": {EMPTY: "f", HOLE: "h"}.get(tile, XT_SYMBOLS[tile])}


def _option(name: str, takes: Option, default: object) -> Json:
    """An option of a variant, for a form."""
    entry: Json = {"name": name, "label": takes.label or name.capitalize(), "meaning": takes.meaning,
                   "default": default}
    match takes:
        case Number():
            return entry | {"kind": "number", "low": takes.low, "high": takes.high}
        case Choice():
            return entry | {"kind": "choice", "choices": list(takes.choices), "usual": takes.usual,
                            "words": list(takes.words or takes.choices), "is_pictured": takes.is_pictured}
        case Text():
            return entry | {"kind": "text", "hint": takes.hint}


def players(chosen: Game, bots: BotFolder) -> list[Json]:
    """Every player, the strongest of this game first, and every bot of the operator.

    Each has the options with which it is offered, and the reason why it does not play this, if any.
    """
    listed = [
        {
            "name": name,
            "label": cls.label,
            "sentence": cls.sentence,
            "levels": list(cls.levels),
            "options": [_player_option(option) for option in visitor_options(cls)],
            "offered": {option: str(value) for option, value in cls.offered.items()},
            "unsuited": player(name).unsuited(chosen),
        }
        for name in strongest_first(chosen) for cls in (PLAYERS[name],)
    ]
    return listed + [
        {"name": spec, "label": _bot_label(spec), "sentence": "A bot of this server.", "levels": [],
         "options": [], "offered": {}, "unsuited": bots.unsuited(spec, chosen)}
        for spec in bots.specs()
    ]


def quiet_options() -> list[str]:
    """Options that names of players leave out: they do not say how it plays, or have words of their own.

    >>> quiet_options()
    ['level', 'seed', 'threads', 'hash']
    """
    shares = (visitor_shares(cls) for cls in PLAYERS.values())
    return list(dict.fromkeys(["level", "seed", *(name for one in shares for name in one)]))


def player_labels(bots: BotFolder) -> list[Json]:
    """What people read in place of the names of players and bots, with the level that a player has unasked.

    >>> player_labels(BotFolder(None))[0]
    {'name': 'polyversi', 'label': 'Polyversi', 'level': 20}
    """
    def level(cls: type[Player]) -> int | None:
        return next((option.default for option in options_of(cls) if option.name == "level"), None)

    return [
        *({"name": name, "label": cls.label, "level": level(cls)}
          for name in strongest_first() for cls in (PLAYERS[name],)),
        *({"name": spec, "label": _bot_label(spec), "level": None} for spec in bots.specs()),
    ]


def _bot_label(spec: str) -> str:
    return spec.partition(":")[2]


def _player_option(option: OptionInfo) -> Json:
    words = [str(choice) for choice in option.choices if not isinstance(choice, type)]
    plain = next((choice for choice in [*option.choices, option.type] if choice in (bool, int, float)), str)
    kind = "choice" if words else {bool: "flag", int: "number", float: "number"}.get(plain, "text")
    entry: Json = {"name": option.name, "label": option.name.capitalize(), "kind": kind, "choices": words,
                   "default": option.default}
    return entry | ({"low": option.bounds.low, "high": option.bounds.high} if option.bounds else {})


def description(chosen: Game, colours: str = "") -> Json:
    """A game as the page needs it: its rules in a few words, its notation, and the plan of its board.

    `colours` are other looks of the stones than the board's own, as the games of a series have them.

    >>> othello = description(game("othello"))
    >>> othello["symbols"], othello["passing"], othello["plan"]["names"][0]
    ({'-': 0, 'X': 1, 'O': 2}, 'forced', 'a1')
    """
    return _description(chosen, chosen.spec, colours if colours in COLOURS else "")


# By the spec too: games of the same rules can have different names.
@board_cache(64)
def _description(chosen: Game, spec: str, colours: str) -> Json:
    rules = chosen.definition
    return {
        "spec": spec,
        "title": title(spec),
        "sentence": describe(spec)[0],
        "seats": chosen.seats,
        **_goal(chosen),
        "passing": rules.passing,
        "phases": rules.phases,
        "has_stocks": rules.has_stocks,
        "scoring": rules.scoring,
        "drawn": bool(rules.random_cells),    # as the page has always called it
        "bad_move": rules.bad_move,
        "radius": rules.radius,
        "overrides": rules.overrides,
        "bombs": rules.bombs,
        "tiles": [_tile(tile, name) for tile, name in TILE_NAMES.items() if tile in symbols(chosen)],
        "symbols": {symbol: tile for tile, symbol in symbols(chosen).items()},
        "seat_symbols": [seat_symbol(chosen, seat) for seat in range(1, chosen.seats + 1)],
        "start": chosen.start().text,
        "map": map_of(chosen).text if is_on_map(chosen) else "",
        "files": _files(chosen),
        "plan": board_layout(chosen, colours),
    }


def _files(chosen: Game) -> list[Json]:
    """What a game can be had as: the pictures, and the records that can hold it."""
    return [{"kind": kind, "label": one.label, "record": one.format.label if one.format else ""}
            for kind, one in kinds().items() if one.format is None or one.format.can_hold(chosen)]


def texts() -> Json:
    """What people may open: the endings of files, and what texts are called that they may paste.

    >>> texts()["pasted"][:2]
    ['moves such as f5d6c3', 'the text of an XT map']
    """
    found = FORMATS.values()
    return {"suffixes": [suffix for one in found for suffix in one.suffixes],
            "pasted": [one.pasted for one in reversed(found) if one.pasted]}
