"""Eight network seats on one XT map, with one killed, one stalling and one sending garbage."""

from __future__ import annotations

import asyncio

import pytest

import polyversi as pv
from polyversi.gameplay import Finished, MoveEvent
from polyversi.records import jsonl
from tests.testing.marks import slow
from tests.testing.tcp_host import Hosted, Raw, hosted, run
from tests.testing.timeout import TIMEOUT

KILLED, STALLING, GARBAGE = 2, 4, 7
GAME = pv.game("xt:cube,players=8")


async def misbehave(raw: Raw) -> None:
    """Plays two moves as everybody does, then does what its seat stands for."""
    await raw.play(GAME, 2)
    request, _ = await raw.asked()
    assert request["number"] == request["events"]
    if raw.welcome["seat"] == KILLED:
        raw.abort()
    elif raw.welcome["seat"] == GARBAGE:
        raw.send(b"\x00\xff garbage {\n")
        assert (await raw.rest())[-1]["type"] == "error"
    else:
        rest = await raw.rest()    # it hears everything and never answers
        assert rest[-1]["type"] == "bye"


def check_end(house: Hosted, finished: Finished) -> None:
    offences = {KILLED: "disconnect", STALLING: "timeout", GARBAGE: "disconnect"}
    assert house.log.verdicts() == offences
    assert {offence.seat: offence.kind for offence in finished.offences} == offences
    assert finished.record.final.out == tuple(sorted(offences))
    points = enumerate(finished.result.points, 1)
    assert [seat for seat, gained in points if gained == -50] == sorted(offences)
    assert finished.result.reason in ("bombs used", "no tiles left", "no moves")
    assert jsonl.parse(jsonl.write(finished.record)) == finished.record
    played = {event.seat for event in house.log.events[-50:] if isinstance(event, MoveEvent)}
    assert played and not played & set(offences)


@pytest.mark.parametrize("watched", [slow(False), True])
def test_the_game_goes_on_by_the_rules(watched: bool) -> None:
    async def evening() -> None:
        limits = [pv.Limit(seconds=3 if seat == STALLING else TIMEOUT) for seat in range(1, 9)]
        async with hosted(GAME, [None] * 8, limit=limits, grace=0.1) as house:
            watcher = house.watcher()
            watching = [asyncio.create_task(watcher.run())] if watched else []
            unruly = (KILLED, STALLING, GARBAGE)
            bad = [await Raw.join(house.port, f"bad {seat}", seat=seat) for seat in unruly]
            good = [house.client(seat, wanted=seat) for seat in range(1, 9) if seat not in unruly]
            await asyncio.gather(*map(misbehave, bad), *watching)
            finished = await house.finished()
            assert await asyncio.gather(*good) == ["the game is over"] * 5
            check_end(house, finished)
            if watched:
                assert watcher.follower is not None and watcher.follower.state == finished.record.final

    run(evening())
