"""What the lobby of a site shows each person: open challenges, own ones and games; kept between changes."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from msgspec import Struct

from polyversi.games.variants import title
from polyversi.site.challenges import Challenge, Challenges, Phase
from polyversi.site.profiles import names_of
from polyversi.site.ratings import PlayerRating, RatedGame, ratings_among, running_games
from polyversi.site.roles import Person
from polyversi.site.store import SiteStore

NEWS_SECONDS = 3_600.0
"""How long somebody is told that a challenge was declined."""
HERE_SECONDS = 20.0
"""Since when somebody must have looked to count as being here."""
MAX_WINDOWS = 16
"""Connections of a person at the same time."""


class ShownRating(Struct, frozen=True):
    """How strong somebody is just now."""

    value: float
    error: float


class ShownChallenge(Struct, frozen=True):
    """A challenge with the names of its people."""

    id: str
    name: str
    """Of whoever made it."""
    rating: ShownRating | None
    is_here: bool
    opponent: str
    """Whom it is for; empty for anybody."""
    spec: str
    title: str
    limit: str
    is_rated: bool
    is_quick: bool
    seats: int
    joined: list[str]
    phase: Phase
    created: float
    expires: float


class RunningGame(Struct, frozen=True):
    """A game that somebody plays."""

    id: str
    title: str
    is_rated: bool
    created: float
    players: list[str]


class ShownLobby(Struct, frozen=True):
    """What somebody sees of the lobby."""

    open: list[ShownChallenge]
    """For anybody, from others."""
    incoming: list[ShownChallenge]
    """For nobody else."""
    own: list[ShownChallenge]
    games: list[RunningGame]


class LobbyMessage(ShownLobby, frozen=True, tag="lobby", tag_field="type"):
    """The same as the socket of the lobby sends it."""


@dataclass(frozen=True)
class _Known:
    """What everybody's answer is made from."""

    challenges: tuple[Challenge, ...] = ()
    games: tuple[RatedGame, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    ratings: Mapping[tuple[str, str], PlayerRating] = field(default_factory=dict)
    here: frozenset[str] = frozenset()
    """Those with challenges who are here."""


class LobbyList:
    """The list, read anew whenever something changes, since many look at it all the time."""

    def __init__(self, store: SiteStore, challenges: Challenges) -> None:
        self._store = store
        self._challenges = challenges
        self._known = _Known()
        self.version = 0
        """How many times it has changed."""
        self._changed = asyncio.Event()
        self._windows: Counter[str] = Counter()
        self._seen: dict[str, float] = {}
        self._began = time.monotonic()

    @contextmanager
    def open_window(self, person: Person) -> Iterator[bool]:
        """Somebody is here as long as this is held; False if that is one window too many."""
        if self._windows[person.id] >= MAX_WINDOWS:
            yield False
            return
        self._windows[person.id] += 1
        try:
            yield True
        finally:
            self._windows[person.id] -= 1
            if not self._windows[person.id]:
                del self._windows[person.id]
            self.saw(person)

    def saw(self, person: Person) -> None:
        """Notes that somebody is here."""
        self._seen[person.id] = time.monotonic()

    def gone(self, seconds: float) -> list[str]:
        """Those with challenges who have not been here for so long."""
        late = time.monotonic() - seconds
        self._seen = {id: when for id, when in self._seen.items() if when > late}
        people = {one.person for one in self._known.challenges}
        return [id for id in people if not self._windows[id] and self._seen.get(id, self._began) < late]

    async def later_than(self, version: int) -> None:
        """Waits until there is something new for somebody since that version."""
        while self.version == version:
            await self._changed.wait()

    async def refresh(self) -> None:
        """Reads what there is, and tells those who wait if it is something else than before."""
        known = await asyncio.to_thread(self._read)
        if known != self._known:
            self._known = known
            self.version += 1
            self._changed.set()
            self._changed = asyncio.Event()

    def _read(self) -> _Known:
        challenges = self._challenges.listed(time.time() - NEWS_SECONDS)
        games = running_games(self._store)
        people = {f"person:{id}" for one in challenges for id in (*one.people, one.wanted.opponent) if id}
        names = names_of(self._store, people.union(*(game.players for game in games)))
        late = time.monotonic() - HERE_SECONDS
        here = {one.person for one in challenges
                if one.person in self._windows or self._seen.get(one.person, 0.0) > late}
        ratings = ratings_among(self._store, people)
        return _Known(tuple(challenges), tuple(games), names, ratings, frozenset(here))

    def of(self, person: Person) -> ShownLobby:
        """What a person sees."""
        shown = [one for one in self._known.challenges if f"person:{one.person}" in self._known.names]
        is_open = [one for one in shown if one.phase == "open"]
        own = [one for one in shown if person.id in one.people]
        return ShownLobby(
            open=[self._told(one) for one in is_open if not one.wanted.opponent and one not in own],
            incoming=[self._told(one) for one in is_open if one.wanted.opponent == person.id],
            own=[self._told(one) for one in own if one.phase == "open" or one.person == person.id],
            games=[self._game(one) for one in self._known.games if person.player in one.players],
        )

    def _told(self, challenge: Challenge) -> ShownChallenge:
        wanted, known = challenge.wanted, self._known
        player = f"person:{challenge.person}"
        rating = known.ratings.get((wanted.spec, player))
        now = rating.at(time.time()) if rating else None
        return ShownChallenge(
            id=challenge.id,
            name=known.names.get(player, ""),
            rating=ShownRating(now.rating, now.error) if now else None,
            is_here=challenge.person in known.here,
            opponent=known.names.get(f"person:{wanted.opponent}", "") if wanted.opponent else "",
            spec=wanted.spec,
            title=title(wanted.spec),
            limit=wanted.limit,
            is_rated=wanted.is_rated,
            is_quick=wanted.is_quick,
            seats=wanted.seats,
            joined=[known.names.get(f"person:{id}", "") for id in challenge.joined],
            phase=challenge.phase,
            created=challenge.created,
            expires=challenge.expires,
        )

    def _game(self, game: RatedGame) -> RunningGame:
        names = [self._known.names.get(player, "") for player in game.players]
        return RunningGame(game.id, title(game.pool), game.is_rated, game.created, names)
