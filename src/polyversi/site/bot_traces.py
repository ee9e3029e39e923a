"""What a bot leaves in stored games: what it wrote, and what it was called; both go when it is deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site.tables import AUDIT, BOTS, ENTRANTS, EVENTS, LADDER_GAMES, MATCHES, VERSIONS
from polyversi.storage.contests import GAMES as CONTEST_GAMES
from polyversi.storage.contests import TOURNAMENTS
from polyversi.storage.stored import PlayedGame

GONE = "deleted bot"
"""What a bot is called whose owner has deleted it; its games stay."""
DELETED = "deleted"
"""The phase of a version whose files and outputs are gone."""


def contests_of(connection: Connection, bot: str, number: int = 0) -> dict[str, set[int]]:
    """The contests of events in which a bot or one version of it takes part, and its numbers there."""
    beginning = ENTRANTS.c.who.startswith(f"bot:{bot}/", autoescape=True)
    took_part = connection.execute(
        sql.select(ENTRANTS.c.name, EVENTS.c.contest).join(EVENTS, EVENTS.c.id == ENTRANTS.c.event)
        .where(ENTRANTS.c.who == f"bot:{bot}/{number}" if number else beginning)).all()
    found = {}
    for name, contest in took_part:
        stored = sql.select(TOURNAMENTS.c.plan).where(TOURNAMENTS.c.name == contest)
        if plan := connection.execute(stored).scalar():    # of an event that has begun
            found[contest] = {entrant for entrant, one in enumerate(plan["entrants"]) if one["name"] == name}
    return found


def erase_outputs(connection: Connection, bot: str, number: int = 0) -> None:
    """Erases what a bot has written in games of ladders and events, or what one version of it has."""
    matches = sql.select(MATCHES.c.id).where((MATCHES.c.challenger == bot) | (MATCHES.c.challenged == bot))
    games = connection.execute(
        sql.select(LADDER_GAMES.c.id, LADDER_GAMES.c.versions, LADDER_GAMES.c.outputs)
        .where(LADDER_GAMES.c.match.in_(matches))).all()
    for id, versions, outputs in games:
        own = [_is(version, bot, number) for version in versions]
        left = _without(outputs, own)
        if left != outputs:
            connection.execute(sql.update(LADDER_GAMES).where(LADDER_GAMES.c.id == id).values(outputs=left))
    for contest, entrants in contests_of(connection, bot, number).items():
        of_contest = CONTEST_GAMES.c.tournament == contest
        games = connection.execute(sql.select(
            CONTEST_GAMES.c.id, CONTEST_GAMES.c.seating, CONTEST_GAMES.c.outputs).where(of_contest)).all()
        for id, seating, outputs in games:
            left = _without(outputs, [entrant in entrants for entrant in seating])
            if left != outputs:
                connection.execute(sql.update(CONTEST_GAMES).where(
                    of_contest, CONTEST_GAMES.c.id == id).values(outputs=left))


def erase_name(connection: Connection, bot: str, name: str) -> None:
    """Erases what a bot was called in games and matches of its ladder and in the list of changes.

    The results of events keep it.
    """
    is_own = (MATCHES.c.challenger == bot) | (MATCHES.c.challenged == bot)
    of_match = LADDER_GAMES.c.match.in_(sql.select(MATCHES.c.id).where(is_own))
    games = connection.execute(sql.select(LADDER_GAMES.c.id, LADDER_GAMES.c.versions, LADDER_GAMES.c.record)
                               .where(LADDER_GAMES.c.record != "", of_match)).all()
    for id, versions, record in games:
        left = _unnamed(record, [_is(version, bot) for version in versions])
        connection.execute(sql.update(LADDER_GAMES).where(LADDER_GAMES.c.id == id).values(record=left))
    named = MATCHES.c.reason.contains(name, autoescape=True)    # as earlier versions have written it
    connection.execute(sql.update(MATCHES).where(is_own, named).values(
        reason="a bot is not on the ladder any more"))
    connection.execute(sql.update(AUDIT).where(AUDIT.c.subject == bot).values(detail={}))


def without_outputs_of_deleted(
    connection: Connection, versions: Sequence[str], played: PlayedGame
) -> PlayedGame:
    """A game that has just been played without what those wrote that were deleted meanwhile.

    `versions` has BOT/NUMBER in seat order, and nothing for who is no bot of the site.
    """
    gone = [bool(version) and _is_deleted(connection, version) for version in versions]
    return replace(played, outputs=tuple(_without(played.outputs, gone))) if any(gone) else played


def without_names_of_deleted(
    connection: Connection, versions: Sequence[str], played: PlayedGame
) -> PlayedGame:
    """A game of a ladder that has just been played, without the names of bots that were deleted meanwhile."""
    bots = [version.partition("/")[0] for version in versions]
    # Whoever is deleting one now is waited for.
    found = sql.select(BOTS.c.id).where(BOTS.c.id.in_({*bots}), BOTS.c.owner == "").with_for_update(read=True)
    gone = {*connection.execute(found).scalars()}
    return replace(played, stored=_unnamed(played.line, [bot in gone for bot in bots])) if gone else played


def _is_deleted(connection: Connection, version: str) -> bool:
    bot, _, number = version.partition("/")
    found = sql.select(VERSIONS.c.phase).where(VERSIONS.c.bot == bot, VERSIONS.c.number == int(number))
    return connection.execute(found.with_for_update(read=True)).scalar() == DELETED


def _is(version: str, bot: str, number: int = 0) -> bool:
    return version == f"{bot}/{number}" if number else version.partition("/")[0] == bot


def _without(outputs: Sequence[str], gone: Sequence[bool]) -> list[str]:
    return ["" if is_gone else output for output, is_gone in zip(outputs, gone, strict=False)]


def _unnamed(line: str, gone: Sequence[bool]) -> str:
    """A record as a line of JSON, in which some players have no names any more."""
    record = msgspec.json.decode(line)
    if record.get("players"):
        record["players"] = [GONE if is_gone else name
                             for name, is_gone in zip(record["players"], gone, strict=True)]
    return msgspec.json.encode(record).decode()
