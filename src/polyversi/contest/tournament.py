"""A stored tournament, which entrants can join after it has started."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from polyversi.contest.contest import Contest
from polyversi.contest.plan import BrokenBot, Entrant, Plan, PlanError
from polyversi.contest.schedule import FormatSchedule, Schedule
from polyversi.contest.stores import InDatabase
from polyversi.contest.workers import Workers
from polyversi.games.errors import PlayerError
from polyversi.protocols.bot_files import playable_at

if TYPE_CHECKING:    # it needs SQLAlchemy, and help is read without it
    from polyversi.storage.contests import ContestStore


class Tournament(Contest):
    """A contest in a database whose plan may change: entrants join, or come back after a fix.

    >>> import tempfile
    >>> from polyversi.storage.contests import ContestStore
    >>> entrants = (Entrant("Ann", "greedy"), Entrant("Bob", "random"), Entrant("Cid", "mobility"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = ContestStore.open(f"{folder}/cup.db")
    ...     cup = Tournament.create(store, Plan("cup", entrants))
    ...     print(len(cup.due()), cup.is_over)
    ...     store.close()
    6 False
    """

    def __init__(self, database: ContestStore, name: str, workers: Workers | None = None) -> None:
        self.database = database
        self.name = name
        super().__init__(self._stored_plan(), InDatabase(database, name), workers)

    @classmethod
    def create(cls, database: ContestStore, plan: Plan, workers: Workers | None = None) -> Tournament:
        """A new tournament in a database."""
        plan.check()
        database.create(plan.name, plan.to_json())
        return cls(database, plan.name, workers)

    def _stored_plan(self) -> Plan:
        self._kept = plan, self.joined = self.database.contest(self.name)
        """The first round of each entrant that joined later."""
        return Plan.from_json(plan)

    def load(self) -> None:
        self.plan = self._stored_plan()
        super().load()

    def follow(self) -> bool:
        """Counts what another program has played since; returns whether anything has changed."""
        stored = self.database.contest(self.name)
        if stored != self._kept:
            self.load()
            return True
        games = self.database.played(self.name, self.last_end)
        for game in games:
            self._count(game)
        return bool(games)

    def _new_schedule(self) -> Schedule:
        return super()._new_schedule() if self.plan.is_match else FormatSchedule(self.plan, self.joined)

    def add(self, entrant: Entrant) -> None:
        """Adds an entrant from the next round on; nobody can play the tournament meanwhile."""
        with self.database.reserved(self.name):
            self.load()
            self._admit(entrant, self.plan.broken)

    def readmit(self) -> list[Entrant]:
        """Adds the entrants whose bots were broken and can be run now, from the next round on.

        For the others it notes what is wrong with them now. Nobody can play the tournament meanwhile.
        """
        admitted: list[Entrant] = []
        if not self.plan.broken:
            return admitted
        with self.database.reserved(self.name):
            self.load()
            for bot in self.plan.broken:
                others = tuple(one for one in self.plan.broken if one.name != bot.name)
                try:
                    entrant = Entrant(bot.name, playable_at(Path(bot.path), self.plan.games_played))
                    self._admit(entrant, others)
                except (PlayerError, PlanError) as error:
                    newcomer = len(self.plan.entrants)
                    if isinstance(error, PlanError) and error.place[1:] not in ((), (newcomer,)):
                        continue    # what is wrong now is another bot, such as one whose file is gone
                    still = replace(bot, reason=str(error))
                    broken = tuple(still if one.name == bot.name else one for one in self.plan.broken)
                    self._change(replace(self.plan, broken=broken), self.joined)
                else:
                    admitted.append(entrant)
        return admitted

    def _admit(self, entrant: Entrant, broken: tuple[BrokenBot, ...]) -> None:
        schedule = self.schedule
        if not isinstance(schedule, FormatSchedule):
            raise PlanError(f"'{self.name}' is a match, and only a tournament takes new entrants")
        begun = max((game.round for game in self.played.values()), default=0)
        newcomer = len(self.plan.entrants)
        plan = replace(self.plan, entrants=(*self.plan.entrants, entrant), broken=broken)
        plan.check()
        field = replace(schedule.field, entrants=newcomer + 1)
        rounds = schedule.format.rounds_of(field)
        if rounds is not None and begun >= rounds:
            raise PlanError(f"{entrant.name} cannot join: the last round of '{self.name}' has started")
        if not (there := schedule.format.opponents(field, newcomer)) - self.left.keys():
            gone = ", ".join(self.plan.entrants[one].name for one in sorted(there))
            raise PlanError(f"{entrant.name} cannot join: it would only meet {gone}, and entrants that "
                            "failed too often do not come back; start a new tournament")
        self._change(plan, {**self.joined, newcomer: begun + 1})

    def _change(self, plan: Plan, joined: dict[int, int]) -> None:
        if plan != self.plan:
            self.database.change(self.name, plan.to_json(), joined)
            self.load()


def tournament_in(store: ContestStore, name: str | None) -> Tournament:
    """The tournament of that name, or the only one there is."""
    if name is None:
        names = store.names()
        if len(names) != 1:
            if not names:
                raise PlayerError(f"there is no tournament in {store.name}")
            raise PlayerError(f"{store.name} holds {', '.join(names)}; choose one with --tournament")
        name = names[0]
    return Tournament(store, name)
