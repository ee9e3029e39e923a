"""Fitting a network: it learns, its integers are those of the core, and what was interrupted resumes."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import polyversi as pv
from polyversi import _core
from polyversi.engines.network import Network
from polyversi.engines.search import EngineError
from polyversi.engines.training import network as fitting
from polyversi.engines.training.network import NetworkRegression
from polyversi.engines.training.regression import Examples
from polyversi.engines.training.train import (
    Progress,
    TrainingOptions,
    checkpoint_folder,
    train,
    train_to_file,
)
from polyversi.engines.training.validation import ValidationMatch
from polyversi.engines.weights import PROBCUT_COEFFICIENTS, SHIPPED, NetworkWeights, load
from polyversi.games.errors import RecordError

needs_torch = pytest.mark.skipif(
    find_spec("torch") is None,
    reason="networks are fitted with PyTorch, which is not installed: pip install polyversi[train]")
SMALL = TrainingOptions(generations=2, games=400, depth=1, network=16)


class InterruptedFitError(Exception):
    """Somebody has had enough."""


def played(spec: str, games: int) -> Examples:
    """The examples of games with the heuristic."""
    return Examples(*_core.self_play(
        pv.game(spec).start(), None, 1, games, min_random_plies=4, max_random_plies=6, depth=1,
        solve_empties=4, td_lambda=1.0))


def numbers(network: Network) -> bytes:
    """A network as a file has it."""
    return network.to_bytes()


@needs_torch
@pytest.mark.parametrize("spec", ["othello-5", "hex:side=3"])
def test_a_network_learns_and_errs_as_the_core_says(spec: str) -> None:
    game, examples = pv.game(spec), played(spec, 1_000)
    fitted, held_out = part(examples, slice(-2_000)), part(examples, slice(-2_000, None))
    regression = NetworkRegression(game, 16)
    network = regression.fit(fitted, epochs=4)
    errors = regression.errors(held_out, network)
    draws = float(np.sqrt(np.square(held_out.value.astype(float)).mean()))
    assert errors.overall < 0.8 * draws, "it is better than expecting a draw"
    assert errors.overall ** 2 == pytest.approx(np.square(
        by_numpy(regression, network, held_out) - held_out.value).mean())


@needs_torch
def test_phases_without_examples_have_the_weights_of_the_nearest_one() -> None:
    """Of their parity; before all examples a draw is expected."""
    game, examples = pv.game("othello-5"), played("othello-5", 300)
    stones = np.bitwise_count(examples.own | examples.other)
    middle = (stones >= 12) & (stones <= 17)
    network = NetworkRegression(game, 16).fit(Examples(*(column[middle] for column in examples)), epochs=2)
    for phase, like in ((10, 8), (12, 8), (9, 9), (11, 9)):    # of 20, 24, 17 and 21 stones, as of 16 and 17
        assert (network.hidden_weights[phase] == network.hidden_weights[like]).all()
        assert network.output_biases[phase] == network.output_biases[like]
    assert (network.stones_rows[25] == network.stones_rows[17]).all()
    assert not (network.stones_rows[16] == network.stones_rows[14]).all()
    for layer in (network.hidden_weights, network.hidden_biases, network.output_weights,
                  network.output_biases, network.skip_weights):
        assert not layer[:6].any() and layer[6:].any()


def part(examples: Examples, rows: slice) -> Examples:
    """Some of the examples."""
    return Examples(examples.own[rows], examples.other[rows], examples.value[rows])


def by_numpy(regression: NetworkRegression, network: Network, examples: Examples) -> NDArray[np.float64]:
    """The values of positions in stones, with integers of NumPy."""
    rows, phase = (part.numpy() for part in regression.inputs(regression.columns(examples)))
    table = np.concatenate([network.pattern_rows, network.mobility_rows, network.stones_rows])
    total = table[rows].sum(1, dtype=np.int16).astype(np.int64)
    units = np.clip(total, 0, 512)
    hidden = np.einsum("phd,pd->ph", network.hidden_weights[phase].astype(np.int64), units)
    hidden = np.clip((hidden + network.hidden_biases[phase]) >> 10, 0, 512)
    output = network.output_biases[phase] + (hidden * network.output_weights[phase]).sum(1)
    output = (output + (total * network.skip_weights[phase]).sum(1)) >> 12
    bound = regression.cells * 32
    return np.asarray(np.clip(output, -bound, bound) / 32, np.float64)


@needs_torch
def test_an_interrupted_fit_resumes(tmp_path: Path) -> None:
    examples, checkpoint = played("othello-4", 200), tmp_path / "some.network"
    regression = NetworkRegression(pv.game("othello-4"), 16)

    def interrupt(epochs: int) -> None:
        if epochs == 2:
            raise InterruptedFitError

    with pytest.raises(InterruptedFitError):
        regression.fit(examples, interrupt, epochs=4, checkpoint=checkpoint)
    rest: list[int] = []
    resumed = regression.fit(examples, rest.append, epochs=4, checkpoint=checkpoint)
    assert rest == [3, 4]
    assert numbers(resumed) == numbers(regression.fit(examples, epochs=4))
    checkpoint.write_bytes(b"something")
    with pytest.raises(RecordError, match=r"some\.network is not an unfinished fit"):
        regression.fit(examples, checkpoint=checkpoint)


@needs_torch
def test_a_fitted_network_outlives_an_interrupted_match(tmp_path: Path) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.pairs:
            raise InterruptedFitError

    game, match, reports = pv.game("othello-4"), ValidationMatch(2), list[Progress]()
    with pytest.raises(InterruptedFitError):
        train(game, SMALL, interrupt, checkpoints=tmp_path, validation=match)
    weights = train(game, SMALL, reports.append, checkpoints=tmp_path, validation=match)
    assert isinstance(weights, NetworkWeights) and not any(report.epochs for report in reports)
    assert weights.header.validation is not None and weights.header.validation.games == 4
    with pytest.raises(RecordError, match="a training with network 16, not 32"):
        train(game, replace(SMALL, network=32), checkpoints=tmp_path)


@needs_torch
def test_the_last_generation_is_a_network(tmp_path: Path) -> None:
    game, out, reports = pv.game("othello-4"), tmp_path / "some.weights", list[Progress]()
    weights = train_to_file(out, game, SMALL, reports.append)
    assert isinstance(weights, NetworkWeights) and weights.header.version == 3
    assert weights.header.command.endswith("--generations 2 --games 400 --depth 1 --seed 0 --network 16")
    assert len(weights.header.probcut) == PROBCUT_COEFFICIENTS
    assert weights.header.error == round(reports[-1].done[-1].errors.overall, 3)
    found = load(out)
    assert isinstance(found, NetworkWeights)
    assert numbers(found.network) == numbers(weights.network)
    assert not checkpoint_folder(out).exists()


@needs_torch
def test_the_core_finds_the_values_of_the_fit() -> None:
    game = pv.game("othello-5")
    weights = train(game, TrainingOptions(generations=1, games=100, depth=1, network=32))
    assert isinstance(weights, NetworkWeights)
    regression, evaluation = NetworkRegression(game, 32), weights.evaluation(game)
    state = game.start()
    while not state.is_over:
        if not state.moves[0].is_pass:
            example = Examples(*words_of(game, state), np.zeros(1, np.int8))
            assert by_numpy(regression, weights.network, example)[0] == evaluation.value(state)
        state = state.play(state.moves[0])


def words_of(game: pv.Game, state: pv.State) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The core's words of own and other stones of a position, on a board of squares."""
    seat, words = state.turn, [0, 0]
    for cell, tile in enumerate(state.tiles):
        if tile:
            x, y = game.board.coordinates[cell]
            words[tile != seat] |= 1 << (8 * y + x)
    own, other = (np.array([word], np.uint64) for word in words)
    return own, other


@needs_torch
def test_a_fit_starts_from_another_network() -> None:
    """It is nearer to the truth than one from nothing, and rows without examples stay as they were."""
    game, examples = pv.game("othello-5"), played("othello-5", 600)
    regression, late = NetworkRegression(game, 16), part(examples, slice(3_000, 9_000))
    first = regression.fit(part(examples, slice(0, 3_000)), epochs=8)
    fresh, again = regression.fit(late, epochs=1), regression.fit(late, epochs=1, start=first)
    assert regression.errors(late, again).overall < regression.errors(late, fresh).overall
    few = regression.fit(part(examples, slice(0, 33)), epochs=1, start=first)
    changed = (few.pattern_rows != first.pattern_rows).any(1).sum()
    assert 0 < changed <= 33 * regression.rows_summed < first.pattern_rows.any(1).sum()


@needs_torch
def test_a_training_starts_from_weights(tmp_path: Path) -> None:
    game, out, reports = pv.game("othello-4"), tmp_path / "new.weights", list[Progress]()
    start = tmp_path / "old.weights"
    train_to_file(start, game, SMALL)
    options = replace(SMALL, generations=1, weights=str(start))
    weights = train_to_file(out, game, options, reports.append)
    assert weights.header.command.endswith(f"--network 16 --weights {start}")
    done, = reports[-1].done
    old, draws = done.previous.overall, 8
    assert old < draws, "the errors before are those of the weights to start with"
    with pytest.raises(EngineError, match="weights of version 1; a training begins with newer ones"):
        train(pv.game("hex"), replace(SMALL, weights=str(SHIPPED / "hex.weights")))


def test_training_without_torch_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "find_spec", lambda name: None)
    with pytest.raises(EngineError, match=r"a network is fitted with PyTorch; install polyversi\[train\]"):
        train(pv.game("othello-4"), SMALL)


def test_other_widths_are_refused() -> None:
    with pytest.raises(EngineError, match="a network of width 24 is not possible; choose one of 16, 32, 64"):
        TrainingOptions(network=24)
