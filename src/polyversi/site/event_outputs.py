"""What bots have written in the games of events, for their owners and organisers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from polyversi.site.bots import Bot
from polyversi.site.events import BOT, Events, SiteEvent


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
