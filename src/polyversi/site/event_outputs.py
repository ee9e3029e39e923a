"""What bots have written in the games of events, for their owners and organisers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site.bots import Bot
from polyversi.site.events import Events, SiteEvent
from polyversi.site.tables import ENTRANTS, EVENTS
from polyversi.storage.contests import TOURNAMENTS

BOT = "bot:"


@dataclass(frozen=True)
class Written:
    """What a bot wrote in a game."""

    game: str
    """The id of the game in its contest."""
    name: str
    """The bot's name in the event."""
    ending: str
    """How the game ended."""
    output: str


def contests_of(connection: Connection, bot: str) -> dict[str, set[int]]:
    """The contests of events in which a bot takes part, and its numbers among their entrants."""
    took_part = connection.execute(
        sql.select(ENTRANTS.c.name, EVENTS.c.contest).join(EVENTS, EVENTS.c.id == ENTRANTS.c.event)
        .where(ENTRANTS.c.who.startswith(f"{BOT}{bot}/", autoescape=True))).all()
    found = {}
    for name, contest in took_part:
        stored = sql.select(TOURNAMENTS.c.plan).where(TOURNAMENTS.c.name == contest)
        if plan := connection.execute(stored).scalar():    # of an event that has begun
            found[contest] = {number for number, entrant in enumerate(plan["entrants"])
                              if entrant["name"] == name}
    return found


def written(
    events: Events, event: SiteEvent, is_theirs: Callable[[Bot], bool], limit: int = 50
) -> list[Written]:
    """What bots have written lately in an event, of those that somebody may read, the last game first."""
    plan = events.plan(event)
    if plan is None:
        return []
    bots = {bot.id: bot for bot in events.bots.all()}
    owned = {one.name for one in events.entrants(event)
             if (bot := bots.get(one.who.removeprefix(BOT).partition("/")[0])) and is_theirs(bot)}
    names = {number: one.name for number, one in enumerate(plan.entrants) if one.name in owned}
    found = [Written(game.id, names[entrant], str(game.verdict), output)
             for game in events.contests.written(event.contest, [*names], limit)
             for entrant, output in zip(game.seating, game.outputs, strict=False)
             if output and entrant in names]
    return found[:limit]
