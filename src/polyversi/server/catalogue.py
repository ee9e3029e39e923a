"""What there is to choose from and to draw: variants, players, and games described for the page."""

from __future__ import annotations

import types
import typing
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from polyversi.games.family import Choice, Number, Option, Text, Variant
from polyversi.games.notation import seat_symbol, symbols
from polyversi.games.variants import VARIANTS, describe, game
from polyversi.players import PLAYERS, player
from polyversi.records.maps import is_on_map, map_of
from polyversi.server.layout import board_layout
from polyversi.server.players import visitor_options

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.players.player import OptionInfo, Player
    from polyversi.server.bots import BotFolder

Json = dict[str, Any]


@lru_cache(maxsize=1)
def variants() -> list[Json]:
    """Every variant and every kind of XT map, with the options that each takes.

    >>> [entry["name"] for entry in variants()][:2], variants()[0]["options"][0]["default"]
    (['othello', 'anti'], 8)
    """
    offered = [tuple(one.family.gallery()) or (one,) for one in VARIANTS.values()]
    return [_variant(variant) for group in offered for variant in group]


def _variant(variant: Variant) -> Json:
    family = variant.family
    options = {**family.options, **variant.options}
    chosen = game(variant.example)
    return {
        "name": variant.name,
        "sentence": variant.sentence,
        "seats": chosen.seats,
        "family": family.name,
        "spec": chosen.spec,
        "options": [_option(name, takes, variant.defaults[name]) for name, takes in options.items()
                    if name != family.first],
    }


def _option(name: str, takes: Option, default: object) -> Json:
    """An option of a variant, for a form."""
    entry: Json = {"name": name, "default": default}
    match takes:
        case Number():
            return entry | {"kind": "number", "low": takes.low, "high": takes.high}
        case Choice():
            return entry | {"kind": "choice", "words": list(takes.choices)}
        case Text():
            return entry | {"kind": "text", "hint": takes.hint}


def players(chosen: Game, bots: BotFolder) -> list[Json]:
    """Every player and every bot of the operator, each with the reason why it does not play this, if any."""
    listed = [
        {
            "name": name,
            "sentence": _sentence(cls),
            "options": [_player_option(option) for option in visitor_options(cls)],
            "unsuited": player(name).unsuited(chosen),
        }
        for name, cls in PLAYERS.items()
    ]
    return listed + [
        {"name": spec, "sentence": f"A bot of this server: {spec.partition(':')[2]}.", "options": [],
         "unsuited": bots.unsuited(spec, chosen)}
        for spec in bots.specs()
    ]


def _sentence(cls: type[Player]) -> str:
    """The first sentence of a player's description."""
    words = " ".join((cls.__doc__ or "").split("\n\n")[0].split())
    return words.partition(". ")[0].rstrip(".") + "."


def _player_option(option: OptionInfo) -> Json:
    choices = [choice for choice in typing.get_args(option.type) if choice is not types.NoneType]
    words = [str(choice) for choice in choices if not isinstance(choice, type)]
    plain = next((choice for choice in [*choices, option.type] if choice in (bool, int, float)), str)
    kind = "choice" if words else {bool: "flag", int: "number", float: "number"}.get(plain, "text")
    entry: Json = {"name": option.name, "kind": kind, "words": words, "default": option.default}
    return entry | ({"low": option.bounds.low, "high": option.bounds.high} if option.bounds else {})


@lru_cache(maxsize=64)
def description(chosen: Game) -> Json:
    """A game as the page needs it: its rules in a few words, its notation, and the plan of its board.

    >>> told = description(game("othello"))
    >>> told["symbols"], told["passing"], told["plan"]["names"][0]
    ({'-': 0, 'X': 1, 'O': 2}, 'forced', 'a1')
    """
    rules = chosen.definition
    return {
        "spec": chosen.spec,
        "sentence": describe(chosen.spec)[0],
        "seats": chosen.seats,
        "goal": rules.goal,
        "passing": rules.passing,
        "is_xt": rules.has_stocks,
        "radius": rules.radius,
        "overrides": rules.overrides,
        "bombs": rules.bombs,
        "symbols": {symbol: tile for tile, symbol in symbols(chosen).items()},
        "seat_symbols": [seat_symbol(chosen, seat) for seat in range(1, chosen.seats + 1)],
        "start": chosen.start().text,
        "map": map_of(chosen).text if is_on_map(chosen) else "",
        "plan": board_layout(chosen),
    }
