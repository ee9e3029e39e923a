"""Games in a few words for lists, and positions with everything that may be played in them."""

from __future__ import annotations

import msgspec
from msgspec import Struct, structs

from polyversi.gameplay.log import GameLog
from polyversi.games.state import State
from polyversi.games.variants import title, variant_label
from polyversi.server.messages import LegalMove
from polyversi.server.series_messages import SeriesStanding
from polyversi.storage.stored import GameResult, Phase, SeatKind, StoredGame, Summary

MAX_CELLS = 20_000
"""Cells that one list of moves names; what further moves would turn is told when somebody wants to know."""


class GameSummary(Struct, frozen=True):
    """A game in a list."""

    id: str
    spec: str
    title: str
    variant: str
    """What the variant is called."""
    has_map: bool
    """Whether it is on a map of somebody's own."""
    players: list[str]
    kinds: list[SeatKind]
    phase: Phase
    created: float
    ended: float | None
    series: str
    """The series it belongs to, or nothing."""
    colours: str
    """Other looks of the stones than the board's own."""
    position: str
    plies: int
    scores: tuple[int, ...]
    result: GameResult | None


def summary_of(stored: StoredGame, summary: Summary) -> GameSummary:
    """A game in a list, with what is known of the way it went."""
    return GameSummary(
        id=stored.id,
        spec=stored.spec,
        title=title(stored.spec),
        variant=variant_label(stored.spec),
        has_map=bool(stored.map),
        players=[seat.name for seat in stored.seats],
        kinds=[seat.kind for seat in stored.seats],
        phase=stored.phase,
        created=stored.created,
        ended=stored.ended,
        series=stored.series,
        colours=stored.colours,
        position=summary.position or stored.start,
        plies=summary.plies,
        scores=summary.scores,
        result=summary.result,
    )


class ListedGame(GameSummary, frozen=True):
    """A game in the list, or a series by the game of its round."""

    changed: float | None
    """When something happened in it last."""
    rounds: SeriesStanding | None


def listed(summary: GameSummary, changed: float | None, rounds: SeriesStanding | None = None) -> ListedGame:
    """The entry of a game in a list."""
    return ListedGame(**structs.asdict(summary), changed=changed, rounds=rounds)


def summed_up(log: GameLog, summary: Summary) -> Summary:
    """The summary with how far a game has come, and how it ended if it did."""
    return msgspec.structs.replace(
        summary, position=log.state.text, plies=len(log.plies), scores=log.state.scores,
        result=GameResult.of(log.end) if log.end else None)


def listed_moves(state: State, cells: int = MAX_CELLS) -> list[LegalMove]:
    """Every legal move with what else it changes, for as many as name no more than about so many cells.

    >>> import polyversi as pv
    >>> listed_moves(pv.game("othello").start())[0]
    LegalMove(text='d3', cell=19, special=0, turned=[27])
    """
    listed = []
    named = 0
    for move in state.moves:
        turned: list[int] | None = None
        if move.is_pass:
            turned = []
        elif state.phase == "build" and named < cells:
            turned = list(state.turned(move))
            named += len(turned)
        listed.append(LegalMove(str(move), -1 if move.is_pass else move.cell, move.special, turned))
    return listed
