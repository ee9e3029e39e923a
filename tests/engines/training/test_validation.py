"""The validation match: equals draw, better weights win, threads and interruptions change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import polyversi as pv
from polyversi.engines.training.train import Progress, TrainingOptions, checkpoint_folder, train
from polyversi.engines.training.validation import NODES, ValidationMatch
from polyversi.engines.weights import SHIPPED, TableWeights, load
from polyversi.games.errors import RecordError
from tests.testing.weights import loaded_tables, made

SMALL = TrainingOptions(generations=1, games=100, depth=1)


def worse(weights: TableWeights) -> TableWeights:
    """Weights that hold the best positions for the worst."""
    mobility = None if weights.mobility is None else -weights.mobility
    return TableWeights(weights.header, -weights.values, mobility)


@pytest.mark.parametrize("spec", [
    "othello-4", "anti-5", "othello-5:holes=a1", "hex:side=3", "hex:side=4,passing=forced", "reversi-5",
])
def test_equal_sides_share_every_pair(spec: str) -> None:
    game, weights = pv.game(spec), made(spec)
    assert list(ValidationMatch(4, weights).scores(game, weights)) == [0.5] * 4


def test_better_weights_win_from_either_side() -> None:
    game, good = pv.game("othello-6"), loaded_tables(SHIPPED / "othello-6.weights")
    bad = worse(good)
    scores = list(ValidationMatch(5, bad).scores(game, good))
    assert sum(scores) >= 4
    assert list(ValidationMatch(5, good).scores(game, bad)) == [1 - score for score in scores]


def test_the_shipped_weights_win_against_none() -> None:
    scores = list(ValidationMatch(10).scores(pv.game("anti-6"), load(SHIPPED / "anti-6.weights")))
    assert sum(scores) > 6


def test_threads_and_the_first_pair_change_nothing_and_the_seed_does() -> None:
    game, weights = pv.game("othello-6"), load(SHIPPED / "othello-6.weights")
    whole = list(ValidationMatch(12).scores(game, weights))
    assert list(ValidationMatch(12).scores(game, weights, threads=4)) == whole
    assert list(ValidationMatch(12).scores(game, weights, 5, threads=2)) == whole[5:]
    assert list(ValidationMatch(12, seed=1).scores(game, weights)) != whole


def test_a_match_can_be_abandoned() -> None:
    match, game = ValidationMatch(1_000), pv.game("othello-5")
    scores: Iterator[float] = match.scores(game, made("othello-5"), threads=2)
    assert 0 <= next(scores) <= 1
    del scores    # ends the games that are going on


def test_the_result_is_in_the_header(tmp_path: Path) -> None:
    game, reports = pv.game("othello-5"), list[Progress]()
    validation = ValidationMatch(6)
    weights = train(game, SMALL, reports.append, threads=2, validation=validation)
    assert [len(progress.pairs) for progress in reports if len(progress.done) == 1] == [0, *range(7)]
    proof = weights.header.validation
    assert proof is not None and (proof.against, proof.nodes, proof.games) == ("no weights", NODES, 12)
    assert proof.scores == sorted(reports[-1].pairs) == sorted(validation.scores(game, weights))
    weights.save(tmp_path / "some.weights")
    assert load(tmp_path / "some.weights").header == weights.header
    assert train(game, SMALL).header.validation is None
    again = ValidationMatch(1, weights)
    assert again.against == f"the weights of {weights.header.date} from `{SMALL.command('othello-5')}`"


def test_an_interrupted_match_resumes(tmp_path: Path) -> None:
    game, folder = pv.game("othello-4"), checkpoint_folder(tmp_path / "some.weights")
    train(game, SMALL, checkpoints=folder, validation=ValidationMatch(3))
    path = folder / "proof.json"
    content = msgspec.json.decode(path.read_bytes())
    path.write_bytes(msgspec.json.encode({**content, "scores": [1.0, 0.25, 0.0]}))

    def pairs(validation: ValidationMatch) -> tuple[int, ...]:
        proof = train(game, SMALL, checkpoints=folder, validation=validation).header.validation
        assert proof is not None
        return proof.pairs

    assert pairs(ValidationMatch(2)) == (0, 1, 0, 0, 1), "fewer are a part of them"
    assert pairs(ValidationMatch(5)) == (1, 1, 2, 0, 1), "of more only the others are played"
    assert pairs(ValidationMatch(2, seed=1)) == (0, 0, 2, 0, 0), "of another match none count"
    for damaged in (b"", b"[[[[", b"{}", msgspec.json.encode({**content, "scores": [0.3]})):
        path.write_bytes(damaged)
        with pytest.raises(RecordError, match=r"something other than a validation match in proof\.json"):
            train(game, SMALL, checkpoints=folder, validation=ValidationMatch(2))


def test_a_baseline_of_another_game_is_refused_before_training() -> None:
    reports = list[Progress]()
    with pytest.raises(RecordError, match="weights of anti-4 do not fit othello-4"):
        train(pv.game("othello-4"), SMALL, reports.append, validation=ValidationMatch(1, made("anti-4")))
    assert not reports


def test_files_without_a_validation_result_are_read(tmp_path: Path) -> None:
    path = tmp_path / "some.weights"
    made().save(path)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b',"proof":null', b""))
    assert path.read_bytes() != whole
    assert load(path).header == made().header
    path.write_bytes(whole.replace(b'"proof":null', b'"proof":{"against":"","nodes":1,"pairs":[1,2]}'))
    with pytest.raises(RecordError, match="its second line cannot be read"):
        load(path)
