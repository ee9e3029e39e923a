"""The plan of a contest: who plays what, in which format, and within which limits, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from polyversi.contest.fixtures import groups_of, match_fixtures
from polyversi.contest.formats import format_from
from polyversi.contest.model import Field, Fixture, SeatOrder
from polyversi.contest.openings import Openings
from polyversi.games.board import printable, shorten
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.variants import game as named
from polyversi.protocols.bot_files import MAIN, is_file
from polyversi.protocols.spec import check_suited, is_bot
from polyversi.records.maps import FEWEST, embedded_map, name_without_path, named_game
from polyversi.stats.sprt import Sprt

MATCH = "match"
"""The format of a match: all its games are known from the start, numbered from 1."""

Place = tuple[str | int, ...]
MAX_NAME = 60
"""Characters of the name of an entrant or a tournament."""
MAX_ENTRANTS = 1000
MAX_VARIANTS = 1000
MAX_GAMES = 100_000
MAX_SEED = 2**53
"""Beyond it, numbers in JSON are not the same everywhere."""
MAX_ANCHOR = 10_000


class PlanError(PolyversiError):
    """A contest that cannot be played as it is planned; `place` says which part of the plan is wrong."""

    def __init__(self, sentence: str, *place: str | int) -> None:
        super().__init__(sentence)
        self.place: Place = place


@dataclass(frozen=True)
class Entrant:
    """Who takes part: a name of its own, and a player or a bot."""

    name: str
    spec: str


@dataclass(frozen=True)
class BrokenBot:
    """Who would take part, but for a bot that cannot be played: set aside until it is repaired."""

    name: str
    path: str
    """The file or the folder that is no bot yet."""
    reason: str
    """A sentence on what is wrong with it."""


@dataclass(frozen=True)
class Plan:
    """All that a contest follows from.

    Whoever makes one with the path of a map gets the map's text in it, and is told what it is called from
    now on: the same board is played wherever the plan goes, and no file is read again.

    >>> plan = Plan("cup", entrants_of(["t77", "random"]), ("hex", "hex:side=4"), games=4)
    >>> plan.check()
    >>> Plan.from_json(plan.to_json()) == plan
    True
    """

    name: str
    entrants: tuple[Entrant, ...]
    variants: tuple[str, ...] = ("othello",)
    """What is played, by all in every meeting; on maps from files see `maps`."""
    format: str = "round-robin"
    format_options: Mapping[str, int] = field(default_factory=dict)
    games: int = 2
    """Of every meeting on every variant."""
    openings: Openings = Openings()    # noqa: RUF009 it cannot be changed
    limit: Limit = Limit(seconds=1)    # noqa: RUF009
    seed: int = 0
    """Draws everything that is drawn."""
    jobs: int = 0
    """Games at a time; 0 for as many as there are processors."""
    failures: int = 0
    """Whoever has failed so often is set aside; 0 for never."""
    trust: bool = False
    """Whether bots run without protection against them."""
    suspend: bool = False
    """Whether a bot stands still while others think."""
    anchors: Mapping[str, float] = field(default_factory=dict)
    """Ratings that are known, by the name of the entrant."""
    maps: tuple[str, ...] = ()
    """For each variant the text of its map, where its name does not say it all; found by itself."""
    broken: tuple[BrokenBot, ...] = ()
    """Those that are set aside from the start; the others play without them."""
    seats: SeatOrder = "alternate"
    """When two change seats, in a match; a format has an order of its own."""
    against: int = 0
    """So many of the last entrants of a match are those that the others are measured against."""
    sprt: Sprt | None = None
    """A test that ends a match once it has its verdict."""

    def __post_init__(self) -> None:
        if len(self.maps) != len(self.variants):
            variants, maps = _with_maps(self.variants)
            object.__setattr__(self, "variants", variants)
            object.__setattr__(self, "maps", maps)

    @cached_property
    def games_played(self) -> tuple[Game, ...]:
        """The games that are played: those of the variants, in their order."""
        return tuple(map(named_game, self.variants, self.maps))

    @property
    def is_match(self) -> bool:
        """Whether all games are known from the start."""
        return self.format == MATCH

    @cached_property
    def games_a_meeting(self) -> int:
        """Of every meeting on every variant: some formats have a number of their own."""
        own = None if self.is_match else format_from(self.format, self.format_options).games
        return own or self.games

    @cached_property
    def fixtures(self) -> list[Fixture]:
        """All games of a match."""
        others = len(self.entrants) - self.against
        groups = [groups_of(others, game.seats, self.against) for game in self.games_played]
        return match_fixtures(groups, self.games, self.seats)

    @property
    def names(self) -> list[str]:
        """Of all who take part or would do so, those last whose bots are broken."""
        return [entrant.name for entrant in self.entrants] + [bot.name for bot in self.broken]

    def check(self) -> None:
        """Raises a PlanError for what cannot be played, or would not be fair."""
        if self.is_match:
            self._check_match()
            return
        check_name(self.name, "the tournament", "name")
        self._check_numbers()
        self._check_variants()
        self._check_entrants()
        self._check_format()
        with at_place("openings"):
            self.openings.check(self.games_played, self.seed)
        if self.limit.allowance == 0:
            raise PlanError("nobody can move in no time; write a limit such as seconds=1", "limit")
        self._check_anchors()

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data, for JSON."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return data

    @classmethod
    def from_json(cls, data: object) -> Plan:
        """The plan that `to_json` has made plain data of."""
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise PlanError(f"this is no plan of a contest: {error}") from None

    def _check_match(self) -> None:
        """People set up a match with the players at hand: whatever can be played is allowed."""
        if self.games < 1 or not self.variants:
            raise PlayerError("a match has one game or more, of one variant or more")
        for game in self.games_played:
            check_suited([entrant.spec for entrant in self.entrants], game)
            self.openings.drawn(game, self.seed)    # which says what it cannot judge
        if self.sprt is not None:
            if len(self.entrants) != 2 or any(game.seats != 2 for game in self.games_played):
                raise PlayerError("an SPRT compares two players, in games of two seats")
            if self.seats != "alternate":
                raise PlayerError("an SPRT counts pairs of games: let seats change after each (alternate)")

    def _check_numbers(self) -> None:
        bounds = {"games": (1, MAX_GAMES), "seed": (0, MAX_SEED), "jobs": (0, 10_000),
                  "failures": (0, MAX_GAMES)}
        for name, (low, high) in bounds.items():
            if not low <= getattr(self, name) <= high:
                raise PlanError(f"{name} is no number from {low} to {high}", name)

    def _check_variants(self) -> None:
        if not self.variants:
            raise PlanError(f"a tournament has 1 to {MAX_VARIANTS} variants, not none", "variants")
        first = self.games_played[0]
        for number, game in enumerate(self.games_played):
            if game in self.games_played[:number]:
                raise PlanError(f"{game.spec} is given twice; name each variant once", "variants", number)
            if game.seats != first.seats:
                raise PlanError(f"{game.spec} has {game.seats} seats, but {first.spec} has {first.seats}; "
                                "all variants need the same number", "variants", number)

    def _check_entrants(self) -> None:
        if not 2 <= (count := len(self.entrants)) <= MAX_ENTRANTS:
            raise PlanError(f"a tournament has 2 to {MAX_ENTRANTS} entrants, not {count}", "entrants")
        seen: set[str] = set()
        names = [bot.name for bot in self.broken] + [entrant.name for entrant in self.entrants]
        for number, name in enumerate(names, -len(self.broken)):
            place: Place = ("entrants", number) if number >= 0 else ("entrants",)
            check_name(name, "an entrant", *place)
            if name in seen:
                raise PlanError(f"two entrants are called {name}; give each a name of its own", *place)
            seen.add(name)
        for number, entrant in enumerate(self.entrants):
            with at_place("entrants", number):
                for game in self.games_played:
                    check_suited([entrant.spec], game)

    def _check_format(self) -> None:
        seats = self.games_played[0].seats
        with at_place("format"):
            chosen = format_from(self.format, self.format_options)
            chosen.check(Field(len(self.entrants), seats))
        if chosen.games and self.games not in (chosen.games, Plan.games):
            raise PlanError(f"every meeting of {self.format} has {chosen.games} games; "
                            "leave their number out", "games")
        if not chosen.games and self.games % seats:
            raise PlanError(f"with {self.games} games of {seats} seats not all sit in every seat equally "
                            f"often; write a multiple of {seats}, such as {-(-self.games // seats) * seats}",
                            "games")

    def _check_anchors(self) -> None:
        for name, rating in self.anchors.items():
            if name not in self.names:
                raise PlanError(f"there is no entrant '{shorten(name)}' to hold at a rating; there are "
                                f"{shorten(', '.join(self.names), 200)}", "anchors", name)
            if type(rating) not in (int, float) or not abs(rating) <= MAX_ANCHOR:
                raise PlanError(f"the rating of {name} is no number from -{MAX_ANCHOR} to {MAX_ANCHOR}",
                                "anchors", name)


def check_name(name: str, whose: str, *place: str | int) -> None:
    """Raises a PlanError for a name that no table could show."""
    if not name or name != name.strip() or not name.isprintable() or len(name) > MAX_NAME:
        shown = shorten(name.encode("unicode_escape").decode())
        raise PlanError(f"{whose} cannot be called '{shown}'; a name has 1 to {MAX_NAME} "
                        "characters that can be printed, and no blanks around them", *place)


def entrants_of(specs: Iterable[str | Entrant]) -> tuple[Entrant, ...]:
    """Players and bots as entrants, each called by its specification or its file, and told apart.

    Those that have a name keep it.

    >>> [one.name for one in entrants_of(["t77", "t77", "bot:cat -u", Entrant("Ann", "random")])]
    ['t77', 't77#2', 'cat -u', 'Ann']
    """
    found = list(specs)
    taken = {one.name for one in found if isinstance(one, Entrant)}
    entrants = []
    for one in found:
        if isinstance(one, str):
            one = Entrant(unique_name(name_of(one), taken), one)
            taken.add(one.name)
        entrants.append(one)
    return tuple(entrants)


def unique_name(name: str, taken: set[str]) -> str:
    """The name, with a number if somebody else has it already.

    >>> unique_name("random", {"random", "random#2"})
    'random#3'
    """
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}#{number}"
    return free


def name_of(spec: str) -> str:
    """What a player or a bot is called that was given no name: a bot after its file, folder or command.

    >>> name_of("polyversi:level=5"), name_of("course:class/ann/agent.py"), name_of("gtp:/opt/edax -gtp")
    ('polyversi:level=5', 'ann', 'edax -gtp')
    """
    name = spec.strip()
    if is_bot(spec):
        kind, _, text = name.partition(":")
        program, _, rest = ("", "", "") if kind == "course" or is_file(Path(text)) else text.partition(" ")
        path = Path(program or text.strip()).absolute()
        name = path.parent.name if path.stem in MAIN else path.stem
        name = f"{path.name} {rest}" if rest else name
    return presentable(name)


def presentable(name: str) -> str:
    """A name that a table can show, whatever a file is called.

    >>> presentable(" ann\\t"), presentable("")
    ('ann?', '?')
    """
    return shorten(printable(name).strip()) or "?"


@contextmanager
def at_place(*place: str | int) -> Iterator[None]:
    """Says of every error to which part of the plan it belongs."""
    try:
        yield
    except PlanError:
        raise
    except PolyversiError as error:
        raise PlanError(str(error), *place) from None


def _with_maps(specs: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of variants as a plan has them, and with each the text of a map that came from a file."""
    if len(specs) > MAX_VARIANTS:
        raise PlanError(f"a tournament has 1 to {MAX_VARIANTS} variants, not {len(specs)}", "variants")
    games: list[Game] = []
    maps: list[str] = []
    for number, spec in enumerate(specs):
        with at_place("variants", number):
            games.append(named(spec))
            maps.append(embedded_map(games[-1]))
    names = [game.spec for game in games]
    taken = {name for name, chart in zip(names, maps, strict=True) if not chart}
    for number, game in enumerate(games):
        if maps[number]:
            goal = FEWEST if game.definition.goal == "fewest" else ""
            others = {name.removesuffix(goal) for name in taken if name.endswith(goal)}
            names[number] = unique_name(name_without_path(game).removesuffix(FEWEST), others) + goal
            taken.add(names[number])
    return tuple(names), tuple(maps)
