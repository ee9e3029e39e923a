"""What the explorer counts of games: every position with the move that was played, and how that ended."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from polyversi._core import Move
from polyversi.games.board import printable, shorten
from polyversi.games.game import Game
from polyversi.games.result import rank
from polyversi.games.state import State
from polyversi.records import Record, jsonl
from polyversi.records.position_keys import KEY_BYTES, keys_of

YEAR = re.compile(r"[0-9]{4}", re.ASCII)
MAX_NAME = 80
"""Characters that are kept of a name."""
SAMPLES = 4
"""Games that are kept as examples of a move, the last ones that were counted."""
SAMPLE_DIGITS = 7
"""Hexadecimal digits of the number of such a game."""
WIN, DRAW, LOSS, NONE = range(4)
"""How a game ended for whoever moved, if it ended."""


@dataclass(frozen=True)
class Facts:
    """What is kept of a game besides its positions."""

    key: bytes
    """The same for the same game, so that it is counted once."""
    players: tuple[str, ...]
    event: str
    year: int | None
    scores: tuple[int, ...]
    """The stones of each seat at the end, as far as they are known."""


class Ending(NamedTuple):
    """How a game ended for each seat."""

    results: tuple[int, ...]
    """One of WIN, DRAW, LOSS and NONE."""
    margins: tuple[float, ...]
    """Stones ahead of the best of the others, where fewest win those that are fewer; NaN if not known."""


def facts_of(record: Record, id: str = "") -> Facts:
    """What is kept of a game; without an id, equal records are the same game.

    >>> game = Record.of("othello", "f5d6").with_values(players=("Ann", "Bob"), tags=(("date", "2019-10"),))
    >>> facts_of(game).players, facts_of(game).year, facts_of(game).key == facts_of(game).key
    (('Ann', 'Bob'), 2019, True)
    """
    year = YEAR.match(record.tag("date"))
    known = record.outcome.scores if record.outcome else ()
    *players, event = (printable(shorten(name, MAX_NAME)) for name in (*record.players, record.tag("event")))
    key = key_of_id(id) if id else _key_of_content(record)
    return Facts(key, tuple(players), event, int(year[0]) if year else None,
                 known or record.final.scores)


def key_of_id(id: str) -> bytes:
    """The key of the game of a store that has this id."""
    return _hashed(f"id {id}")


def _key_of_content(record: Record) -> bytes:
    """The same for records of the same game: players, event, date, round, start, moves and outcome."""
    tags = tuple((name, text) for name, text in record.tags if name in ("event", "date", "round", "time"))
    return _hashed(jsonl.write(record.with_values(tags=tags, notes=(), variations=())))


def _hashed(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=KEY_BYTES).digest()


def ending_of(record: Record) -> Ending:
    """How a game ended, on the board or as it is recorded; nothing is known of one that was broken off.

    >>> ending_of(Record.of("othello", "f5d6")).results == (NONE, NONE)
    True
    >>> won = Record.of("othello-4", "c4b4a1b1a4d4d2d3d1a3c1a2")
    >>> won.final.scores, ending_of(won)
    ((13, 3), Ending(results=(0, 2), margins=(10.0, -10.0)))
    """
    game, outcome, result = record.game, record.outcome, record.result
    if outcome is not None and outcome.reason == "aborted":
        return _unknown(game)
    margins = (float("nan"),) * game.seats
    if outcome is not None and outcome.margin is not None:
        margins = (float(outcome.margin), -float(outcome.margin))
    elif outcome is not None and outcome.scores:
        margins = _margins(game, outcome.scores)
    elif result is not None:
        margins = _margins(game, record.final.credited_scores)
    if outcome is not None and outcome.ranks:
        ranks = outcome.ranks
    elif outcome is not None and outcome.margin is not None:
        ranks = rank(tuple(int(1000 * margin) for margin in margins), "most")
    elif outcome is not None and outcome.scores:
        ranks = rank(outcome.scores, game.definition.goal)
    elif result is not None:
        ranks = result.ranks
    else:
        return _unknown(game)
    won = DRAW if ranks.count(1) > 1 else WIN
    return Ending(tuple(won if place == 1 else LOSS for place in ranks), margins)


def _unknown(game: Game) -> Ending:
    return Ending((NONE,) * game.seats, (float("nan"),) * game.seats)


def _margins(game: Game, scores: Sequence[int]) -> tuple[float, ...]:
    sign = 1 if game.definition.goal == "most" else -1
    return tuple(float(min(sign * (own - other) for at, other in enumerate(scores) if at != seat))
                 for seat, own in enumerate(scores))


class Row(NamedTuple):
    """What is counted of a move in a position, as the database has it."""

    key: bytes
    move: int
    games: int
    wins: int
    draws: int
    losses: int
    scored: int
    """Games whose margin is known."""
    total: float
    """The sum of these margins for whoever moved."""
    samples: str
    """The numbers of the last games, the last first."""


class Counts:
    """The positions of many games of one variant, counted all at once."""

    def __init__(self) -> None:
        self._states: list[State] = []
        self._moves: list[Move] = []
        self._results: list[int] = []
        self._margins: list[float] = []
        self._games: list[int] = []

    def __len__(self) -> int:
        return len(self._states)

    def add(self, record: Record, number: int) -> None:
        """Takes in a game that has this number; games come in the order of their numbers."""
        results, margins = ending_of(record)
        for state, move in record:
            seat = state.turn - 1
            self._states.append(state)
            self._moves.append(move)
            self._results.append(results[seat])
            self._margins.append(margins[seat])
            self._games.append(number)

    def rows(self) -> list[Row]:
        """What was counted, by keys and moves."""
        if not self._states:
            return []
        keys, moves = keys_of(self._states, self._moves)
        words = np.frombuffer(b"".join(keys), ">u8").astype(np.uint64).reshape(-1, 2)
        order = np.lexsort((np.array(self._games), moves, words[:, 1], words[:, 0]))
        words, moves = words[order], moves[order]
        is_new = (np.diff(words, axis=0) != 0).any(axis=1) | (np.diff(moves) != 0)
        starts = np.concatenate([[0], np.flatnonzero(is_new) + 1])
        results = np.array(self._results)[order]
        margins = np.array(self._margins)[order]
        known = ~np.isnan(margins)

        def summed(values: NDArray[np.generic]) -> list[int]:
            return cast("list[int]", np.add.reduceat(values.astype(np.int64), starts).tolist())

        ends = np.append(starts[1:], len(order))
        games = [f"{number:0{SAMPLE_DIGITS}x}" for number in np.array(self._games)[order].tolist()]
        samples = ["".join(games[max(start, end - SAMPLES):end][::-1])
                   for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        return [Row(*row) for row in zip(
            [keys[at] for at in order[starts].tolist()], moves[starts].tolist(), (ends - starts).tolist(),
            summed(results == WIN), summed(results == DRAW), summed(results == LOSS), summed(known),
            np.add.reduceat(np.where(known, margins, 0.0), starts).tolist(), samples, strict=True)]
