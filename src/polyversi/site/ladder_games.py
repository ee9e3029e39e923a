"""The games of ladders: what is to be played next, how a game is made ready, and how it is kept."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf, nextafter

import sqlalchemy as sql

from polyversi.contest.live_feed import LiveAddress
from polyversi.contest.model import Fixture, Meeting
from polyversi.contest.openings import random_opening
from polyversi.contest.plan import BOT_STALL_TIMEOUT, Entrant
from polyversi.contest.playing import Task
from polyversi.contest.redaction import without_folders
from polyversi.gameplay.bots.sandbox import Sandbox
from polyversi.games.errors import PolyversiError
from polyversi.games.game import Game
from polyversi.games.seeds import derive_seed
from polyversi.games.state import State
from polyversi.games.variants import game as named
from polyversi.protocols.spec import bot_from, sandbox_of
from polyversi.site.bot_traces import without_names_of_deleted, without_outputs_of_deleted
from polyversi.site.bots import PASSED, Bot, Bots
from polyversi.site.ladder import (
    GONE,
    OPEN,
    TAKEN_OUT,
    LadderMatch,
    Ladders,
    Ranked,
    add_match,
    pool_of,
    row_of,
)
from polyversi.site.ratings import record_game
from polyversi.site.settings import LadderSettings, SiteError, SiteFile
from polyversi.site.store import SiteStore, new_id
from polyversi.site.tables import LADDER_GAMES, MATCHES
from polyversi.storage.stored import PlayedGame

GAMES = 2
"""Games of a match: each bot has each seat once."""
PLIES = 4
"""Random moves at the beginning of automatic games of bots that have met before."""
DAY = 86_400.0
NO_SANDBOX = "or play nothing here"


def game_id(match: str, number: int) -> str:
    """What a game of a match is called: always the same, so that it cannot count twice."""
    return f"{match}.{number}"


@dataclass(frozen=True)
class Ready:
    """A game that can begin."""

    task: Task
    protection: Sandbox
    versions: tuple[str, ...]
    """BOT/NUMBER in seat order."""


class LadderGames:
    """What a conductor does for the ladders of a site."""

    def __init__(self, file: SiteFile, store: SiteStore, live: LiveAddress | None = None) -> None:
        self._file, self._store, self._live = file, store, live
        self.ladders = Ladders(file, store)
        self._bots = Bots(file, store)
        self._games: Counter[str] = Counter()    # by BOT/NUMBER
        self._meetings: Counter[frozenset[str]] = Counter()    # games of two bots with each other
        self._begun: dict[str, tuple[int, int]] = {}    # the versions of matches in progress
        with store.writing() as connection:    # of a conductor that was killed
            begun = sql.update(MATCHES).where(MATCHES.c.phase == "playing")
            connection.execute(begun.values(phase="waiting"))
        for row in store.stream(sql.select(LADDER_GAMES.c.versions)):
            self._count(row["versions"])

    def _count(self, versions: Iterable[str]) -> None:
        seats = sorted(set(versions))
        self._games.update(seats)
        self._meetings[frozenset(version.rpartition("/")[0] for version in seats)] += 1

    # What is to be played.

    def due(self, match: LadderMatch) -> list[int]:
        """The numbers of the games of a match that are still to be played."""
        done = self._store.read(sql.select(LADDER_GAMES.c.number).where(LADDER_GAMES.c.match == match.id))
        played = {row["number"] for row in done}
        return [number for number in range(1, GAMES + 1) if number not in played]

    def make_ready(self, match: str, number: int) -> Ready | None:
        """The game of a match as it can begin now; None if it is not to be played any more.

        It is played by the versions that were active when the match began, unless one was taken out of play
        since. A PlayerError or SiteError says why it cannot be.
        """
        found = self.ladders.match(match)
        if found is None or found.phase not in OPEN or number not in self.due(found):
            return None
        ladder = self._file.ladder(found.ladder)
        pair = (found.challenger, found.challenged)
        for bot, gone in zip(pair, GONE, strict=True):
            if not bot.active:
                raise SiteError(gone)
        variant = named(ladder.variant)
        seating = tuple((seat + number - 1) % 2 for seat in range(variant.seats))
        versions = self._versions_of(found)
        if any(self._bots.version(bot.id, version).phase != PASSED
               for bot, version in zip(pair, versions, strict=True)):
            raise SiteError(TAKEN_OUT)
        specs = [self._bots.spec(bot.id, version) for bot, version in zip(pair, versions, strict=True)]
        entrants = tuple(Entrant(f"{pair[who].name} v{versions[who]}", specs[who]) for who in seating)
        id = game_id(match, number)
        task = Task(
            Fixture(id, Meeting(match, 1, (0, 1)), seating=seating), variant, None,
            self._start(found, variant, specs).text, 0, derive_seed("ladder", id), entrants,
            ladder.parsed_limit, BOT_STALL_TIMEOUT, 0, True, (),
            live=replace(self._live, game=id) if self._live else None, is_public=True,
        )
        with self._store.writing() as connection:
            begun = sql.update(MATCHES).where(MATCHES.c.id == match, MATCHES.c.phase.in_(OPEN))
            if not connection.execute(begun.values(phase="playing")).rowcount:
                return None    # it was cancelled just now
        self._begun[match] = versions
        protection = sandbox_of(specs, Sandbox(memory=ladder.memory << 20), NO_SANDBOX)
        return Ready(task, protection, tuple(f"{pair[who].id}/{versions[who]}" for who in seating))

    def _versions_of(self, match: LadderMatch) -> tuple[int, int]:
        """The versions that play a match: those of its first game, also if there are newer ones by now."""
        if versions := self._begun.get(match.id):
            return versions
        wanted = sql.select(LADDER_GAMES.c.versions).where(LADDER_GAMES.c.match == match.id).limit(1)
        for row in self._store.read(wanted):    # of a conductor before this one
            numbers = dict(version.split("/") for version in row["versions"])
            return int(numbers[match.challenger.id]), int(numbers[match.challenged.id])
        return match.challenger.active, match.challenged.active

    def _start(self, match: LadderMatch, variant: Game, specs: Sequence[str]) -> State:
        """Where both games of a match begin: as the variant does, unless that would only repeat a game.

        Bots that the site has play each other again begin after a few random moves, if both can.
        """
        seed = derive_seed("ladder", match.id)
        pair = frozenset((match.challenger.id, match.challenged.id))
        before = self._meetings[pair] - (GAMES - len(self.due(match)))
        if before > 0 and not match.asked_by and all(bot_from(spec).begins_anywhere for spec in specs):
            with suppress(PolyversiError):    # a game that may be over too soon
                return random_opening(variant, PLIES, seed)
        return variant.start(seed)

    # What was played.

    def keep(self, match: LadderMatch, number: int, ready: Ready, played: PlayedGame) -> None:
        """Stores a game together with what it does to the ratings; a game that is stored already stays."""
        clean = without_folders([entrant.spec for entrant in ready.task.entrants])
        verdict = replace(played.verdict, detail=clean(played.verdict.detail))
        offences = tuple(replace(one, detail=clean(one.detail)) for one in played.offences)
        outputs = tuple(map(clean, played.outputs))
        with self._store.writing() as connection:
            last = connection.execute(sql.select(sql.func.max(LADDER_GAMES.c.ended)).where(
                LADDER_GAMES.c.ladder == match.ladder)).scalar() or 0.0
            game = replace(played, verdict=verdict, offences=offences, outputs=outputs,
                           ended=max(time.time(), nextafter(last, inf)))
            game = without_outputs_of_deleted(connection, ready.versions, game)
            game = without_names_of_deleted(connection, ready.versions, game)
            row = row_of(match, number, ready.versions, ready.task.game.spec, game)
            kept = self._store.insert(LADDER_GAMES).values(row).on_conflict_do_nothing()
            if not connection.execute(kept).rowcount:
                return
            if game.verdict.kind != "aborted":
                players, ranks, versions = outcome(ready.versions, game.points)
                record_game(connection, game.id, pool_of(match.ladder), players, ranks, game.ended, versions)
            done = connection.execute(sql.select(sql.func.count()).where(LADDER_GAMES.c.match == match.id))
            if (done.scalar() or 0) >= GAMES:
                self.ladders.end(connection, match.id, "over")
                self._begun.pop(match.id, None)
        self._count(ready.versions)

    def give_up(self, match: LadderMatch, reason: str) -> None:
        """Cancels a match that cannot be played."""
        with self._store.writing() as connection:
            self.ladders.end(connection, match.id, "cancelled", reason)
        self._begun.pop(match.id, None)

    def thin(self, now: float) -> int:
        """Leaves only the results of automatic games that are old enough; returns of how many.

        What bots wrote in challenges goes then, too.
        """
        days = self._file.settings.keep_games_days
        if not days:
            return 0
        automatic = sql.select(MATCHES.c.id).where(MATCHES.c.asked_by == "")
        old = (LADDER_GAMES.c.ended < now - days * DAY, LADDER_GAMES.c.record != "",
               LADDER_GAMES.c.match.in_(automatic))
        with self._store.writing() as connection:
            thinned = connection.execute(sql.update(LADDER_GAMES).where(*old).values(record="", outputs=[]))
            has_outputs = sql.cast(LADDER_GAMES.c.outputs, sql.Text) != "[]"
            connection.execute(sql.update(LADDER_GAMES).where(
                LADDER_GAMES.c.ended < now - days * DAY, has_outputs).values(outputs=[]))
            return thinned.rowcount

    # What the site plays by itself.

    def add_automatic(
        self, ladder: LadderSettings, open_matches: Sequence[LadderMatch]
    ) -> LadderMatch | None:
        """A new match of the bot that needs games most; None when all have enough."""
        ranked = self.ladders.ranking(ladder.id)
        coming: Counter[str] = Counter()
        for match in open_matches:
            coming.update({match.challenger.id: GAMES, match.challenged.id: GAMES})
        wanted = [one for one in ranked if self._played(one.bot) + coming[one.bot.id] < ladder.games]
        if not wanted or len(ranked) < 2:
            return None
        ours = min(wanted, key=lambda one: (self._played(one.bot) + coming[one.bot.id], one.games,
                                            random.random()))
        theirs = min((one for one in ranked if one.bot.id != ours.bot.id),
                     key=lambda other: self._suitability(ours, other, open_matches))
        match = LadderMatch(new_id(), ladder.id, ours.bot, theirs.bot, "", "waiting", "", time.time())
        with self._store.writing() as connection:
            add_match(connection, match)
        return match

    def _played(self, bot: Bot) -> int:
        return self._games[f"{bot.id}/{bot.active}"]

    def _suitability(
        self, ours: Ranked, other: Ranked, open_matches: Sequence[LadderMatch]
    ) -> tuple[float, float]:
        """The less the better: those whom it has met least, and of these the one that is most like it."""
        pair = frozenset((ours.bot.id, other.bot.id))
        coming = sum(GAMES for match in open_matches if {match.challenger.id, match.challenged.id} == pair)
        return self._meetings[pair] + coming, abs(ours.strength.rating - other.strength.rating)


def outcome(versions: Sequence[str], points: Sequence[float]) -> tuple[list[str], list[int], list[int]]:
    """Who played, how they did and which versions they were, also where a bot has several seats.

    >>> outcome(["a/3", "b/1"], [0.0, 1.0])
    (['bot:a', 'bot:b'], [2, 1], [3, 1])
    >>> outcome(["a/3", "b/1", "a/3", "b/1"], [3.0, 0.0, 1.0, 2.0])
    (['bot:a', 'bot:b'], [1, 2], [3, 1])
    """
    totals: dict[str, float] = {}
    for version, own in zip(versions, points, strict=True):
        totals[version] = totals.get(version, 0.0) + own
    split = [version.rpartition("/") for version in totals]
    ranks = [1 + sum(other > own for other in totals.values()) for own in totals.values()]
    return [f"bot:{bot}" for bot, _, _ in split], ranks, [int(number) for _, _, number in split]
