"""A short run of the fuzzer for every parser, in every test run."""

from __future__ import annotations

import pytest

from tests.soak.fuzz.parsers import PARSERS
from tests.soak.fuzz.running import run
from tests.testing.marks import slow


@pytest.mark.parametrize("name", list(PARSERS))
def test_good_samples_are_read(name: str) -> None:
    parser = PARSERS[name]
    assert any(parser.check(sample) for sample in parser.samples)


@pytest.mark.parametrize("inputs", [700, slow(2000)])
@pytest.mark.parametrize("name", list(PARSERS))
def test_only_our_own_errors_come_out(name: str, inputs: int) -> None:
    portion = run(name, seed=0, part=0, inputs=inputs)
    assert not portion.failures, "\n".join(map(str, portion.failures[:5]))
    assert portion.read > 0
