"""Logs of Reversi XT servers: what the courses keep of a game, written and recognised."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from polyversi.games.errors import LimitError, RecordError
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.xt import MapSpec
from polyversi.records.formats import Format, Item, by_lines
from polyversi.records.maps import is_on_map, is_told_by_map, map_of, map_spec_of
from polyversi.records.record import MAX_NUMBER, Note, Record, Tags
from polyversi.records.xt_log_reader import decode, offences, player_name

LOOKS = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:Starting game with map\b|game id is \d|set baseport to |Starting Server\.)"
    rb"|^(?:Player [1-8] is |timelimit \d|move \d+: player \d|Loading board from file )", re.MULTILINE)
"""How a log begins, or what stands in it soon after a map that it begins with."""
NAMED = re.compile(r"(.+) \((group [0-9]{1,2})\)")
"""The name of a client that has a name beside its group."""
REASON = re.compile(r"(?:; |\A)seat ([1-8]): ")
MAX_SECONDS = 1_000_000
MAX_NAME = 200
"""Letters of a name or a reason; the rest is left out."""


def write(record: Record) -> str:
    """The log of a game, without the end of its last line; `FORMAT.fit` has accepted it.

    >>> from polyversi.games.xt import xt_game
    >>> from polyversi.games.xtmap import XtMap
    >>> game = xt_game(XtMap.parse("2 0 0 0  1 3  0 1 2"), "xt:tiny")
    >>> players, time = ("Ann (group 6)", "random"), ("time", "bank=2,increment=2")
    >>> record = Record(game.start(), (game.move("0,0"),), players, (time,), (Note(seconds=0.5),))
    >>> print(write(record))
    Starting game with map "tiny"
    2
    0
    0 0
    1 3
    0 1 2
    Player 1 is group 6 (Ann)
    Player 2 is random
    timelimit 2, depthlimit 0
    Game started.
    move 0: player 2 moved (0,0,0). time left: 1500 msecs
    reached terminal phase
    Scores:
    Player 1: 0 points
    Player 2: 3 points
    reached final phase
    Scores:
    Player 1: 0 points
    Player 2: 3 points
    """
    limit, date = limit_of(record), record.tag("date")
    head = [f"game id is {record.tag('round')}"] if record.tag("round") else []
    head += [f'Starting game with map "{_map_name(record)}"', map_of(record.game).text.rstrip("\n")]
    head += [f"Player {seat} is {_written_name(name)}" for seat, name in enumerate(record.players, 1) if name]
    seconds = f"{limit.bank or 0:.3f}".rstrip("0").rstrip(".")
    head.append(f"timelimit {seconds}, depthlimit {limit.depth or 0}")
    head.append(f"[{date}] Game started." if date else "Game started.")
    return "\n".join([*head, *_events(record, limit)])


def limit_of(record: Record) -> Limit:
    """The limit in the tag `time`, if it is one that a server of Reversi XT gives; otherwise none.

    >>> import polyversi as pv
    >>> start = pv.game("xt:torus").start()
    >>> limit_of(Record(start, tags=(("time", "bank=2,increment=2"),))).bank
    2.0
    """
    try:
        limit = Limit.parse(record.tag("time"))
    except LimitError:
        return Limit()
    step, is_growing = limit.bank or 0, limit.bank == (limit.increment or None)
    is_exact = limit.seconds is limit.nodes is None and abs(step - round(step, 3)) < 1e-6
    is_possible = step < MAX_SECONDS and (limit.depth or 0) < 256 and (step or limit.depth)
    return limit if is_growing and is_exact and is_possible else Limit()


def _events(record: Record, limit: Limit) -> Iterator[str]:
    """What happened, line by line."""
    reasons = _reasons(record)
    banks = [0] * record.game.seats
    step = round(1000 * (limit.bank or 0))
    leaving = defaultdict[int, list[int]](list)
    for ply, seat in record.disqualified:
        leaving[ply].append(seat)
    states, state, is_building = list(record.states()), record.start, True

    def changed(after: State) -> Iterator[str]:
        nonlocal state, is_building
        state = after
        if is_building and state.phase == "bomb":
            is_building = False
            yield from ("reached terminal phase", *_scores(state))

    yield from changed(state)
    for ply, known in enumerate(states):    # the state after the move and all who left with it
        seats = leaving[ply]
        for number, seat in enumerate(seats, 1):
            yield f"Player {seat} disqualified" + (f" ({reasons[seat]})." if seat in reasons else ".")
            yield from changed(known if number == len(seats) else state.disqualify(seat))
        if ply < len(record.moves):
            move, seat, used = record.moves[ply], state.turn, _milliseconds(record, ply)
            x, y = state.board.coordinates[move.cell]
            banks[seat - 1] += step - (used or 0)
            left = f"{banks[seat - 1] if step else 0} msecs"
            spent = "" if step or used is None else f", {used} used"
            yield f"move {ply}: player {seat} moved ({x},{y},{move.special}). time left: {left}{spent}"
            yield from changed(state.play(move) if leaving[ply + 1] else states[ply + 1])
    yield from ("reached final phase", *_scores(state))


def _scores(state: State) -> list[str]:
    rows = [f"Player {seat}: " + ("disqualified" if seat in state.out else f"{score} points")
            for seat, score in enumerate(state.scores, 1)]
    return ["Scores:", *rows]


def _milliseconds(record: Record, ply: int) -> int | None:
    """The time of a move; unknown if it is not possible."""
    seconds = record.notes[ply].seconds if record.notes else None
    return round(1000 * seconds) if seconds is not None and 0 <= seconds <= MAX_NUMBER / 1000 else None


def _map_name(record: Record) -> str:
    return clean(map_spec_of(record.game).map) or MapSpec().map


def _written_name(name: str) -> str:
    """What stands after 'is': the group first, and the name beside it."""
    match = NAMED.fullmatch(clean(name))
    return f"{match[2]} ({match[1]})" if match else clean(name)


def _reasons(record: Record) -> dict[int, str]:
    """Why seats were disqualified, from the comment of a game: 'seat 3: timeout; seat 4: …'."""
    before, *parts = REASON.split(record.tag("comment"))
    found = dict(zip(map(int, parts[::2]), map(clean, parts[1::2]), strict=True))
    if before or len(found) < len(parts) // 2:
        return {}    # it is a comment on something else
    return {seat: found[seat] for _, seat in record.disqualified if found.get(seat)}


def clean(text: str) -> str:
    """A text that is part of a line: printable, its words one space apart, and not too long.

    >>> clean("two\\n  lines")
    'two lines'
    """
    words = "".join(char if char.isprintable() else " " for char in text)[:MAX_NAME]
    return " ".join(words.split())


def holds(game: Game) -> bool:
    """Whether a log can hold games of that kind."""
    return is_on_map(game) and is_told_by_map(game)


def _fit(item: Item) -> Record:
    """The game as it comes back when its log is read."""
    if not isinstance(item, Record):
        raise RecordError("a log holds games, not positions")
    game = item.game
    if not holds(game):
        raise RecordError(f"a log holds games of XT in which the most stones win, not {game.spec}")
    if item.start != game.start():
        raise RecordError("a log cannot store where a game began; this one does not begin as its map does")
    if not item.final.is_over:
        raise RecordError("a log holds games that were played to their end")
    limit = limit_of(item)
    names = tuple(player_name(_written_name(name)) if name else "" for name in item.players)
    times = [_milliseconds(item, ply) for ply in range(len(item.moves))]
    if limit.bank:
        times = [used or 0 for used in times]
    notes = tuple(Note(seconds=None if used is None else used / 1000) for used in times)
    return Record.played(
        tuple(item.states()), start=item.start, moves=item.moves, players=names,
        tags=_kept_tags(item, limit), notes=notes, disqualified=item.disqualified)


def _kept_tags(record: Record, limit: Limit) -> Tags:
    """The tags that a log has a place for."""
    reasons = _reasons(record)
    tags = {"time": str(limit) if limit != Limit() else "", "comment": offences(reasons.items())}
    for name, pattern in (("round", r"[0-9]{1,9}"), ("date", r"[0-9]{4}-[0-9]{2}-[0-9]{2}[0-9:.TZ+-]*")):
        tags[name] = record.tag(name) if re.fullmatch(pattern, record.tag(name), re.ASCII) else ""
    return tuple((name, text) for name, text in tags.items() if text)


FORMAT = Format(
    name="xt-log",
    suffixes=(".log",),
    sentence="The log of a Reversi XT server: whole games with groups, times and disqualifications.",
    looks=lambda head: LOOKS.search(head) is not None,
    decode=decode,
    fit=_fit,
    encode=by_lines(write),
    label="text log",
    holds=holds,
    needs_end=True,
)
