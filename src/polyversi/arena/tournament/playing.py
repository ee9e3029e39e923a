"""Playing games of a tournament, here or in another process: what a worker is given and gives back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from polyversi.arena.bots.seat import BotSeat
from polyversi.arena.bots.spec import sandbox_of
from polyversi.arena.interrupt import run_interruptibly
from polyversi.arena.referee import Referee
from polyversi.arena.seating import draw_seed, seat_of
from polyversi.arena.tournament.games import PlayedGame, TournamentGame
from polyversi.games.errors import PlayerError
from polyversi.records import jsonl

if TYPE_CHECKING:
    from polyversi.arena.bots.sandbox import Sandbox
    from polyversi.arena.seat import Seat
    from polyversi.arena.tournament.plan import TournamentPlan
    from polyversi.games.state import State


def start_of(plan: TournamentPlan, game: TournamentGame) -> State:
    """Where a game begins: games of a meeting with the same variant and opening begin alike."""
    drawn = draw_seed(plan.seed, "opening", game.meeting.id)
    return plan.openings.start(plan.games_played[game.variant], game.variant, game.opening, drawn)


def protection_of(plan: TournamentPlan) -> Sandbox | None:
    """What the bots are kept in, or None where they are trusted; an error where there is no sandbox."""
    return None if plan.trust else sandbox_of(entrant.spec for entrant in plan.entrants)


def play_game(
    plan: TournamentPlan, game: TournamentGame, protection: Sandbox | None = None
) -> PlayedGame:
    """Plays one game through the referee."""
    seats = [
        _seat(plan, entrant, draw_seed(game.seed, place), protection)
        for place, entrant in enumerate(game.seating)
    ]
    finished = run_interruptibly(Referee(start_of(plan, game), seats, plan.limit).run())
    result = finished.result
    return PlayedGame(
        game.id, game.meeting.id, game.meeting.round, game.variant, game.opening, game.seating,
        jsonl.write(finished.record), result.scores, result.ranks, result.points, result.reason,
        finished.verdict, finished.offences, tuple(map(_last_output, seats)), time.time(),
    )


def _seat(plan: TournamentPlan, number: int, seed: int, protection: Sandbox | None) -> Seat:
    entrant = plan.entrants[number]
    try:
        return seat_of(
            entrant.spec, name=entrant.name, seed=seed, protection=protection, suspends=plan.suspend)
    except PlayerError as error:    # such as a file that is gone
        raise PlayerError(f"{entrant.name} cannot play: {error}") from None


def _last_output(seat: Seat) -> str:
    return seat.last_output if isinstance(seat, BotSeat) else ""


def play_games(
    plan: TournamentPlan, games: Sequence[TournamentGame], protection: Sandbox | None
) -> list[PlayedGame]:
    """Plays several games one after the other, for workers: short games are not worth a way each."""
    return [play_game(plan, game, protection) for game in games]
