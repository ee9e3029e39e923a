"""The matches of ladders on their way: from the queue to a worker, and what was played to the store."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from functools import partial

from polyversi.contest.live_feed import LiveAddress
from polyversi.contest.playing import play_game
from polyversi.gameplay.bots.sandbox import SandboxError
from polyversi.games.errors import PolyversiError
from polyversi.site.ladder import BROKEN, DIED, UNPLAYABLE, LadderMatch
from polyversi.site.ladder_games import GAMES, LadderGames, Ready
from polyversi.site.machine import Machine, Rank, Share, Work
from polyversi.site.opened import OpenSite
from polyversi.site.settings import SiteError
from polyversi.storage.errors import StoreError
from polyversi.storage.stored import PlayedGame


class LadderWork:
    """The matches of all ladders, from the queue to the store."""

    def __init__(self, site: OpenSite, machine: Machine, live: LiveAddress | None,
                 later: Callable[[Callable[[], None]], None]) -> None:
        self.problem = ""
        """Why no game is begun at present, in detail."""
        self._site, self._machine, self._later = site, machine, later
        self._games = LadderGames(site.file, site.store, live)
        self._submitted: set[tuple[str, int]] = set()
        self._ready: dict[tuple[str, int], Ready] = {}
        self._unstored: list[tuple[LadderMatch, int, Ready, PlayedGame]] = []
        self._automatic = dict.fromkeys((ladder.id for ladder in site.file.settings.ladders), 0.0)

    def poll(self) -> None:
        """Stores what could not be stored before, and begins what is to be played."""
        self._keep()
        matches = self._games.ladders.waiting()
        for match in matches[:1] if self.problem else matches:    # one shows whether all is well again
            self._submit(match)
        for ladder in self._site.file.settings.ladders:
            now = time.monotonic()
            own = [match for match in matches if match.ladder == ladder.id]
            waiting = sum(not match.asked_by for match in own)
            if waiting < self._machine.jobs and now - self._automatic[ladder.id] >= ladder.pause:
                self._automatic[ladder.id] = now
                if added := self._games.add_automatic(ladder, own):
                    self._submit(added)

    def thin(self) -> None:
        """Leaves only the results of old automatic games."""
        self._games.thin(time.time())

    def _submit(self, match: LadderMatch) -> None:
        share = Share(f"person:{match.asked_by}") if match.asked_by else Share(match.ladder, Rank.BACKGROUND)
        if all((match.id, number) in self._submitted for number in range(1, GAMES + 1)):
            return
        for number in self._games.due(match):
            if (match.id, number) not in self._submitted:
                self._submitted.add((match.id, number))
                done = self._machine.submit(share, partial(self._begin, match, number))
                done.add_done_callback(partial(self._hand_back, match, number))

    def _begin(self, match: LadderMatch, number: int) -> Work | None:
        """In the thread of the machine, when the turn of a game has come."""
        ready = self._games.make_ready(match.id, number)
        self.problem = ""
        if ready is None:
            return None
        self._ready[match.id, number] = ready
        return partial(play_game, ready.task, ready.protection)

    def _hand_back(self, match: LadderMatch, number: int, done: Future[PlayedGame | None]) -> None:
        """In any thread, when a game is over."""
        self._later(partial(self._finish, match, number, done))

    def _finish(self, match: LadderMatch, number: int, done: Future[PlayedGame | None]) -> None:
        """Keeps what has been played, or what came of it instead."""
        self._submitted.discard((match.id, number))
        ready = self._ready.pop((match.id, number), None)
        try:
            played = done.result()
            if played is not None and ready is not None:
                self._unstored.append((match, number, ready, played))
        except (StoreError, SandboxError) as error:    # no fault of the bots
            self.problem = str(error)
        except BrokenExecutor as error:
            self._give_up(match, DIED, error)
        except SiteError as error:    # its sentence is for people
            self._give_up(match, str(error))
        except PolyversiError as error:
            self._give_up(match, UNPLAYABLE, error)
        except Exception as error:    # a mistake of ours must not be played for ever
            traceback.print_exception(error)
            self._give_up(match, BROKEN)
        with suppress(StoreError):    # then it is stored with the next look
            self._keep()

    def _keep(self) -> None:
        while self._unstored:
            self._games.keep(*self._unstored[0])
            self._unstored.pop(0)

    def _give_up(self, match: LadderMatch, reason: str, error: BaseException | None = None) -> None:
        """Cancels a match; people read the reason, and the log has the error, which may name files."""
        if error is not None:
            print(f"the match {match.id} is cancelled: {error}", file=sys.stderr, flush=True)
        with suppress(StoreError):    # then it is tried again
            self._games.give_up(match, reason)
