"""JSON bots: what they are sent, the templates, and the bot of the documentation."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.gameplay import Request
from polyversi.protocols.json_bot import JsonSeat, request_of
from polyversi.protocols.spec import seat_of
from polyversi.records.maps import named_game
from tests.testing.processes import run, zoo
from tests.testing.timeout import TIMEOUT

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "docs" / "templates"
SMALL_MAP = "2 1 1 1  4 4  0 0 0 0  0 1 2 0  0 2 1 0  0 0 0 0\n"


def asked(state: pv.State, limit: pv.Limit | None = None, moves: tuple[pv.Move, ...] = ()) -> dict[str, Any]:
    start = state.game.start()
    return request_of(Request(state, state.turn, limit or pv.Limit(), start, moves))


def test_a_request_says_everything() -> None:
    game = pv.game("othello")
    move = game.move("f5")
    assert asked(game.start().play(move), pv.Limit(seconds=1.5), (move,)) == {
        "polyversi": 1,
        "type": "move",
        "game": "othello",
        "seat": 2,
        "position": "---------------------------OX------XXX-------------------------- O",
        "moves": ["f4", "d6", "f6"],
        "start": "---------------------------OX------XO--------------------------- X",
        "history": ["f5"],
        "seconds": 1.5,
    }


def test_limits_are_told_where_there_are_any() -> None:
    state = pv.game("othello-4").start()
    assert asked(state)["seconds"] is None
    told = asked(state, pv.Limit(seconds=5, bank=2.5, increment=1, depth=3, nodes=100))
    names = ("seconds", "bank", "increment", "depth", "nodes")
    assert [told[name] for name in names] == [2.5, 2.5, 1, 3, 100]


def test_the_map_of_a_file_goes_along(tmp_path: Path) -> None:
    path = tmp_path / "small.map"
    path.write_text(SMALL_MAP)
    state = pv.game(f"xt:{path}").start()
    told = asked(state)
    assert named_game(told["game"], told["map"]).position(told["position"]) == state
    assert "map" not in asked(pv.game("othello").start())


def test_a_game_without_a_name_can_be_played_all_the_same() -> None:
    game = pv.Game("mine", pv.game("othello:size=6,holes=a1").definition)
    told = asked(game.start())
    assert told["game"] == "mine"
    assert "map" not in told


def test_a_request_is_one_compact_line_of_ascii(tmp_path: Path) -> None:
    """Bots without a JSON library can find their way in it."""
    path = tmp_path / "größe.map"
    path.write_text(SMALL_MAP)
    start = pv.game(f"xt:{path}").start()

    async def line() -> bytes:
        seat = JsonSeat(zoo(tmp_path, "--echo"), "echo")
        await seat.begin(start, 1)
        try:
            with pytest.raises(Exception, match="must be a text"):
                await seat.answer(Request(start, 1, pv.Limit(), start, ()))
            assert seat.child is not None
            return bytes(seat.child.output)
        finally:
            await seat.close()

    written = run(line())
    assert written.isascii()
    assert json.loads(written)["game"] == f"xt:{path}"


def plays(spec: str, games: list[str]) -> None:
    """Asserts that a bot plays whole games in the first and the last seat."""
    for name in games:
        start = pv.game(name).start()
        for seat in {0, start.game.seats - 1}:
            seats: list[Any] = [pv.player("random", seed=number) for number in range(start.game.seats)]
            seats[seat] = seat_of(spec)
            finished = pv.play(start, seats, pv.Limit(seconds=TIMEOUT))
            assert finished.verdict.kind in ("win", "draw"), finished.verdict
            assert finished.offences == ()


GAMES = ["othello-6", "hex:side=3", "rolit"]


def test_the_python_template_plays() -> None:
    plays(f"bot:{TEMPLATES / 'bot.py'}", GAMES)


@pytest.mark.skipif(shutil.which("node") is None, reason="the JavaScript template needs node")
def test_the_javascript_template_plays() -> None:
    plays(f"bot:{TEMPLATES / 'bot.js'}", GAMES)


def test_the_cpp_template_plays(tmp_path: Path) -> None:
    program = tmp_path / "my bot"
    warnings = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run(["c++", "-std=c++17", *warnings, TEMPLATES / "bot.cpp", "-o", program], check=True)
    path = tmp_path / "small.map"
    path.write_text(SMALL_MAP)
    plays(f"bot:{program}", [*GAMES, f"xt:{path}"])


def test_the_bot_of_the_documentation_plays(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "bots.md").read_text()
    codes = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    assert codes
    for number, code in enumerate(codes):
        bot = tmp_path / f"bot{number}.py"
        bot.write_text(code)
        plays(f"bot:{bot}", ["othello-6"])
    assert len([line for line in codes[0].splitlines() if line.strip()]) <= 10


def test_a_seat_can_play_again(tmp_path: Path) -> None:
    seat = JsonSeat(zoo(tmp_path, "--well-behaved"), "again")
    start = pv.game("othello-4").start()
    for _ in range(2):
        assert pv.play(start, [seat, pv.player("random")]).verdict.kind in ("win", "draw")


def test_two_bots_of_the_same_file_play_each_other() -> None:
    spec = f"bot:{TEMPLATES / 'bot.py'}"
    finished = pv.play(pv.game("othello-6").start(), [seat_of(spec), seat_of(spec)])
    assert finished.verdict.kind in ("win", "draw")
    assert finished.record.players == (spec, spec)


def test_a_seat_that_was_not_begun_fails(tmp_path: Path) -> None:
    seat = JsonSeat(zoo(tmp_path, "--well-behaved"), "idle")
    start = pv.game("othello-4").start()
    with pytest.raises(Exception, match="has not been started"):
        asyncio.run(seat.answer(Request(start, 1, pv.Limit(), start, ())))
