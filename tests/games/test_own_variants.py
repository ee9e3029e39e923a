"""Variants of one's own: registered definitions and games, and games without a name."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator

import pytest

import polyversi as pv
from polyversi.games.families import SQUARE
from polyversi.games.variants import VARIANTS, title
from polyversi.server.catalogue import description, families

BOARD = pv.rectangle(5, 5, holes=[(0, 0), (4, 4)])
STONES = {"b2": 2, "c2": 1, "b3": 1, "c3": 2}
CROSS = pv.Definition(BOARD, tuple(STONES.get(BOARD.name(cell), 0) for cell in range(BOARD.size)))
TRIO = pv.Definition(pv.hexagon(3), (0,) * 7 + (1, 2, 3, 1, 2) + (0,) * 7, seats=3)


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    before = dict(VARIANTS.known)
    yield
    VARIANTS.known.clear()
    VARIANTS.known.update(before)


def record_of(spec: str | pv.Game) -> pv.records.Record:
    seats = 2 if spec in ("cross", "anti-cross") or isinstance(spec, pv.Game) else 3
    return pv.play(spec, [f"random:seed={seat}" for seat in range(seats)]).record


@pytest.mark.parametrize("what", [CROSS, pv.Game("whatever", CROSS)])
def test_a_name_for_a_definition_or_a_game(what: pv.Definition | pv.Game) -> None:
    game = pv.register_variant("cross", what, sentence="Two corners are cut off.", label="The cross")
    assert game is pv.game("cross") and game.definition == CROSS
    assert eval(repr(game)) == game and eval(repr(game.start())) == game.start()
    assert pv.game("anti-cross").spec == pv.game("cross:goal=fewest").spec == "cross:goal=fewest"
    assert title("cross:goal=fewest") == "The cross (goal fewest)"
    for spec in ("cross", "anti-cross"):
        record, stream = record_of(spec), io.BytesIO()
        pv.records.write([record], stream, "jsonl")
        assert [*pv.records.parse(stream.getvalue())] == [record] == [pickle.loads(pickle.dumps(record))]


def test_the_page_offers_them_together() -> None:
    pv.register_variant("cross", CROSS)
    pv.register_variant("trio", TRIO, label="Trio")
    own = families()[-1]
    assert own.label == "More games"
    assert [(variant.spec, variant.seats) for variant in own.variants] == [("cross", 2), ("trio", 3)]
    shown = description(pv.game("trio"))
    assert shown.title == "Trio" and "jsonl" in [file.kind for file in shown.files]
    pv.register_variant("trio", TRIO, label="Three")    # a cell of a notebook that is run again
    assert families()[-1].variants[1].label == "Three"


def test_the_same_rules_under_two_names() -> None:
    pv.register_variant("small", pv.game("othello-4"))
    assert pv.game("small") == pv.game("othello-4")
    assert [description(pv.game(spec)).spec for spec in ("othello-4", "small")] == ["othello-4", "small"]


def test_a_variant_of_a_family_is_registered_too() -> None:
    sieve = pv.Variant("sieve", "A hole in each quarter.", SQUARE, {"holes": "c3+f3+c6+f6"})
    assert pv.register_variant(sieve).board.size == 60
    assert pv.game("anti-sieve").spec == "sieve:goal=fewest"


@pytest.mark.parametrize(("name", "message"), [
    ("othello", "'othello' is a game of 'othello' already"),
    ("othello-6", "'othello-6' is a game of 'othello' already"),
    ("anti-hex", "'anti-hex' is a game of 'hex' already"),
    ("my game", "'my game' cannot be a name"),
    ("a:b", "'a:b' cannot be a name"),
    ("", "'' cannot be a name"),
])
def test_names_that_are_taken_or_cannot_be_written(name: str, message: str) -> None:
    with pytest.raises(pv.VariantError, match=message):
        pv.register_variant(name, CROSS)


def test_what_is_not_a_game() -> None:
    with pytest.raises(pv.VariantError, match="the variant 'mine' needs a Definition or a Game, not 42"):
        pv.register_variant("mine", 42)  # type: ignore[call-overload]
    broken = pv.Variant("broken", "It has a hole in the middle.", SQUARE, {"holes": "d4"})
    with pytest.raises(pv.VariantError, match="must not be holes"):
        pv.register_variant(broken)
    with pytest.raises(pv.VariantError, match="there is no variant 'broken'"):
        pv.game("broken")


def test_a_game_without_a_name_plays_and_says_so() -> None:
    game = pv.Game("nameless", CROSS)
    record = record_of(game)
    assert record.result is not None and str(game.start()).splitlines()[1].startswith("1")
    assert repr(game) == "<pv.Game 'nameless', 23 cells, 2 seats, not registered>"
    assert pickle.loads(pickle.dumps(record)) == record
    with pytest.raises(pv.RecordError, match=r"register it first: pv.register_variant\('nameless', game\)"):
        pv.records.write([record], io.BytesIO(), "jsonl")
    pv.register_variant("nameless", game)
    stream = io.BytesIO()
    pv.records.write([record], stream, "jsonl")
    del VARIANTS["nameless"]
    with pytest.raises(pv.PolyversiError, match="there is no variant 'nameless'"):    # as in an old file
        list(pv.records.parse(stream.getvalue()))


def test_boards_and_starts_that_are_not_possible() -> None:
    with pytest.raises(pv.VariantError, match="a board needs at least one cell"):
        pv.rectangle(0, 0)
    with pytest.raises(pv.VariantError, match=r"the hole \(9, 9\) lies outside the columns 0 to 5"):
        pv.rectangle(6, 6, holes=[(9, 9)])
    with pytest.raises(pv.VariantError, match="a1 cannot hold the tile 9 at the start"):
        pv.Definition(pv.rectangle(6, 6), (9,) * 36)
