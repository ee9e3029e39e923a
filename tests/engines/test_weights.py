"""Files of weights: what is written is read again, strangers' files are refused, and games find theirs."""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np
import pytest

import polyversi as pv
from polyversi.engines import Solver
from polyversi.engines.training.validation import NODES
from polyversi.engines.weights import (
    MAGICS,
    SHIPPED,
    evaluation_for,
    load,
    tables_of,
)
from polyversi.games.errors import RecordError
from tests.testing.weights import loaded_tables, made


def parts(path: Path) -> tuple[dict[str, object], bytes]:
    """The header and the packed numbers of a file."""
    _, header, packed = path.read_bytes().split(b"\n", 2)
    return msgspec.json.decode(header), packed


@pytest.mark.parametrize("spec", ["othello-4", "othello-6:holes=a1+c5+f3", "hex:side=3,start=ring", "anti"])
def test_save_and_load(tmp_path: Path, spec: str) -> None:
    weights = made(spec)
    path = tmp_path / "some.weights"
    weights.save(path)
    found = loaded_tables(path)
    assert found.header == weights.header
    assert (found.values == weights.values).all() and found.values.dtype == np.int16
    state = pv.game(spec).start()
    assert found.evaluation(state.game).value(state) == weights.evaluation(state.game).value(state) != 0
    assert list(tmp_path.iterdir()) == [path]


def test_files_hold_canonical_configurations_only(tmp_path: Path) -> None:
    weights = made("othello")
    tables = tables_of(pv.game("othello").board)
    assert weights.values.shape == (33, tables.weights_per_phase)
    assert tables.weights_per_phase < 0.7 * tables.configurations
    weights.save(tmp_path / "some.weights")
    numbers = 33 * tables.weights_per_phase + 65 * 4 * 64
    assert len(zlib.decompress(parts(tmp_path / "some.weights")[1])) == 2 * numbers


def test_files_of_version_1_are_read(tmp_path: Path) -> None:
    """Their phases have the same length, and there is no mobility: they play as they did."""
    game = pv.game("othello")
    shipped = loaded_tables(SHIPPED / "hex.weights")
    assert (shipped.header.version, shipped.header.phases, shipped.mobility) == (1, 16, None)
    path, old = tmp_path / "old.weights", made("othello", phases=16)
    old.save(path)
    assert path.read_bytes().startswith(b"polyversi weights 1\n")
    found = loaded_tables(path)
    assert (found.values == old.values).all() and found.mobility is None
    state = game.start().play("f5")
    tables, numbers = tables_of(game.board), {1: 1, 2: 2, 0: 0}
    own = [numbers[tile] if state.turn == 1 else {0: 0, 1: 2, 2: 1}[tile] for tile in state.tiles]
    expected = 0
    for cells, first in tables.patterns:
        configuration = sum(own[cell] * 3**place for place, cell in enumerate(cells))
        expected += int(found.values[5 * 16 // 65, tables.rank[first + configuration]])
    assert found.evaluation(game).value(state) == max(-64.0, min(64.0, expected / 32))


def test_invalid_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.weights"
    made().save(path)
    whole = path.read_bytes()
    header, packed = parts(path)

    def refused(data: bytes, why: str) -> None:
        path.write_bytes(data)
        with pytest.raises(RecordError, match=why) as caught:
            load(path)
        assert str(path) in str(caught.value)

    def with_header(**changed: object) -> bytes:
        return MAGICS[2] + msgspec.json.encode({**header, **changed}) + b"\n" + packed

    refused(b"", "does not begin with the line 'polyversi weights 2'")
    refused(b"PK\x03\x04" + whole, "does not begin with the line")
    refused(MAGICS[2], "its second line cannot be read")
    refused(MAGICS[2] + b"[" * 100_000 + b"\n", "its second line cannot be read")
    refused(MAGICS[2] + b"\xff\xfe\n" + packed, "its second line cannot be read")
    refused(with_header(unknown=1), "its second line cannot be read")
    refused(with_header(spec="chess"), "there is no variant 'chess'")
    refused(with_header(spec="xt:/etc/passwd"), "there is no XT map")
    for spec in ("othello-26", "torus", "rolit"):
        refused(with_header(spec=spec), f"the engine does not play {spec}")
    refused(with_header(spec="othello-6"), "are for older patterns of othello-6")
    refused(with_header(fingerprint="0"), "train them again with `polyversi train othello-4`")
    for phases in (-1, 0, 41, 1 << 60):
        refused(with_header(phases=phases), r"line cannot be read, Expected `int` .* at `\$.phases`")
    unlike = "its phases do not fit its board and version"
    refused(with_header(phases=8), unlike)
    for phase_of in ([0] * 17, [*range(9)], []):
        refused(with_header(phase_of=phase_of), unlike)
    refused(MAGICS[1] + whole[len(MAGICS[2]) :], unlike)
    refused(with_header(phase_of=[40] * 17), r"line cannot be read, Expected `int` .* at `\$.phase_of")
    refused(with_header(phases=1, phase_of=[0] * 17), "it should have 48,146 numbers")
    for model in ([1.5], [0.0] * 7):
        refused(with_header(doubt=model), f"its ProbCut model has {len(model)} numbers, not 8")
    refused(with_header(doubt=["much"]), "its second line cannot be read")
    refused(whole + b"more", "nothing after them")
    refused(whole[:-9], "it should have")
    refused(whole[: -len(packed)] + b"stones", "its numbers cannot be unpacked")
    refused(whole[: -len(packed)] + zlib.compress(bytes(100_000_000)), "it should have 398,498 numbers")


def test_unreadable_and_unwritable_files_are_reported(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        load(tmp_path / "nowhere.weights")
    with pytest.raises(RecordError, match="cannot be read: it is not an ordinary file"):
        load(tmp_path)
    with pytest.raises(RecordError, match="cannot be read: embedded null byte"):
        load(Path("a\0b"))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RecordError, match="cannot be read: it is not an ordinary file"):
        load(tmp_path / "pipe")
    with pytest.raises(RecordError, match="cannot be written: No such file"):
        made().save(tmp_path / "nowhere" / "some.weights")


def test_weights_are_found_by_game(tmp_path: Path) -> None:
    for spec in ("othello-4", "anti-5", "hex:side=3,start=ring"):
        made(spec).save(tmp_path / f"{spec.partition(':')[0]}.weights")
    for spec in ("othello-4", "othello:width=4,height=4", "othello-4:start=parallel", "anti-5",
                 "hex:side=3,start=ring", "hex:side=3,passing=forced", "reversi-4"):
        game = pv.game(spec)
        evaluation = evaluation_for(game, tmp_path)
        assert evaluation is not None, spec
        evaluation.value(game.start())
    for spec in ("anti-4", "othello-5", "othello-4:holes=a1", "hex:side=3", "hex:side=4,start=ring",
                 "othello-10", "rolit", "xt:arena"):
        assert evaluation_for(pv.game(spec), tmp_path) is None, spec
    assert evaluation_for(pv.game("othello-4"), tmp_path / "nowhere") is None


def test_weights_of_another_game_are_refused() -> None:
    with pytest.raises(RecordError, match="weights of othello-4 do not fit anti-4"):
        made().evaluation(pv.game("anti-4"))


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.weights")), ids=lambda path: path.stem)
def test_shipped_weights_carry_a_won_validation_match(path: Path) -> None:
    proof = load(path).header.validation
    assert proof is not None and (proof.against, proof.nodes, proof.games) == ("no weights", NODES, 200)
    assert fmean(proof.scores) > 0.5


def test_shipped_weights_serve_the_solver() -> None:
    """Whether there are weights of a game or not, its values are the same."""
    assert Solver(pv.game("othello-4")).solve(pv.game("othello-4").start()).value == -8
