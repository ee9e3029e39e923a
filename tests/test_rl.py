"""The PettingZoo environments pass PettingZoo's own tests."""

from __future__ import annotations

import subprocess
import sys
import warnings

import pytest
from pettingzoo.test import api_test, seed_test

import polyversi as pv
from polyversi import rl

GAMES = ("othello", "hex", "xt:arena,players=4", "rolit")


@pytest.mark.parametrize("spec", GAMES)
def test_pettingzoo_accepts_the_environment(spec: str) -> None:
    with warnings.catch_warnings():
        # PettingZoo remarks on every environment with action masks that its observations are dictionaries.
        warnings.simplefilter("ignore", UserWarning)
        api_test(rl.env(spec), num_cycles=200, verbose_progress=False)
        seed_test(lambda: rl.env(spec), num_cycles=50)


@pytest.mark.parametrize("spec", GAMES)
def test_an_episode_is_a_game(spec: str) -> None:
    environment = rl.ReversiEnv(spec)
    environment.reset(seed=4)
    state = pv.game(spec).start(4)
    while not state.is_over:
        assert environment.agent_selection == f"seat_{state.turn}"
        mask = environment.observe(environment.agent_selection)["action_mask"]
        assert mask.nonzero()[0].tolist() == sorted(move.index for move in state.moves)
        move = state.moves[len(state.moves) // 2]
        environment.step(move.index)
        state = state.play(move)
    assert all(environment.terminations.values())
    result = state.result
    assert result is not None
    rewards = [environment.rewards[f"seat_{seat}"] for seat in range(1, state.game.seats + 1)]
    assert tuple(seat for seat, reward in enumerate(rewards, 1) if reward == max(rewards)) == result.winners


def test_planes_show_the_observer_first() -> None:
    environment = rl.ReversiEnv("othello")
    environment.reset()
    environment.step(pv.game("othello").move("f5").index)
    black = environment.observe("seat_1")["observation"]
    white = environment.observe("seat_2")["observation"]
    assert black.shape == (8, 8, 3)
    assert black[:, :, 1].sum() == white[:, :, 2].sum() == 4
    assert black[4, 5].tolist() == [1, 1, 0]
    assert white[4, 5].tolist() == [1, 0, 1]


def test_an_illegal_action_ends_the_game() -> None:
    environment = rl.env("othello")
    environment.reset()
    environment.step(0)
    assert environment.unwrapped.terminations["seat_1"]
    assert environment.unwrapped.rewards["seat_1"] == -1


def test_render() -> None:
    environment = rl.ReversiEnv("othello-4", render_mode="ansi")
    environment.reset()
    assert environment.render() == str(pv.game("othello-4").start())


def test_the_package_offers_the_environments() -> None:
    """Without an import of their module."""
    program = "import polyversi as pv; print(pv.rl.env('othello-4').possible_agents)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "['seat_1', 'seat_2']\n"
