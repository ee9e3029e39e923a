"""The parsers that are fuzzed: good samples, words they know, and a check that what they read comes back."""

from __future__ import annotations

import io
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import polyversi as pv
from polyversi import records
from polyversi.contest.plan import Plan, PlanError
from polyversi.contest.plan_file import line_of, parse_plan
from polyversi.engines.puzzles import files as puzzle_files
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import MAX_BYTE, XtMap
from polyversi.protocols.xt.frames import FROM_CLIENT, FROM_SERVER, Decoder, Frame, FrameError, Kinds
from polyversi.protocols.xt.frames import encode as encode_frame
from polyversi.records import (
    FORMATS,
    Note,
    Outcome,
    Problem,
    Record,
    ggf,
    jsonl,
    problems,
    transcript,
    wthor,
    xt_log,
)
from polyversi.records.formats import Context
from polyversi.server.messages import FROM_GUEST, FROM_HOST, MessageError, decode, encode

if TYPE_CHECKING:
    from polyversi.games.game import Game

Check = Callable[[bytes], bool]

ROOT = Path(__file__).parents[3]
DAY = date(2026, 1, 1)
GAMES = ("othello-6", "othello", "hex", "hex:side=6,seats=3", "blackhole", "rolit", "othello-10")
SMALL = "3 2 1 1 4 5\n0 0 1 2 -\nc 3 x 1 0\n0 2 3 i 0\nb 0 0 1 2\n0 0 7 <-> 3 0 1\n0 3 4 <-> 0 3 6\n"
START = "---------------------------OX------XO--------------------------- X"
CELLS = tuple(b"a1 f5 F5 d6 e3 z26 j10 a0 i9 55 34 -- pa ps pass".split())


@dataclass(frozen=True)
class Parser:
    """A parser of text or bytes from outside."""

    name: str
    samples: tuple[bytes, ...]
    tokens: tuple[bytes, ...]
    check: Check
    """Whether it reads the input; False when it refuses it with an error of ours."""


@cache
def named(spec: str) -> Game:
    return pv.game(spec)


@cache
def small_xt() -> Game:
    return xt_game(XtMap.parse(SMALL), "xt:small")


def text_of(data: bytes) -> str:
    """The input as text, lone surrogates included; bytes that are not UTF-8 are read as Latin-1."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def check_spec(data: bytes) -> bool:
    text = text_of(data)
    try:
        game = pv.game(text)
    except pv.PolyversiError:
        return False
    assert pv.game(game.spec) == game
    return True


def check_move(data: bytes) -> bool:
    text = text_of(data)
    read = False
    for game in (named("othello"), named("hex"), small_xt()):
        try:
            move = game.move(text)
        except pv.PolyversiError:
            continue
        assert game.move(str(move)) == move
        read = True
    return read


def check_position(data: bytes) -> bool:
    """The first byte chooses the game."""
    text = text_of(data[1:])
    choice = data[0] % (len(GAMES) + 1) if data else 0
    game = named(GAMES[choice]) if choice < len(GAMES) else small_xt()
    loose = None
    with suppress(pv.PolyversiError):
        loose = problems.position(text, game)
    try:
        state = game.position(text)
    except pv.PolyversiError:
        return loose is not None
    assert game.position(state.text) == state == loose
    assert state.is_over == (not state.moves)
    return True


def check_puzzles(data: bytes) -> bool:
    try:
        read = puzzle_files.parse(data)
    except pv.PolyversiError:
        return False
    first = puzzle_files.header_line(read.game, read.header.seed, read.header.command, read.header.date)
    again = "\n".join([first, *map(puzzle_files.puzzle_line, read.puzzles)])
    assert puzzle_files.parse(again.encode()).puzzles == read.puzzles
    return True


def check_transcript(data: bytes) -> bool:
    text = text_of(data)
    read = check_format("transcript")(data)
    for game in (named("othello-6"), named("hex"), small_xt()):
        start = game.start()
        try:
            record = transcript.parse(text, start)
        except pv.PolyversiError:
            continue
        held = FORMATS["transcript"].fit(record)
        assert isinstance(held, Record)
        assert transcript.parse(transcript.write(held), start) == held
        read = True
    return read


def check_format(name: str) -> Check:
    """Reads the input as a file of that format; every item must come back from being written again."""
    form = FORMATS[name]

    def check(data: bytes) -> bool:
        items: list[Record | Problem] = []
        errors: list[pv.RecordError] = []
        with suppress(pv.PolyversiError):
            items.extend(form.decode(io.BytesIO(data), Context(on_error=errors.append)))
        assert all(str(error) for error in errors)
        for item in items:
            held = form.fit(item)
            written = b"".join(form.encode([held]))
            assert list(form.decode(io.BytesIO(written), Context(game=held.game))) == [held]
        return bool(items)

    return check


def check_file(data: bytes) -> bool:
    """Reads the input as a file of any format; everything that is read can be kept as JSON Lines."""
    try:
        items = list(records.parse(data))
    except pv.PolyversiError:
        return False
    assert [jsonl.parse(jsonl.write(item)) for item in items] == items
    return True


def check_wtb(data: bytes) -> bool:
    names = ("???", "Ann", "Bob", "Zoé")
    try:
        games = wthor.Games.parse(data, names, names)
    except pv.PolyversiError:
        return False
    assert games.data()[16:] == data[16:]
    read = False
    for number in range(len(games)):
        try:
            record = games[number]
        except pv.PolyversiError:
            continue
        held = FORMATS["wthor"].fit(record)
        assert isinstance(held, Record)
        (again,) = wthor.games_of([held], DAY)
        assert again == held
        read = True
    return read


def check_names(width: int) -> Check:
    """Reads a .jou or .trn file; the names must come back."""

    def check(data: bytes) -> bool:
        try:
            names = wthor.parse_names(data, width)
        except pv.PolyversiError:
            return False
        fitting = [name for name in names if len(name) < width]
        assert list(wthor.parse_names(wthor.names_data(fitting, width, DAY), width)) == fitting
        return True

    return check


def check_map(data: bytes) -> bool:
    for source in (data, text_of(data)):
        try:
            understood, doubts = XtMap.parse_tolerantly(source)
        except pv.PolyversiError:
            continue
        assert XtMap.parse(understood.text) == understood
        try:
            xt_map = XtMap.parse(source)
        except pv.PolyversiError:
            continue
        assert XtMap.parse(xt_map.text) == xt_map
        assert bool(doubts) == (max(xt_map.overrides, xt_map.bombs) > MAX_BYTE)
        return True
    return False


def check_message(data: bytes) -> bool:
    is_read = False
    for kinds in (FROM_GUEST, FROM_HOST):
        try:
            message = decode(data, kinds)
            line = encode(message)
        except MessageError:
            continue
        except OverflowError:
            continue    # a number in the data of an event that no event of ours has
        assert decode(line, kinds) == message
        is_read = True
    return is_read


def check_frames(data: bytes) -> bool:
    """Checks that input read byte by byte and at once gives the same, and is written back unchanged."""
    is_read = False
    for kinds in (FROM_CLIENT, FROM_SERVER):
        whole, is_sound = decoded(kinds, [data])
        assert (whole, is_sound) == decoded(kinds, [data[at : at + 1] for at in range(len(data))])
        written = b"".join(map(encode_frame, whole))
        assert data.startswith(written)
        is_read |= is_sound and bool(whole)
    return is_read


def check_plan(data: bytes) -> bool:
    """A tournament file: a plan, or an error that names the file; every key of sound TOML has a line."""
    path = ROOT / "cup.toml"
    with suppress(ValueError, RecursionError):
        text = data.decode("utf-8-sig")
        document = tomllib.loads(text)
        assert all(line_of(text, (key,)) for key in document)
    try:
        plan = parse_plan(data, path)
    except PlanError as error:
        assert str(error).startswith(path.name)
        return False
    assert Plan.from_json(plan.to_json()) == plan
    return True


def decoded(kinds: Kinds, pieces: list[bytes]) -> tuple[list[Frame], bool]:
    """The frames before the first invalid one, and whether all were valid."""
    decoder, received = Decoder(kinds), list[Frame]()
    try:
        for piece in pieces:
            received.extend(decoder.feed(piece))
    except FrameError:
        return received, False
    return received, True


def sample_records() -> list[Record]:
    """Short games with everything a record can have."""
    opening = transcript.parse("f5d6c3d3c4")
    hexagons, xt = named("hex").start(), small_xt().start()
    tree = opening.tree()
    tree.root.play("f5").play("f6").play("e6").add_variation("f4").comment = "why not?"
    tree.main_line()[-1].add_variation("f4")
    return [
        Record(opening.start, opening.moves, ("Ann", "Zoé"), (("event", "Cup"), ("date", "2026")),
               (Note("good", 1.5, -2.25), *[Note()] * 4), Outcome("resigned", 64.0)),
        Record(named("anti-6").start(), named("anti-6").start().moves[:1], tags=(("comment", "a]b\\c"),)),
        Record(hexagons, hexagons.moves[:1]),
        Record(xt, xt.moves[:1], disqualified=((1, 3),)),
        tree.record(),
    ]


def sample_logs() -> tuple[bytes, ...]:
    """Logs of whole games, with everything that they can hold, and one that only names its map."""
    start = xt_game(XtMap.parse("3 0 1 0  1 4  0 1 2 3"), "xt:tiny").start()
    moves, notes = ("0,0", "2,0", "3,0"), tuple(Note(seconds=seconds) for seconds in (0.5, 1.25, 2.0))
    game = Record(start, tuple(map(start.game.move, moves)), ("Ann (group 6)", "group 7", "random"), (
        ("date", "2026-11-22T12:30:00+00:00"), ("round", "4"), ("time", "bank=2,increment=2"),
        ("comment", "seat 3: timeout (no answer within 2 s)")), notes, disqualified=((1, 3),))
    logs = [xt_log.write(game), xt_log.write(Record(start, game.moves, notes=notes, disqualified=((1, 3),)))]
    return (*(log.encode() for log in logs), "\n".join(logs).encode(), LOG.encode())


def sample_wtb() -> bytes:
    """A file of two short games."""
    games = [transcript.parse(text) for text in ("f5d6c3", "f5d6c5f4e3f6g5e6e7")]
    named = [Record(game.start, game.moves, ("Ann", "Bob")) for game in games]
    return wthor.games_of(named, DAY).data()


def _lines(text: str) -> tuple[bytes, ...]:
    return tuple(line.encode() for line in text.strip().split("\n"))


def _positions() -> tuple[bytes, ...]:
    """A position of a random game for each game, after the byte that chooses the game."""
    states = [named(spec).start() for spec in GAMES] + [small_xt().start()]
    later = [state.play(state.moves[0]) for state in states]
    chosen = enumerate([*states, *later])
    return tuple(bytes([choice % len(states)]) + state.text.encode() for choice, state in chosen)


def _files() -> Parser:
    """Samples of every format, which the content alone must tell apart."""
    games = sample_records()
    texts = (ggf.write(games[0]), jsonl.write(games[0]), SMALL, "f5d6c3", f"{START}; f5:+2;")
    samples = (sample_wtb(), sample_logs()[0], *(text.encode() for text in texts))
    return Parser("files", samples, (b"(;", b"{", b"f5", b"-XO", b"2 0 0", b"\x14\x1a"), check_file)


def _parsers() -> tuple[Parser, ...]:
    games = sample_records()
    ggf_games = tuple(ggf.write(game).encode() for game in games[:2])
    problem = f"{START}; f5:+2; D3:-4; c4; % a comment".encode()
    jou = wthor.names_data(["???", "Ann", "Zoé"], 20, DAY)
    trn = wthor.names_data(["???", "Cup"], 26, DAY)
    return (
        Parser("specs", _lines(SPECS), tuple(SPEC_WORDS.encode().split()), check_spec),
        Parser("moves", (*CELLS, b"3,4", b"0,0:20", b"1,1:3"), (*CELLS, b":", b",", b"20"), check_move),
        Parser("positions", _positions(), tuple(POSITION_WORDS.encode().split()), check_position),
        Parser("transcripts", _lines(TRANSCRIPTS), (*CELLS, b"12.", b" ", b"3,4:20", b";"), check_transcript),
        Parser("ggf", (*ggf_games, ggf_games[0] + b"\n2 " + ggf_games[1]), tuple(GGF_WORDS.encode().split()),
               check_format("ggf")),
        Parser("wthor.wtb", (sample_wtb(),), (b"\x38", b"\0\0", b"\x0a", b"\x08"), check_wtb),
        Parser("wthor.jou", (jou,), (b"\0", b"\x02", b"Ann\0"), check_names(20)),
        Parser("wthor.trn", (trn,), (b"\0", b"\x02", b"Cup\0"), check_names(26)),
        Parser("problems", (problem, problem[:66], b"# x\n" + problem, b"-----OX--XO----- X; b1:+0;"),
               (*CELLS, b";", b":+2", b"%", b"black", b"O", b"passes=1", b"*"), check_format("problems")),
        Parser("maps", (SMALL.encode(), b"2 0 0 0  1 3  0 1 2", b"2 0 0 0 2 3 0 1 2 0 2 1 0 0 6 <-> 2 0 2"),
               tuple(MAP_WORDS.encode().split()), check_map),
        Parser("logs", sample_logs(), tuple(LOG_WORDS.encode().split(b"|")), check_format("xt-log")),
        _files(),
        Parser("messages", _lines(MESSAGES), tuple(MESSAGE_WORDS.encode().split()), check_message),
        Parser("frames", tuple(map(bytes.fromhex, FRAMES)), tuple(map(bytes.fromhex, FRAME_WORDS)),
               check_frames),
        Parser("plans", tuple(text.encode() for text in PLANS), tuple(PLAN_WORDS.encode().split(b"|")),
               check_plan),
        Parser("puzzles", _puzzles(), tuple(PUZZLE_WORDS.encode().split()), check_puzzles),
        Parser("jsonl", tuple(jsonl.write(game).encode() for game in games),
               tuple(JSON_WORDS.encode().split()), check_format("jsonl")),
    )


def _puzzles() -> tuple[bytes, ...]:
    """Files of two puzzles each."""
    files = [(puzzle_files.SHIPPED / f"{spec}.jsonl").read_bytes() for spec in ("othello-6", "anti-6", "hex")]
    return tuple(b"\n".join(data.splitlines()[:3]) for data in files)


SPECS = """
othello
othello-6
othello:width=5,height=4
othello:start=parallel,goal=fewest
octagon-8
blackhole:holes=c3+d6
torus-4
anti-6
anti-hex:side=4,start=ring
hex:side=6,seats=3
hex:seed=7
rolit
xt:no/such.map
xt:tests,goal=fewest
"""
SPEC_WORDS = "othello anti- hex rolit octagon :size= ,width= 4 26 27 side= start= open goal= xt: holes=c3"
POSITION_WORDS = "X O - 1 2 passes=1 passes=2 phase=bomb overrides=1/0/2 bombs=0/0/0 out=2 last=3 c i b x"
TRANSCRIPTS = """
c2b2e4e5a2c1
C2 b2, E4 e5
1. c2 b2 2. e4 e5
c2f4g4--c5b5g7
23 -- 1. 46
0,0 2,1 2,2 3,0 2,1 1,0 0,1:1
0,1:2 2,3
"""
GGF_WORDS = r"(; ;) [ ] \ GM[Othello] TY[8a] TY[88] BO[8 BO[4 B[f5 W[d6] B[PA] CO[x] RE[+2:r] //0.5 * O XX["
LOG = """Starting game with map
2 0 1 1 2 3 0 1 2 0 2 1
Waiting for group id of client 1...OK. Group ID is 6.
Board:
012
021

Player 1 has 0 overrides and 1 bombs.
Sending move request to player 1 with depth 0, time left: 2000 msecs.
Player 1 disqualified (invalid move: (8,24,0). time left: 1200 msecs).
Final state reached, sole remaining player is winner.
Scores:
Player 1: disqualified
Player 2: 2 points
"""
LOG_WORDS = (
    "Player |1|9| is |group 6|: |disqualified| points|Board:|Scores:|reached final phase|move 0: player |-"
    "|moved |(0,0,0)|time left: | msecs|game id is 3|Starting game with map|timelimit 2|, depthlimit |\n|\r"
    "|\x1b[0m"
)
MAP_WORDS = "<-> 0 1 2 3 8 9 - c i b x 7 50 300 301 256 +2 -1"
JSON_WORDS = (
    '{ } [ ] , : "moves":[ "start":" "game":"othello" "game":"xt:small" "map":"2 "tags":{ "notes":[ '
    '"outcome":{ "answers":[["f5",2]] "disqualified":[[0,1]] '
    '"variations":[{ "ply": "line":1 null true 1e999 -1 NaN \\ud800 "pass" "1,1:2"'
)
PUZZLE_WORDS = (
    '{ } [ ] , : "kind":"win" "kind":"best" "kind":"wipeout" "position":" "line":[ "steps":[{ "ply":2 '
    '"answers":[["a1",2,"b1"]] "plies":3 "lure":64 "number":-1 "version":2 "game":"hex" "pass" "" null 1e999'
)
MESSAGES = """
{"type":"hello","version":1,"name":"Zoé","seat":2,"token":"abc","game":1,"events":17}
{"type":"move","number":7,"move":"f5"}
{"type":"have","events":17,"request":3}
{"type":"reply","number":1,"yes":true}
{"type":"welcome","spec":"othello","number":1,"games":1,"seat":1,"events":0,"grace":30.0,"seats":[1]}
{"type":"event","number":3,"kind":"move","data":{"seat":1,"move":"f5","clocks":[1.5,null]}}
{"type":"request","number":8,"limit":{"bank":12.5,"increment":1},"seconds":3,"moves":[["f5",37,0,[28]]]}
{"type":"presence","seats":[true,false],"watching":3,"claim":2}
{"type":"offer","number":1,"what":"undo","seat":2}
{"type":"bye","reason":"the game is over"}
"""
MESSAGE_WORDS = (
    '{ } [ ] , : "type": "resign" "undo" "rematch" "claim" "settled" "next" "error" "sentence": "number": '
    'null true -1 1e999 NaN \\ud800 "kind":"end" "limit":{"seconds":0} "moves":[["pass",-1,0,null]] '
    '"version":2'
)
FRAMES = (
    "01 00000001 06  05 00000005 0003 0004 15  05 00000005 0001 0002 00",
    "02 00000013 32203020302030202031203320203020312032 03 00000001 02 04 00000005 000007d0 00",
    "06 00000006 0003 0004 15 01  07 00000001 02  08 00000000  09 00000000",
)
FRAME_WORDS = ("01 00000001", "05 00000005", "05 ffffffff", "02 00100001", "02 00000000", "0900000000", "00")
PLANS = (
    'variant = "anti"\nentrants = ["docs/templates/*.py", "random"]\nlimit = "seconds=5"\n',
    'entrants = ["t77", "t34"]\ngames = 4\nopenings = "random 2"\nseed = 7 # x\ntrust = true\n'
    '[anchors]\nt77 = 1500.5\n',
    'variants = ["xt:tests/games/pictures/*.map", "xt:torus,players=3"]\nlimit = 1\n'
    'entrants = [\n  "t77", "random",\n  {name = "Zoé", spec = "bot:docs/templates/bot.py"},\n]\n'
    '[format]\nname = "round-robin"\n',
    '[[entrants]]\nspec = "greedy"\n[[entrants]]\nname = \'A\'\nspec = """random"""\n',
)
PLAN_WORDS = (
    'name = "x"|variant = |entrants = [|folder = "docs"|format = "ladder"|games = 2|openings = "none"'
    '|limit = |seed = 0x|jobs = 1|failures = 0|trust = |false|[format]|[[entrants]]|[anchors]|{|}|[|]|,|"'
    '|\'\'\'|"""|=|.|#|\n|nan|-inf|1_0|1979-05-27|\\u00e9|"bot:cat -u"|"gtp:x"|"rolit"|"xt:*.map,goal=fewest"'
    '|"x/*"|benchmarks/*'
)

PARSERS = {parser.name: parser for parser in _parsers()}
