"""Ladders: the ranking of bots, challenges to those above, the queue, and the games that were played."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import sqlalchemy as sql
from sqlalchemy.engine import Connection, RowMapping

from polyversi.gameplay.verdict import Verdict
from polyversi.site import audit
from polyversi.site.bots import Bot
from polyversi.site.ratings import PlayerRating, ranking
from polyversi.site.roles import Person, Role
from polyversi.site.settings import SiteError, SiteFile
from polyversi.site.store import SiteStore, new_id
from polyversi.site.tables import BOTS, LADDER_GAMES, MATCHES, PEOPLE, RATED_GAMES, RATING_STEPS
from polyversi.stats.glicko import Strength
from polyversi.storage.stored import PlayedGame

TREND = 10
"""Games over which the trend of a rating is told."""
STEPS = 30
"""Ratings that the little graph of a bot shows."""
PAGE = 30
"""Games of a list."""
LAST_CHALLENGES = 10
"""Challenges of somebody of which the outcome is told."""
MAX_QUEUE = 200
"""Matches of the queue that are listed."""

CANCELLED = "whoever challenged has cancelled it", "an organiser has cancelled it"
"""Why a match was cancelled, without anybody's name: it is kept when the person is erased."""
GONE = ("the bot that challenged is not on the ladder any more",
        "the bot that was challenged is not on the ladder any more")
TAKEN_OUT = "a version that had begun it was withdrawn or deleted"
DIED = "the process that played it has died again and again"
UNPLAYABLE = "one of the bots could not be started"
BROKEN = "something went wrong that is not the bots' fault"
"""Other reasons; they name nobody, and no files of this machine."""
Phase = Literal["waiting", "playing", "over", "cancelled"]
OPEN: tuple[Phase, ...] = ("waiting", "playing")
"""The phases of matches that are still to be played."""


def pool_of(ladder: str) -> str:
    """Where the bots of a ladder have their ratings."""
    return f"ladder:{ladder}"


@dataclass(frozen=True)
class Ranked:
    """A bot and its place on a ladder."""

    rank: int
    bot: Bot
    strength: Strength
    games: int
    trend: float
    """What its rating has gained in the last games."""
    steps: tuple[float, ...]
    """Its last ratings, the newest last."""

    @property
    def least(self) -> float:
        """What it is worth at least. This decides the place: one lucky game takes nobody to the top."""
        return self.strength.rating - self.strength.error


@dataclass(frozen=True)
class LadderMatch:
    """Two bots that play each other with seats changed."""

    id: str
    ladder: str
    challenger: Bot
    challenged: Bot
    asked_by: str
    """The id of a person; empty for what the site plays by itself."""
    phase: Phase
    reason: str
    """Why it was cancelled."""
    created: float


@dataclass(frozen=True)
class LadderGame:
    """A game of a ladder that is over."""

    match: str
    ladder: str
    number: int
    bots: tuple[Bot, ...]
    """In seat order."""
    versions: tuple[int, ...]
    is_automatic: bool
    played: PlayedGame

    @property
    def id(self) -> str:
        """What it is called in links."""
        return self.played.id

    @property
    def named(self) -> PlayedGame:
        """The game with its bots as they are called now; one may have been renamed or deleted since."""
        names = tuple(f"{bot.name} v{number}" for bot, number in zip(self.bots, self.versions, strict=True))
        return replace(self.played, stored=replace(self.played.record, players=names))

    @property
    def has_record(self) -> bool:
        """Whether it can be replayed: of old ones there may be only the result."""
        return bool(self.played.stored)


def steps_after(pool: str, last: int) -> sql.Select[Any]:
    """The steps of the games of a pool that came after a number, in their order."""
    step, game = RATING_STEPS.c, RATED_GAMES.c
    wanted = sql.select(game.number, step.player, step.rating).join_from(
        RATED_GAMES, RATING_STEPS, (step.game == game.id) & (step.pool == game.pool))
    return wanted.where(game.pool == pool, game.number > last).order_by(game.number)


class LastSteps:
    """The last ratings of all bots of a pool; what was read before is not read again."""

    def __init__(self, store: SiteStore) -> None:
        self._store = store
        self._known: dict[str, tuple[int, dict[str, deque[float]]]] = {}
        self._lock = threading.Lock()

    def __call__(self, pool: str) -> dict[str, tuple[float, ...]]:
        """The ratings by player, the newest last."""
        with self._lock:
            last, found = self._known.get(pool) or (0, {})
            for row in self._store.read(steps_after(pool, last)):
                found.setdefault(row["player"], deque(maxlen=STEPS)).append(row["rating"])
                last = row["number"]
            self._known[pool] = last, found
            return {player: tuple(ratings) for player, ratings in found.items()}


class Ladders:
    """All ladders of a site; any thread may use it."""

    def __init__(self, file: SiteFile, store: SiteStore) -> None:
        self._file, self._store = file, store
        self._steps = LastSteps(store)

    # What everybody may see.

    def ranking(self, ladder: str) -> list[Ranked]:
        """The bots that play on a ladder, the best first."""
        bots = self._bots(BOTS.c.ladder == ladder, BOTS.c.active > 0)
        ratings = {rating.player: rating for rating in ranking(self._store, pool_of(ladder))}
        steps = self._steps(pool_of(ladder))
        now = time.time()
        found = []
        for bot in bots.values():
            rating = ratings.get(bot.player) or PlayerRating(pool_of(ladder), bot.player)
            last = steps.get(bot.player, ())
            trend = last[-1] - last[-TREND - 1 if len(last) > TREND else 0] if last else 0.0
            found.append(Ranked(0, bot, rating.at(now, bot.active), rating.games, trend, last))
        found.sort(key=lambda ranked: (-ranked.least, -ranked.games, ranked.bot.name, ranked.bot.id))
        return [replace(ranked, rank=rank) for rank, ranked in enumerate(found, 1)]

    def queue(self, ladder: str) -> list[LadderMatch]:
        """The matches that are being played, and those that wait, in the order in which they came."""
        wanted = sql.select(MATCHES).where(MATCHES.c.ladder == ladder, MATCHES.c.phase.in_(OPEN))
        rows = self._store.read(wanted.order_by(MATCHES.c.phase, MATCHES.c.created).limit(MAX_QUEUE))
        return self._matches(rows)

    def open_matches(self, ladder: str) -> int:
        """How many matches are still to be played."""
        counted = sql.select(sql.func.count().label("count")).where(
            MATCHES.c.ladder == ladder, MATCHES.c.phase.in_(OPEN))
        return int(self._store.read(counted)[0]["count"])

    def waiting(self) -> list[LadderMatch]:
        """The matches of all ladders that are still to be played, the oldest first."""
        wanted = sql.select(MATCHES).where(MATCHES.c.phase.in_(OPEN))
        return self._matches(self._store.read(wanted.order_by(MATCHES.c.created, MATCHES.c.id)))

    def match(self, id: str) -> LadderMatch | None:
        """The match of that id."""
        found = self._matches(self._store.read(sql.select(MATCHES).where(MATCHES.c.id == id)))
        return found[0] if found else None

    def games(self, ladder: str, bot: str = "", before: float | None = None) -> list[LadderGame]:
        """The last games of a ladder or of one of its bots, the newest first, or those that ended before."""
        conditions = [LADDER_GAMES.c.ladder == ladder]
        if before is not None:
            conditions.append(LADDER_GAMES.c.ended < before)
        if bot:
            conditions.append(sql.or_(MATCHES.c.challenger == bot, MATCHES.c.challenged == bot))
        wanted = _GAMES.where(*conditions).order_by(LADDER_GAMES.c.ended.desc(), LADDER_GAMES.c.id)
        return self._games(self._store.read(wanted.limit(PAGE)))

    def game(self, id: str) -> LadderGame | None:
        """The game of that id, if it is over."""
        found = self._games(self._store.read(_GAMES.where(LADDER_GAMES.c.id == id)))
        return found[0] if found else None

    def games_of(self, match: str) -> list[LadderGame]:
        """The games of a match that are over, in their order."""
        wanted = _GAMES.where(LADDER_GAMES.c.match == match).order_by(LADDER_GAMES.c.number)
        return self._games(self._store.read(wanted))

    def ended(self, person: Person, ladder: str) -> list[tuple[LadderMatch, list[LadderGame]]]:
        """The last challenges of a person that are over or cancelled, with their games; the newest first."""
        wanted = sql.select(MATCHES).where(
            MATCHES.c.ladder == ladder, MATCHES.c.asked_by == person.id, MATCHES.c.phase.not_in(OPEN))
        matches = self._matches(self._store.read(
            wanted.order_by(MATCHES.c.created.desc(), MATCHES.c.id).limit(LAST_CHALLENGES)))
        of_these = LADDER_GAMES.c.match.in_([match.id for match in matches])
        games = self._games(self._store.read(_GAMES.where(of_these).order_by(LADDER_GAMES.c.number)))
        return [(match, [game for game in games if game.match == match.id]) for match in matches]

    # What people want.

    def challenge(self, person: Person, challenger: str, challenged: str) -> LadderMatch:
        """Has somebody's bot challenge one above it; a SiteError says why it cannot."""
        ours, theirs = self._ranked_pair(person, challenger, challenged)
        match = LadderMatch(
            new_id(), ours.bot.ladder, ours.bot, theirs.bot, person.id, "waiting", "", time.time())
        with self._store.writing() as connection:
            self._check_room(connection, person, ours.bot, theirs.bot)
            add_match(connection, match)
        return match

    def _ranked_pair(self, person: Person, challenger: str, challenged: str) -> tuple[Ranked, Ranked]:
        own = self._bots(BOTS.c.id == challenger).get(challenger)
        if own is None or own.owner != person.id:
            raise SiteError("challenge with a bot of your own")
        ranked = {ranked.bot.id: ranked for ranked in self.ranking(own.ladder)}
        if challenger not in ranked:
            raise SiteError(f"no version of {own.name} is on the ladder; hand one in that passes its check")
        if challenged not in ranked:
            raise SiteError("this bot is not on the ladder")
        ours, theirs = ranked[challenger], ranked[challenged]
        if theirs.rank >= ours.rank:
            raise SiteError(f"{theirs.bot.name} is not above {own.name}; challenge somebody who is")
        return ours, theirs

    def _check_room(self, connection: Connection, person: Person, ours: Bot, theirs: Bot) -> None:
        """Raises a SiteError if the match waits already, or too many of this person do."""
        # Of two challenges at the same time the second one sees the first.
        connection.execute(sql.select(PEOPLE.c.id).where(PEOPLE.c.id == person.id).with_for_update())
        waiting = sql.select(MATCHES.c.challenger, MATCHES.c.challenged).where(
            MATCHES.c.asked_by == person.id, MATCHES.c.phase.in_(OPEN))
        pairs = [tuple(row) for row in connection.execute(waiting)]
        if (ours.id, theirs.id) in pairs:
            raise SiteError(f"{ours.name} has challenged {theirs.name} already; it is in the queue")
        most = self._file.settings.quotas.challenges
        if len(pairs) >= most and person.role < Role.ORGANISER:
            raise SiteError(f"{len(pairs)} of your challenges wait already, and {most} may; wait until one "
                            "was played, or cancel one")

    def cancel(self, person: Person, id: str) -> LadderMatch:
        """Takes back a challenge that has not begun: one's own, or any for an organiser."""
        match = self.match(id)
        if match is None or (match.asked_by != person.id and person.role < Role.ORGANISER):
            raise SiteError("there is no such challenge of yours")
        by_challenger, by_organiser = CANCELLED
        reason = by_challenger if match.asked_by == person.id else by_organiser
        with self._store.writing() as connection:
            if not self.end(connection, id, "cancelled", reason, ("waiting",)):
                raise SiteError("this match has begun")
            if match.asked_by != person.id:
                audit.note(connection, person.id, "match.cancel", id)
        return match

    def end(self, connection: Connection, match: str, phase: Phase, reason: str = "",
            phases: Sequence[Phase] = OPEN) -> bool:
        """Ends a match that is in one of these phases; False if it is not."""
        changed = sql.update(MATCHES).where(MATCHES.c.id == match, MATCHES.c.phase.in_(phases))
        return bool(connection.execute(changed.values(phase=phase, reason=reason)).rowcount)

    # From rows.

    def _bots(self, *conditions: sql.ColumnElement[bool]) -> dict[str, Bot]:
        joined = BOTS.outerjoin(PEOPLE, PEOPLE.c.id == BOTS.c.owner)
        wanted = sql.select(BOTS, PEOPLE.c.name.label("owner_name")).select_from(joined).where(*conditions)
        return {row["id"]: Bot(row["id"], row["name"], row["owner"], row["owner_name"] or "", row["ladder"],
                               row["created"], row["active"])
                for row in self._store.read(wanted)}

    def _bots_of(self, ids: Iterable[str]) -> dict[str, Bot]:
        return self._bots(BOTS.c.id.in_(set(ids)))

    def _matches(self, rows: Sequence[RowMapping]) -> list[LadderMatch]:
        bots = self._bots_of(row[who] for row in rows for who in ("challenger", "challenged"))
        return [LadderMatch(row["id"], row["ladder"], bots[row["challenger"]], bots[row["challenged"]],
                      row["asked_by"], row["phase"], row["reason"], row["created"])
                for row in rows]

    def _games(self, rows: Sequence[RowMapping]) -> list[LadderGame]:
        seats = [[version.rpartition("/") for version in row["versions"]] for row in rows]
        bots = self._bots_of(bot for row in seats for bot, _, _ in row)
        return [LadderGame(row["match"], row["ladder"], row["number"],
                           tuple(bots[bot] for bot, _, _ in versions),
                           tuple(int(number) for _, _, number in versions), not row["asked_by"], _played(row))
                for row, versions in zip(rows, seats, strict=True)]


_GAMES = sql.select(LADDER_GAMES, MATCHES.c.asked_by).join_from(
    LADDER_GAMES, MATCHES, MATCHES.c.id == LADDER_GAMES.c.match)


def add_match(connection: Connection, match: LadderMatch) -> None:
    """Stores a new match."""
    connection.execute(sql.insert(MATCHES).values(
        id=match.id, ladder=match.ladder, challenger=match.challenger.id, challenged=match.challenged.id,
        asked_by=match.asked_by, phase=match.phase, reason=match.reason, created=match.created))


def row_of(match: LadderMatch, number: int, versions: Sequence[str], spec: str,
           played: PlayedGame) -> dict[str, Any]:
    """A game of a ladder as it is stored."""
    return {
        "id": played.id, "match": match.id, "ladder": match.ladder, "number": number, "spec": spec,
        "versions": list(versions), "record": played.line, "scores": played.scores, "ranks": played.ranks,
        "points": played.points, "reason": played.reason, "verdict": played.verdict,
        "offences": played.offences, "outputs": played.outputs, "ended": played.ended,
    }


def _played(row: RowMapping) -> PlayedGame:
    return PlayedGame(
        row["id"], row["match"], 1, 0, 0, (), row["record"], tuple(row["scores"]), tuple(row["ranks"]),
        tuple(row["points"]), row["reason"], Verdict(**row["verdict"]),
        tuple(Verdict(**offence) for offence in row["offences"]), tuple(row["outputs"]), row["ended"],
    )
