"""Charts: the maps that a server plays on, each with the very text that its clients are sent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from polyversi.games.errors import VariantError
from polyversi.games.variants import game as named
from polyversi.games.xt import is_kind, read_map, xt_game
from polyversi.records.maps import map_of

if TYPE_CHECKING:
    from polyversi.games.game import Game


@dataclass(frozen=True)
class Chart:
    """A map: what it is called, the game that is played on it, and its text as it goes over the wire."""

    name: str
    game: Game
    text: bytes


def chart_of(word: str) -> Chart:
    """The map that a word names: one of our kinds with its options, or a file, which is sent as it is.

    >>> chart = chart_of("arena,players=3")
    >>> chart.name, chart.game.seats, chart.text[:2]
    ('arena,players=3', 3, b'3\\n')
    """
    word = word.strip().removeprefix("xt:")
    if is_kind(word.partition(",")[0]):
        game = named(f"xt:{word}")
        if game.definition.goal != "most":
            raise VariantError(f"'{word}' is not possible: clients of Reversi XT play for the most stones")
        return Chart(game.spec.removeprefix("xt:"), game, map_of(game).text.encode())
    path = Path(word)
    game = xt_game(read_map(path), f"xt:{word}")
    return Chart(path.stem, game, path.read_bytes())
