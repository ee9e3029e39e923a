"""Recognises what visitors paste or open: games, a position, or an XT map, in any of our formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from polyversi.gameplay.events import Event
from polyversi.games.board import printable, shorten
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.variants import game as named
from polyversi.records import HEAD, Problem, parse, problems, transcript, xt_log
from polyversi.records.formats import Item
from polyversi.records.maps import embedded_map, is_on_map, map_of
from polyversi.server import catalogue
from polyversi.server.downloads import BOUNDS, stored_games
from polyversi.server.responses import MAX_BODY
from polyversi.storage.stored import StoredGame

MAX_LOG = 8 << 20
"""Bytes of the log of an XT server, which draws the board after each move: 2,700 moves on 50 by 50 cells."""
MAX_LINES = 200
"""Lines of a text that are looked at one by one; a file in one of our formats may have more."""


@dataclass(frozen=True)
class Pasted:
    """What a text turned out to be: one of these is set."""

    games: tuple[tuple[StoredGame, tuple[Event, ...]], ...] = ()
    state: State | None = None
    """A position to set up."""
    map: str = ""
    """The text of an XT map."""


def recognise(content: bytes, current: Game | None = None) -> Pasted:
    """What a text or a file holds; where it does not name its game, that of the visitor's page comes first.

    >>> import polyversi as pv
    >>> recognise(b"f5d6c3").games[0][0].spec, recognise(b"-----OX--XO----- X").state.text
    ('othello', '-----OX--XO----- X')
    >>> recognise(b"-----OX--XO----- X", pv.game("anti-4")).state.game.spec
    'anti-4'
    """
    if len(content) > MAX_BODY:
        return _long_log(content, current)
    text = content.decode("utf-8-sig", errors="replace")
    if not text.strip():
        raise RecordError("there is nothing in it; copy a game, a position or a map first")
    if (found := _titled(text)) or (found := _position(text, current)):
        return found
    try:
        return _of_items(parse(content, game=_map_for(content, current), bounds=BOUNDS))
    except PolyversiError as error:
        if current is not None and (found := _moves(text, current)):
            return found
        raise RecordError(_sentence(text, error)) from None


def _long_log(content: bytes, current: Game | None) -> Pasted:
    """A log that is read line by line: as one text, its lines and words would take many times its size."""
    try:
        return _of_items(parse(content, xt_log.FORMAT.name, game=_map_for(content, current), bounds=BOUNDS))
    except PolyversiError as error:
        raise RecordError(shorten(printable(str(error)), 300)) from None


def _map_for(content: bytes, current: Game | None) -> Game | None:
    """The game that is shown, for the log of an XT server, which may not hold its map."""
    return current if is_log(content) and current is not None and is_on_map(current) else None


def is_log(begun: bytes | bytearray) -> bool:
    """Whether a file that begins so is the log of an XT server.

    >>> is_log(b"game id is 7"), is_log(b"f5d6c3")
    (True, False)
    """
    return xt_log.FORMAT.looks(bytes(begun[:HEAD]))


def _sentence(text: str, error: PolyversiError) -> str:
    """Why a text cannot be opened; what looks like nothing we know is told what would be right."""
    said = str(error)
    is_known = "known formats" not in said and any(character in text for character in "{(;-.0123456789")
    if is_known:
        return shorten(printable(said), 300)
    *others, last = catalogue.texts().pasted
    return f"this is neither a game, a position nor a map; paste {', '.join(others)} or {last}"


def _of_items(items: Iterable[Item]) -> Pasted:
    """The games among the items; or else the first position, or a map, which is a game without moves."""
    found = iter(items)
    first = next(found, None)
    if isinstance(first, Problem):
        return Pasted(state=first.state)
    if first is None:
        raise RecordError("there is no game in it")
    if not (first.moves or first.disqualified) and is_on_map(first.game) and embedded_map(first.game):
        return Pasted(map=map_of(first.game).text)
    return Pasted(games=tuple(stored_games(_with(first, found))))


def _with(first: Item, rest: Iterator[Item]) -> Iterator[Item]:
    yield first
    yield from rest


def _titled(text: str) -> Pasted | None:
    """A text that begins with the name of its game, as the page saves games: then moves, or a position."""
    head, *lines = (line.strip() for line in islice(text.strip().splitlines(), MAX_LINES))
    try:
        game = named(head, files=False)
    except PolyversiError:
        return None
    if len(head) > BOUNDS.tiles or not lines:
        return None
    by_moves = [found for line in lines if line and (found := _moves(line, game))]
    if by_moves:
        return max(by_moves, key=lambda found: len(found.games[0][1]))
    state = next((state for line in lines if line and (state := _read(line, game))), None)
    return None if state is None else Pasted(state=state)


def _moves(text: str, game: Game) -> Pasted | None:
    """A transcript of this game."""
    try:
        BOUNDS.check(game.board.size, len(text) // 2)
        return Pasted(games=tuple(stored_games([transcript.parse(text, game.start())])))
    except PolyversiError:
        return None


def _position(text: str, current: Game | None) -> Pasted | None:
    """A single position line: of the game that is shown, or else of the first one that it fits."""
    line = " ".join(text.split())
    if len(line) > 2 * BOUNDS.tiles or line[0] in "{(":
        return None
    state = _read(line, current) if current is not None else None
    if state is None and " " in line:
        size = len(line.partition(" ")[0])
        state = next((found for spec in _specs() if named(spec, files=False).board.size == size
                      and (found := _read(line, named(spec, files=False)))), None)
    return None if state is None else Pasted(state=state)


def _read(line: str, game: Game) -> State | None:
    try:
        return problems.position(line, game)
    except PolyversiError:
        return None


@lru_cache(maxsize=1)
def _specs() -> tuple[str, ...]:
    """The games of the catalogue in its order."""
    return tuple(variant.spec for family in catalogue.families() for variant in family.variants)


def to_json(pasted: Pasted) -> dict[str, object]:
    """What the page is told: the ids of games, the position with its game, or the map."""
    if pasted.state is not None:
        game = pasted.state.game
        chart = embedded_map(game)
        return {"spec": "" if chart else game.spec, "map": chart, "position": pasted.state.text}
    return {"map": pasted.map} if pasted.map else {"games": [stored.id for stored, _ in pasted.games]}
