"""A tournament as its store has it: what was played, what is to be played next, and who was set aside."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import inf, nextafter
from pathlib import Path
from typing import TYPE_CHECKING

from polyversi.contest.formats import Format, format_from
from polyversi.contest.games import TournamentGame, games_of
from polyversi.contest.model import Field, Meeting, MeetingResult
from polyversi.contest.plan import BrokenBot, Entrant, PlanError, TournamentPlan
from polyversi.contest.schedule import schedule_in_turn
from polyversi.games.errors import PlayerError
from polyversi.protocols.bot_files import playable_at
from polyversi.storage.contests import PlayedGame

if TYPE_CHECKING:
    from polyversi.storage.contests import TournamentStore


class Tournament:
    """What follows from a plan and the games that were played so far; nothing else is remembered anywhere.

    >>> import tempfile
    >>> from polyversi.contest.plan import Entrant, TournamentPlan
    >>> from polyversi.storage.contests import TournamentStore
    >>> entrants = (Entrant("Ann", "greedy"), Entrant("Bob", "random"), Entrant("Cid", "mobility"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = TournamentStore.open(f"{folder}/cup.db")
    ...     cup = Tournament.create(store, TournamentPlan("cup", entrants))
    ...     print(len(cup.due()), cup.is_over)
    ...     store.close()
    6 False
    """

    def __init__(self, store: TournamentStore, name: str) -> None:
        self.store = store
        self.name = name
        self.reload()

    def reload(self) -> None:
        """Reads all of it again: another program may have played or changed it meanwhile."""
        stored = self.store.tournament(self.name)
        self.plan = TournamentPlan.from_json(stored.plan)
        self.joined = dict(stored.joined)
        self.played: dict[str, PlayedGame] = {}
        """Every finished game by its id, in the order of their ends."""
        self.left: dict[int, int] = {}
        """The round from which on an entrant does not take part any more, because it failed too often."""
        self._failures: Counter[int] = Counter()
        self._tallies: dict[str, _Tally] = {}
        self._begun: dict[str, tuple[int, ...]] = {}
        self._scheduled: dict[Meeting, list[TournamentGame]] = {}
        self._forget()
        self.__dict__.pop("format", None)
        for game in self.store.played(self.name):
            self._count(game)

    @classmethod
    def create(cls, store: TournamentStore, plan: TournamentPlan) -> Tournament:
        """A new tournament in a store."""
        plan.check()
        store.create(plan.name, plan.to_json())
        return cls(store, plan.name)

    def add(self, entrant: Entrant) -> None:
        """Lets somebody take part from the next round on; nobody can play it meanwhile."""
        with self.store.reserved(self.name):
            self.reload()
            self._admit(entrant, self.plan.broken)

    def readmit(self) -> list[Entrant]:
        """Lets those take part from the next round on whose bots were broken, and can be played now.

        Of the others it is noted what is wrong with them now. Nobody can play the tournament meanwhile.
        """
        admitted: list[Entrant] = []
        if not self.plan.broken:
            return admitted
        with self.store.reserved(self.name):
            self.reload()
            for bot in self.plan.broken:
                others = tuple(one for one in self.plan.broken if one.name != bot.name)
                try:
                    entrant = Entrant(bot.name, playable_at(Path(bot.path), self.plan.games_played))
                    self._admit(entrant, others)
                except (PlayerError, PlanError) as error:
                    newcomer = len(self.plan.entrants)
                    if isinstance(error, PlanError) and error.place[1:] not in ((), (newcomer,)):
                        continue    # what is wrong now is another's, such as a file that is gone
                    still = replace(bot, reason=str(error))
                    broken = tuple(still if one.name == bot.name else one for one in self.plan.broken)
                    self._change(replace(self.plan, broken=broken), self.joined)
                else:
                    admitted.append(entrant)
        return admitted

    def _admit(self, entrant: Entrant, broken: tuple[BrokenBot, ...]) -> None:
        begun = max((game.round for game in self.played.values()), default=0)
        newcomer = len(self.plan.entrants)
        plan = replace(self.plan, entrants=(*self.plan.entrants, entrant), broken=broken)
        plan.check()
        rounds = self.format.rounds_of(len(plan.entrants))
        if rounds is not None and begun >= rounds:
            raise PlanError(f"{entrant.name} would play nothing: the last round of '{self.name}' has begun")
        field = replace(self.field, entrants=newcomer + 1)
        if not (there := self.format.opponents(field, newcomer)) - self.left.keys():
            gone = ", ".join(self.plan.entrants[one].name for one in sorted(there))
            raise PlanError(f"{entrant.name} would play nothing: it would meet {gone}, and who is set aside "
                            "does not come back; begin a new tournament")
        self._change(plan, {**self.joined, newcomer: begun + 1})

    def _change(self, plan: TournamentPlan, joined: dict[int, int]) -> None:
        if plan == self.plan:
            return
        self.store.change(self.name, plan.to_json(), joined)
        self.plan, self.joined = plan, joined
        self._forget()
        self.__dict__.pop("format", None)

    @cached_property
    def format(self) -> Format:
        """Who meets whom."""
        chosen = format_from(self.plan.format, self.plan.format_options)
        chosen.check(Field(len(self.plan.entrants), self.plan.games_played[0].seats))
        return chosen

    @cached_property
    def meetings(self) -> list[Meeting]:
        """All that are fixed so far, in the order in which they are played."""
        return self.format.meetings(self.field)

    @property
    def field(self) -> Field:
        """The tournament as its format sees it."""
        return Field(
            len(self.plan.entrants), self.plan.games_played[0].seats, self.plan.seed, self._results(),
            self._begun, self.joined, self.left,
        )

    @property
    def is_over(self) -> bool:
        """Whether everything has been played."""
        return not self.due() and self.format.is_over(self.field)

    @property
    def expected(self) -> int:
        """How many games there are as far as is known, those that were played included."""
        return len(self.played) + len(self.due())

    def games(self, meeting: Meeting) -> list[TournamentGame]:
        """All games of a meeting."""
        if meeting not in self._scheduled:    # drawing their seeds is what takes long
            number = self.format.games or self.plan.games
            self._scheduled[meeting] = games_of(
                meeting, len(self.plan.variants), number, self.format.seats, self.plan.seed
            )
        return self._scheduled[meeting]

    def due(self) -> list[TournamentGame]:
        """The games that can be played now, in order."""
        return [
            game
            for meeting in self.meetings
            if not self.left.keys() & set(meeting.entrants)
            for game in self.games(meeting)
            if game.id not in self.played
        ]

    def keep(self, games: Sequence[PlayedGame]) -> None:
        """Stores finished games, and only then counts them.

        What follows may depend on their order: they are read again in the one in which they were counted,
        so that none ends before those that were kept already, whatever the clock of its worker said.
        """
        last = next(reversed(self.played.values())).ended if self.played else 0.0
        kept = []
        for game in sorted(games, key=lambda game: (game.ended, game.id)):
            last = max(game.ended, nextafter(last, inf))
            kept.append(replace(game, ended=last))
        self.store.keep(self.name, kept)
        for game in kept:
            self._count(game)

    def ranking(self) -> list[int] | None:
        """The format's own order of the entrants, where points alone do not say it."""
        return self.format.ranking(self.field)

    def _count(self, game: PlayedGame) -> None:
        if game.id in self.played:
            return
        self.played[game.id] = game
        if self.format.is_for_pairs and game.meeting not in self._begun:
            is_first = self._seatings[int(game.id.rpartition("/")[2]) - 1] == (0, 1)
            self._begun[game.meeting] = game.seating if is_first else game.seating[::-1]
        if self.left.keys() & set(game.seating):
            return    # it was still being played when somebody was set aside: what follows from that stands
        tally = self._tallies.setdefault(game.meeting, _Tally())
        tally.add(game, -1 if self.plan.games_played[game.variant].definition.goal == "fewest" else 1)
        if tally.games == self._games_a_meeting:
            self._forget()
        for failure in game.failures:
            entrant = game.seating[(failure.seat or 1) - 1]
            self._failures[entrant] += 1
            if self._failures[entrant] == self.plan.failures:
                self.left[entrant] = game.round + 1
                self._forget()

    @property
    def _games_a_meeting(self) -> int:
        return (self.format.games or self.plan.games) * len(self.plan.variants)

    @cached_property
    def _seatings(self) -> list[tuple[int, ...]]:
        """In which order the two of a meeting sit in each of its games."""
        meetings: list[list[tuple[int, ...]]] = [[(0, 1)]] * len(self.plan.variants)
        games = self.format.games or self.plan.games
        return [one.seating for one in schedule_in_turn(meetings, games, self.format.seats)]

    def _forget(self) -> None:
        """What follows from the results is found anew."""
        self.__dict__.pop("meetings", None)

    def _results(self) -> dict[str, MeetingResult]:
        """What came of every meeting that is over."""
        found = {}
        for meeting, tally in self._tallies.items():
            gone, points = self.left.keys() & tally.points.keys(), dict(tally.points)
            missing = self._games_a_meeting - tally.games
            if missing and not gone:
                continue
            if missing and len(tally.points) == 2:
                # What was not played goes to the one who was still there, also when that one left later.
                first = min(self.left[entrant] for entrant in gone)
                for entrant in points:
                    points[entrant] += missing if self.left.get(entrant) != first else 0
            found[meeting] = MeetingResult(points, tally.stones)
        return found


class _Tally:
    """What the games of a meeting have brought so far."""

    def __init__(self) -> None:
        self.games = 0
        self.points: defaultdict[int, float] = defaultdict(float)
        self.stones: Counter[int] = Counter()
        """The more the better, also where the fewest win."""

    def add(self, game: PlayedGame, sign: int) -> None:
        self.games += 1
        for entrant, points, stones in zip(game.seating, game.points, game.scores, strict=True):
            self.points[entrant] += points
            self.stones[entrant] += sign * stones


def tournament_in(store: TournamentStore, name: str | None) -> Tournament:
    """The tournament of that name, or the only one there is."""
    if name is None:
        names = store.names()
        if len(names) != 1:
            there = f"{', '.join(names)}; say which by --name" if names else "none yet"
            raise PlayerError(f"the tournaments in {store.name} are {there}")
        name = names[0]
    return Tournament(store, name)
