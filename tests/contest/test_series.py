"""Series: seats and credits as in a course's tournament, and the pace of seats without waiting for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import polyversi as pv
from polyversi.contest.contest import Contest
from polyversi.contest.match import Match
from polyversi.contest.model import SeatOrder
from polyversi.contest.pace import Pace, PacedSeat
from polyversi.gameplay import Event, LocalSeat, Referee, Seat, Verdict
from polyversi.games.result import Result
from polyversi.storage.stored import PlayedGame

FIRST = Result("board full", (40, 21), (1, 2), (1.0, 0.0))
SECOND = Result("board full", (11, 50), (2, 1), (0.0, 1.0))
EQUAL = Result("passes", (30, 30), (1, 1), (0.5, 0.5))


def series(rounds: int, seats: SeatOrder) -> Contest:
    """So many rounds between two players, none of them played."""
    return Contest(Match(("t77", "random"), games=rounds, seats=seats).plan)


def credit(contest: Contest, number: int, result: Result) -> None:
    """Says how a round has ended."""
    fixture = contest.plan.fixtures[number - 1]
    contest.keep([PlayedGame(fixture.id, "1.1", 1, 0, 0, fixture.seating, "", result.scores, result.ranks,
                             result.points, result.reason, Verdict("win", result.winner))])


def wins(contest: Contest) -> list[int]:
    return [score.wins for score in contest.standings.scores]


def stones(contest: Contest) -> list[int]:
    return [score.stones for score in contest.standings.scores]


def test_a_tournament_of_ten_changes_seats_after_five() -> None:
    fixtures = series(10, "course").due()
    assert [fixture.seating for fixture in fixtures] == [(0, 1)] * 5 + [(1, 0)] * 5


def test_other_rounds_keep_their_seats() -> None:
    assert {fixture.seating for fixture in series(10, "fixed").due()} == {(0, 1)}


def test_credits_go_to_the_player_whatever_the_seat() -> None:
    rounds = series(10, "course")
    for number in range(1, 11):
        assert not rounds.is_over
        credit(rounds, number, FIRST if number <= 5 else SECOND)    # t77 wins in either seat
    assert wins(rounds) == [10, 0] and rounds.standings.leader == 0 and rounds.is_over
    assert stones(rounds) == [5 * 40 + 5 * 50, 5 * 21 + 5 * 11]


def test_draws_and_a_drawn_series() -> None:
    rounds = series(3, "fixed")
    for number, result in enumerate((SECOND, EQUAL, FIRST), 1):
        credit(rounds, number, result)
    assert wins(rounds) == [1, 1] and rounds.standings.scores[0].draws == 1
    assert rounds.standings.leader is None


def test_a_win_is_the_result_not_the_count() -> None:
    """Whoever has more stones loses Anti, or may have resigned."""
    rounds = series(1, "fixed")
    credit(rounds, 1, Result("resigned", (60, 4), (2, 1), (0.0, 1.0)))
    assert wins(rounds) == [0, 1] and stones(rounds) == [60, 4] and rounds.standings.leader == 1


def test_a_round_counts_once_and_in_any_order() -> None:
    """A server that is started again credits what it has stored."""
    rounds, again = series(4, "course"), series(4, "course")
    played = {1: FIRST, 2: EQUAL, 3: FIRST, 4: SECOND}
    for number, result in played.items():
        credit(rounds, number, result)
    for number in (3, 1, 4, 2, 1):
        credit(again, number, played[number])
    assert wins(rounds) == wins(again) and stones(rounds) == stones(again) and again.is_over


class Clock(asyncio.SelectorEventLoop):
    """An event loop whose time stands still until it is told to go on."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def time(self) -> float:
        return self.now

    def jump(self, seconds: float) -> None:
        """Lets so much time pass at once."""
        self.now += seconds


def timed(test: Callable[[Clock], Coroutine[Any, Any, None]]) -> None:
    """Runs a test in a loop of its own time."""
    with asyncio.Runner(loop_factory=Clock) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, Clock)
        runner.run(test(loop))


async def settled() -> None:
    """Lets everything happen that can happen now."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_a_move_waits_for_its_delay() -> None:
    async def test(clock: Clock) -> None:
        waiting = asyncio.create_task(Pace(2.0).wait())
        await settled()
        clock.jump(1.9)
        await settled()
        assert not waiting.done()
        clock.jump(0.2)
        await waiting

    timed(test)


@pytest.mark.parametrize(("delay", "is_through"), [(0.5, True), (60.0, False)])
def test_the_delay_can_change_while_it_is_waited_for(delay: float, is_through: bool) -> None:
    async def test(clock: Clock) -> None:
        pace = Pace(2.0)
        waiting = asyncio.create_task(pace.wait())
        await settled()
        clock.jump(1.0)
        pace.delay = delay
        await settled()
        assert waiting.done() == is_through
        clock.jump(60.0)
        await waiting

    timed(test)


def test_a_pause_holds_and_resuming_goes_on_with_the_delay() -> None:
    async def test(clock: Clock) -> None:
        pace = Pace(2.0)
        waiting = asyncio.create_task(pace.wait())
        await settled()
        pace.pause()
        clock.jump(1.0)
        await settled()
        pace.resume()
        await settled()
        assert not waiting.done()
        pace.pause()
        clock.jump(100.0)
        await settled()
        assert not waiting.done()
        pace.resume()
        await waiting

    timed(test)


def test_a_step_lets_exactly_one_move_through() -> None:
    async def test(clock: Clock) -> None:
        pace = Pace(0.0)
        pace.pause()
        waiting = asyncio.create_task(pace.wait())
        await settled()
        pace.step()
        await waiting
        waiting = asyncio.create_task(pace.wait())
        await settled()
        assert not waiting.done()
        waiting.cancel()
        pace.step()    # for the one that comes
        await pace.wait()

    timed(test)


def test_steps_that_were_not_used_are_gone_after_resuming() -> None:
    async def test(clock: Clock) -> None:
        pace = Pace(2.0)
        pace.pause()
        pace.step()
        pace.resume()
        waiting = asyncio.create_task(pace.wait())
        await settled()
        assert not waiting.done()
        clock.jump(2.0)
        await waiting

    timed(test)


def test_a_paced_game_goes_step_by_step_until_it_is_resumed() -> None:
    events: list[Event] = []

    def moves() -> int:
        return sum(event.kind == "move" for event in events)

    async def test() -> None:
        pace = Pace(0.0)
        pace.pause()
        seats: list[Seat] = [PacedSeat(LocalSeat(pv.player("random", seed=seat)), pace) for seat in (1, 2)]
        told = asyncio.Event()

        def observe(event: Event) -> None:
            events.append(event)
            told.set()

        limit = pv.Limit(bank=5.0)
        game = asyncio.create_task(Referee(pv.game("othello").start(), seats, limit, [observe]).run())
        for number in range(1, 4):
            pace.step()
            while moves() < number:
                told.clear()
                await told.wait()
            await settled()
            assert moves() == number
        pace.resume()
        finished = await game
        assert finished.verdict.kind in ("win", "draw")
        assert finished.record.players == ("random:seed=1", "random:seed=2")

    asyncio.run(test())
