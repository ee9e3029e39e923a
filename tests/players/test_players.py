"""The registry of players: specifications and their errors."""

from __future__ import annotations

import numpy as np
import pytest

import polyversi as pv


def test_specifications() -> None:
    assert pv.player("random:seed=7") == pv.player("random", seed=7)
    assert pv.player("random", seed=7).spec() == "random:seed=7"
    assert pv.player("random").spec() == "random"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", "there is no player 'nobody'; there are polyversi, "),
        ("random:seed", "'seed' is not an option of random; its options are seed=whole number"),
        ("random:colour=red", "'colour=red' is not an option of random"),
        ("random:seed=red", "random cannot take seed=red; write seed=whole number"),
    ],
)
def test_wrong_specifications(spec: str, message: str) -> None:
    with pytest.raises(pv.PlayerError) as caught:
        pv.player(spec)
    assert message in str(caught.value)


def test_numbers_of_numpy_are_numbers() -> None:
    made = pv.player("matrix", gamma=np.float64(0.5), pruning=np.bool_(False), depth=np.int64(3))
    assert made.spec() == "matrix:gamma=0.5,pruning=no,depth=3"


def test_unknown_keyword() -> None:
    with pytest.raises(pv.PlayerError, match="'colour' is not an option of random"):
        pv.player("random", colour="red")
