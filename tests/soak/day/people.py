"""Honest visitors: they play each other and computers, watch, upload, download and run series."""

from __future__ import annotations

import asyncio
import json
import time

from tests.soak.day.world import AGAIN, CUT_OFF, PATIENCE, Json, World

GAMES = (("othello", "random"), ("othello-6", "t77"), ("hex", "random"), ("anti-6", "greedy"),
         ("othello", "polyversi:level=3"), ("xt:arena,players=2", "random"))
"""What people play against which computer."""
RECORDS = (b"f5d6c3d3c4f4f6f3e6e7\n", b"f5f6e6f4e3c5c4e7c6e2\n" * 20)
KINDS = ("txt", "jsonl", "svg", "png", "gif")
THOUGHT = 0.4
"""Seconds that a person thinks, on average."""
ROUNDS = 20
"""Rounds of a series."""


async def new_game(world: World, address: str, spec: str, *seats: str) -> Json:
    """Sets a game up; whoever has too many waits."""
    told = [{"kind": seat} if seat in ("me", "friend") else {"kind": "computer", "player": seat}
            for seat in seats]
    async with world.http(address) as http:
        while True:
            answer = await http.post("/api/games", json={"spec": spec, "seats": told})
            if answer.status_code == 201:
                world.counts["games of people"] += 1
                return dict(answer.json())
            if answer.status_code != 429:
                world.fault(f"a game of {spec} was refused: {answer.status_code} {answer.text[:200]}")
            await asyncio.sleep(AGAIN)


async def attend(world: World, address: str, game: str, token: str, *, keeps: bool = False) -> None:
    """Plays a game to its end, across every kill; one of its players `keeps` what it is told."""
    events: list[Json] = world.told[game] if keeps else []
    while not (events and events[-1]["kind"] == "end"):
        await world.is_up.wait()
        try:
            await _attend(world, address, game, token, events)
        except CUT_OFF:
            world.counts["cut off"] += 1
            await asyncio.sleep(AGAIN)


async def _attend(world: World, address: str, game: str, token: str, events: list[Json]) -> None:
    async with world.socket(f"/api/games/{game}/socket", address) as socket:
        await socket.send(json.dumps({"type": "hello", "version": 1, "name": "Ann", "token": token, "game": 1,
                                      "events": len(events)}))
        sent: tuple[int, float] | None = None
        while not (events and events[-1]["kind"] == "end"):
            message = json.loads(await socket.recv())
            if message["type"] == "event":
                if message["number"] != len(events):
                    world.fault(f"event {message['number']} of {game} came in place of {len(events)}")
                events.append({name: message[name] for name in ("number", "kind", "data")})
                if sent is not None and message["number"] == sent[0]:
                    world.moves.add(time.monotonic() - sent[1])
                    world.counts["moves of people"] += 1
                    sent = None
            elif message["type"] == "request":
                if world.rng.random() < 0.05:
                    await _ask_for_a_hint(world, address, game, token)
                await asyncio.sleep(world.rng.expovariate(1 / THOUGHT))
                move = world.rng.choice(message["moves"])[0]
                sent = message["number"], time.monotonic()
                await socket.send(json.dumps({"type": "move", "number": message["number"], "move": move}))
            elif message["type"] == "error":
                world.fault(f"a player of {game} was refused: {message['sentence']}")
                return


async def _ask_for_a_hint(world: World, address: str, game: str, token: str) -> None:
    async with world.http(address) as http:
        answer = await http.post(f"/api/games/{game}/hint", json={"token": token})
    world.counts["hints"] += answer.status_code == 200
    if answer.status_code not in (200, 400, 403, 429):
        world.fault(f"a hint was answered with {answer.status_code}: {answer.text[:200]}")


async def play_a_computer(world: World) -> None:
    """Plays one game against a computer."""
    address, (spec, player) = world.address(), world.rng.choice(GAMES)
    new = await new_game(world, address, spec, *world.rng.sample(("me", player), 2))
    await attend(world, address, new["game"], new["token"], keeps=True)


async def play_a_friend(world: World) -> None:
    """Two people play one game."""
    ann, bob = world.address(), world.address()
    new = await new_game(world, ann, "othello-6", "me", "friend")
    token = new["links"]["2"].partition("#")[2]
    async with asyncio.TaskGroup() as group:
        group.create_task(attend(world, ann, new["game"], new["token"], keeps=True))
        group.create_task(attend(world, bob, new["game"], token))


async def watch(world: World) -> None:
    """Looks at the list, and at one of the games for a while."""
    address = world.address()
    async with world.http(address) as http:
        games = (await http.get("/api/games")).json()
    listed = [*games["running"], *games["recent"][:10]]
    if not listed:
        return
    async with world.socket(f"/api/games/{world.rng.choice(listed)['id']}/socket", address) as socket:
        await socket.send(json.dumps({"type": "hello", "version": 1, "name": "Eve", "seat": 0}))
        world.counts["visits"] += 1
        try:
            async with asyncio.timeout(5 * world.rng.random()):
                while True:
                    await socket.recv()
        except TimeoutError:
            pass


async def upload_and_download(world: World) -> None:
    """Opens a record and takes games away in every form."""
    async with world.http(world.address()) as http:
        answer = await http.post("/api/records", content=world.rng.choice(RECORDS))
        if answer.status_code != 201:
            world.fault(f"an upload was answered with {answer.status_code}: {answer.text[:200]}")
            return
        world.uploads += answer.json()["games"]
        world.counts["uploads"] += 1
        for kind in KINDS:
            answer = await http.get(f"/games/{world.uploads[-1]}.{kind}")
            world.counts["downloads"] += 1
            if answer.status_code != 200:
                world.fault(f"a download as {kind} was answered with {answer.status_code}")
        await asyncio.sleep(world.rng.random())


async def run_a_series(world: World) -> None:
    """Sets a series up, starts it and looks on until it is over."""
    address = world.address()
    wanted = {"spec": "othello-6", "players": ["random", "t77"], "rounds": ROUNDS, "delay": 0,
              "next_delay": 0}
    async with world.http(address) as http:
        answer = await http.post("/api/arena", json=wanted)
    if answer.status_code != 201:
        world.fault(f"a series was answered with {answer.status_code}: {answer.text[:200]}")
        return
    new = answer.json()
    give_up = time.monotonic() + 10 * PATIENCE
    while time.monotonic() < give_up:
        await world.is_up.wait()
        try:
            async with world.socket(f"/api/arena/{new['arena']}/socket", address) as socket:
                await socket.send(json.dumps({"type": "control", "token": new["token"], "do": "start"}))
                while (status := json.loads(await socket.recv()))["phase"] not in ("over", "stopped"):
                    pass
                world.counts["rounds of series"] += len(status["games"])
                if status["phase"] == "stopped" or len(status["games"]) != ROUNDS:
                    world.fault(f"a series ended as {status['phase']} after {len(status['games'])} rounds")
                return
        except CUT_OFF:
            world.counts["cut off"] += 1
            await asyncio.sleep(AGAIN)
    world.fault("a series did not come to its end")


ROLES = (*[play_a_computer] * 8, *[play_a_friend] * 4, *[watch] * 3, *[upload_and_download] * 2, run_a_series)
