"""The messages of the arena view: what sets a series up, what controls it, and how it stands."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from polyversi.server.messages import Token
from polyversi.server.new_game import Short

MAX_DELAY = 60.0
MAX_ROUNDS = 1_000

Delay = Annotated[float, Meta(ge=0, le=MAX_DELAY)]
Phase = Literal["ready", "running", "paused", "stopped", "over"]
Winner = Literal[0, 1, "draw"] | None
"""The player who won more rounds, or `draw`; None until all are played."""


class NewSeries(Struct, frozen=True, forbid_unknown_fields=True):
    """What a visitor wants to see played."""

    spec: Short
    players: Annotated[list[Short], Meta(min_length=2, max_length=2)]
    delay: Delay = 1.0
    """Seconds between two moves."""
    next_delay: Delay | None = None
    """The same from the second round on; None changes nothing."""
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] = 1
    tournament: bool = False
    """Ten games in place of these rounds; stored series and the page's programs know it by this name."""


class Control(Struct, frozen=True, tag="control", tag_field="type"):
    """What whoever set a series up does with it."""

    token: Token
    do: Literal["start", "pause", "step", "stop"] | None = None
    delay: Delay | None = None
    """Counts at once."""
    next_delay: Delay | UnsetType | None = UNSET
    """Counts from the next round on; None takes it back."""


class SeriesStanding(Struct, frozen=True):
    """How a series stands, for lists; of an early stored one not everything is known."""

    id: str
    players: tuple[str, str]
    phase: Phase
    round: int
    """The current round from 1; 0 before the first."""
    rounds: int | UnsetType = UNSET
    wins: tuple[int, int] | UnsetType = UNSET
    """By player, as the stones."""
    stones: tuple[int, int] | UnsetType = UNSET
    draws: int | UnsetType = UNSET
    winner: Winner | UnsetType = UNSET


class Rounds(Struct, frozen=True, tag="rounds", tag_field="type"):
    """Everything that the arena view shows of a series."""

    id: str
    players: tuple[str, str]
    phase: Phase
    round: int
    """The current round from 1; 0 before the first."""
    rounds: int
    wins: tuple[int, int]
    """By player, as the stones."""
    stones: tuple[int, int]
    draws: int
    winner: Winner
    spec: str
    title: str
    tournament: bool
    delay: float
    """Seconds between two moves."""
    next_delay: float | None
    """The same from the next round on; None where that changes nothing."""
    seats: tuple[int, int]
    """For each seat of the current round, which of the players has it."""
    game: str | None
    """The game of the current round."""
    games: list[str]
    """The games of the rounds so far."""
