"""Playing games of a tournament, here or in another process: what a worker is given and gives back."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from polyversi.contest.games import TournamentGame
from polyversi.contest.plan import known_game
from polyversi.gameplay.bots.seat import BotSeat
from polyversi.gameplay.interrupt import run_interruptibly
from polyversi.gameplay.referee import Referee
from polyversi.games.errors import PlayerError
from polyversi.protocols.bot_files import is_file, is_folder
from polyversi.protocols.seating import draw_seed, seat_of
from polyversi.protocols.spec import sandbox_of
from polyversi.records import jsonl
from polyversi.storage.contests import PlayedGame

if TYPE_CHECKING:
    from polyversi.contest.openings import Openings
    from polyversi.contest.plan import Entrant, TournamentPlan
    from polyversi.gameplay.bots.sandbox import Sandbox
    from polyversi.gameplay.seat import Seat
    from polyversi.games.limit import Limit
    from polyversi.games.state import State


@dataclass(frozen=True)
class Task:
    """A game with all that it takes to play it, and no more: it travels to a worker with every game."""

    game: TournamentGame
    variant: str
    map: str
    """The text of the variant's map, where its name does not say it all."""
    openings: Openings | None
    """How it begins where that is drawn: with some openings it takes an engine a while."""
    position: str
    """How it begins where that was read from a file."""
    drawn: int
    """Draws the opening."""
    entrants: tuple[Entrant, ...]
    """In their seats."""
    limit: Limit
    suspends: bool

    @property
    def start(self) -> State:
        """Where the game begins."""
        game = known_game(self.variant, self.map)
        if self.openings is None:
            return game.position(self.position)
        return self.openings.start(game, self.game.variant, self.game.opening, self.drawn)


def task_of(plan: TournamentPlan, game: TournamentGame) -> Task:
    """What a worker is given; games of a meeting with the same variant and opening begin alike."""
    drawn = draw_seed(plan.seed, "opening", game.meeting.id)
    position = plan.openings.position(game.variant, game.opening, drawn)
    return Task(
        game, plan.variants[game.variant], plan.maps[game.variant],
        None if position else plan.openings, position, drawn,
        tuple(plan.entrants[entrant] for entrant in game.seating), plan.limit, plan.suspend,
    )


def start_of(plan: TournamentPlan, game: TournamentGame) -> State:
    """Where a game begins."""
    return task_of(plan, game).start


def protection_of(plan: TournamentPlan) -> Sandbox | None:
    """What the bots are kept in, or None where they are trusted; an error where there is no sandbox."""
    if plan.trust:
        return None
    sandbox = sandbox_of(entrant.spec for entrant in plan.entrants)
    # What cannot be played is somebody's work, too, and nobody else's business.
    return replace(sandbox, entrants=(*sandbox.entrants, *_files_of_broken(plan)))


def _files_of_broken(plan: TournamentPlan) -> Iterator[Path]:
    """What is to be hidden of them: nothing that leads nowhere, for no sandbox could be made around that."""
    for path in (Path(bot.path) for bot in plan.broken):
        if is_folder(path):
            yield path / "bot"
        elif is_file(path) or (is_folder(path.parent) and not os.path.islink(path)):  # noqa: PTH114 never raises
            yield path


def play_game(task: Task, protection: Sandbox | None = None) -> PlayedGame:
    """Plays one game through the referee."""
    game = task.game
    seats = [
        _seat(entrant, draw_seed(game.seed, place), task.suspends, protection)
        for place, entrant in enumerate(task.entrants)
    ]
    finished = run_interruptibly(Referee(task.start, seats, task.limit).run())
    result = finished.result
    return PlayedGame(
        game.id, game.meeting.id, game.meeting.round, game.variant, game.opening, game.seating,
        jsonl.write(finished.record), result.scores, result.ranks, result.points, result.reason,
        finished.verdict, finished.offences, tuple(map(_last_output, seats)), time.time(),
    )


def _seat(entrant: Entrant, seed: int, suspends: bool, protection: Sandbox | None) -> Seat:
    try:
        return seat_of(entrant.spec, name=entrant.name, seed=seed, protection=protection, suspends=suspends)
    except PlayerError as error:    # such as a file that is gone
        raise PlayerError(f"{entrant.name} cannot play: {error}") from None


def _last_output(seat: Seat) -> str:
    return seat.last_output if isinstance(seat, BotSeat) else ""


def play_games(tasks: Sequence[Task], protection: Sandbox | None) -> list[PlayedGame]:
    """Plays several games one after the other, for workers: short games are not worth a way each."""
    return [play_game(task, protection) for task in tasks]
