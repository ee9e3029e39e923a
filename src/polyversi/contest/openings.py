"""Openings: where games begin, the same for all seats of a group of games, so that none repeats itself."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Literal

from polyversi.drawing.words import counted
from polyversi.engines import Engine
from polyversi.engines.search import balanced_opening
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError, RecordError
from polyversi.games.files import StrPath
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.seeds import derive_seed
from polyversi.games.state import State
from polyversi.players.hexareversi import stone_moves
from polyversi.protocols.bot_files import beside, is_file
from polyversi.records import Record, read

MAX_PLIES = 1000
MAX_POSITIONS = 100_000
"""The most positions that are taken from a file."""
RANDOM = re.compile(r"(?:random\s+)?([0-9]{1,9})")
WITH_NUMBER = re.compile(r"\s+([0-9]{1,9})$")
IN_ORDER = " in order"
TRIES = 100
"""How often random plies are tried again when the game ends too soon."""
SETUPS = 10
"""How many set-ups are tried, in variants with a random one."""
JUDGED = Limit(depth=8)
"""How deep the engine searches an opening to judge it."""
OPENINGS_JUDGED = 300
"""How many openings are judged before the most even of them is taken."""
WAYS = 'write a number of random plies such as 8, "balanced 8", or a file with positions or games'


@dataclass(frozen=True)
class Openings:
    """Where games begin: as the variant does, after random plies, or with the positions of a file.

    >>> import polyversi as pv
    >>> game = pv.game("othello")
    >>> sum(Openings("random", 6).start(game, 0, 1, seed=7).scores)
    10
    >>> Openings().start(game, 0, 1, seed=7) == game.start()
    True
    """

    kind: Literal["none", "random", "balanced", "file"] = "none"
    plies: int = 0
    """Plies before the players begin, where they are drawn."""
    positions: tuple[tuple[str, ...], ...] = ()
    """From a file, the positions for each variant."""
    in_order: bool = False
    """Whether the positions of a file come in its order; otherwise the seed shuffles them."""

    @classmethod
    def parse(cls, text: str, games: Sequence[Game], folder: Path = Path()) -> Openings:
        """Reads `none`, `8` or `random 8`, `balanced 8`, or the name of a file: see `from_file`.

        After the name of a file may come the number of plies to take from each game, and `in order`:
        `games.ggf 8 in order`.

        >>> str(Openings.parse("balanced 10", [])), str(Openings.parse("6", []))
        ('balanced 10', 'random 6')
        """
        words = text.strip()
        if words in ("none", "0"):
            return cls()
        if drawn := RANDOM.fullmatch(words):
            return cls("random", int(drawn[1]))
        rest = words.removesuffix(IN_ORDER).rstrip()
        name, plies = WITH_NUMBER.sub("", rest), WITH_NUMBER.search(rest)
        if plies and name == "balanced":
            return cls("balanced", int(plies[1]))
        for file, cut in (words, None), (rest, None), (name, plies):
            if is_file(path := beside(folder, file)):
                count = int(cut[1]) if cut else None
                return cls.from_file(path, games, count, in_order=file != words != rest)
        raise PlayerError(f"there is no file '{shorten(words)}' with openings; {WAYS}")

    @classmethod
    def from_file(
        cls, path: StrPath, games: Sequence[Game], plies: int | None = None, *, in_order: bool = False
    ) -> Openings:
        """The positions of a file, for each of the games that are played.

        A stored game stands for the position after its last move, or after so many plies. A format that does
        not name the variant must fit every game; otherwise each game gets the positions of its variant.
        """
        path = Path(path)
        return cls("file", 0, tuple(_positions_of(path, game, games, plies) for game in games), in_order)

    def start(self, game: Game, variant: int, number: int, seed: int) -> State:
        """The position from which the games with this opening number start, on the variant of that index.

        Every position of a file is used once before one is used again.
        """
        if self.kind == "file":
            return game.position(self.position(variant, number, seed))
        return self.drawn(game, derive_seed(seed, variant, number))

    def drawn(self, game: Game, seed: int) -> State:
        """The position that a seed draws, for openings that do not come from a file."""
        find = _balanced_opening if self.kind == "balanced" else random_opening
        return find(game, self.plies, seed)

    def position(self, variant: int, number: int, seed: int) -> str:
        """The position of a file from which the games with this opening number start; empty for random ones.

        >>> three = Openings("file", positions=(("a", "b", "c"),))
        >>> sorted(three.position(0, number, seed=7) for number in range(3))
        ['a', 'b', 'c']
        """
        if self.kind != "file":
            return ""
        positions = self.positions[variant]
        lap, place = divmod(number, len(positions))
        if self.in_order:
            return positions[place]
        return positions[_order(len(positions), derive_seed(seed, variant, lap))[place]]

    def check(self, games: Sequence[Game], seed: int = 0) -> None:
        """Raises an error if one of the games cannot start from these openings."""
        if self.kind in ("random", "balanced") and not 1 <= self.plies <= MAX_PLIES:
            raise PlayerError(f"an opening of {self.plies} plies is not possible; write 1 to {MAX_PLIES}")
        if self.kind == "file" and len(self.positions) != len(games):
            raise PlayerError(f"there are openings for {len(self.positions)} variants, not for {len(games)}")
        for variant, game in enumerate(games):
            self.start(game, variant, 0, seed)

    def __str__(self) -> str:
        if self.kind == "file":
            order = ", in order" if self.in_order else ""
            return f"{counted(sum(map(len, self.positions)), 'position')} from a file{order}"
        return self.kind if self.kind == "none" else f"{self.kind} {self.plies}"


def random_opening(game: Game, plies: int, seed: int) -> State:
    """The state after so many random plies; the seed draws them and, where it is random, the set-up.

    >>> import polyversi as pv
    >>> state = random_opening(pv.game("othello"), 4, seed=1)
    >>> sum(state.scores), state == random_opening(pv.game("othello"), 4, seed=1)
    (8, True)
    """
    chance = random.Random(seed)
    # In a few random set-ups no game lasts that long: then the next one is taken.
    for setup in range(seed, seed + (SETUPS if game.definition.random_cells else 1)):
        for _ in range(TRIES):
            state = game.start(setup)
            for _ in range(plies):
                if state.is_over:
                    break
                state = state.play(chance.choice(stone_moves(state)))
            if not state.is_over:
                return state
    raise PlayerError(f"{game.spec} is over within {plies} random plies; choose a shorter opening")


@lru_cache(maxsize=1024)
def _balanced_opening(game: Game, plies: int, seed: int) -> State:
    """A random opening that gives neither side more than a small lead, in the engine's judgement.

    >>> import polyversi as pv
    >>> state = _balanced_opening(pv.game("othello"), 8, seed=1)
    >>> abs(pv.engine("othello").think(state, pv.Limit(depth=8)).best.value) <= 2
    True
    """
    def lead(state: State) -> float:
        # A new engine each time: what one remembers of earlier positions would change its value.
        return Engine(game, megabytes=1).think(state, JUDGED).best.value

    seeds = (random.Random(f"{seed}/{attempt}").getrandbits(32) for attempt in range(OPENINGS_JUDGED))
    return balanced_opening((random_opening(game, plies, one) for one in seeds), lead)


def _positions_of(path: Path, game: Game, games: Sequence[Game], plies: int | None) -> tuple[str, ...]:
    """The positions of a file for one of the games, each of them once."""
    found: dict[str, None] = {}
    for number, state in _states(path, game, plies):
        if state.game != game:
            if state.game not in games:
                played = " and ".join(each.spec for each in games)
                raise RecordError(f"{path.name}: number {number} is of {state.game.spec}, not of {played}")
            continue
        if state.is_over:
            raise RecordError(f"{path.name}: number {number} is a finished game; "
                              f'to start after its first 8 moves write "{path.name} 8"')
        found[state.text] = None
        if len(found) > MAX_POSITIONS:
            raise RecordError(f"{path.name} has more than {MAX_POSITIONS} positions; use a smaller file")
    if not found:
        raise RecordError(f"{path.name} has no position of {game.spec}")
    return tuple(found)


def _states(path: Path, game: Game, plies: int | None) -> Iterator[tuple[int, State]]:
    for number, item in enumerate(read(path, game=game), 1):
        if not isinstance(item, Record):
            yield number, item.state
        elif plies is None:
            yield number, item.final
        elif plies > len(item.moves):
            raise RecordError(f"{path.name}: number {number} has {len(item.moves)} moves, fewer than {plies}")
        else:
            yield number, next(islice(item.states(), plies, None))


@lru_cache(maxsize=16)
def _order(count: int, seed: int) -> Sequence[int]:
    """The numbers below a count, shuffled by a seed."""
    return random.Random(seed).sample(range(count), count)
