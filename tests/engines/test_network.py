"""Networks: every processor finds what a plain computation does, searches go by it, and files hold it."""

from __future__ import annotations

import functools
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

import polyversi as pv
from polyversi import _core
from polyversi.engines import Solver
from polyversi.engines.network import WIDTHS, Network, size_in_bytes, zeros
from polyversi.engines.weights import MAGICS, NetworkWeights, load, phases_by_parity, tables_of
from polyversi.games.errors import RecordError
from tests.testing.late_positions import game_of, on_every_kernel, tried
from tests.testing.patterns import plain_contents, positions, words
from tests.testing.reference_search import Plain, seen_by_mover
from tests.testing.weights import made, made_network

SPECS = ("othello", "othello-6", "anti", "hex", "hex:side=3,start=ring", "othello-6:holes=a1+c5+f3")
EXACT = len(_core.SELECTIVITY) - 1
WITHOUT_TABLE = 8 + 16
"""Move ordering and iterative deepening, of the techniques of the search."""


def plain_value(weights: NetworkWeights, state: pv.State, counts: list[int]) -> int:
    """What a position is worth in 1/32 stone, as the specification has it."""
    network, board = weights.network, state.game.board
    tables, stones = tables_of(board), board.size - state.tiles.count(0)
    phase = phases_by_parity(board)[stones]
    rows = network.pattern_rows[tables.rank[plain_contents(state, tables)]].astype(int).sum(0)
    of_counts = [64 * which + count for which, count in enumerate(counts)]
    rows += network.mobility_rows[of_counts].astype(int).sum(0)
    rows += network.stones_rows[stones]
    rows = (rows + 2**15) % 2**16 - 2**15
    inputs = np.clip(rows, 0, 512)
    hidden = np.clip(
        (network.hidden_biases[phase] + network.hidden_weights[phase].astype(int) @ inputs) >> 10, 0, 512)
    output = (network.output_biases[phase] + network.output_weights[phase].astype(int) @ hidden
              + network.skip_weights[phase].astype(int) @ rows)
    return max(-32 * board.size, min(32 * board.size, int(output) >> 12))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("spec", SPECS)
def test_value_on_every_kernel(spec: str, width: int) -> None:
    """The value of a position itself, and of those after its moves one ply before the end of a search."""
    weights = made_network(spec, width)
    values = set()
    for game in on_every_kernel(pv.game(spec)):
        evaluation = weights.evaluation(game)
        search = _core.Search(game.start(), 1, 1, evaluation, 0)
        for state in positions(game, 40):
            counts = evaluation.mobility_counts(*words(state))[0].tolist()
            value = plain_value(weights, state, counts)
            values.add(value)
            assert 32 * evaluation.value(state) == value, (game.kernel, state.text)
            stones = [] if state.is_over else [move for move in state.moves if not move.is_pass]
            after = [state.play(move) for move in stones]
            if game.definition.passing != "free" and state.tiles.count(0) > 1 and after \
                    and not any(one.is_over for one in after):
                found = max(-evaluation.value(one) for one in after)
                assert search.value(state, 1, EXACT) == found, (game.kernel, state.text)
    assert len(values) > 10, "networks have something to say"


def of_both_signs(size: int, like: NDArray[Any]) -> NDArray[Any]:
    """Numbers of one size with signs that alternate."""
    found = np.full_like(like, size)
    found[..., 1::2] = -size
    return found


def test_extreme_numbers_on_every_kernel() -> None:
    """Rows that wrap, and weights just below those with which a sum could overflow."""
    spec = "othello-4"
    weights = made_network(spec)
    largest = Network(
        np.full_like(weights.network.pattern_rows, -2**15),
        np.full_like(weights.network.mobility_rows, 2**15 - 1),
        np.tile(np.arange(-8, 8, dtype=np.int16) * 4096, (17, 1)),
        np.full_like(weights.network.hidden_weights, 2**15 - 1),
        np.full_like(weights.network.output_weights, -2**15),
        of_both_signs(1800, weights.network.skip_weights),
        of_both_signs(2**30, weights.network.hidden_biases),
        np.full_like(weights.network.output_biases, 2**29),
    )
    extreme = replace(weights, network=largest)
    for game in on_every_kernel(pv.game(spec)):
        evaluation = extreme.evaluation(game)
        for state in positions(game, 20):
            counts = evaluation.mobility_counts(*words(state))[0].tolist()
            assert 32 * evaluation.value(state) == plain_value(extreme, state, counts), game.kernel


@pytest.mark.parametrize(("spec", "width"), [("othello", 32), ("anti", 64), ("hex", 16), ("othello-6", 32)])
def test_searches_equal_plain_minimax(spec: str, width: int) -> None:
    game = game_of(spec)
    plain, evaluation = Plain(game), made_network(spec, width).evaluation(game)

    @functools.cache
    def judge(own: int, other: int) -> int:
        units = round(32 * evaluation.value(game.position(plain.text((own, other), 1))))
        return (abs(units) + 16) // 32 * (1 if units >= 0 else -1)

    searches = [_core.Search(game.start(), 1, 1, evaluation, mask) for mask in (0, WITHOUT_TABLE)]
    for state in positions(game, 12):
        if state.tiles.count(0) <= 6 or state.moves[0].is_pass:
            continue
        for depth in (1, 2, 3):
            expected = plain.ahead(*seen_by_mover(state), depth, judge)
            for search in searches:
                best = search.best_move(state, depth, EXACT, None, None)
                assert best is not None and best[1] == expected, (depth, state.text)


@pytest.mark.parametrize("spec", ["othello-6:holes=a1+c5+f3", "anti-6", "hex:side=3,start=ring"])
def test_endgames_are_exact(spec: str) -> None:
    plain, found = tried(spec)
    game = game_of(spec)
    search = _core.Search(game.start(), 1, 1, made_network(spec, 32).evaluation(game))
    for position in found[:100]:
        solution = search.solve(game.position(plain.text(position, 1)), -plain.cells, plain.cells)
        assert solution is not None and solution[0] == plain.value(*position)


def test_solver_values_do_not_depend_on_the_network(tmp_path: Path) -> None:
    file = tmp_path / "own.weights"
    made_network("othello-5").save(file)
    start = pv.game("othello-5").start()
    assert Solver(start.game, megabytes=1, weights=file).solve(start).value == 13


@pytest.mark.parametrize("width", WIDTHS)
def test_save_and_load(tmp_path: Path, width: int) -> None:
    weights = made_network("hex:side=3,start=ring", width)
    path = tmp_path / "some.weights"
    weights.save(path)
    found = load(path)
    assert isinstance(found, NetworkWeights)
    assert found.header == weights.header and found.header.version == 3
    assert found.network.to_bytes() == weights.network.to_bytes()
    state = pv.game(weights.header.spec).start()
    assert found.evaluation(state.game).value(state) == weights.evaluation(state.game).value(state)
    with pytest.raises(RecordError, match="do not fit othello"):
        found.evaluation(pv.game("othello"))


def test_tables_do_not_mention_networks(tmp_path: Path) -> None:
    """Versions of the package before networks refuse keys that they do not know."""
    made().save(tmp_path / "some.weights")
    assert b"network" not in (tmp_path / "some.weights").read_bytes().split(b"\n")[1]


def test_invalid_files_are_refused(tmp_path: Path) -> None:
    path, weights = tmp_path / "some.weights", made_network()
    weights.save(path)
    whole = path.read_bytes()
    first, line, packed = whole.split(b"\n", 2)
    header = msgspec.json.decode(line)
    assert first + b"\n" == MAGICS[3]

    def refused(data: bytes, why: str) -> None:
        path.write_bytes(data)
        with pytest.raises(RecordError, match=why) as caught:
            load(path)
        assert str(path) in str(caught.value)

    def with_header(**changed: object) -> bytes:
        return MAGICS[3] + msgspec.json.encode({**header, **changed}) + b"\n" + packed

    def with_numbers(numbers: bytes) -> bytes:
        return MAGICS[3] + line + b"\n" + zlib.compress(numbers)

    for size in ({"width": 8, "hidden": 16}, {"width": 16, "hidden": 8}, {"width": 16}, 16,
                 {"width": 16, "hidden": 16, "more": 1}):
        refused(with_header(network=size), "its second line cannot be read")
    refused(with_header(network={"width": 64, "hidden": 16}), r"it should have [\d,]+ bytes of numbers")
    refused(with_header(network={"width": 24, "hidden": 16}), "it should have")
    of_24 = MAGICS[3] + line.replace(b'"width":16', b'"width":24') + b"\n"
    tables = tables_of(pv.game("othello-4").board)
    size = size_in_bytes(tables.weights_per_phase, 16, 9, 24)
    refused(of_24 + zlib.compress(bytes(size)), "the rows of a network need 16, 32 or 64 numbers")
    unlike = "its phases do not fit its board and version"
    for phase_of in ([], [0] * 17, [*range(9)]):
        refused(with_header(phase_of=phase_of), unlike)
    refused(whole.replace(MAGICS[3], MAGICS[2]), unlike)
    without = msgspec.json.encode({key: value for key, value in header.items() if key != "network"})
    refused(MAGICS[3] + without + b"\n" + packed, unlike)
    refused(whole[:-9], "it should have")
    refused(whole + b"more", "nothing after them")
    refused(with_numbers(bytes(100_000_000)), "it should have")
    numbers = weights.network.to_bytes()
    refused(with_numbers(numbers[:-4] + (-2**31).to_bytes(4, "little", signed=True)),
            "so large that a sum of 32 bits could overflow")


def test_networks_that_could_overflow_are_refused() -> None:
    def refused(**changed: object) -> None:
        with pytest.raises(RecordError, match="a sum of 32 bits could overflow"):
            replace(zeros(100, cells=16, phases=9, width=64), **changed)    # type: ignore[arg-type]

    refused(skip_weights=np.full((9, 64), 1024, np.int16))
    refused(hidden_biases=np.full((9, 16), -2**31, np.int32))
    refused(output_biases=np.full(9, -2**31, np.int32))
    refused(hidden_weights=np.full((9, 16, 64), 2**15 - 1, np.int16),
            hidden_biases=np.full((9, 16), 2**30 + 2**15, np.int32))
    refused(skip_weights=np.full((9, 64), 1023, np.int16), output_weights=np.full((9, 16), 2**12, np.int16))
    replace(zeros(100, cells=16, phases=9, width=64),    # just below each limit
            hidden_weights=np.full((9, 16, 64), 2**15 - 1, np.int16),
            hidden_biases=np.full((9, 16), 2**30 + 2**15 - 1, np.int32),
            skip_weights=np.full((9, 64), 1023, np.int16))


@pytest.mark.parametrize(("changed", "message"), [
    ({"pattern_rows": np.zeros((10, 24), np.int16)}, "need 16, 32 or 64 numbers"),
    ({"pattern_rows": np.zeros(10, np.int16)}, "need 16, 32 or 64 numbers"),
    ({"skip_weights": np.zeros((9, 17), np.int16)}, r"the skip_weights of a network must be int16 of shape"),
    ({"hidden_biases": np.zeros((9, 16), np.int64)}, r"must be int32 of shape \(9, 16\), not int64"),
    ({"mobility_rows": np.zeros((255, 16), np.int16)}, r"must be int16 of shape \(256, 16\)"),
])
def test_networks_of_wrong_shapes_are_refused(changed: dict[str, object], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        replace(zeros(100, cells=16, phases=9, width=16), **changed)    # type: ignore[arg-type]
