"""Hosts and clients over real sockets: whole games, spectators, several games, who may sit where."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.gameplay import Event
from polyversi.games.mapkinds import generate
from polyversi.server.client import Client, Follower, View
from polyversi.server.connection import Address, NetworkError
from polyversi.server.host import Host, HostPlan
from polyversi.server.messages import Welcome, encode
from tests.testing.tcp_host import Raw, hosted, random_seat, run, seat_of


class Seen(View):
    """A view that keeps what it is shown."""

    def __init__(self) -> None:
        self.games: list[list[Event]] = []
        self.seats: list[int] = []
        self.sentences: list[str] = []

    def welcome(self, welcome: Welcome, follower: Follower) -> None:
        assert follower.game.spec == welcome.spec
        self.games.append([])
        self.seats.append(welcome.seat)

    def show(self, follower: Follower, event: Event) -> None:
        assert follower.events == event.number + 1
        self.games[-1].append(event)

    def say(self, sentence: str) -> None:
        self.sentences.append(sentence)


@pytest.mark.parametrize("spec", ["othello-6", "hex", "rolit", "anti-hex:side=4"])
def test_clients_play_a_game(spec: str) -> None:
    async def evening() -> None:
        game = pv.game(spec)
        async with hosted(game, [None] * game.seats) as house:
            views = [Seen() for _ in range(game.seats)]
            clients = [house.client(seed, view=view) for seed, view in enumerate(views)]
            finished = await house.finished()
            assert await asyncio.gather(*clients) == ["the game is over"] * game.seats
            assert finished.record.result == finished.result
            assert sorted(finished.record.players) == sorted(f"client {seed}" for seed in range(game.seats))
            assert sorted(view.seats for view in views) == [[seat] for seat in range(1, game.seats + 1)]
            assert all(view.games == [house.log.events] for view in views)

    run(evening())


def test_a_remote_player_plays_as_it_does_here() -> None:
    async def evening() -> tuple[object, ...]:
        async with hosted("othello-6", [random_seat(1), None]) as house:
            client = house.client(2)
            finished = await house.finished()
            await client
            return finished.record.moves

    here = pv.play(pv.game("othello-6").start(), [seat_of(1), seat_of(2)])
    assert run(evening()) == here.record.moves


def test_a_late_spectator_gets_the_whole_history_and_then_the_rest() -> None:
    async def evening() -> None:
        game = pv.game("othello-4")
        async with hosted(game, [None, random_seat(1)]) as house:
            player = await Raw.join(house.port)
            await player.play(game, 3)
            request, position = await player.asked()
            early = len(house.log.events)
            assert early >= 7
            late = await Raw.join(house.port, "late", seat=0)
            assert late.welcome["events"] == early and late.welcome["seat"] == 0
            assert late.welcome["token"] == ""
            history = [await late.hear("event") for _ in range(early)]
            player.say(type="move", number=request["number"], move=str(game.position(position).moves[0]))
            _, rest = await asyncio.gather(player.play_on(game), late.rest())
            told = [message for message in history + rest if message["type"] == "event"]
            assert told == [json.loads(encode(event)) for event in house.log.events]
            assert rest[-1] == {"type": "bye", "reason": "the game is over"}

    run(evening())


def test_several_spectators_see_the_same() -> None:
    async def evening() -> None:
        async with hosted("hex", [None, None]) as house:
            views = [Seen() for _ in range(5)]
            watching = [asyncio.create_task(house.watcher(view).run()) for view in views]
            await house.log.until(lambda: sum("watches" in said for said in house.log.sentences) == 5)
            players = [house.client(1), house.client(2)]
            await asyncio.gather(house.playing, *players, *watching)
            assert all(view.games == [house.log.events] and view.seats == [0] for view in views)

    run(evening())


def test_a_resignation_before_the_game_changes_nothing() -> None:
    async def evening() -> None:
        game = pv.game("othello-4")
        async with hosted(game, [None, None]) as house:
            ann = await Raw.join(house.port, "Ann")
            ann.say(type="resign")
            ann.say(type="hello", version=1, name="Ann")
            await ann.hear("welcome")    # said again: what came before it is taken by now
            bob = await Raw.join(house.port, "Bob")
            await asyncio.gather(ann.play_on(game), bob.play_on(game))
            finished = await house.finished()
            assert finished.verdict.kind in ("win", "draw") and finished.record.players == ("Ann", "Bob")

    run(evening())


def test_several_games_in_a_row_with_the_same_guests() -> None:
    async def evening() -> None:
        async with hosted("hex:side=4", [None, None], games=3, seed=5) as house:
            view = Seen()
            first, second = house.client(1, wanted=2, view=view), house.client(2, wanted=1)
            games = await house.playing
            assert await first == await second == "all games are played"
            assert len(games) == 3 and view.seats == [2, 2, 2]
            assert [game.record.players for game in games] == [("client 2", "client 1")] * 3
            drawn = [pv.game("hex:side=4").start(seed) for seed in (5, 6, 7)]
            assert [game.record.start for game in games] == drawn
            assert [event for game in view.games for event in game] == house.log.events

    run(evening())


def test_a_seat_that_was_left_is_free_for_the_next_game() -> None:
    async def evening() -> None:
        async with hosted("othello-4", [random_seat(1), None], games=2) as house:
            first = await Raw.join(house.port, "first")
            await first.asked()
            first.say(type="bye", reason="dinner\x07")
            await house.log.until_said("first left")
            with pytest.raises(NetworkError, match="seat 1 is taken; free seats: 2"):
                await house.client(3, wanted=1)
            second = house.client(2, name="second")
            one, two = await house.playing
            await second
            assert (one.verdict.kind, one.verdict.seat) == ("disconnect", 2)
            assert one.verdict.detail == "it left: dinner?"
            assert two.record.players[1] == "second" and two.verdict.kind in ("win", "draw")

    run(evening())


def test_a_guest_that_leaves_before_the_game_leaves_its_seat() -> None:
    async def evening() -> None:
        async with hosted("othello-4", [None, None]) as house:
            for leave in (lambda raw: raw.say(type="bye"), Raw.abort):
                early = await Raw.join(house.port, "early")
                leave(early)
                await house.log.until_said("early left seat 1")
                house.log.sentences.clear()
            back = await Raw.join(house.port, "early", token=early.welcome["token"])
            assert back.welcome["seat"] == 1, "the seat was still free"
            back.abort()
            await house.log.until_said("early left seat 1")
            clients = [house.client(1), house.client(2)]
            assert (await house.finished()).verdict.kind in ("win", "draw")
            await asyncio.gather(*clients)
            with pytest.raises(NetworkError, match="cannot connect to"):
                await house.client(3)

    run(evening())


def test_seats_are_refused_with_a_reason() -> None:
    async def evening() -> None:
        async with hosted("othello-4", [None, random_seat(1)]) as house:
            with pytest.raises(NetworkError, match="seat 2 is taken; free seats: 1"):
                await house.client(1, wanted=2)
            with pytest.raises(NetworkError, match="this link or token does not belong to a seat"):
                await house.client(1, token="made up")
            player = await Raw.join(house.port)
            with pytest.raises(NetworkError, match=r"every seat is taken.*--watch"):
                await house.client(2)
            player.say(type="resign")
            await player.hear("bye")
            player.abort()
            finished = await house.finished()
            assert (finished.verdict.kind, finished.verdict.seat) == ("resigned", 1)

    run(evening())


def test_a_map_from_a_file_travels_with_the_welcome(tmp_path: Path) -> None:
    path = tmp_path / "mine.map"
    path.write_text(generate("diamond", 3, 2).text)

    async def evening() -> None:
        game = pv.game(f"xt:{path}")
        async with hosted(game, [None, None]) as house:
            path.unlink()
            watcher = house.watcher()
            watching = asyncio.create_task(watcher.run())
            clients = [house.client(1), house.client(2)]
            finished = await house.finished()
            await asyncio.gather(watching, *clients)
            assert watcher.follower is not None and watcher.follower.state == finished.record.final
            assert watcher.follower.game == game

    run(evening())


def test_a_host_that_ends_early_says_so() -> None:
    async def evening() -> None:
        async with hosted("othello-4", [None, None]) as house:
            waiting = house.client(1)
            await house.log.until_said("takes seat 1")
            house.playing.cancel()
            assert await waiting == "the host ended the game"

    run(evening())


def test_a_busy_port_is_a_sentence() -> None:
    async def evening() -> None:
        async with hosted("othello-4", [None, None]) as house:
            other = Host(HostPlan(pv.game("othello"), [None, None]))
            with pytest.raises(NetworkError, match=f"port {house.port} .*: Address already in use"):
                await other.open(port=house.port)
            with pytest.raises(NetworkError, match="cannot be opened"):
                await other.open("192.0.2.1", 0)
            with pytest.raises(NetworkError, match="cannot be opened"):
                await other.open("no.such.host.invalid", 0)

    run(evening())


def test_a_plan_needs_every_seat() -> None:
    with pytest.raises(pv.PlayerError, match="othello has 2 seats, not 1"):
        HostPlan(pv.game("othello"), [None])


def test_a_client_that_cannot_play_the_game_leaves() -> None:
    class Choosy(pv.Player):
        name = "choosy"

        def choose(self, state: pv.State, limit: pv.Limit = pv.Limit()) -> pv.Move:  # noqa: B008
            return state.moves[0]

        def unsuited(self, game: pv.Game) -> str | None:
            return f"{game.spec} is beneath it"

        def spec(self) -> str:
            return self.name

    async def evening() -> None:
        from polyversi.gameplay import LocalSeat

        async with hosted("othello-4", [None, random_seat(1)]) as house:
            client = Client(Address("127.0.0.1", house.port), lambda: LocalSeat(Choosy()), name="choosy")
            with pytest.raises(pv.PlayerError, match="beneath it"):
                await client.run()

    run(evening())
