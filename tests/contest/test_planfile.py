"""Tournament files: short ones, long ones, and every mistake with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

import polyversi as pv
from polyversi.contest.openings import Openings
from polyversi.contest.plan import Entrant, Plan, PlanError
from polyversi.contest.plan_file import MAX_BYTES, newcomer, parse_plan, read_plan
from polyversi.games.mapkinds import generate

AGENT = "class AI:\n    def go(self, board): ...\n"
BOT = "import sys\nfor line in sys.stdin:\n    print('x')\n"
PAIR = 'entrants = ["random", "t77"]\n'


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A teacher's folder."""
    folder = tmp_path / "room"
    for name, text in {
        "bots/ann.py": AGENT, "bots/bob/main.py": AGENT, "bots/cid/my.py": AGENT, "random.py": BOT,
        "engine": "#!/bin/sh\n", "my bot.py": BOT, "book.txt": "f5d6c3\nf5f6\n", "whole.txt": "f5d6\nf5f9\n",
        "maps/b.map": generate("torus", seed=2, players=2).text,
        "maps/a.map": generate("torus", seed=1, players=2).text, "bad/x.map": "9", "notes/x.txt": "hello",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "engine").chmod(0o755)
    return folder


def test_three_lines(room: Path) -> None:
    file = room / "class cup.toml"
    file.write_text('variant = "anti"\nentrants = ["bots/*", "polyversi:level=5"]\nlimit = "seconds=5"\n')
    plan = read_plan(file)
    assert plan.entrants == (
        Entrant("ann", f"course:{room}/bots/ann.py"),
        Entrant("bob", f"course:{room}/bots/bob/main.py"),
        Entrant("cid", f"course:{room}/bots/cid/my.py"),
        Entrant("polyversi:level=5", "polyversi:level=5"),
    )
    assert (plan.name, plan.variants, plan.limit) == ("class cup", ("anti",), pv.Limit(seconds=5))
    assert (plan.format, plan.games, plan.openings, plan.seed) == ("round-robin", None, Openings(), 0)


def test_one_line(room: Path) -> None:
    plan = parse_plan(b'folder = "bots"', room / "cup.toml")
    assert [entrant.name for entrant in plan.entrants] == ["ann", "bob", "cid"]
    assert plan.variants == ("othello",)


def test_everything(room: Path) -> None:
    text = """
name = "Finals"
variants = ["othello", "anti"]
games = 6
openings = "book.txt 2"
limit = 0.5
seed = 12
jobs = 2
failures = 3
trust = true
suspend = true
entrants = [
    "random",
    "./random.py",          # a file that is called like a player
    {name = "random#2", spec = "bots/ann.py"},
    {spec = "gtp:engine -gtp"},
    {name = "Mine", spec = "bot:my bot.py"},
    {folder = "bots"},
]

[format]
name = "swiss"
rounds = 3

[anchors]
random = 1000
Mine = 1500.5
"""
    plan = parse_plan(text.encode(), room / "cup.toml")
    assert [(entrant.name, entrant.spec.replace(str(room), "")) for entrant in plan.entrants] == [
        ("random", "random"), ("random#3", "bot:/random.py"), ("random#2", "course:/bots/ann.py"),
        ("engine -gtp", "gtp:/engine -gtp"), ("Mine", "bot:/my bot.py"), ("ann", "course:/bots/ann.py"),
        ("bob", "course:/bots/bob/main.py"), ("cid", "course:/bots/cid/my.py"),
    ]
    assert (plan.name, plan.games, plan.limit, plan.seed) == ("Finals", 6, pv.Limit(seconds=0.5), 12)
    assert (plan.jobs, plan.failures, plan.trust, plan.suspend) == (2, 3, True, True)
    assert (plan.format, plan.format_options) == ("swiss", {"rounds": 3})
    assert plan.anchors == {"random": 1000, "Mine": 1500.5}
    assert [len(positions) for positions in plan.openings.positions] == [2, 2]


def test_maps_are_found_beside_the_file(room: Path) -> None:
    variants = 'variants = ["xt:maps/*.map", "anti-xt:maps/a.map", "xt:torus,players=2"]'
    plan = parse_plan(f"{PAIR}{variants}".encode(), room / "cup.toml")
    assert plan.variants == ("xt:a", "xt:b", "xt:a,goal=fewest", "xt:torus,players=2")
    assert plan.games_played[1] == pv.game(f"xt:{room}/maps/b.map")


def test_as_many_games_as_seats_where_nothing_is_said(room: Path) -> None:
    text = b'variants = ["rolit", "hex", "anti-6"]\nentrants = ["random", "greedy", "t77", "mobility"]'
    plan = parse_plan(text, room / "cup.toml")
    assert (plan.seat_counts, plan.games_of(4), plan.games_of(2)) == ((4, 2), 4, 2)
    text = b"games = 8\n" + text
    plan = parse_plan(text, room / "cup.toml")
    assert (plan.games_of(4), plan.games_of(2)) == (8, 8)


def test_names_are_written_in_front(room: Path) -> None:
    (room / "x=y.py").write_text("for line in open(0): print(line)\n")
    named = b'"Ann=random", " Bob and Eve = polyversi:level=5", "Cid=bots/ann.py"'
    text = b'entrants = [' + named + b', "x=y.py", "random"]'
    plan = parse_plan(text, room / "cup.toml")
    assert plan.entrants == (
        Entrant("Ann", "random"), Entrant("Bob and Eve", "polyversi:level=5"),
        Entrant("Cid", f"course:{room}/bots/ann.py"), Entrant("x=y", f"bot:{room}/x=y.py"),
        Entrant("random", "random"))
    assert newcomer(plan, "Dora=random", room) == Entrant("Dora", "random")
    assert newcomer(plan, "Dora=random", room, "Eve").name == "Eve"


def test_commands_name_files_beside_the_file(room: Path) -> None:
    (room / "x").write_text("")
    text = b'entrants = ["bot:python3 ./random.py x", "nboard:cat x", "bot:./engine", "bot:\'my bot.py\' 3"]'
    plan = parse_plan(text, room / "cup.toml")
    assert [entrant.spec for entrant in plan.entrants] == [
        f"bot:python3 {room}/random.py x", "nboard:cat x", f"bot:{room}/engine", f"bot:'{room}/my bot.py' 3"]


@pytest.mark.parametrize(("text", "line", "words"), [
    ("", None, 'there are no entrants; write a line such as entrants = ["bots/*", "random"]'),
    ("games = 4\nentrants\n", 2, "this is not TOML: "),
    (PAIR + 'games = "4', 2, "this is not TOML"),
    (PAIR + "games = 4\ngames = 6\n", 3, "this is not TOML"),
    (PAIR + "gamse = 4", 2, "there is no key 'gamse'; did you mean 'games'?"),
    (PAIR + "xyzzy = 4", 2, "there is no key 'xyzzy'; there are name, variant, "),
    (PAIR + "[scoring]\nwin = 3", 2, "there is no key 'scoring'"),
    (PAIR + 'games = "4"', 2, "games is the text '4'; write a whole number, such as 2"),
    (PAIR + "games = true", 2, "games is true; write a whole number"),
    (PAIR + "games = 2.0", 2, "games is the number 2; write a whole number"),
    (PAIR + "games = 3", 2, "write a multiple of 2, such as 4"),
    (PAIR + "games = 1979-05-27", 2, "games is a date or a time"),
    (PAIR + "seed = 0x" + "f" * 5000, 2, "seed must be a number from 0 to "),
    (PAIR + "trust = 1", 2, "trust is the number 1; write true or false"),
    (PAIR + "name = 3", 2, "name is the number 3; write a text"),
    (PAIR + 'name = "a\\nb"', 2, "the tournament cannot be called"),
    (PAIR + 'variant = "chess"', 2, "there is no variant 'chess'"),
    (PAIR + 'variant = ["othello"]', 2, 'variant is a list; write a text, such as "hex"'),
    (PAIR + 'variants = "othello"', 2, "variants is the text 'othello'; write a list"),
    (PAIR + "variants = []", 2, "a tournament has 1 to 1000 variants, not none"),
    (PAIR + 'variants = [\n"othello",\n3]', 4, "variants has the number 3; write a list"),
    (PAIR + 'variants = [\n"othello",\n"othello-8"]', 4, "othello is listed twice"),
    ('entrants = ["random",\n"all=bots/*"]', 2, "the name is for 3 bots; remove it"),
    ('entrants = ["Ann=random",\n"Ann=t77"]', 2, "two entrants are called Ann"),
    ('entrants = ["random",\n"Ann=t78"]', 2, "there is no player or file 't78'"),
    (PAIR + 'games = 6\nvariants = ["othello", "rolit"]', 2, "write a multiple of 4, such as 8"),
    (PAIR + 'variant = "hex"\nvariants = ["hex"]', 3, "the file has both variant and variants"),
    (PAIR + 'variants = ["othello",\n"xt:none/*.map"]', 3, "there is no map 'none/*.map' in "),
    (PAIR + 'variant = "xt:bad/*.map"', 2, "bad/x.map: line 1"),
    (PAIR + 'variant = "xt:/dev/zero"', 2, "there is no map '/dev/zero'"),
    (PAIR + "variants = [" + '"othello",' * 1001 + "]", 2, "a tournament has 1 to 1000 variants, not 1001"),
    ("entrants = [" + '"random",' * 1001 + "]", 1, "a tournament has 2 to 1000 entrants, not 1001"),
    ("entrants = []", 1, "a tournament has 2 to 1000 entrants, not 0"),
    ('entrants = "random"', 1, "entrants is the text 'random'; write a list"),
    ("entrants = [{spec = 3}]", 1, 'spec is the number 3; write a text, such as "random"'),
    ("folder = 3", 1, 'folder is the number 3; write a text, such as "bots"'),
    ('entrants = [\n"random",\n3]', 3, "entrants has the number 3; write a list"),
    ('entrants = [\n"random",\n"rendom:seed=3"]', 3, "or file 'rendom'; did you mean 'random'?"),
    ('entrants = [\n"random",\n"random:sed=3"]', 3, "'sed=3' is not an option of random"),
    ('entrants = [\n"random",\n\n# x\n"bots/*.js"]', 5, "'bots/*.js' matches no file in "),
    ('entrants = ["random", ""]', 1, "there is no player or file ''"),
    ('entrants = ["random",\n"notes/*"]', 2, "x.txt is not a bot"),
    ('entrants = ["random",\n"."]', 2, "the folder room has "),
    ('entrants = ["random",\n"bot:missing.py"]', 2, "there is no file or program called 'missing.py'"),
    ('entrants = ["random",\n"bot:\'half"]', 2, "is not a command"),
    ('variant = "hex"\nentrants = ["random",\n"bots/ann.py"]', 3, "does not play hex: course agents"),
    ('variant = "hex"\nentrants = ["random"]\n\nfolder = "bots"', 4, "does not play hex: course agents"),
    ('folder = "bots"\nformat = "x"', 2, "'x'"),
    ('folder = "nowhere"', 1, "there is no folder 'nowhere' in "),
    ('folder = "bots/bob"', 1, "a tournament has 2 to 1000 entrants, not 1"),
    ('entrants = ["random", {name = "A"}]', 1, "an entrant is a table with a spec and"),
    ('entrants = ["random",\n{nam = "A"}]', 2, "there is no key 'nam'; did you mean 'name'?"),
    ('entrants = ["random",\n{name = 3, spec = "t77"}]', 2, "name is the number 3; write a text"),
    ('entrants = [{name = "A", spec = "bots/*"}]', 1, "the name is for 3 bots"),
    ('entrants = [{name = "A", folder = "bots"}]', 1, "an entrant is a table with a spec"),
    ('[[entrants]]\nname = "A"\nspec = "t77"\n[[entrants]]\nspec = "t34"\nname = "A"\n', 6,
     "two entrants are called A"),
    ('[[entrants]]\nname = "A"\nspec = "t77"\n[[entrants]]\nname = "B"\nspec = "t35"\n', 6,
     "no player or file 't35'"),
    (PAIR + 'format = "swis"', 2, "'swis'"),
    ('variant = "rolit"\nentrants = ["random", "t77", "greedy"]', 2, "seats"),
    ('variant = "rolit"\nentrants = ["random", "t77"]\n[format]\nname = "swiss"', 3,
     "2 entrants are too few for swiss with 4 seats"),
    (PAIR + "format = 3", 2, 'format is the number 3; write a text, such as "swiss", or a table'),
    (PAIR + "[format]\nrounds = 3", 2, "there is no format ''; there are round-robin, "),
    (PAIR + '[format]\nname = "swis"\nrounds = 3', 3, "'swis'"),
    (PAIR + '[format]\nname = "swiss"\nrounds = 3\nround = 3', 5, "'round'"),
    (PAIR + '[format]\nname = "swiss"\nrounds = -3', 4, "rounds of swiss must be a whole number from 0"),
    (PAIR + '[format]\nname = "swiss"\nrounds = "3"', 4, "rounds of swiss must be a whole number"),
    (PAIR + '[format]\nname = "swiss"\n\ngames = 4', 5, "keys of the tournament must come before [format]"),
    (PAIR + 'openings = "random"', 2, "there is no file 'random' with openings; write "),
    (PAIR + "openings = 0.5", 2, "openings is the number 0.5; write a number of random plies, or a text"),
    (PAIR + "openings = 70", 2, "othello is over within 70 random plies"),
    (PAIR + "adjudicate = 21", 2, "adjudicate must be a number of empty cells from 0 to 20"),
    (PAIR + "adjudicate = true", 2, "adjudicate is true; write a whole number"),
    (PAIR + 'adjudicate = 14\nvariant = "xt:arena"', 2, "xt:arena cannot be adjudicated: the solver"),
    (PAIR + 'adjudicate = 14\nvariant = "othello-4"', 2, "othello-4 starts with 12 empty cells"),
    (PAIR + 'openings = "random 70"', 2, "over within 70 random plies"),
    (PAIR + 'openings = "whole.txt"', 2, "whole.txt: line 2: "),
    (PAIR + 'limit = "second=1"', 2, "'second=1' is not a limit"),
    (PAIR + "limit = -1", 2, "seconds=-1 is not a limit"),
    (PAIR + "limit = nan", 2, "seconds=nan is not a limit"),
    (PAIR + "limit = 0", 2, "a limit of 0 seconds leaves no time"),
    (PAIR + "limit = true", 2, "limit is true; write a text"),
    (PAIR + "anchors = 1500", 2, "anchors is the number 1500; write a table"),
    (PAIR + "[anchors]\nrandom = 1\nBob = 2", 4, "there is no entrant 'Bob'; the entrants are"),
    (PAIR + '[anchors]\nt77 = "x"', 3, "the rating of t77 must be a number from -10000 to "),
    (PAIR + '[anchors]\nt77 = 1500\nformat = "swiss"', 4, "of the tournament must come before [anchors]"),
    (PAIR + "x = " + "[" * 5000, None, "this is not TOML: "),
    (PAIR + "seed = " + "1" * 5000, None, "this is not TOML: "),
])
def test_mistakes_are_told_with_their_line(room: Path, text: str, line: int | None, words: str) -> None:
    with pytest.raises(PlanError) as error:
        parse_plan(text.encode(), room / "cup.toml")
    where = "cup.toml" if line is None else f"cup.toml, line {line}:"
    assert str(error.value).startswith(where)
    assert words in str(error.value)


def test_files_that_cannot_be_read(room: Path) -> None:
    for path in (room / "missing.toml", room, room / "a\0b", room / ("x" * 5000)):
        with pytest.raises(PlanError, match="tournament file"):
            read_plan(path)
    with pytest.raises(PlanError, match=r"cup.toml, line 2: this is not UTF-8"):
        parse_plan(b"games = 2\nname = '\xff'", room / "cup.toml")
    with pytest.raises(PlanError, match=f"more than {MAX_BYTES} bytes"):
        parse_plan(b"#" * (MAX_BYTES + 1), room / "cup.toml")
    # As Notepad saves it.
    assert parse_plan(b"\xef\xbb\xbf" + PAIR.encode(), room / "cup.toml").name == "cup"


def test_a_newcomer_is_named_as_in_a_file_and_found_from_everywhere(tmp_path: Path) -> None:
    plan = Plan("cup", (Entrant("ann", "random"), Entrant("bob", "greedy")))
    for name in ("ann.py", "cid.py"):
        (tmp_path / name).write_text("for line in open(0): print(line)\n")
    for text in ("ann.py", "bot:ann.py"):
        assert newcomer(plan, text, tmp_path) == Entrant("ann#2", f"bot:{tmp_path}/ann.py")
    assert newcomer(plan, "cid.py", tmp_path, "Cid") == Entrant("Cid", f"bot:{tmp_path}/cid.py")
    with pytest.raises(PlanError, match="matches 2 bots; add one at a time"):
        newcomer(plan, "*.py", tmp_path)
