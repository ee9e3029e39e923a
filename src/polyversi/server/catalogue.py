"""What there is to choose from and to draw: variants, players, and games described for the page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import UNSET

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
from polyversi.server.catalogue_answers import (
    ArenaDefaults,
    Catalogue,
    Description,
    Featured,
    FileKind,
    MapTile,
    OfferedFamily,
    OfferedOption,
    OfferedVariant,
    OpenableTexts,
    OptionKind,
    PlayerInfo,
    PlayerLabel,
    Tile,
)
from polyversi.server.downloads import kinds

FEATURED = {
    "othello": "Othello", "hex": "HexaReversi", "xt:islands": "Reversi XT", "rolit": "Rolit",
    "anti": "Anti-Othello", "blackhole": "Black hole", "torus": "Torus", "xt:diamond": "XT Diamond",
}
"""The variants that newcomers see first, with what each stands for."""
ARENA = ArenaDefaults("hex", ("t77", "random"))
"""What the arena offers first."""
FIRST = "othello"
"""The variant that is offered where nobody has chosen one."""
LIMITS = ("none", "bank=180,increment=2", "bank=300", "bank=600,increment=5", "bank=1800", "seconds=5",
          "seconds=30")
"""The time limits that are offered."""
CLOCK = "bank=300"
"""The one of them that people are offered first against each other."""


def catalogue(bots: BotFolder) -> Catalogue:
    """All that the page chooses from on any view."""
    return Catalogue(families(), featured(), map_tiles(), player_labels(bots), quiet_options(), ARENA, FIRST,
                     LIMITS, CLOCK, texts())


def families() -> list[OfferedFamily]:
    """Every family with its variants, and the options that each of these takes.

    >>> [family.label for family in families()][:2], families()[0].variants[1].label
    (['On squares', 'On hexagons'], 'Anti-Othello')
    """
    return _families(tuple(VARIANTS.values()))


@lru_cache(maxsize=1)
def _families(found: tuple[Variant, ...]) -> list[OfferedFamily]:
    families: dict[str, Family] = {}
    for variant in found:    # games of one's own have a family each, of the same name
        families.setdefault(variant.family.name, variant.family)
    return [
        OfferedFamily(
            name=family.name,
            label=family.label,
            sentence=family.sentence,
            number=family.number,
            variants=[_variant(variant) for variant in family.gallery()
                      or (variant for variant in found if variant.family.name == family.name)],
        )
        for family in families.values()
    ]


def _variant(variant: Variant) -> OfferedVariant:
    family = variant.family
    options = {**family.options, **variant.options}
    chosen = game(variant.example)
    return OfferedVariant(
        name=variant.name,
        label=variant.label,
        sentence=variant.sentence,
        goal=chosen.definition.goal_in_words,
        fewest_wins=chosen.definition.goal == "fewest",
        seats=chosen.seats,
        on_map=is_on_map(chosen),
        for_two=_for_two(chosen, family.seats, options),
        seat_choices=_seat_choices(chosen, family.seats, options),
        spec=chosen.spec,
        options=[_option(name, takes, variant.defaults[name]) for name, takes in options.items()
                 if name != family.first],
    )


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


def featured() -> list[Featured]:
    """The variants of the front page.

    >>> [entry.label for entry in featured()][:4]
    ['Othello', 'HexaReversi', 'Reversi XT', 'Rolit']
    """
    return [Featured(name, label) for name, label in FEATURED.items()]


def map_tiles() -> list[MapTile]:
    """What can lie on a place of an XT map besides stones, by its character in the map.

    >>> [(tile.symbol, tile.name) for tile in map_tiles()][:3]
    [('0', 'empty'), ('-', 'hole'), ('c', 'choice')]
    """
    return [MapTile(tile, name, _key(tile), XT_SYMBOLS[tile])
            for tile, name in (TILE_NAMES | {HOLE: "hole"}).items()]


def _key(tile: int) -> str:
    """The key that chooses a tile in an editor."""
    return {EMPTY: "f", HOLE: "h"}.get(tile, XT_SYMBOLS[tile])


def _option(name: str, takes: Option, default: int | str) -> OfferedOption:
    """An option of a variant, for a form."""
    label = takes.label or name.capitalize()
    match takes:
        case Number():
            return OfferedOption(name, label, "number", default, takes.meaning, takes.low, takes.high)
        case Choice():
            return OfferedOption(
                name, label, "choice", default, takes.meaning, choices=takes.choices,
                words=takes.words or takes.choices, usual=takes.usual, is_pictured=takes.is_pictured)
        case Text():
            return OfferedOption(name, label, "text", default, takes.meaning, hint=takes.hint)


def players(chosen: Game, bots: BotFolder) -> list[PlayerInfo]:
    """Every player, the strongest of this game first, and every bot of the operator.

    Each has the options with which it is offered, and the reason why it does not play this, if any.
    """
    listed = [
        PlayerInfo(
            name=name,
            label=cls.label,
            sentence=cls.sentence,
            levels=list(cls.levels),
            options=[_player_option(option) for option in visitor_options(cls)],
            offered={option: str(value) for option, value in cls.offered.items()},
            unsuited=player(name).unsuited(chosen),
        )
        for name in strongest_first(chosen) for cls in (PLAYERS[name],)
    ]
    return listed + [
        PlayerInfo(spec, _bot_label(spec), "A bot of this server.", [], [], {}, bots.unsuited(spec, chosen))
        for spec in bots.specs()
    ]


def quiet_options() -> tuple[str, ...]:
    """Options that names of players leave out: they do not say how it plays, or have words of their own.

    >>> quiet_options()
    ('level', 'seed', 'threads', 'hash')
    """
    shares = (visitor_shares(cls) for cls in PLAYERS.values())
    return tuple(dict.fromkeys(["level", "seed", *(name for one in shares for name in one)]))


def player_labels(bots: BotFolder) -> list[PlayerLabel]:
    """What people read in place of the names of players and bots, with the level that a player has unasked.

    >>> player_labels(BotFolder(None))[0]
    PlayerLabel(name='polyversi', label='Polyversi', level=20)
    """
    def level(cls: type[Player]) -> int | None:
        return next((option.default for option in options_of(cls) if option.name == "level"), None)

    return [
        *(PlayerLabel(name, cls.label, level(cls))
          for name in strongest_first() for cls in (PLAYERS[name],)),
        *(PlayerLabel(spec, _bot_label(spec), None) for spec in bots.specs()),
    ]


def _bot_label(spec: str) -> str:
    return spec.partition(":")[2]


def _player_option(option: OptionInfo) -> OfferedOption:
    words = tuple(str(choice) for choice in option.choices if not isinstance(choice, type))
    plain = next((choice for choice in [*option.choices, option.type] if choice in (bool, int, float)), str)
    kinds: dict[type, OptionKind] = {bool: "flag", int: "number", float: "number"}
    kind = "choice" if words else kinds.get(plain, "text")
    low, high = (option.bounds.low, option.bounds.high) if option.bounds else (UNSET, UNSET)
    return OfferedOption(option.name, option.name.capitalize(), kind, option.default,
                         low=low, high=high, choices=words)


def description(chosen: Game, colours: str = "") -> Description:
    """A game as the page needs it: its rules in a few words, its notation, and the plan of its board.

    `colours` are other looks of the stones than the board's own, as the games of a series have them.

    >>> othello = description(game("othello"))
    >>> othello.symbols, othello.passing, othello.plan["names"][0]
    ({'-': 0, 'X': 1, 'O': 2}, 'forced', 'a1')
    """
    return _description(chosen, chosen.spec, colours if colours in COLOURS else "")


# By the spec too: games of the same rules can have different names.
@board_cache(64)
def _description(chosen: Game, spec: str, colours: str) -> Description:
    rules = chosen.definition
    return Description(
        spec=spec,
        title=title(spec),
        sentence=describe(spec)[0],
        seats=chosen.seats,
        goal=rules.goal_in_words,
        fewest_wins=rules.goal == "fewest",
        passing=rules.passing,
        phases=rules.phases,
        has_stocks=rules.has_stocks,
        scoring=rules.scoring,
        drawn=bool(rules.random_cells),    # as the page has always called it
        bad_move=rules.bad_move,
        radius=rules.radius,
        overrides=rules.overrides,
        bombs=rules.bombs,
        tiles=[Tile(tile, name, _key(tile)) for tile, name in TILE_NAMES.items() if tile in symbols(chosen)],
        symbols={symbol: tile for tile, symbol in symbols(chosen).items()},
        seat_symbols=[seat_symbol(chosen, seat) for seat in range(1, chosen.seats + 1)],
        start=chosen.start().text,
        map=map_of(chosen).text if is_on_map(chosen) else "",
        files=_files(chosen),
        plan=board_layout(chosen, colours),
    )


def _files(chosen: Game) -> list[FileKind]:
    """What a game can be had as: the pictures, and the records that can hold it."""
    return [FileKind(kind, one.label, one.format.label if one.format else "")
            for kind, one in kinds().items() if one.format is None or one.format.can_hold(chosen)]

def texts() -> OpenableTexts:
    """What people may open: the endings of files, and what texts are called that they may paste.

    >>> texts().pasted[:2]
    ['moves such as f5d6c3', 'the text of an XT map']
    """
    found = FORMATS.values()
    return OpenableTexts([suffix for one in found for suffix in one.suffixes],
                         [one.pasted for one in reversed(found) if one.pasted])
