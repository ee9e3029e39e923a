"""What the store must say after a rehearsal: nothing lost or doubled, every verdict and rating right."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sql

import polyversi as pv
from polyversi.contest.playing import start_of
from polyversi.contest.tournament import Tournament
from polyversi.games.errors import PolyversiError
from polyversi.site.bots import FAILED, PASSED, Bots
from polyversi.site.events import Events, SiteEvent
from polyversi.site.ladder import LadderGame, Ladders, pool_of
from polyversi.site.ladder_games import GAMES, game_id, outcome
from polyversi.site.opened import OpenSite
from polyversi.site.ratings import ranking, recompute
from polyversi.site.tables import LADDER_GAMES, MATCHES, RATED_GAMES, RATING_STEPS
from polyversi.storage.stored import PlayedGame
from tests.soak.rehearsal.bots import VARIANT, Expected
from tests.soak.rehearsal.course import LADDER, Course
from tests.soak.rehearsal.people import PEOPLES_GAME

FAIR = ("win", "draw")
UNKNOWN = Expected(passes=False, is_ours=False)


@dataclass
class Verification:
    """Compares the store of a site that has ended with what was done and told."""

    site: OpenSite
    course: Course

    def __post_init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._expected = {student.bot: student.handed.expected for student in self.course.students
                          if student.bot and student.handed}
        self._start = pv.game(VARIANT).start().text

    def faults(self) -> Iterator[str]:
        """Everything that is wrong, in sentences."""
        yield from self._checks()
        yield from self._matches()
        yield from self._ladder_games()
        for pool in (pool_of(LADDER), PEOPLES_GAME):
            yield from self._ratings(pool)
        events = Events(self.site.file, self.site.store, self.site.contests)
        for event in events.all():
            yield from self._event(events, event)

    def _checks(self) -> Iterator[str]:
        bots = Bots(self.site.file, self.site.store)
        for student in self.course.students:
            if not student.bot or not student.handed:
                continue
            expected, version = student.handed.expected, bots.version(student.bot, 1)
            steps = version.report.get("steps", ())
            said = [step["fault"] for step in steps if step["fault"]]
            self.counts[f"versions that {version.phase}"] += 1
            names = [step["name"] for step in steps]
            if len(set(names)) < len(names):
                yield f"{student.handed.name} was checked twice in the same step: {names}"
            if version.phase not in (PASSED, FAILED):
                yield f"{student.handed.name} is {version.phase}"
            elif expected.is_ours and (version.phase == PASSED) != expected.passes:
                yield f"{student.handed.name} has {version.phase} its check: {said}"
            elif not expected.passes and expected.is_ours and not any(expected.fault in one for one in said):
                yield f"{student.handed.name} should fail with '{expected.fault}', and its check says {said}"
            elif (bots.find(student.bot).active == 1) != (version.phase == PASSED):
                yield f"{student.handed.name} has {version.phase} and plays {bots.find(student.bot).active}"

    def _matches(self) -> Iterator[str]:
        """Every match has exactly its games, and everything that was accepted is there once."""
        games: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        wanted = sql.select(LADDER_GAMES.c.match, LADDER_GAMES.c.number, LADDER_GAMES.c.id)
        for row in self.site.store.read(wanted):
            games[row["match"]].append((row["number"], row["id"]))
        matches = {row["id"]: row for row in self.site.store.read(sql.select(MATCHES))}
        whole = list(range(1, GAMES + 1))
        for id, row in matches.items():
            numbers = sorted(number for number, _ in games[id])
            self.counts[f"matches {row['phase']}"] += 1
            if len(set(numbers)) < len(numbers) or not set(numbers) <= set(whole):
                yield f"the match {id} has the games {numbers}"
            if (row["phase"] == "over") != (numbers == whole):
                yield f"the match {id} is {row['phase']} with the games {numbers}: {row['reason']}"
            if row["phase"] == "cancelled":
                yield f"the match {id} was cancelled, though nobody did: {row['reason']}"
            for number, game in games[id]:
                if game != game_id(id, number):
                    yield f"game {number} of the match {id} is called {game}"
        if lost := games.keys() - matches.keys():
            yield f"there are games of matches that are not there: {sorted(lost)}"
        asked = {id for id, row in matches.items() if row["asked_by"]}
        if lost := self.course.matches.keys() - asked:
            yield f"{len(lost)} challenges were accepted and are not in the store: {sorted(lost)}"
        if len(asked - self.course.matches.keys()) > self.course.unanswered:
            yield (f"{len(asked)} challenges are in the store; {len(self.course.matches)} were accepted and "
                   f"{self.course.unanswered} not answered")

    def _ladder_games(self) -> Iterator[str]:
        ladders = Ladders(self.site.file, self.site.store)
        there: dict[str, LadderGame] = {}
        ids = [row["id"] for row in self.site.store.read(sql.select(LADDER_GAMES.c.id))]
        for id in ids:
            game = ladders.game(id)
            if game is None:
                yield f"the game {id} cannot be read"
                continue
            there[id] = game
            self.counts["games of the ladder"] += 1
            bots = [self._expected.get(bot.id, UNKNOWN) for bot in game.bots]
            yield from self._judged(f"game {id} of the ladder", game.played, bots)
            if any(bot.id not in self._expected for bot in game.bots):
                yield f"the game {id} was played by a bot that nobody has handed in"
        for id, told in self.course.told.items():
            found = there.get(id)
            if found is None:
                yield f"the page has shown the game {id}, and it is not in the store"
                continue
            played = found.played
            stored = [list(played.scores), list(played.ranks), played.reason, played.verdict.kind]
            shown = told["result"]
            if stored != [shown["scores"], shown["ranks"], shown["reason"], shown["verdict"]["kind"]]:
                yield f"the page has shown the game {id} as {shown}, and the store has {stored}"

    def _judged(self, name: str, game: PlayedGame, bots: Sequence[Expected]) -> Iterator[str]:
        """Whether a game ended as it must have, and its record tells the same."""
        try:
            record = game.record
            result = record.result    # which plays all moves by the rules
        except PolyversiError as error:
            yield f"{name} cannot be replayed: {error}"
            return
        kind, seat = game.verdict.kind, game.verdict.seat
        self.counts[f"games ended with {kind}"] += 1
        if kind in FAIR:
            if result is None:
                yield f"{name} was decided by the rules, and its record ends before that"
            elif (result.scores, result.ranks, result.points) != (game.scores, game.ranks, game.points):
                yield (f"{name} has the result {game.ranks} {game.scores}, its record {result.ranks} "
                       f"{result.scores}")
            elif result.winner != seat:
                yield f"{name} was won by {result.winner}, its verdict is {game.verdict}"
        elif seat is None or game.ranks[seat - 1] != max(game.ranks) or game.points[seat - 1] > 0:
            yield f"{name} has the verdict {game.verdict} and the ranks {game.ranks}"
        if all(bot.is_ours for bot in bots):
            deserved = {place: bot.late for place, bot in enumerate(bots, 1)
                        if bot.late and record.start.text != self._start}
            if deserved and deserved.get(seat or 0) != kind:
                yield f"{name} must end with one of {deserved}, and its verdict is {game.verdict}"
            if not deserved and kind not in FAIR:
                yield f"{name} is of two that behave, and its verdict is {game.verdict}"

    def _ratings(self, pool: str) -> Iterator[str]:
        store = self.site.store
        kept = {rating.player: rating for rating in ranking(store, pool)}
        if kept != (computed := recompute(store, pool)):
            wrong = [player for player in kept.keys() | computed.keys()
                     if kept.get(player) != computed.get(player)]
            yield f"{len(wrong)} ratings of {pool} are not those of its games, such as {kept.get(wrong[0])}"
        counted = store.read(sql.select(RATED_GAMES).where(
            RATED_GAMES.c.pool == pool, RATED_GAMES.c.number.is_not(None)).order_by(RATED_GAMES.c.number))
        self.counts[f"rated games of {pool}"] = len(counted)
        if [row["number"] for row in counted] != list(range(1, len(counted) + 1)):
            yield f"the rated games of {pool} are not numbered one after the other"
        steps = Counter(row["game"] for row in store.read(
            sql.select(RATING_STEPS.c.game).where(RATING_STEPS.c.pool == pool)))
        if steps != {row["id"]: len(row["players"]) for row in counted}:
            yield f"the steps of ratings of {pool} are not those of its games"
        if pool == pool_of(LADDER):
            played = store.read(sql.select(LADDER_GAMES.c.id, LADDER_GAMES.c.versions, LADDER_GAMES.c.points))
            ended = {row["id"]: outcome(row["versions"], row["points"]) for row in played}
            rated = {row["id"]: (row["players"], row["ranks"], row["versions"]) for row in counted}
            if ended.keys() != rated.keys():
                yield f"{len(ended)} games of the ladder were played and {len(rated)} count for ratings"
            elif wrong := [id for id in ended if rated[id] != ended[id]]:
                yield (f"{len(wrong)} games of the ladder count otherwise than they ended: {wrong[0]} "
                       f"as {rated[wrong[0]]} for {ended[wrong[0]]}")

    def _event(self, events: Events, event: SiteEvent) -> Iterator[str]:
        name = f"'{event.title}'"
        if event.phase != "over":
            yield f"{name} is {event.phase}: {event.problem}"
            return
        tournament = Tournament(self.site.contests, event.contest)
        schedule = tournament.schedule
        due = {game.id: game for meeting in schedule.meetings for game in schedule.games(meeting)}
        games = self.site.contests.played(event.contest)
        if sorted(game.id for game in games) != sorted(due):
            yield f"{name} has {len(games)} games of {len(due)}"
            return
        who = {entrant.name: entrant.who for entrant in events.entrants(event)}
        entrants = [who[entrant.name].removeprefix("bot:").partition("/")[0]
                    for entrant in tournament.plan.entrants]
        for game in games:
            self.counts["games of tournaments"] += 1
            bots = [self._expected.get(entrants[one], UNKNOWN) for one in game.seating]
            yield from self._judged(f"game {game.id} of {name}", game, bots)
            fixture = due[game.id]
            if (game.record.start, game.seating) != (start_of(tournament.plan, fixture), fixture.seating):
                yield f"game {game.id} of {name} began otherwise than its schedule says"
        yield from self._standings(name, event, tournament, games)

    def _standings(self, name: str, event: SiteEvent, tournament: Tournament,
                   games: Sequence[PlayedGame]) -> Iterator[str]:
        """Whether points and games are the sums of what was played, in the store and on the page."""
        points: Counter[str] = Counter()
        played: Counter[str] = Counter()
        names = [entrant.name for entrant in tournament.plan.entrants]
        for game in games:
            for seat, entrant in enumerate(game.seating):
                points[names[entrant]] += game.points[seat]  # type: ignore[assignment]
            played.update(names[entrant] for entrant in set(game.seating))
        sums = {one: (round(points[one], 3), played[one]) for one in names}
        scores = tournament.standings.scores
        kept = {one: (round(score.points, 3), score.games) for one, score in zip(names, scores, strict=True)}
        rows = self.course.events.get(event.id, {}).get("rows", ())
        shown = {row["name"]: (row["points"], row["games"]) for row in rows}
        if kept != sums:
            yield f"the standings of {name} are {kept}, and its games give {sums}"
        if shown != sums:
            yield f"the page has shown {name} with {shown}, and its games give {sums}"
