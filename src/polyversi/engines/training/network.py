"""Fitting a network to examples, by gradient descent with PyTorch.

Numbers are real while a network is fitted and become integers at the end. The rows of configurations and
counts start at zero, so those that no example has contribute nothing, or at those of another network, so
that what that one has learned of rare configurations stays. The examples of all phases share the rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyversi import _core
from polyversi.engines.network import (
    HIDDEN,
    MOBILITY_ROWS,
    ONE_HIDDEN_WEIGHT,
    ONE_INPUT,
    ONE_OUTPUT_WEIGHT,
    Network,
)
from polyversi.engines.search import EngineError
from polyversi.engines.training.regression import CHUNK, Errors, Examples, nearest
from polyversi.engines.weights import UNITS_PER_STONE, phases_by_parity, tables_of
from polyversi.games.errors import RecordError
from polyversi.games.files import write_whole
from polyversi.games.game import Game

BATCH = 32_768
"""Examples of a step; fewer if there are few examples."""
MIN_BATCHES = 32
"""Steps of an epoch, at least."""
EPOCHS = 12
LEARNING_RATE = 3e-3
"""The largest, after the warm-up; it falls to nothing along a cosine."""
WARM_UP = 0.02
"""The part of the fit in which the learning rate rises."""
DECAY = 0.7
"""The part of a row's change that a step takes away, times the learning rate: rare rows hardly move."""
STONES_PER_OUTPUT = 8.0
"""How much the output weights are scaled down while they are fitted, so that one learning rate serves all."""
HUBER_STONES = 16.0
"""Errors beyond this count linearly."""
MAX_SKIP_SUM = 200.0
"""What the skip weights of a phase may sum to, so that no sum of the core overflows."""
LAYERS = {
    "hidden_weights": ONE_HIDDEN_WEIGHT,
    "hidden_biases": ONE_HIDDEN_WEIGHT * ONE_INPUT,
    "output_weights": STONES_PER_OUTPUT * ONE_OUTPUT_WEIGHT,
    "skip_weights": STONES_PER_OUTPUT * ONE_OUTPUT_WEIGHT,
    "output_biases": STONES_PER_OUTPUT * ONE_OUTPUT_WEIGHT * ONE_INPUT,
}
"""What each phase of a network has for itself, and the integer that is 1.0 while it is fitted."""
VALUES_AT_ONCE = 65_536


class Columns(NamedTuple):
    """Examples on the device: words of stones, counts of mobility, and targets in stones."""

    own: Any
    other: Any
    counts: Any
    value: Any

    @property
    def positions(self) -> int:
        """How many there are."""
        return len(self.value)

    def at(self, rows: Any) -> Columns:
        """Some of them."""
        return Columns(*(column[rows] for column in self))


def check_torch() -> None:
    """Refuses where PyTorch is missing."""
    if find_spec("torch") is None:
        raise EngineError("a network is fitted with PyTorch; install polyversi[train]")


class NetworkRegression:
    """Fits and measures networks of one game, on a GPU if PyTorch finds one."""

    def __init__(self, game: Game, width: int, threads: int = 1) -> None:
        check_torch()
        import torch

        self.width, self._threads = width, threads
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._tables = tables = tables_of(game.board)
        self._patterns = _core.PatternEvaluation(
            game.start(), tables.patterns, [0] * (game.board.size + 1),
            np.zeros(tables.configurations, np.int16))
        self.cells = game.board.size
        self.rows = tables.weights_per_phase + MOBILITY_ROWS + self.cells + 1
        phase_of = phases_by_parity(game.board)
        self.phases = max(phase_of) + 1
        self._phase_of = torch.tensor(phase_of, device=self.device)
        self._rank = torch.from_numpy(tables.rank).to(self.device)
        self._first, self._powers = (torch.from_numpy(part).to(self.device) for part in self._index_parts())
        self._bits = torch.arange(64, device=self.device)
        self._count_firsts = tables.weights_per_phase + _core.COUNT_LIMIT * torch.arange(
            _core.MOBILITY_COUNTS, dtype=torch.int32, device=self.device)

    def _index_parts(self) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The index of each pattern on an empty board, and what a stone of one's own on each bit adds."""
        words, none = np.uint64(1) << np.arange(64, dtype=np.uint64), np.zeros(64, np.uint64)
        first = self._patterns.pattern_indices(none[:1], none[:1])
        powers = self._patterns.pattern_indices(words, none) - first
        return first[0].astype(np.int32), powers.astype(np.float32)

    def columns(self, examples: Examples) -> Columns:
        """Examples on the device."""
        import torch

        counts = np.empty((examples.positions, _core.MOBILITY_COUNTS), np.uint8)

        def fill(start: int) -> None:
            rows = slice(start, start + CHUNK)
            counts[rows] = self._patterns.mobility_counts(examples.own[rows], examples.other[rows])

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(fill, range(0, examples.positions, CHUNK)))
        words = (examples.own.view(np.int64), examples.other.view(np.int64))
        return Columns(*(torch.from_numpy(np.ascontiguousarray(column)).to(self.device)
                         for column in (*words, counts, examples.value)))

    def fit(
        self, examples: Examples, observe: Callable[[int], None] = lambda _: None, *, epochs: int = EPOCHS,
        seed: int = 0, start: Network | None = None, checkpoint: Path | None = None,
    ) -> Network:
        """The network; `observe` gets the number of epochs that are done.

        The fit starts from another network of the same width if there is one. With a file for a checkpoint a
        fit that was interrupted resumes after its last whole epoch.
        """
        columns, fit = self.columns(examples), NetworkFit(self, seed, start)
        first = fit.restored(checkpoint) if checkpoint is not None and checkpoint.exists() else 0
        for epoch in range(first, epochs):
            batches = columns.positions // _batch_size(columns)
            for number, batch in enumerate(fit.batches(columns, epoch)):
                fit.step(batch, (epoch + number / batches) / epochs)
            if checkpoint is not None:
                fit.save(checkpoint, epoch + 1)
            observe(epoch + 1)
        return self.filled(fit.network(), examples)

    def filled(self, network: Network, examples: Examples) -> Network:
        """A network with weights for the phases and numbers of stones that have no examples, too.

        They get those of the nearest one of their parity that has examples. Phases before all examples expect
        a draw, as games begin evenly.
        """
        present = sorted(set(np.bitwise_count(examples.own | examples.other).tolist()))
        if not present:
            return network
        phase_of = self._phase_of.tolist()
        stones = _nearest_of_each(self.cells + 1, present)
        phases = _nearest_of_each(self.phases, sorted({phase_of[number] for number in present}))
        layers = {name: getattr(network, name)[phases] for name in LAYERS}
        for layer in layers.values():
            layer[: phase_of[present[0]] // 2 * 2] = 0
        return replace(network, stones_rows=network.stones_rows[stones], **layers)

    def errors(self, examples: Examples, network: Network) -> Errors:
        """How far the values of positions by the integers of a network are from their targets."""
        return self.errors_of(self.columns(examples), integer_values(self, network))

    def errors_of(self, columns: Columns, values: Callable[[Columns], Any]) -> Errors:
        """How far the values of positions are from their targets."""
        import torch

        totals = torch.zeros(self.phases, dtype=torch.float64, device=self.device)
        numbers = torch.zeros_like(totals)
        with torch.no_grad():
            for start in range(0, columns.positions, VALUES_AT_ONCE):
                part = columns.at(slice(start, start + VALUES_AT_ONCE))
                _, phase = self.inputs(part)
                squares = (values(part).double() - part.value).square()
                totals.index_add_(0, phase, squares)
                numbers.index_add_(0, phase, torch.ones_like(squares))
        sums, counts = totals.tolist(), numbers.tolist()
        overall = math.sqrt(sum(sums) / max(1.0, sum(counts)))
        by_phase = (math.sqrt(total / count) if count else None
                    for total, count in zip(sums, counts, strict=True))
        return Errors(overall, tuple(by_phase))

    def inputs(self, columns: Columns) -> tuple[Any, Any]:
        """For each position the rows that are summed, and its phase."""
        import torch

        own = (columns.own[:, None] >> self._bits & 1).float()
        other = (columns.other[:, None] >> self._bits & 1).float()
        indices = ((own + 2 * other) @ self._powers).int() + self._first
        stones = (own + other).sum(1).long()
        counts = columns.counts.int() + self._count_firsts
        stones_row = (stones + (self.rows - self.cells - 1)).int()[:, None]
        return torch.cat([self._rank[indices], counts, stones_row], 1), self._phase_of[stones]

    @property
    def rows_summed(self) -> int:
        """How many rows a position sums."""
        return len(self._tables.patterns) + _core.MOBILITY_COUNTS + 1


class NetworkFit:
    """The real numbers of a network, and the state of their descent."""

    def __init__(self, regression: NetworkRegression, seed: int, start: Network | None = None) -> None:
        import torch

        self._torch, self._regression, self._seed = torch, regression, seed
        found = _zeros_and_noise(torch, regression, seed) if start is None else _real_numbers(torch, start)
        self._first_rows = found.pop("rows").to(regression.device)
        self._change = torch.zeros_like(self._first_rows).requires_grad_()
        self._heads = {name: head.to(regression.device).requires_grad_() for name, head in found.items()}
        self._max_row = (2**15 / ONE_INPUT - 1) / regression.rows_summed    # their sum fits 16 bits
        self._optimizer = torch.optim.AdamW(
            [{"params": [self._change], "weight_decay": DECAY},
             {"params": list(self._heads.values()), "weight_decay": 0.0}],
            lr=LEARNING_RATE, fused=regression.device.type == "cuda")

    def batches(self, columns: Columns, epoch: int) -> Iterator[Columns]:
        """The examples in batches, in the order of an epoch."""
        torch = self._torch
        generator = torch.Generator(self._regression.device).manual_seed(1_000_003 * self._seed + epoch)
        order = torch.randperm(columns.positions, generator=generator, device=self._regression.device)
        size = _batch_size(columns)
        for start in range(0, columns.positions - size + 1, size):
            yield columns.at(order[start : start + size])

    def step(self, batch: Columns, done: float) -> None:
        """One step, with this part of the whole fit done."""
        torch = self._torch
        rate = LEARNING_RATE * min(1.0, done / WARM_UP + 0.01) * (1 + math.cos(math.pi * min(1.0, done))) / 2
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        loss = torch.nn.functional.huber_loss(
            self.values(batch) / HUBER_STONES, batch.value / HUBER_STONES)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self._optimizer.step()
        self._clip()

    def values(self, columns: Columns) -> Any:
        """The values of positions by the real numbers, in stones."""
        torch, heads = self._torch, self._heads
        rows, phase = self._regression.inputs(columns)
        total = torch.nn.functional.embedding_bag(rows, self._first_rows + self._change, mode="sum")
        hidden = _of_phase(torch, total.clamp(0, 1) @ heads["hidden_weights"].flatten(0, 1).T, phase)
        own = torch.nn.functional.one_hot(phase, self._regression.phases).float()
        hidden = (hidden + own @ heads["hidden_biases"]).clamp(0, 1)
        output = (hidden * (own @ heads["output_weights"])).sum(1)
        output = output + (total * (own @ heads["skip_weights"])).sum(1) + own @ heads["output_biases"]
        return STONES_PER_OUTPUT * output

    def _clip(self) -> None:
        """Keeps the numbers within the integers of a network."""
        with self._torch.no_grad():
            self._change.clamp_(-self._max_row - self._first_rows, self._max_row - self._first_rows)
            largest = MAX_SKIP_SUM / STONES_PER_OUTPUT / self._regression.width
            self._heads["skip_weights"].clamp_(-largest, largest)

    def network(self) -> Network:
        """The integers."""
        table = _rounded(self._first_rows + self._change, ONE_INPUT, np.int16)
        last = len(table) - self._regression.cells - 1
        first = last - MOBILITY_ROWS
        heads = {name: _rounded(self._heads[name], one, np.int32 if name.endswith("biases") else np.int16)
                 for name, one in LAYERS.items()}
        return Network(
            pattern_rows=table[:first], mobility_rows=table[first:last], stones_rows=table[last:], **heads)

    def save(self, path: Path, epochs: int) -> None:
        """Writes a checkpoint after this many epochs."""
        data = BytesIO()
        self._torch.save({"epochs": epochs, "change": self._change, "heads": self._heads,
                          "optimizer": self._optimizer.state_dict()}, data)
        write_whole(path, [data.getvalue()])

    def restored(self, path: Path) -> int:
        """Goes on from a checkpoint; gives how many epochs are done."""
        try:
            found = self._torch.load(path, map_location=self._regression.device, weights_only=True)
            with self._torch.no_grad():
                self._change.copy_(found["change"])
                for name, head in self._heads.items():
                    head.copy_(found["heads"][name])
            self._optimizer.load_state_dict(found["optimizer"])
            return int(found["epochs"])
        except (OSError, EOFError, LookupError, RuntimeError, TypeError, ValueError, UnpicklingError):
            raise RecordError(f"{path} is not an unfinished fit; choose another file or remove it") from None


def _zeros_and_noise(torch: Any, regression: NetworkRegression, seed: int) -> dict[str, Any]:
    """Rows and layers to begin with: rows of zeros, and layers of noise that is the same in all phases.

    A row then means the same in all of them.
    """
    generator, width = torch.Generator().manual_seed(seed), regression.width
    rows = torch.zeros(regression.rows, width)
    rows[-(regression.cells + 1) :] = 0.5    # where the clamped sum can move both ways
    found = {"rows": rows}
    for name, shape, deviation in (
        ("hidden_weights", (HIDDEN, width), width**-0.5), ("hidden_biases", (HIDDEN,), 0.1),
        ("output_weights", (HIDDEN,), HIDDEN**-0.5), ("skip_weights", (width,), width**-0.5),
        ("output_biases", (), 0.0),
    ):
        noise = torch.randn(1, *shape, generator=generator) * deviation
        found[name] = noise.expand(regression.phases, *shape).clone()
    return found


def _real_numbers(torch: Any, network: Network) -> dict[str, Any]:
    """Rows and layers of a network to begin with."""
    rows = np.concatenate([network.pattern_rows, network.mobility_rows, network.stones_rows])
    found = {name: getattr(network, name).astype(np.float32) / one for name, one in LAYERS.items()}
    found["rows"] = rows.astype(np.float32) / ONE_INPUT
    return {name: torch.from_numpy(numbers) for name, numbers in found.items()}


def integer_values(regression: NetworkRegression, network: Network) -> Callable[[Columns], Any]:
    """The values of positions in stones as the core finds them: 64-bit floats hold its integers exactly."""
    import torch

    def tensor(array: NDArray[np.int16] | NDArray[np.int32]) -> Any:
        return torch.from_numpy(array.astype(np.float64)).to(regression.device)

    table = tensor(np.concatenate([network.pattern_rows, network.mobility_rows, network.stones_rows]))
    weights, biases = tensor(network.hidden_weights).flatten(0, 1).T, tensor(network.hidden_biases)
    outputs, skips = tensor(network.output_weights), tensor(network.skip_weights)
    constants = tensor(network.output_biases)
    bound = regression.cells * UNITS_PER_STONE

    def values(columns: Columns) -> Any:
        rows, phase = regression.inputs(columns)
        total = torch.nn.functional.embedding_bag(rows, table, mode="sum")
        total = (total + 2**15) % 2**16 - 2**15    # 16 bits
        hidden = _of_phase(torch, total.clamp(0, ONE_INPUT) @ weights, phase) + biases[phase]
        hidden = (hidden / ONE_HIDDEN_WEIGHT).floor().clamp(0, ONE_INPUT)
        output = (hidden * outputs[phase]).sum(1) + (total * skips[phase]).sum(1) + constants[phase]
        units = (output / (ONE_INPUT * ONE_OUTPUT_WEIGHT / UNITS_PER_STONE)).floor()
        return units.clamp(-bound, bound) / UNITS_PER_STONE

    return values


def _batch_size(columns: Columns) -> int:
    """How many examples a step has."""
    return max(1, min(BATCH, columns.positions // MIN_BATCHES))


def _nearest_of_each(count: int, known: Sequence[int]) -> list[int]:
    """For each number below `count` the nearest known one of its parity; itself where there is none."""
    found = (nearest(number, known) for number in range(count))
    return [number if near is None else near for number, near in enumerate(found)]


def _of_phase(torch: Any, of_all: Any, phase: Any) -> Any:
    """The hidden units of the phase of each position, of those of all phases."""
    places = HIDDEN * phase[:, None] + torch.arange(HIDDEN, device=phase.device)
    return of_all.gather(1, places)


def _rounded(numbers: Any, one: float, kind: type) -> Any:
    """Real numbers as integers."""
    limits = np.iinfo(kind)
    scaled = np.rint(numbers.detach().cpu().double().numpy() * one)
    return np.clip(scaled, -limits.max, limits.max).astype(kind)
