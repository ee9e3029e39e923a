"""Lost connections: within the grace time nothing is lost and nothing is doubled, after it the seat is."""

from __future__ import annotations

import asyncio

import pytest

import polyversi as pv
from polyversi.server.client import Client
from polyversi.server.connection import Address, NetworkError
from tests.testing.clock import Clock, with_clock
from tests.testing.tcp_host import Cutter, Raw, hosted, random_seat, run, seat_of

GAME = pv.game("othello-6")


@pytest.mark.parametrize("cuts", [(1,), (2,), (3,), (4,), (5, 3, 3, 4, 5), (6, 1, 1, 2), (12, 7, 9, 3)],
                         ids=lambda cuts: "-".join(map(str, cuts)))
def test_a_client_whose_line_is_cut_plays_the_same_game(cuts: tuple[int, ...]) -> None:
    """Wherever the line is cut, in a request, an answer or an event, the moves are those of a quiet game."""

    async def evening() -> None:
        async with hosted(GAME, [random_seat(1), None]) as house:
            way = Cutter(house.port, cuts)
            await way.open()
            client = Client(Address("127.0.0.1", way.port), random_seat(2), name="cut")
            try:
                finished, reason = await asyncio.gather(house.finished(), client.run())
            finally:
                way.close()
            assert reason == "the game is over"
            assert way.cut == len(cuts)
            assert finished.record.moves == quiet.record.moves
            assert client.follower is not None and client.follower.log.record.moves == quiet.record.moves

    quiet = pv.play(GAME.start(), [seat_of(1), seat_of(2)])
    if cuts[0] == 1:    # not even the welcome came through: there is no game to come back to
        with pytest.raises(NetworkError, match="closed the connection without a reason"):
            run(evening())
    else:
        run(evening())


def test_a_spectator_whose_line_is_cut_misses_nothing() -> None:
    async def evening() -> None:
        async with hosted(GAME, [random_seat(1), None]) as house:
            way = Cutter(house.port, (3,))
            await way.open()
            watcher = Client(Address("127.0.0.1", way.port), None, name="watcher")
            watching = asyncio.create_task(watcher.run())
            await house.log.until_said("watcher watches")
            player = await Raw.join(house.port)
            await player.play(GAME, 1)
            await house.log.until(lambda: sum(said == "watcher watches" for said in house.log.sentences) > 1)
            await asyncio.gather(player.play_on(GAME), watching)
            finished = await house.finished()
            assert watcher.follower is not None and watcher.follower.has_ended
            assert watcher.follower.log.record.moves == finished.record.moves
            way.close()

    run(evening())


def test_the_same_question_comes_again_and_only_one_answer_counts() -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, random_seat(1)]) as house:
            first = await Raw.join(house.port, "Ann")
            request, position = await first.asked()
            first.abort()
            await house.log.until_said("Ann lost the connection and has 30 s")

            again = await Raw.join(house.port, "Ann", token=first.welcome["token"], game=1, events=1)
            assert again.welcome["seat"] == 1 and again.welcome["token"] == first.welcome["token"]
            same = await again.next()
            assert same["type"] == "request", "it has the only event, so that the question comes next"
            assert same["number"] == request["number"] and 0 < same["seconds"] <= request["seconds"]

            move = str(GAME.position(position).moves[0])
            again.say(type="move", number=same["number"], move=move)
            other = str(GAME.position(position).moves[1])
            again.say(type="move", number=same["number"], move=other)    # too late
            following, _ = await again.asked()
            assert following["number"] == same["number"] + 2, "there were two moves in between"
            again.say(type="move", number=same["number"], move=other)    # an old answer once more
            again.say(type="resign")
            assert (await again.hear("bye"))["reason"] == "the game is over"
            again.abort()
            finished = await house.finished()
            assert finished.verdict.kind == "resigned"
            assert [str(move) for move in finished.record.moves[::2]] == [move]

    run(evening())


def test_an_answer_that_came_through_before_the_line_broke_counts() -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, None]) as house:
            first = await Raw.join(house.port, "Ann")
            second = await Raw.join(house.port, "Bob")
            await first.play(GAME, 1)
            await second.asked()
            first.abort()
            await house.log.until_said("Ann lost the connection")
            again = await Raw.join(house.port, "Ann", token=first.welcome["token"])
            told = [await again.hear("event") for _ in range(again.welcome["events"])]
            assert [event["kind"] for event in told] == ["start", "move"]
            second.say(type="resign")
            assert (await again.rest())[-1]["type"] == "bye"
            for guest in (again, second):
                guest.abort()
            assert len((await house.finished()).record.moves) == 1

    run(evening())


def test_the_grace_time_runs_out() -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, random_seat(1)], grace=0.05) as house:
            player = await Raw.join(house.port)
            await player.asked()
            player.abort()
            finished = await house.finished()
            assert (finished.verdict.kind, finished.verdict.seat) == ("disconnect", 1)
            assert "did not come back within 0.05 s" in finished.verdict.detail
            assert finished.result.winner == 2

    run(evening())


def test_a_seat_that_is_away_out_of_turn_has_lost_when_the_grace_time_is_over() -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, None], grace=0.05) as house:
            first, second = await Raw.join(house.port, "Ann"), await Raw.join(house.port, "Bob")
            await first.asked()
            second.abort()
            await house.log.until_said("Bob lost the connection")
            await first.hear("bye")    # the grace time passes while she thinks
            finished = await house.finished()
            assert (finished.verdict.kind, finished.verdict.seat) == ("disconnect", 2)

    run(evening())


def test_time_that_runs_out_while_somebody_is_away_is_a_disconnect() -> None:
    async def evening(clock: Clock) -> None:
        clock.stop_time()
        async with hosted(GAME, [None, random_seat(1)], limit=pv.Limit(seconds=2)) as house:
            player = await Raw.join(house.port)
            await player.asked()
            player.abort()
            await house.log.until_said("raw lost the connection")
            clock.advance(3)
            finished = await house.finished()
            assert (finished.verdict.kind, finished.verdict.seat) == ("disconnect", 1)
            assert "its time ran out" in finished.verdict.detail

    with_clock(evening)


def test_the_newest_connection_with_a_token_has_the_seat() -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, random_seat(1)]) as house:
            old = await Raw.join(house.port, "Ann")
            await old.asked()
            new = await Raw.join(house.port, "Ann", token=old.welcome["token"])
            assert (await old.rest())[-1] == {
                "type": "error", "sentence": "another connection with the same token has taken this seat"}
            await new.play(GAME, 2)
            new.say(type="resign")
            await new.hear("bye")
            new.abort()
            assert (await house.finished()).verdict.kind == "resigned"

    run(evening())


def test_whoever_lost_the_connection_before_the_end_gets_the_result() -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, None]) as house:
            first, second = await Raw.join(house.port, "Ann"), await Raw.join(house.port, "Bob")
            await first.asked()
            second.abort()
            await house.log.until_said("Bob lost the connection")
            first.say(type="resign")
            await house.log.until(lambda: house.log.events[-1].kind == "end")
            back = await Raw.join(house.port, "Bob", token=second.welcome["token"])
            rest = await back.rest()
            assert [message.get("kind", message["type"]) for message in rest] == ["start", "end", "bye"]
            for guest in (first, back):
                guest.abort()
            assert (await house.finished()).result.winner == 2

    run(evening())


def test_a_client_gives_up_when_the_host_is_gone_for_good() -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, None], grace=0.2) as house:
            way = Cutter(house.port, (2,))
            await way.open()
            here = Address("127.0.0.1", way.port)
            client = asyncio.create_task(Client(here, random_seat(1), name="Ann").run())
            await house.log.until_said("Ann takes seat 1")
            other = await Raw.join(house.port)
            way.close()
            with pytest.raises(NetworkError, match=r"could not be reached again within 0\.2 s"):
                await client
            other.abort()

    run(evening())
