"""What an organiser sets an event up with, and the plan of the tournament that becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from polyversi.contest.openings import Openings
from polyversi.contest.plan import MAX_SEED, Entrant, Plan, name_of, parse_limit, unique_name
from polyversi.games.errors import MapError, PlayerError, VariantError
from polyversi.games.game import Game
from polyversi.games.xt import MapSpec
from polyversi.games.xtmap import check_playable
from polyversi.players import PLAYERS, check_visitor_options
from polyversi.protocols.spec import is_bot
from polyversi.records.maps import name_without_path, named_game
from polyversi.site.names import clean_name

MAX_TILES = 10_000
"""Tiles of a map."""
Short = Annotated[str, msgspec.Meta(max_length=200)]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class MapFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map of the organiser's own."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[\w .()-]*$")]
    text: Annotated[str, msgspec.Meta(max_length=200_000)]


class EventSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an event is to be."""

    variants: Annotated[tuple[Short, ...], msgspec.Meta(max_length=50)] = ()
    maps: Annotated[tuple[MapFile, ...], msgspec.Meta(max_length=20)] = ()
    format: Short = "round-robin"
    options: Annotated[dict[str, int], msgspec.Meta(max_length=10)] = {}
    games: Number | None = None
    """Games of each meeting on each variant; None for as many as seats."""
    openings: Annotated[str, msgspec.Meta(pattern=r"^(none|(random|balanced) [0-9]{1,3})$")] = "none"
    limit: Short = "seconds=5,bank=180"
    memory: Annotated[int, msgspec.Meta(ge=16, le=1 << 20)] = 1024
    """MiB for a bot with all its processes."""
    failures: Number = 0
    """An entrant that has failed so often is set aside; 0 for never."""
    adjudicate: Number = 0
    seed: Annotated[int, msgspec.Meta(ge=0, le=MAX_SEED)] = 0
    ladder: Short = ""
    """Everybody on this ladder takes part whose bot has passed its check…"""
    deadline: float | None = None
    """…by then, in seconds since 1970; otherwise when the event is started. So do chosen bots."""
    bots: Annotated[tuple[Short, ...], msgspec.Meta(max_length=1000)] = ()
    """The ids of bots that take part."""
    players: Annotated[tuple[Short, ...], msgspec.Meta(max_length=100)] = ()
    """Players of the program."""
    groups: Annotated[tuple[Short, ...], msgspec.Meta(max_length=100)] = ()
    """Groups whose clients connect over the network, each with a token."""


@dataclass(frozen=True)
class EntrantChoice:
    """Somebody who takes part."""

    name: str
    """The name of the bot, player or group; entrants of the same name get a number."""
    who: str
    """`bot:ID/VERSION`, `player:SPEC` or `group:NAME`."""
    spec: str


def plan_of(
    title: str, settings: EventSettings, entrants: Sequence[EntrantChoice]
) -> tuple[Plan, list[EntrantChoice]]:
    """The plan of an event with these entrants, and these with the names they have in it.

    A PolyversiError says what is wrong.

    >>> choices = [player_choice("random"), player_choice("t77")]
    >>> plan, named = plan_of("Cup", EventSettings(variants=("othello-6",), limit="depth=2"), choices)
    >>> plan.name, plan.variants, [one.name for one in named]
    ('Cup', ('othello-6',), ['random', 't77'])
    """
    games = games_of(settings)
    limit, stall_timeout = parse_limit(settings.limit)
    named = _named(entrants)
    plan = Plan(
        title, tuple(Entrant(one.name, one.spec) for one in named), games[0], settings.format,
        settings.options, settings.games, Openings.parse(settings.openings, ()), limit, settings.seed,
        failures=settings.failures, adjudicate=settings.adjudicate, maps=games[1], memory=settings.memory,
        stall_timeout=stall_timeout,
    )
    plan.check()
    return plan, named


def games_of(settings: EventSettings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of what is played, and for each the text of its map, if it is one of the organiser's own.

    >>> games_of(EventSettings(maps=(MapFile("mine", "2 0 0 0  1 5  0 0 1 2 0"),)))[0]
    ('xt:mine',)
    """
    names: list[str] = []
    texts: list[str] = []
    for spec in settings.variants:
        game = _playable(named_game(spec, max_tiles=MAX_TILES))
        names.append(game.spec)
        texts.append("")
    for one in settings.maps:
        try:
            game = _playable(named_game(str(MapSpec(one.name)), one.text, max_tiles=MAX_TILES))
            check_playable(game)
        except MapError as error:
            raise MapError(f"the map '{one.name}': {error}") from None
        names.append(unique_name(name_without_path(game), {*names}))
        texts.append(one.text)
    if not names:
        raise VariantError("an event needs a variant or a map")
    return tuple(names), tuple(texts)


def _playable(game: Game) -> Game:
    if game.board.size > MAX_TILES:
        raise VariantError(f"{game.spec} has {game.board.size:,} cells; at most {MAX_TILES:,} are possible")
    return game


def player_choice(spec: str) -> EntrantChoice:
    """A player of the program as an entrant, with options that visitors may set; otherwise a PlayerError.

    >>> player_choice("t77").who
    'player:t77'
    """
    name = spec.partition(":")[0]
    if is_bot(spec) or name not in PLAYERS:
        raise PlayerError(f"there is no player '{spec[:40]}'")
    check_visitor_options(spec)
    return EntrantChoice(name_of(spec), f"player:{spec}", spec)


def group_choice(name: str) -> EntrantChoice:
    """A group that connects over the network.

    >>> group_choice(" Group 3 ").spec
    'xtgroup:Group 3'
    """
    name = clean_name(name, "a group")
    return EntrantChoice(name, f"group:{name}", f"xtgroup:{name}")


def _named(entrants: Sequence[EntrantChoice]) -> list[EntrantChoice]:
    """The entrants with different names."""
    taken: set[str] = set()
    found = []
    for one in entrants:
        name = unique_name(one.name, taken)
        taken.add(name)
        found.append(EntrantChoice(name, one.who, one.spec))
    return found
