"""Games to take away: records, text and pictures of any game at any move, and records that come in."""

from __future__ import annotations

import asyncio
import io
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from polyversi.drawing.palette import COLOURS
from polyversi.gameplay.events import Event
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.verdict import Verdict
from polyversi.games.board import printable, shorten
from polyversi.games.errors import RecordError
from polyversi.players import NO_LIMIT
from polyversi.records import Bounds, Format, Record, offered_formats, write
from polyversi.records.formats import Item
from polyversi.records.pictures import gif, png, svg
from polyversi.server.new_game import MAX_TILES, new_stored_game
from polyversi.server.policy import RoomPolicy
from polyversi.server.summaries import summed_up
from polyversi.server.workshop import Workshop
from polyversi.storage.games import StoredGame, StoredSeat
from polyversi.storage.stored import PlayedGame, Summary

MAX_GAMES = 50
"""Games that are taken from one file."""
PICTURES = {"svg": 1.0, "png": 1.0, "gif": 20.0}
"""Those that are drawn, and seconds that each may take."""
MAX_WORKERS = 2
"""Processes that draw."""
FRAMES, CELLS = 120, 20_000
"""The most frames of a film, and the most cells in all of them together, if that allows two."""
MAX_NAME = 40
"""Characters of a player's name that are kept."""
MAX_CELLS = 32_000_000
"""Cells of all positions of the games in one file: what it costs to play them through."""
BOUNDS = Bounds(MAX_TILES, RoomPolicy.max_events, MAX_CELLS)
MAX_CACHED = 64
"""Downloads that are kept for the next one who asks."""
MAX_CACHED_BYTES = 2_000_000


@dataclass(frozen=True)
class Kind:
    """What a game can be had as."""

    label: str
    """What people read."""
    media_type: str
    format: Format | None = None
    """For records: they have all of its moves."""


def kinds() -> dict[str, Kind]:
    """What a game can be had as: text, records and pictures.

    >>> [(name, kind.label) for name, kind in kinds().items()][:2]
    [('txt', 'Moves as text'), ('jsonl', 'Record (JSON Lines)')]
    """
    return {
        "txt": Kind("Moves as text", "text/plain; charset=utf-8"),
        **{name: Kind(f"Record ({one.label})", one.media_type, one)
           for name, one in offered_formats().items() if not one.needs_end},
        "svg": Kind("Picture (SVG)", "image/svg+xml"),
        "png": Kind("Picture (PNG)", "image/png"),
        "gif": Kind("Animation (GIF)", "image/gif"),
    }


def record_of(log: GameLog, stored: StoredGame) -> Record:
    """A game so far, with its outcome; its pictures have the colours that the page shows."""
    tags = {"date": time.strftime("%Y-%m-%d", time.gmtime(stored.created)), "colours": stored.colours}
    return log.record.with_tags(tuple((name, text) for name, text in tags.items() if text))


def download(record: Record, kind: str, ply: int) -> bytes:
    """The game in one of these kinds; a picture or a text shows it after so many moves."""
    match kind:
        case "svg":
            return svg(record, ply).encode()
        case "png":
            return png(record, ply)
        case "gif":
            return gif(record, frames=max(2, min(FRAMES, CELLS // record.game.board.size)))
        case "txt":
            return _text(record, ply).encode()
    stream = io.BytesIO()
    write([record], stream, offered_formats()[kind].name)
    return stream.getvalue()


def _text(record: Record, ply: int) -> str:
    """The game for reading: who played what, the moves, and the board."""
    state = list(record.states())[ply]
    players = [f"{number}. {name}" for number, name in enumerate(record.players, 1)]
    moves = " ".join(f"{number}. {move}" for number, move in enumerate(record.moves[:ply], 1))
    result = [str(record.result)] if record.result and ply == len(record.moves) else []
    return "\n".join([record.game.spec, *players, "", moves, "", str(state), "", state.text, *result, ""])


def stored_games(items: Iterable[Item]) -> list[tuple[StoredGame, tuple[Event, ...]]]:
    """The games among the items of a file, each as a game that is over, with its events."""
    games: list[tuple[StoredGame, tuple[Event, ...]]] = []
    cells = 0
    for item in items:
        if isinstance(item, Record):
            cells += item.game.board.size * (len(item.moves) + 1)
            if cells > BOUNDS.cells:
                raise RecordError("this file has too many games, or too long ones, to open at once")
            games.append(_stored(item))
        if len(games) == MAX_GAMES:
            break
    if not games:
        raise RecordError("there is no game in this file")
    return games


def past_game(id: str, game: PlayedGame) -> tuple[StoredGame, tuple[Event, ...]]:
    """A game of a contest that is over, as a room shows it under this id."""
    stored, events = _stored(game.record, game.verdict, game.offences)
    seats = tuple(replace(seat, kind="remote") for seat in stored.seats)
    return replace(stored, id=id, seats=seats, created=game.ended, ended=game.ended), events


def _stored(record: Record, verdict: Verdict | None = None,
            offences: Sequence[Verdict] = ()) -> tuple[StoredGame, tuple[Event, ...]]:
    given = record.players or tuple(f"seat {seat}" for seat in range(1, record.game.seats + 1))
    names = tuple(shorten(printable(name), MAX_NAME) for name in given)
    log = _log_of(record, names, verdict, offences)
    seats = [StoredSeat("human", "", name, "") for name in names]
    stored = new_stored_game(record.start, seats, [NO_LIMIT] * record.game.seats)
    colours = record.tag("colours")
    summary = summed_up(log, Summary(colours=colours if colours in COLOURS else ""))
    over = replace(stored, phase="over", ended=stored.created, summary=summary)
    return over, tuple(log.events)


def _log_of(record: Record, names: Sequence[str], verdict: Verdict | None,
            offences: Sequence[Verdict]) -> GameLog:
    """The game as its referee has told it, or would have."""
    why = {offence.seat: offence for offence in offences}
    log, result = GameLog(record.start, is_thin=True), record.result
    log.begin(names, [NO_LIMIT] * record.game.seats)
    for ply in range(len(record.moves) + 1):
        for place, seat in record.disqualified:
            if place == ply:
                log.judge(why.get(seat) or Verdict("disqualified", seat))
        if ply < len(record.moves):
            log.play(record.moves[ply], (record.notes[ply].seconds if record.notes else None) or 0.0)
    if result is not None:
        log.finish(result, verdict)
    else:
        log.abort((record.outcome.reason if record.outcome else "") or "the record ends here")
    return log


class Renderer:
    """Makes downloads and caches the last: text at once, pictures in worker processes so that no game waits.

    Visitors take turns at the workers, and a film leaves one of these to single pictures. A picture that is
    called off is not finished.
    """

    def __init__(self) -> None:
        self._workshop = Workshop(MAX_WORKERS)
        self._cache: OrderedDict[tuple[str, str, int], bytes] = OrderedDict()

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes that make pictures, busy or not."""
        return self._workshop.processes

    async def render(self, name: str, record: Record, kind: str, ply: int | None, visitor: str) -> bytes:
        """A game in one of the kinds of downloads, after so many moves; the name says how far it has come."""
        is_whole = ply is None or kind == "gif" or kind in offered_formats()
        at = len(record.moves) if is_whole else min(ply or 0, len(record.moves))
        key = (name, kind, at)
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        if kind in PICTURES:
            made = await self._workshop.make(partial(download, record, kind, at), visitor, PICTURES[kind])
        else:
            made = await asyncio.to_thread(download, record, kind, at)
        if len(made) <= MAX_CACHED_BYTES:
            self._cache[key] = made
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return made

    def close(self) -> None:
        """Ends the workers."""
        self._workshop.close()
