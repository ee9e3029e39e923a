"""Sample games: for every variant, always the same, bounded, and pictures that tell variants apart."""

from __future__ import annotations

import msgspec
import pytest

import polyversi as pv
from polyversi.games.errors import VariantError
from polyversi.server import catalogue, samples

VARIANTS = {variant.spec: variant for family in catalogue.families() for variant in family.variants}


def test_every_variant_has_a_sample_and_a_picture_of_its_own() -> None:
    for spec in VARIANTS:
        found = samples.sample(spec)
        state = found.states[0]
        for move, after in zip(found.moves, found.states[1:], strict=True):
            state = state.play(move)
            assert state == after
        assert state.is_over or len(found.moves) == samples.MAX_PLIES
        assert 0 < found.middle < len(found.moves)
    pictures = {samples.picture(spec, is_middle=True) for spec in VARIANTS}
    assert len(pictures) == len(VARIANTS)
    again = samples.sample.__wrapped__("hex")
    assert again.moves == samples.sample("hex").moves


def test_a_sample_that_is_sent_is_bounded() -> None:
    for spec in ("othello", "othello-26", "xt:compressedSquare"):
        told = msgspec.json.decode(samples.replay(spec))
        game = pv.game(spec)
        assert 0 < len(told["moves"]) * game.board.size <= samples.MAX_CELLS
        assert game.position(told["moves"][-1][1]).text == told["moves"][-1][1]
        assert told["middle"] <= len(told["moves"])


@pytest.mark.parametrize("spec", ["", "nothing", "othello-99", "xt:/etc/passwd"])
def test_what_is_not_a_variant_has_none(spec: str) -> None:
    with pytest.raises(VariantError):
        samples.replay(spec)


def test_labels_name_one_variant_each_and_the_featured_ones_are_there() -> None:
    labels = [variant.label for variant in VARIANTS.values()]
    assert len(set(labels)) == len(labels)
    assert {entry.name for entry in catalogue.featured()} <= {one.name for one in VARIANTS.values()}


def test_every_number_of_seats_that_is_offered_is_a_game() -> None:
    for variant in VARIANTS.values():
        for number, values in variant.seat_choices.items():
            words = ",".join(f"{name}={value}" for name, value in values.items())
            colon = "," if ":" in variant.name else ":"
            spec = f"{variant.name}{colon}{words}" if words else variant.name
            assert pv.game(spec).seats == int(number)
