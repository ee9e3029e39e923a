"""The plan of a contest as plain data: who plays what, in which format, within which limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import lcm
from pathlib import Path
from typing import Any

import msgspec

from polyversi.contest.fixtures import groups_of, match_fixtures
from polyversi.contest.formats import format_from
from polyversi.contest.model import Field, Fixture, SeatOrder
from polyversi.contest.openings import Openings
from polyversi.engines.search import SUPPORTED, is_supported
from polyversi.gameplay.referee import MAX_ADJUDICATED
from polyversi.games.board import printable, shorten
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import game as named
from polyversi.games.variants import is_named
from polyversi.games.xt import MapSpec
from polyversi.players import Player
from polyversi.protocols.agent_python import split_python
from polyversi.protocols.bot_files import MAIN, is_file
from polyversi.protocols.spec import check_suited, is_bot
from polyversi.records.maps import embedded_map, is_on_map, map_spec_of, named_game
from polyversi.stats.sprt import Sprt

MATCH = "match"
"""The format of a match: all its games are known from the start, numbered from 1."""

ErrorPath = tuple[str | int, ...]
"""Keys and indexes that lead to a part of a plan, or of its file."""
MAX_NAME = 60
"""Characters of the name of an entrant or a tournament."""
MAX_ENTRANTS = 1000
MAX_VARIANTS = 1000
MAX_GAMES = 100_000
MAX_SEED = 2**53
"""Beyond it, numbers in JSON are not the same everywhere."""
MAX_ANCHOR = 10_000
BOT_STALL_TIMEOUT = 60.0
"""Seconds after which a bot without a time limit that has not answered loses."""


class PlanError(PolyversiError):
    """A plan that cannot be played; `place` says which part of it is wrong."""

    def __init__(self, sentence: str, *place: str | int) -> None:
        super().__init__(sentence)
        self.place: ErrorPath = place


@dataclass(frozen=True)
class Entrant:
    """Who takes part: a name of its own, and a player or a bot."""

    name: str
    spec: str
    player: Any = field(default=None, compare=False, repr=False)
    """A Player of the program itself; it is not stored with the plan."""

    @property
    def who(self) -> Player | str:
        """The player itself, or the specification of one or of a bot."""
        return self.player or self.spec


@dataclass(frozen=True)
class BrokenBot:
    """An entrant whose bot cannot be run: it is set aside until the bot is fixed."""

    name: str
    path: str
    """The file or folder that is not a working bot yet."""
    reason: str
    """A sentence on what is wrong with it."""


@dataclass(frozen=True)
class Plan:
    """Everything that determines a contest.

    A map given by its path is stored as text under a name of its own. So the same board is played wherever
    the plan goes, and the file is not read again.

    >>> plan = Plan("cup", entrants_of(["t77", "random"]), ("hex", "hex:side=4"), games=4)
    >>> plan.check()
    >>> Plan.from_json(plan.to_json()) == plan
    True
    """

    name: str
    entrants: tuple[Entrant, ...]
    variants: tuple[str, ...] = ("othello",)
    """The variants; a meeting plays all that have as many seats as it. For maps from files see `maps`."""
    format: str = "round-robin"
    format_options: Mapping[str, int] = field(default_factory=dict)
    games: int | None = None
    """Games of each meeting on each variant; None for as many as the variant has seats."""
    openings: Openings = Openings()    # noqa: RUF009 it cannot be changed
    limit: Limit = Limit(seconds=1)    # noqa: RUF009
    seed: int = 0
    """Determines everything random."""
    jobs: int = 0
    """Games at the same time; 0 for one on each processor."""
    failures: int = 0
    """An entrant that has failed so often is set aside; 0 for never."""
    trust: bool = False
    """Whether bots run without a sandbox."""
    suspend: bool = False
    """Whether bots are suspended while others think."""
    anchors: Mapping[str, float] = field(default_factory=dict)
    """Known ratings, by the names of entrants."""
    maps: tuple[str, ...] = ()
    """For each variant the text of its map, if it comes from a file; filled in automatically."""
    broken: tuple[BrokenBot, ...] = ()
    """Entrants that are set aside from the start; the others play without them."""
    seats: SeatOrder = "alternate"
    """When two players of a match change seats; formats have their own order."""
    against: int = 0
    """How many of the last entrants of a match are the opponents of all others."""
    sprt: Sprt | None = None
    """A test that ends a match as soon as it is decided."""
    adjudicate: int = 0
    """Games end with the proved result of perfect play when at most so many cells are empty; 0 for never."""
    memory: int = 0
    """MiB that a bot may have with all its processes; 0 for as much as the sandbox allows."""
    stall_timeout: float | None = BOT_STALL_TIMEOUT
    """Seconds after which a bot without a time limit loses if it does not answer; None for never."""

    def __post_init__(self) -> None:
        if len(self.maps) != len(self.variants):
            variants, maps = with_maps(self.variants)
            object.__setattr__(self, "variants", variants)
            object.__setattr__(self, "maps", maps)

    @cached_property
    def games_played(self) -> tuple[Game, ...]:
        """The games of the variants, in their order."""
        return tuple(map(named_game, self.variants, self.maps))

    @property
    def is_match(self) -> bool:
        """Whether all games are known from the start."""
        return self.format == MATCH

    @property
    def limit_text(self) -> str:
        """The limit for people, with the stall timeout where it applies.

        >>> Plan("cup", entrants_of(["bot:cat", "random"]), limit=Limit(depth=4)).limit_text
        'depth=4 (a bot loses after 60 s without an answer)'
        """
        has_bots = any(is_bot(entrant.spec) for entrant in self.entrants)
        if self.limit.is_timed or self.stall_timeout is None or not has_bots:
            return str(self.limit)
        return f"{self.limit} (a bot loses after {self.stall_timeout:g} s without an answer)"

    @cached_property
    def seat_counts(self) -> tuple[int, ...]:
        """How many seats the variants have: each number once, in their order.

        >>> Plan("cup", entrants_of(["random", "t77"]), ("othello", "rolit", "hex")).seat_counts
        (2, 4)
        """
        return tuple(dict.fromkeys(game.seats for game in self.games_played))

    def games_of(self, seats: int) -> int:
        """Games of each meeting on each variant with so many seats: some formats have their own number.

        >>> Plan("cup", entrants_of(["random", "t77"]), format="ten-games").games_of(2)
        10
        """
        own = None if self.is_match else format_from(self.format, self.format_options).games_of(seats)
        return own or self.games or seats

    @cached_property
    def fixtures(self) -> list[Fixture]:
        """All games of a match."""
        others = len(self.entrants) - self.against
        groups = [groups_of(others, game.seats, self.against) for game in self.games_played]
        return match_fixtures(groups, self.games or 0, self.seats)

    @property
    def names(self) -> list[str]:
        """The names of all entrants, those with broken bots last."""
        return [entrant.name for entrant in self.entrants] + [bot.name for bot in self.broken]

    def check(self) -> None:
        """Raises a PlanError if the plan cannot be played, or would not be fair."""
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
            raise PlanError("a limit of 0 seconds leaves no time to move; write a limit such as seconds=1",
                            "limit")
        self._check_adjudication()
        self._check_anchors()

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data, for JSON."""
        plain = replace(self, entrants=tuple(Entrant(one.name, one.spec) for one in self.entrants))
        data: dict[str, Any] = msgspec.to_builtins(plain)
        for entrant in data["entrants"]:
            del entrant["player"]
        return data

    @classmethod
    def from_json(cls, data: object) -> Plan:
        """The plan from the data that `to_json` made."""
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise PlanError(f"this is not the plan of a contest: {error}") from None

    def _check_match(self) -> None:
        """A match may be unfair, unlike a tournament: whatever can be played is allowed."""
        if not self.games or self.games < 1 or not self.variants:
            raise PlayerError("a match needs at least one game and one variant")
        for game in self.games_played:
            check_suited([entrant.who for entrant in self.entrants], game)
        self.openings.check(self.games_played, self.seed)
        self._check_adjudication()
        if self.sprt is not None:
            if len(self.entrants) != 2 or any(game.seats != 2 for game in self.games_played):
                raise PlayerError("an SPRT compares two players, in games of two seats")
            if self.seats != "alternate":
                raise PlayerError("an SPRT counts pairs of games: seats must change after each (alternate)")

    def _check_numbers(self) -> None:
        bounds = {"games": (1, MAX_GAMES), "seed": (0, MAX_SEED), "jobs": (0, 10_000),
                  "failures": (0, MAX_GAMES)}
        for name, (low, high) in bounds.items():
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise PlanError(f"{name} must be a number from {low} to {high}", name)

    def _check_variants(self) -> None:
        if not self.variants:
            raise PlanError(f"a tournament has 1 to {MAX_VARIANTS} variants, not none", "variants")
        for number, game in enumerate(self.games_played):
            if game in self.games_played[:number]:
                raise PlanError(f"{game.spec} is listed twice; list each variant once", "variants", number)

    def _check_entrants(self) -> None:
        if not 2 <= (count := len(self.entrants)) <= MAX_ENTRANTS:
            raise PlanError(f"a tournament has 2 to {MAX_ENTRANTS} entrants, not {count}", "entrants")
        seen: set[str] = set()
        names = [bot.name for bot in self.broken] + [entrant.name for entrant in self.entrants]
        for number, name in enumerate(names, -len(self.broken)):
            place: ErrorPath = ("entrants", number) if number >= 0 else ("entrants",)
            check_name(name, "an entrant", *place)
            if name in seen:
                raise PlanError(f"two entrants are called {name}; give them different names", *place)
            seen.add(name)
        for number, entrant in enumerate(self.entrants):
            with at_place("entrants", number):
                for game in self.games_played:
                    check_suited([entrant.who], game)

    def _check_format(self) -> None:
        with at_place("format"):
            chosen = format_from(self.format, self.format_options)
            chosen.check(Field(len(self.entrants), self.seat_counts))
        games, least = self.games, lcm(*self.seat_counts)
        for seats in self.seat_counts if games is not None else ():
            own = chosen.games_of(seats)
            if own and games not in (own, seats):    # as many as seats was written into older plans
                raise PlanError(f"every meeting of {self.format} has {own} games; "
                                "remove the key games", "games")
            if games and not own and games % seats:
                raise PlanError(f"with {games} games and {seats} seats, entrants cannot have each seat "
                                f"equally often; write a multiple of {least}, such as "
                                f"{-(-games // least) * least}", "games")

    def _check_adjudication(self) -> None:
        if not 0 <= self.adjudicate <= MAX_ADJUDICATED:
            raise PlanError(f"adjudicate must be a number of empty cells from 0 to {MAX_ADJUDICATED}",
                            "adjudicate")
        for variant, game in enumerate(self.games_played if self.adjudicate else ()):
            if not is_supported(game):
                raise PlanError(f"{game.spec} cannot be adjudicated: the solver supports {SUPPORTED}",
                                "adjudicate")
            empty = self.openings.start(game, variant, 0, self.seed).tiles.count(EMPTY)
            if empty <= self.adjudicate:
                raise PlanError(f"{game.spec} starts with {empty} empty cells, so that every game would be "
                                "adjudicated before the first move; choose a smaller number", "adjudicate")

    def _check_anchors(self) -> None:
        for name, rating in self.anchors.items():
            if name not in self.names:
                raise PlanError(f"there is no entrant '{shorten(name)}'; the entrants are "
                                f"{shorten(', '.join(self.names), 200)}", "anchors", name)
            if type(rating) not in (int, float) or not abs(rating) <= MAX_ANCHOR:
                raise PlanError(f"the rating of {name} must be a number from -{MAX_ANCHOR} to {MAX_ANCHOR}",
                                "anchors", name)


def parse_limit(text: str | None) -> tuple[Limit, float | None]:
    """A limit, and the stall timeout that goes with it; only the text `none` means that there is none.

    >>> parse_limit("none")[1], parse_limit("depth=4")[1], parse_limit(None)[1]
    (None, 60.0, 60.0)
    """
    return Limit.parse(text or "none"), None if text == "none" else BOT_STALL_TIMEOUT


def check_name(name: str, whose: str, *place: str | int) -> None:
    """Raises a PlanError for a name that a table cannot show."""
    if not name or name != name.strip() or not name.isprintable() or len(name) > MAX_NAME:
        shown = shorten(name.encode("unicode_escape").decode())
        raise PlanError(f"{whose} cannot be called '{shown}'; a name has 1 to {MAX_NAME} printable "
                        "characters and does not start or end with a space", *place)


def split_name(text: str) -> tuple[str | None, str]:
    """The name and the specification in `NAME=PLAYER`; None without a name.

    A name that is written like this has no colon and no slash, so that options and files stay what they are.

    >>> split_name("Ann=bot:ann.py"), split_name("polyversi:level=5")
    (('Ann', 'bot:ann.py'), (None, 'polyversi:level=5'))
    """
    name, equals, spec = text.partition("=")
    if not equals or set(name) & {":", "/"}:
        return None, text
    return name.strip(), spec.strip()


def _named(text: str) -> str | Entrant:
    name, spec = split_name(text)
    return text if name is None else Entrant(name, spec)


def entrants_of(specs: Iterable[str | Entrant]) -> tuple[Entrant, ...]:
    """Players and bots as entrants, named after their specification or file; equal names get a number.

    Entrants that have a name keep it.

    >>> [one.name for one in entrants_of(["t77", "t77", "bot:cat -u", "Ann=random", Entrant("Bob", "t34")])]
    ['t77', 't77#2', 'cat -u', 'Ann', 'Bob']
    """
    found = [_named(one) if isinstance(one, str) else one for one in specs]
    taken = {one.name for one in found if isinstance(one, Entrant)}
    entrants = []
    for one in found:
        if isinstance(one, str):
            one = Entrant(unique_name(name_of(one), taken), one)
            taken.add(one.name)
        entrants.append(one)
    return tuple(entrants)


def unique_name(name: str, taken: set[str]) -> str:
    """The name, with a number if it is taken.

    >>> unique_name("random", {"random", "random#2"})
    'random#3'
    """
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}#{number}"
    return free


def name_of(spec: str) -> str:
    """The default name of a player or a bot: a bot is named after its file, folder or command.

    >>> name_of("polyversi:level=5"), name_of("course:class/ann/agent.py"), name_of("gtp:/opt/edax -gtp")
    ('polyversi:level=5', 'ann', 'edax -gtp')
    """
    name = spec.strip()
    if is_bot(spec):
        kind, _, text = name.partition(":")
        text = split_python(text)[0] if kind == "course" else text
        program, _, rest = ("", "", "") if kind == "course" or is_file(Path(text)) else text.partition(" ")
        path = Path(program or text.strip()).absolute()
        name = path.parent.name if path.stem in MAIN else path.stem
        name = f"{path.name} {rest}" if rest else name
    return presentable(name)


def presentable(name: str) -> str:
    """The name of a file with everything replaced that a table cannot show.

    >>> presentable(" ann\\t"), presentable("")
    ('ann?', '?')
    """
    return shorten(printable(name).strip()) or "?"


@contextmanager
def at_place(*place: str | int) -> Iterator[None]:
    """Adds to every error the part of the plan it belongs to."""
    try:
        yield
    except PlanError:
        raise
    except PolyversiError as error:
        raise PlanError(str(error), *place) from None


def with_maps(specs: Sequence[str | Game]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of variants in a plan, and for each the text of its map if that comes from a file.

    A game of the program itself that is not registered has its own name.

    >>> with_maps(["othello:size=6", "hex"])
    (('othello-6', 'hex'), ('', ''))
    """
    if len(specs) > MAX_VARIANTS:
        raise PlanError(f"a tournament has 1 to {MAX_VARIANTS} variants, not {len(specs)}", "variants")
    games: list[Game] = []
    maps: list[str] = []
    for number, spec in enumerate(specs):
        with at_place("variants", number):
            games.append(spec if isinstance(spec, Game) else named(spec))
            is_own = isinstance(spec, Game) and not is_named(spec) and not is_on_map(spec)
            maps.append("" if is_own else embedded_map(games[-1]))
    names = [game.spec for game in games]
    taken = {name for name, chart in zip(names, maps, strict=True) if not chart}
    for number, game in enumerate(games):
        if maps[number]:
            own = map_spec_of(game)
            others = [spec for spec in map(MapSpec.read, taken) if spec and spec.goal == own.goal]
            names[number] = str(MapSpec(unique_name(own.map, {spec.map for spec in others}), own.goal))
            taken.add(names[number])
    return tuple(names), tuple(maps)
