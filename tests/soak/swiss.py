"""`python -m tests.soak.swiss [--events N] [--seed S]`: checks the promises of the Swiss format.

Each event has 2 to 60 entrants of random strength, 1 to 12 rounds, draws, and in half of them some leave or
come later. In every round it is seen whether somebody meets the same one again though that could be avoided,
whatever the seats, has a second bye, or sat in one seat three times more often than in the other.

As many events again are played in groups of three to eight, or with several numbers of seats in turn. There
it is seen whether all play in full groups, equally often but for one round, and whether two could change
groups so that fewer meet again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random

from polyversi.contest.formats import Format, format_from
from polyversi.contest.model import Field, Meeting, MeetingResult

PRIME = 2**31 - 1
Pair = frozenset[int]


@dataclass
class Seen:
    """What was seen in Swiss events."""

    events: int = 0
    rounds: int = 0
    meetings: int = 0
    byes: int = 0
    came: int = 0
    went: int = 0
    rematches: int = 0
    """Rematches in rounds in which they could not be avoided."""
    forced: int = 0
    """How many such rounds there were."""
    left_out: int = 0
    """Rounds that were left out because somebody would have needed a second bye."""
    balance: int = 0
    """The largest difference between first and second seats of anybody after any round."""
    groups: int = 0
    """Meetings with more than two seats."""
    broken: list[str] = field(default_factory=list)
    """Promises that were not kept."""

    def __str__(self) -> str:
        return (
            f"{self.events:,} Swiss events, {self.rounds:,} rounds, {self.meetings:,} meetings, "
            f"{self.groups:,} meetings of groups, {self.byes:,} byes; {self.came:,} joined later, "
            f"{self.went:,} left\n"
            f"rematches: {self.rematches:,} in {self.forced:,} rounds in which they could not be avoided; "
            f"rounds left out for lack of a bye: {self.left_out:,}\n"
            f"the largest difference between first and second seats: {self.balance}\n"
            f"promises that were not kept: {len(self.broken)}"
        )


def played(meeting: Meeting, strengths: list[float], random: Random, games: int = 2) -> MeetingResult:
    """A random result of a meeting by their strengths; of two about one game in ten is drawn."""
    if len(meeting.entrants) > 2:
        order = sorted(meeting.entrants, key=lambda one: strengths[one] + random.gauss(0, 1), reverse=True)
        return MeetingResult(dict(zip(order, (25.0, 11.0, 5.0, 2.0, 1.0, 0.0, 0.0, 0.0), strict=False)),
                             {one: random.randint(0, 64) for one in order})
    one, other = meeting.entrants
    expected = 1 / (1 + 10 ** (strengths[other] - strengths[one]))
    points = 0.0
    for _ in range(games):
        drawn = random.random()
        points += 0.5 if abs(drawn - expected) < 0.05 else float(drawn < expected)
    stones = random.randint(0, 64)
    return MeetingResult({one: points, other: games - points}, {one: stones, other: 64 - stones})


def simulate(seed: int, seen: Seen) -> None:
    """Plays an event from its first round to its last."""
    random = Random(seed)
    entrants, rounds = random.randint(2, 60), random.randint(1, 12)
    changes = random.choice((0.0, 0.0, 0.1, 0.4))
    games = random.choice((1, 2, 2))
    strengths = [random.gauss(0, 1) for _ in range(entrants + 2 * rounds)]
    swiss, now = format_from("swiss", {"rounds": rounds}), Field(entrants)
    history = History()
    for round in range(1, rounds + 1):
        due = [meeting for meeting in swiss.meetings(now) if meeting.round == round]
        for complaint in history.complaints(now.present(round), due, seen):
            seen.broken.append(f"event {seed}, round {round}: {complaint}")
        random.shuffle(due)
        results = {one.id: played(one, strengths, random, games) for one in due if len(one.entrants) == 2}
        now = replace(now, results={**now.results, **results})
        while random.random() < changes:
            now = _changed(now, round + 1, random, seen)
    if due_in(swiss, now):
        seen.broken.append(f"event {seed} does not end")
    seen.events += 1


def simulate_groups(seed: int, seen: Seen) -> None:
    """Plays an event in groups, or with several numbers of seats, from its first round to its last."""
    random = Random(seed)
    seats = tuple(random.sample(range(3, 9), 1) if random.random() < 0.5 else random.sample(range(2, 9), 3))
    entrants, rounds = random.randint(max(seats), 40), random.randint(1, 9)
    changes = random.choice((0.0, 0.0, 0.1, 0.3))
    strengths = [random.gauss(0, 1) for _ in range(entrants + 2 * rounds)]
    swiss, now = format_from("swiss", {"rounds": rounds}), Field(entrants, seats)
    history = GroupHistory()
    for round in range(1, rounds + 1):
        due = [meeting for meeting in swiss.meetings(now) if meeting.round == round]
        turns = seats[(round - 1) % len(seats) :] + seats[: (round - 1) % len(seats)]
        number = next((one for one in turns if one <= len(now.present(round))), 0)
        for complaint in history.complaints(now, round, number, due, seen):
            seen.broken.append(f"event {seed} in groups, round {round}: {complaint}")
        results = {one.id: played(one, strengths, random) for one in due if len(one.entrants) > 1}
        now = replace(now, results={**now.results, **results})
        while random.random() < changes:
            now = _changed(now, round + 1, random, seen)
    if due_in(swiss, now):
        seen.broken.append(f"event {seed} in groups does not end")
    seen.events += 1


class GroupHistory:
    """What happened in an event of groups, as its meetings show it."""

    def __init__(self) -> None:
        self.met: Counter[tuple[int, int, int]] = Counter()
        """How often each two have met, after the number of seats."""
        self.times: Counter[tuple[int, int]] = Counter()
        """How often each has played, after the number of seats."""
        self.had_bye: set[int] = set()

    def complaints(self, now: Field, round: int, seats: int, due: list[Meeting], seen: Seen) -> list[str]:
        """Which promises a round does not keep."""
        present = now.present(round)
        byes = [meeting.entrants[0] for meeting in due if len(meeting.entrants) == 1]
        groups = [meeting.entrants for meeting in due if len(meeting.entrants) > 1]
        found = []
        is_stuck = seats == 2 and len(present) % 2 == 1 and self.had_bye >= set(present)
        if sorted([*byes, *(one for group in groups for one in group)]) != ([] if is_stuck else present):
            found.append(f"{groups} play and {byes} rest, but {present} are present")
        if any(len(group) != seats for group in groups) or len(byes) >= seats:
            found.append(f"{groups} play and {byes} rest with {seats} seats")
        if seats == 2:
            self.had_bye.update(byes)
        else:
            if self._can_be_better(groups, seats):
                found.append(f"of {groups} two could change groups so that fewer meet again")
            self.times.update((seats, one) for group in groups for one in group)
            always = [one for one in present if one not in now.joined]
            often = [self.times[seats, one] for one in always]
            if often and max(often) - min(often) > 1:
                found.append(f"{always} have played {often} times with {seats} seats")
            seen.groups += len(groups)
        self.met.update((seats, *pair) for group in groups for pair in combinations(sorted(group), 2))
        seen.byes += len(byes)
        seen.rounds += bool(due)
        return found

    def _can_be_better(self, groups: list[tuple[int, ...]], seats: int) -> bool:
        def cost(one: int, group: tuple[int, ...], without: int = -1) -> int:
            return sum(min(self.met[seats, min(one, other), max(one, other)], 9) ** 2
                       for other in group if other not in (one, without))

        return any(
            cost(one, second, other) + cost(other, first, one) < cost(one, first) + cost(other, second)
            for first, second in combinations(groups, 2) for one in first for other in second
        )


def _changed(now: Field, round: int, random: Random, seen: Seen) -> Field:
    """Lets somebody leave or join before a round."""
    there = [entrant for entrant in now.present(round) if entrant not in now.left]
    if random.random() < 0.6 and len(there) > 2:
        seen.went += 1
        return replace(now, left={**now.left, random.choice(there): round})
    if len(now.joined) < 2 * round - 2:
        seen.came += 1
        return replace(now, entrants=now.entrants + 1, joined={**now.joined, now.entrants: round})
    return now


class History:
    """What happened in an event, as its meetings show it."""

    def __init__(self) -> None:
        self.met: set[Pair] = set()
        self.had_bye: set[int] = set()
        self.balance: Counter[int] = Counter()

    def complaints(self, present: list[int], due: list[Meeting], seen: Seen) -> list[str]:
        """Which promises a round does not keep."""
        found = []
        playing = [entrant for meeting in due for entrant in meeting.entrants]
        is_stuck = len(present) % 2 == 1 and self.had_bye >= set(present)
        if sorted(playing) != ([] if len(present) < 2 or is_stuck else present):
            found.append(f"{playing} play, but {present} are present")
        seen.left_out += is_stuck and len(present) > 1
        again = [meeting for meeting in due if frozenset(meeting.entrants) in self.met]
        if again:
            if self.is_avoidable(present):
                found.append(f"{[meeting.entrants for meeting in again]} meet again, which could be avoided")
            else:
                seen.rematches += len(again)
                seen.forced += 1
        for meeting in due:
            self._note(meeting, found, seen)
        seen.rounds += bool(due)
        return found

    def is_avoidable(self, present: list[int]) -> bool:
        """Whether all can meet somebody new, whatever the seats, but for one that has its first bye."""
        pairs = [frozenset(pair) for pair in combinations(present, 2)]
        new = [pair for pair in pairs if pair not in self.met]
        if len(present) % 2:
            new += [frozenset((-1, entrant)) for entrant in present if entrant not in self.had_bye]
            present = [*present, -1]
        return can_be_paired(present, new)

    def _note(self, meeting: Meeting, found: list[str], seen: Seen) -> None:
        if len(meeting.entrants) == 1:
            (entrant,) = meeting.entrants
            seen.byes += 1
            if entrant in self.had_bye:
                found.append(f"{entrant} has a second bye")
            self.had_bye.add(entrant)
            return
        first, second = meeting.entrants
        seen.meetings += 1
        self.met.add(frozenset(meeting.entrants))
        self.balance[first] += 1
        self.balance[second] -= 1
        for entrant in (first, second):
            difference = abs(self.balance[entrant])
            seen.balance = max(seen.balance, difference)
            if difference > 2:
                found.append(f"{entrant} sat in one seat {difference} times more often than in the other")


def can_be_paired(entrants: list[int], pairs: list[Pair]) -> bool:
    """Whether there is a perfect matching; a yes is certain, a no almost certain.

    By Tutte's theorem: a matrix with a random number for each pair is then regular, almost always.
    """
    if len(entrants) <= 8:
        return _try_all(entrants, set(pairs))
    random, places = Random(len(pairs)), {entrant: place for place, entrant in enumerate(entrants)}
    rows = [[0] * len(entrants) for _ in entrants]
    for pair in pairs:
        one, other = (places[entrant] for entrant in pair)
        number = random.randrange(1, PRIME)
        rows[one][other], rows[other][one] = number, PRIME - number
    return is_regular(rows)


def _try_all(entrants: list[int], pairs: set[Pair]) -> bool:
    """The same by trying everything."""
    if not entrants:
        return True
    first, *others = entrants
    return any(
        frozenset((first, other)) in pairs and _try_all([one for one in others if one != other], pairs)
        for other in others
    )


def is_regular(rows: list[list[int]]) -> bool:
    """Whether a matrix of numbers below the prime can be inverted."""
    rows = [list(row) for row in rows]
    for step in range(len(rows)):
        pivot = next((place for place in range(step, len(rows)) if rows[place][step]), None)
        if pivot is None:
            return False
        rows[step], rows[pivot] = rows[pivot], rows[step]
        inverse = pow(rows[step][step], -1, PRIME)
        for row in rows[step + 1 :]:
            if row[step]:
                factor = row[step] * inverse % PRIME
                both = zip(row[step:], rows[step][step:], strict=True)
                row[step:] = [(here - factor * there) % PRIME for here, there in both]
    return True


def run_through(
    format: Format, start: Field, result: Callable[[Meeting], MeetingResult], random: Random
) -> tuple[Field, list[Meeting]]:
    """Plays a tournament with its results in any order; each time all that was fixed before must stay."""
    now, fixed = start, format.meetings(start)
    while due := due_in(format, now):
        meeting = random.choice(due)
        now = replace(now, results={**now.results, meeting.id: result(meeting)})
        further = format.meetings(now)
        assert further[: len(fixed)] == fixed, "meetings that were fixed have changed"
        assert format.meetings(now) == further, "the same field has different meetings"
        fixed = further
    return now, fixed


def due_in(format: Format, field: Field) -> list[Meeting]:
    """The meetings that are fixed and still to be played."""
    return [one for one in format.meetings(field) if len(one.entrants) > 1 and one.id not in field.results]


def main() -> int:
    """Simulates the events; returns 1 if a promise was not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0, help="of the first event; each further one adds 1")
    arguments = parser.parse_args()
    seen, begin = Seen(), time.monotonic()
    for seed in range(arguments.seed, arguments.seed + arguments.events):
        simulate(seed, seen)
        simulate_groups(seed, seen)
    print(seen)
    print(*seen.broken[:20], sep="\n", end="\n" if seen.broken else "")
    print(f"in {time.monotonic() - begin:.0f} s")
    return 1 if seen.broken else 0


if __name__ == "__main__":
    sys.exit(main())
