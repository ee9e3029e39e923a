"""The contract that every format keeps, and reading and writing whatever the format."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import polyversi as pv
from polyversi.records import FORMATS, Format, Problem, Record, games, positions, read, write
from polyversi.records import parse as parse_text
from tests.testing.sample_records import problems, records

FORMS = pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))


@FORMS
def test_a_format_says_what_it_is(form: Format) -> None:
    assert form.name == form.name.lower()
    assert form.suffixes
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in form.suffixes)
    assert form.sentence.endswith(".")


def test_no_two_formats_share_a_name_or_an_ending() -> None:
    endings = [suffix for form in FORMATS.values() for suffix in form.suffixes]
    assert len(endings) == len(set(endings))


@FORMS
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(item=records() | problems())
def test_what_a_format_holds_comes_back(form: Format, item: Record | Problem) -> None:
    try:
        held = form.fit(item)
    except pv.RecordError as error:
        assert str(error)
        return
    assert form.fit(held) == held
    with TemporaryDirectory() as folder:
        target = Path(folder) / f"map{form.suffixes[0]}"
        assert write([item], target) == 1
        assert form.looks(target.read_bytes()[:4096])
        assert list(read(target, game=held.game)) == [held]


@FORMS
@settings(max_examples=200, deadline=None)
@given(junk=st.binary(max_size=200) | st.text(max_size=200))
def test_junk_is_refused_with_our_own_error(form: Format, junk: bytes | str) -> None:
    try:
        list(parse_text(junk, form.name))
    except pv.PolyversiError as error:
        assert str(error)


@FORMS
def test_nothing_is_read_from_nothing(form: Format) -> None:
    with contextlib.suppress(pv.PolyversiError):
        assert list(parse_text(b"", form.name)) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("f5d6c3", "transcript"),
        ("1. F5 d6", "transcript"),
        ('{"polyversi":1,"game":"othello","moves":[]}', "jsonl"),
        ("(;GM[Othello]TY[8];)", "ggf"),
        ("2 (;GM[Othello]TY[8];)(;GM[Othello]TY[8];)", "ggf"),
        ("% problems\n---------------------------OX------XO--------------------------- X", "problems"),
        ("2\n0\n0 0\n1 3\n0 1 2\n", "map"),
        ("2\n0\n0 0\n1 3\n0 1 2\nPlayer 1 disqualified.\nreached final phase\nPlayer 1: disqualified\n"
         "Player 2: 1 points\ntimelimit 2, depthlimit 0\n", "xt-log"),
    ],
)
def test_the_content_tells_the_format(text: str, name: str) -> None:
    assert next(form for form, look in FORMATS.items() if look.looks(text.encode())) == name
    assert len(list(parse_text(text))) >= 1


def test_a_file_keeps_its_games(tmp_path: Path) -> None:
    target = tmp_path / "games.JSONL"
    assert write(parse_text("f5d6c3\nf5f6\n"), target) == 2
    assert [len(item.moves) for item in read(target) if isinstance(item, Record)] == [3, 2]
    assert [path.name for path in tmp_path.iterdir()] == ["games.JSONL"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "games.ggf"
    target.write_text("old")
    with pytest.raises(pv.RecordError, match="number 1: GGF cannot store hex"):
        write([Record(pv.game("hex").start(seed=1))], target)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["games.ggf"]


def test_errors_name_the_file_and_the_line(tmp_path: Path) -> None:
    source = tmp_path / "bad.txt"
    source.write_text("f5d6\nf5a1\n")
    with pytest.raises(pv.RecordError, match=r"^bad\.txt: line 2: move 2: "):
        list(read(source))


def test_what_cannot_be_read_can_be_left_out() -> None:
    errors: list[pv.RecordError] = []
    assert len(list(parse_text("f5d6\na1\nf5f6\n", on_error=errors.append))) == 2
    assert len(errors) == 1 and "line 2" in str(errors[0])


def test_unknown_formats_and_files() -> None:
    with pytest.raises(pv.RecordError, match="'png' is not a format; there are jsonl, ggf"):
        list(parse_text(b"f5", "png"))
    with pytest.raises(pv.RecordError, match=r"no format has the ending '\.png'"):
        write([], Path("a.png"))
    with pytest.raises(pv.RecordError, match=r"No such file or directory; records\.parse reads text"):
        list(read("games.ggf"))
    with pytest.raises(pv.RecordError, match="cannot be opened: No such file"):
        list(read(Path("no/such/file.ggf")))
    with pytest.raises(pv.RecordError, match="cannot be written"):
        write([], Path("no/such/folder/games.ggf"))


def test_a_stream_stays_open() -> None:
    stream = io.BytesIO(b"f5d6")
    assert len(list(read(stream))) == 1
    assert not stream.closed


def test_games_and_positions_are_read_apart(tmp_path: Path) -> None:
    game, problem = Record.of("othello", "f5d6"), Problem.of("-----OX--XO----- X; b1:-8")
    mixed = tmp_path / "mixed.jsonl"
    write([game, problem, game], mixed)
    errors: list[pv.RecordError] = []
    assert list(games(str(mixed), on_error=errors.append)) == [game, game]
    assert list(positions(mixed, on_error=errors.append)) == [problem]
    assert [str(error) for error in errors] == [
        "mixed.jsonl: number 2 is a position, not a game; records.positions reads those",
        "mixed.jsonl: number 1 is a game, not a position; records.games reads those",
        "mixed.jsonl: number 3 is a game, not a position; records.games reads those",
    ]
    found = games(mixed)
    assert next(found) == game
    with pytest.raises(pv.RecordError, match="number 2 is a position"):
        next(found)


@FORMS
def test_files_are_paths_texts_or_open_files(form: Format, tmp_path: Path) -> None:
    torus = pv.game("xt:torus,players=2").start()
    kinds: dict[str, Record | Problem] = {
        "problems": Problem.of("-----OX--XO----- X"), "map": Record(torus),
        "xt-log": Record(torus, disqualified=((0, 1),)),
    }
    item = form.fit(kinds.get(form.name, Record.of("othello", "f5d6")))
    path = tmp_path / f"map{form.suffixes[0]}"
    assert write(item, str(path)) == 1
    read_kind = positions if form.name == "problems" else games
    assert list(read_kind(path)) == list(read_kind(str(path)))
    with path.open("rb") as stream:
        assert len(list(read_kind(stream))) == 1


def test_files_in_text_mode_and_bytes_are_no_files(tmp_path: Path) -> None:
    path = tmp_path / "moves.txt"
    path.write_text("f5d6")
    with path.open() as text, pytest.raises(pv.RecordError, match=r"opened in binary mode; records\.parse"):
        list(read(text))    # type: ignore[arg-type]
    with pytest.raises(pv.RecordError, match=r"records\.parse reads text and bytes"):
        list(read(b"f5d6"))    # type: ignore[arg-type]
