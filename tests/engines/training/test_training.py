"""Learning: errors fall, what was broken off goes on to the same weights, and threads change nothing."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyversi as pv
from polyversi import _core
from polyversi.engines.search import EngineError
from polyversi.engines.training.regression import Examples, Regression
from polyversi.engines.training.train import (
    Progress,
    TrainingOptions,
    checkpoint_folder,
    train,
    train_to_file,
)
from polyversi.engines.weights import PROBCUT_COEFFICIENTS, Weights
from polyversi.games.errors import RecordError
from tests.testing.marks import slow
from tests.testing.weights import as_tables, loaded_tables

SMALL = TrainingOptions(generations=2, games=1_050, depth=1)
"""The second generation has two checkpoints, the last of one batch, and the first one half as many games."""


class InterruptedTrainingError(Exception):
    """Somebody has had enough."""


def alike(one: Weights, other: Weights) -> bool:
    """Whether two trainings gave the same, except for the day."""
    facts = [(weights.header.command, weights.header.positions, weights.header.error, weights.header.errors)
             for weights in (one, other)]
    return facts[0] == facts[1] and values_of(one) == values_of(other)


def values_of(weights: Weights) -> bytes:
    """The values of tables."""
    return as_tables(weights).values.tobytes()


@pytest.mark.slow
def test_worker_processes_play_the_same_games() -> None:
    here = train(pv.game("anti-5"), SMALL)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        there = train(pv.game("anti-5"), SMALL, threads=2, executor=processes)
    assert alike(here, there)


@pytest.mark.parametrize("spec", [
    "othello-5", slow("anti-5"), slow("othello-5:holes=a1"), slow("hex:side=4,passing=forced"),
    slow("hex:side=4"), slow("reversi-5"),
])
def test_errors_decrease_with_generations(spec: str) -> None:
    reports: list[Progress] = []
    weights = train(pv.game(spec), SMALL, reports.append)
    first, second = reports[-1].done
    assert first.errors.overall < 0.8 * first.previous.overall, "it is better than expecting a draw"
    assert second.errors.overall < second.previous.overall, "and then better than the first one"
    assert weights.header.error == round(second.errors.overall, 3)
    assert weights.header.positions > 0.9 * (first.positions + second.positions)
    assert second.positions > 1.5 * first.positions, "it plays twice as many games"
    assert len(weights.header.probcut) == PROBCUT_COEFFICIENTS
    assert weights.fits(pv.game(spec))


def test_progress_is_monotonic(tmp_path: Path) -> None:
    reports: list[Progress] = []
    train(pv.game("othello-4"), SMALL, reports.append)
    checkpoints = [(len(progress.done), progress.games, progress.phases) for progress in reports]
    assert checkpoints == sorted(checkpoints)
    for done, games in ((0, 525), (1, 1_050)):
        assert {count for place, count, _ in checkpoints if place == done} == {*range(0, games, 50), games}
    assert checkpoints[-1] == (2, 0, 0)


def test_weights_depend_on_the_seed() -> None:
    game = pv.game("othello-4")
    one, again, other = (train(game, TrainingOptions(1, 200, 1, seed)) for seed in (1, 1, 2))
    assert alike(one, again)
    assert values_of(one) != values_of(other)


def test_threads_change_nothing(tmp_path: Path) -> None:
    game = pv.game("hex:side=3,passing=forced")
    assert alike(train(game, SMALL, threads=1), train(game, SMALL, threads=4))


@pytest.mark.parametrize("threads", [slow(1), 3])
def test_an_interrupted_training_resumes_to_the_same_weights(tmp_path: Path, threads: int) -> None:
    game, out = pv.game("othello-4"), tmp_path / "some.weights"
    interrupted = []
    for place in ((0, 0, 0), (0, 500, 0), (0, 525, 0), (0, 525, 2), (1, 0, 0), (1, 1_050, 1)):
        def interrupt(progress: Progress, at: tuple[int, int, int] = place) -> None:
            if (len(progress.done), progress.games, progress.phases) >= at:
                raise InterruptedTrainingError
        with pytest.raises(InterruptedTrainingError):
            train_to_file(out, game, SMALL, interrupt, threads=threads)
        assert not out.exists()
        interrupted.append(sorted(path.name for path in checkpoint_folder(out).iterdir()))
    assert interrupted[0] == ["training.json"]
    assert interrupted[-1] == [
        "generation-1-from-batch-0.npz", "generation-1.weights", "generation-2-from-batch-0.npz",
        "generation-2-from-batch-20.npz", "training.json",
    ]
    reports: list[Progress] = []
    weights = train_to_file(out, game, SMALL, reports.append, threads=threads)
    assert reports[0].games == 525, "what had been played was not played again"
    assert alike(weights, train(game, SMALL)) and alike(weights, loaded_tables(out))
    assert [path.name for path in tmp_path.iterdir()] == ["some.weights"], "what is not needed has gone"
    with pytest.raises(RecordError, match="exists already; remove it or choose another name"):
        train_to_file(out, game, SMALL)


def test_checkpoints_of_another_training_are_refused(tmp_path: Path) -> None:
    game, out = pv.game("othello-4"), tmp_path / "some.weights"
    folder = checkpoint_folder(out)
    train(game, TrainingOptions(1, 100, 1), checkpoints=folder)
    for other, why in (
        (TrainingOptions(1, 150, 1), "a training with games 100, not 150"),
        (TrainingOptions(1, 100, 1, 5), "with seed 0, not 5"),
    ):
        with pytest.raises(RecordError, match=why):
            train_to_file(out, game, other)
    with pytest.raises(RecordError, match="with spec othello-4, not anti-4"):
        train_to_file(out, pv.game("anti-4"), TrainingOptions(1, 100, 1))
    (folder / "generation-1-from-batch-0.npz").write_bytes(b"PK something")
    with pytest.raises(RecordError, match=r"something other than examples in generation-1-from-batch-0\.npz"):
        train_to_file(out, game, TrainingOptions(1, 100, 1))
    (folder / "training.json").write_text("{}")
    with pytest.raises(RecordError, match="holds something other than a training"):
        train_to_file(out, game, TrainingOptions(1, 100, 1))
    (folder / "training.json").unlink()
    with pytest.raises(RecordError, match="cannot be used: No such file"):
        train_to_file(out, game, TrainingOptions(1, 100, 1))
    with pytest.raises(RecordError, match="cannot be used: No such file"):
        train_to_file(tmp_path / "nowhere" / "some.weights", game, TrainingOptions(1, 100, 1))


@pytest.mark.parametrize("spec", ["othello-10", "rolit", "torus", "hex:side=6", "xt:arena,players=2"])
def test_unsupported_games_are_refused(spec: str) -> None:
    known = "the engine plays games of two seats with straight lines, on boards of squares that fit into 8×8"
    with pytest.raises(EngineError, match=f"{spec} cannot be trained: {known}"):
        train(pv.game(spec))


@pytest.mark.parametrize("option", [{"generations": 0}, {"games": 99}, {"depth": 0}, {"depth": 7}], ids=str)
def test_options_out_of_range_are_refused(option: dict[str, Any]) -> None:
    with pytest.raises(EngineError, match="one generation and 100 games, and a search depth of 1 to 6 plies"):
        train(pv.game("othello-4"), TrainingOptions(**option))


def test_regression_recovers_known_weights() -> None:
    """Values made from known weights are found exactly, but for rare contents and the rounding."""
    game = pv.game("othello-5")
    own, other, _ = _core.self_play(game.start(), None, 1, 4_000, 2, 12, 1, 4, 1.0)
    stones = [np.array([int(word).bit_count() for word in words]) for words in (own, other)]
    examples = Examples(own, other, (stones[0] - stones[1]).astype(np.int8))
    regression = Regression(game)
    values = regression.fit(examples)
    errors = regression.errors(examples, values)
    assert errors.overall < 0.5 < regression.errors(examples, regression.zeros).overall
    unseen = errors.by_phase.index(None)
    assert (values.patterns[unseen] == values.patterns[unseen + 2]).all(), "none seen: as near by"
    assert (values.mobility[0] == values.mobility[2]).all()


def test_phases_of_both_parities_have_their_own_constants() -> None:
    """Two stones more for whoever moves with an odd number of stones on the board."""
    game = pv.game("othello-5")
    own, other, _ = _core.self_play(game.start(), None, 1, 2_000, 2, 12, 1, 4, 1.0)
    odd = np.array([(int(one) | int(two)).bit_count() % 2 for one, two in zip(own, other, strict=True)])
    examples = Examples(own, other, (4 * odd - 2).astype(np.int8))
    regression = Regression(game, threads=2)
    assert regression.errors(examples, regression.fit(examples)).overall < 0.1
