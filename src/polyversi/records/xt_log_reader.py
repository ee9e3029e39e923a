"""Reads logs of Reversi XT servers, and checks every board, stock and score in them against the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PureWindowsPath
from typing import BinaryIO

from polyversi._core import Move
from polyversi.games.errors import PolyversiError, RecordError, VariantError
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.tiles import XT_SYMBOLS
from polyversi.games.xt import MapSpec, read_map, xt_game
from polyversi.games.xtmap import MAX_TEXT, XtMap
from polyversi.records.formats import Context, numbered_lines
from polyversi.records.maps import check_map_size, is_on_map, named_game
from polyversi.records.record import Note, Record, read_move

FIRST = re.compile(r"Starting game with map\b|game id is \d|Starting Server\.")
"""A line with which a game begins, unless it has begun already."""
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
MAP_LINE = re.compile(r"[0-9cibx<>\s-]+", re.ASCII)
"""A line of a map: numbers, tiles and transitions."""
ROW = re.compile(r"[0-8cibx-]+")
"""A row of a board."""
GROUP = re.compile(r"(group [0-9]{1,2}) \((.+)\)")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[0-9:.TZ+-]*", re.ASCII)
MAX_NAME = 200
"""Letters of a name, with its group."""
TILES = bytes(ord(XT_SYMBOLS.get(tile, "?")) for tile in range(256))
"""Of tiles into the characters of a log."""


def decode(stream: BinaryIO, context: Context) -> Iterator[Record]:
    """The games of a log, one after another; after one that cannot be read, the next one follows."""
    game, number, is_empty = _LoggedGame(context), 0, True
    for number, line in numbered_lines(stream):
        text = line.decode("utf-8", "replace")
        if "\x1b" in text:
            text = COLOURS.sub("", text)
        text = text.strip().removeprefix("\ufeff")
        if FIRST.match(text) and (game.is_lost or game.has_begun):
            game.end(f"line {number}: another game begins here")
            game = _LoggedGame(context)
        try:
            record = game.take(number, text)
        except PolyversiError as error:
            game.is_lost, is_empty = True, False
            context.failed(RecordError(f"line {number}: {error}"))
            continue
        if record is not None:
            yield record
            game, is_empty = _LoggedGame(context), False
    if game.has_begun or game.has_map:
        game.end(f"line {number}: the log ends here")
    elif is_empty:
        context.failed(RecordError("there is no game in this log; it should have lines such as "
                                   "'move 0: player 1 moved (3,4,0). time left: 1500 msecs'"))


def player_name(text: str) -> str:
    """The name of a player, from what a log says that it is.

    >>> player_name("group 6 (Ann)"), player_name("group 6"), player_name("random")
    ('Ann (group 6)', 'group 6', 'random')
    """
    match = GROUP.fullmatch(text)
    return f"{match[2]} ({match[1]})" if match else text


def offences(reasons: Iterable[tuple[int, str]]) -> str:
    """Why seats were disqualified, as it stands in the comment of a game.

    >>> offences([(3, "timeout"), (1, "crash")])
    'seat 3: timeout; seat 1: crash'
    """
    return "; ".join(f"seat {seat}: {reason}" for seat, reason in reasons if reason)


class _LoggedGame:
    """One game of a log, as far as it has been read.

    The courses' server writes a log with its map, and another one to the terminal, which only names the file
    of the map; both are read. Lines of other kinds are left out.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self.is_lost = False
        """Whether the rest of it is left out, since something in it was wrong."""
        self._tags: dict[str, str] = {}
        self._map_name, self._map_line, self._map_size = "", 0, 0
        self._map: list[str] = []
        self._players: dict[int, str] = {}
        self._step, self._depth = 0, 0
        self._states: list[State] = []
        self._moves: list[Move] = []
        self._times: list[int | None] = []
        self._disqualified: list[tuple[int, int]] = []
        self._reasons: list[tuple[int, str]] = []
        self._rows: list[str] | None = None
        self._scores_left = 0
        self._is_final = False

    @property
    def has_begun(self) -> bool:
        """Whether anything has happened in it."""
        return bool(self._states)

    @property
    def has_map(self) -> bool:
        """Whether its map is known, or the name of one."""
        return bool(self._map or self._map_name)

    def end(self, where: str) -> None:
        """Says that it ends too soon, unless something else was wrong before."""
        if not self.is_lost:
            moves = f"{len(self._moves)} move{'' if len(self._moves) == 1 else 's'}"
            self._context.failed(RecordError(f"{where}, but the game has not ended after {moves}"))

    def take(self, number: int, line: str) -> Record | None:
        """Takes in a line; the record of the game when it was the last one."""
        if self.is_lost:
            return None
        if self._rows is not None:
            if ROW.fullmatch(line):
                if len(self._rows) <= self._game.board.height:
                    self._rows.append(line)
                return None
            self._check_board(self._rows)
            self._rows = None
        if not self._states and MAP_LINE.fullmatch(line):
            self._take_map_line(number, line)
            return None
        if len(line) >= SHORTEST:
            for pattern, take in KINDS:
                if match := pattern.match(line):
                    take(self, *match.groups())
                    break
        return self._record() if self._is_final and self._scores_left == 0 else None

    # The map.

    def _take_map_line(self, number: int, line: str) -> None:
        self._map_line = self._map_line or number
        self._map_size += len(line) + 1
        if self._map_size <= MAX_TEXT + 1:
            self._map.append(line)

    def _begin(self) -> State:
        """The state now, which is the start of the game when nothing has happened yet."""
        if not self._states:
            self._game = self._find_game()
            self._banks = [0] * self._game.seats
            board = self._game.board
            self._places = [y * board.width + x for x, y in board.coordinates]
            self._states.append(self._game.start())
        return self._states[-1]

    def _find_game(self) -> Game:
        spec = str(MapSpec(self._map_name) if self._map_name else MapSpec())
        if self._map:
            text = "\n".join(self._map)
            try:
                check_map_size(text.encode(), self._context.max_tiles)
                chart = XtMap.parse(text)
            except PolyversiError as error:
                raise RecordError(f"the map that begins in line {self._map_line} is wrong: {error}") from None
            game = xt_game(chart, spec)
            try:
                known = named_game(spec)
            except VariantError:
                return game
            return known if known == game else game
        given = self._context.game
        if given is not None:
            if not is_on_map(given):
                raise RecordError(f"this is a log of Reversi XT; {given.spec} is another game")
            return given
        return xt_game(read_map(self._map_file()), spec)

    def _map_file(self) -> Path:
        """The file beside the log with the name of the map, where the log holds no map itself."""
        if not self._map_name:
            raise RecordError("the log has no map before this line")
        path, name = self._context.path, f"{self._map_name}.map"
        if path is None:
            raise RecordError(f"the log does not hold its map; put the text of {name} in front of it")
        if not name.startswith(".") and (path.parent / name).is_file():
            return path.parent / name
        raise RecordError(f"the log does not hold its map; put the file {name} beside the log, or name it as "
                          f"the variant, {MapSpec(f'path/to/{name}')}")

    # The kinds of lines.

    def _take_id(self, text: str) -> None:
        self._tags["round"] = text

    def _take_map_name(self, text: str | None) -> None:
        name = PureWindowsPath(text or "").name    # it knows both kinds of slashes
        self._map_name = name.removesuffix(".map")[:MAX_NAME]

    def _take_player(self, seat: str, text: str) -> None:
        if len(text) <= MAX_NAME:
            self._players[int(seat)] = player_name(text)

    def _take_limits(self, seconds: str, depth: str) -> None:
        self._step, self._depth = round(1000 * float(seconds)), int(depth)

    def _take_start(self, when: str | None) -> None:
        if when and DATE.fullmatch(when):
            self._tags["date"] = when

    def _take_board(self) -> None:
        self._begin()
        self._rows = []

    def _take_stocks(self, seat: str, overrides: str, bombs: str) -> None:
        state, place = self._begin(), self._seat(seat) - 1
        if (state.overrides[place], state.bombs[place]) != (int(overrides), int(bombs)):
            raise RecordError(f"player {seat} has {overrides} overrides and {bombs} bombs here; by the rules "
                              f"it has {state.overrides[place]} and {state.bombs[place]}")

    def _take_request(self, seat: str, depth: str, left: str) -> None:
        self._check_turn(seat)
        if not self._moves and not self._disqualified:
            self._step, self._depth = max(0, int(left)), int(depth)
        # The time of this move is in the bank of a request; `_take_move` adds it where there is no request.
        self._banks[int(seat) - 1] = int(left) - self._step

    def _take_move(self, seat: str, x: str, y: str, special: str, left: str, used: str | None) -> None:
        state = self._check_turn(seat)
        choice = f":{int(special)}" if state.phase == "build" else ""    # it means nothing beside a bomb
        move = read_move(state.game, f"{int(x)},{int(y)}{choice}")
        if self._context.bounds is not None:
            self._context.bounds.check(state.board.size, len(self._moves) + 1)
        self._states.append(state.play(move))
        self._moves.append(move)
        place, spent = int(seat) - 1, None if used is None else int(used)
        if self._step:
            spent = self._banks[place] + self._step - int(left)
            self._banks[place] = int(left)
        self._times.append(spent if spent is None or spent >= 0 else None)

    def _take_disqualification(self, seat: str, reason: str | None) -> None:
        state = self._begin()
        if self._seat(seat) in state.out:
            return    # the courses' server says so twice
        try:
            self._states[-1] = state.disqualify(int(seat))
        except ValueError as error:
            raise RecordError(f"player {seat} cannot be disqualified: {error}") from None
        self._disqualified.append((len(self._moves), int(seat)))
        self._reasons.append((int(seat), reason or ""))

    def _take_end_of_building(self) -> None:
        state = self._begin()
        if state.phase != "bomb":
            raise RecordError(f"building ends here, but player {state.turn} can still move")

    def _take_end(self) -> None:
        state = self._begin()
        if not state.is_over:
            deed = "move" if state.phase == "build" else "throw a bomb"
            raise RecordError(f"the game ends here, but player {state.turn} can still {deed}")
        self._is_final, self._scores_left = True, self._game.seats

    def _take_scores(self) -> None:
        self._begin()
        self._scores_left = self._game.seats

    def _take_score(self, seat: str, points: str | None) -> None:
        if self._scores_left == 0:
            return
        state, score = self._begin(), self._begin().scores[self._seat(seat) - 1]
        if (points is None) != (int(seat) in state.out):
            raise RecordError(f"player {seat} is {'not ' if points is None else ''}disqualified by the lines "
                              "above")
        if points is not None and int(points) != score:
            raise RecordError(f"player {seat} has {points} points here; by the rules it has {score}")
        self._scores_left -= 1

    # Checks.

    def _seat(self, text: str) -> int:
        if not 1 <= int(text) <= self._game.seats:
            raise RecordError(f"there is no player {text}; the map is for {self._game.seats} players")
        return int(text)

    def _check_turn(self, seat: str) -> State:
        state = self._begin()
        if state.is_over:
            raise RecordError(f"player {seat} is to move, but the game is over")
        if self._seat(seat) != state.turn:
            raise RecordError(f"player {seat} is to move, but it is the turn of player {state.turn}")
        return state

    def _check_board(self, rows: list[str]) -> None:
        """Compares a board; one that is drawn in another way than the map's is left out."""
        board, state = self._game.board, self._states[-1]
        if len(rows) != board.height or any(len(row) != board.width for row in rows):
            return
        whole = "".join(rows).encode()
        shown, tiles = bytes(map(whole.__getitem__, self._places)), state.tiles.translate(TILES)
        if shown != tiles:
            cell = next(cell for cell in range(board.size) if shown[cell] != tiles[cell])
            x, y = board.coordinates[cell]
            raise RecordError(f"the board above has {chr(shown[cell])!r} at ({x},{y}); by the rules it is "
                              f"{chr(tiles[cell])!r}")

    def _record(self) -> Record:
        seats = range(1, self._game.seats + 1)
        limit = Limit(bank=self._step / 1000 or None, increment=self._step / 1000, depth=self._depth or None)
        time = str(limit) if limit != Limit() else ""
        tags = self._tags | {"comment": offences(self._reasons), "time": time}
        return Record.played(
            self._states, start=self._game.start(), moves=tuple(self._moves),
            players=tuple(self._players.get(seat, "") for seat in seats),
            tags=tuple((name, text) for name, text in tags.items() if text),
            notes=tuple(Note(seconds=None if spent is None else spent / 1000) for spent in self._times),
            disqualified=tuple(self._disqualified),
        )


SHORTEST = len("Board:")
"""Characters of the shortest line of any kind; so a file of tiny lines takes no longer than others."""
NUMBER, SIGNED = r"([0-9]{1,9})", r"(-?[0-9]{1,12})"
KINDS = tuple((re.compile(pattern, re.ASCII), take) for pattern, take in (
    (rf"Player ([0-9]) has {NUMBER} overrides and {NUMBER} bombs", _LoggedGame._take_stocks),
    (rf"Sending move request to player ([0-9]) with depth {NUMBER}, time left: {SIGNED} msecs",
     _LoggedGame._take_request),
    (rf"(?:Answer from player (?=[0-9] for move [0-9]+ was)|move [0-9]+: player )([0-9])"
     rf"(?: for move [0-9]+ was \(x,y,c\) =| moved) \({NUMBER},{NUMBER},{NUMBER}\)[.;] time left: "
     rf"{SIGNED} msecs(?:, {NUMBER} used)?", _LoggedGame._take_move),
    (r"(?:Board|Current board|Current map):$", _LoggedGame._take_board),
    (rf"Player ([0-9]): (?:{NUMBER} points|disqualified)", _LoggedGame._take_score),
    (r"Scores:$", _LoggedGame._take_scores),
    (r"(?:Player |disqualified player )(?=[0-9](?: disqualified| \())([0-9])(?: disqualified)?\.?"
     r"(?: \((.*)\))?", _LoggedGame._take_disqualification),
    (r"reached terminal phase|Terminal state reached", _LoggedGame._take_end_of_building),
    (r"reached final phase|Final state reached", _LoggedGame._take_end),
    (r"Player ([0-9]) is (.+)", _LoggedGame._take_player),
    (r"Waiting for group id of client ([0-9])\.\.\.OK\. Group ID is ([0-9]{1,2})\.", lambda self, seat, group:
     self._take_player(seat, f"group {group}")),
    (r"game id is ([0-9]{1,9})$", _LoggedGame._take_id),
    (r'(?:Loading board from file|Starting game with map)(?: "(.*)")?', _LoggedGame._take_map_name),
    (r"timelimit ([0-9]{1,6}(?:\.[0-9]{1,9})?), depthlimit ([0-9]{1,3})", _LoggedGame._take_limits),
    (r"(?:\[(.*)\] )?Game started", _LoggedGame._take_start),
))
"""How each kind of line is written, and what takes its parts; the most frequent kinds come first."""
