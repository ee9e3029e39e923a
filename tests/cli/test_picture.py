"""`polyversi picture`: files of every format and variants as SVG, PNG and GIF, and how it fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

import polyversi as pv
from polyversi.games.mapkinds import generate
from polyversi.records import Record, pictures, write
from tests.testing.terminal import polyversi as run

GAME = Record.of("othello", "f5d6c3d3c4")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    write([GAME, Record.of("anti-6", "c2")], path)
    return path


def test_a_variant_is_drawn_at_its_start(tmp_path: Path) -> None:
    out = tmp_path / "hex.svg"
    assert run("picture", "hex", "--out", str(out)).returncode == 0
    assert out.read_text() == pv.game("hex").start().svg(legal=False)


def test_a_game_is_drawn_at_its_end_or_at_a_ply(games: Path, tmp_path: Path) -> None:
    for words, ply in ((), 5), (("--ply", "2"), 2), (("--ply", "0"), 0):
        out = tmp_path / "game.svg"
        assert run("picture", str(games), *words, "--out", str(out)).returncode == 0
        assert out.read_text() == pictures.svg(GAME, ply)


def test_a_png_has_its_size(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.PNG"
    assert run("picture", str(games), "--number", "2", "--size", "300", "--out", str(out)).returncode == 0
    with Image.open(out) as image:
        assert image.format == "PNG" and max(image.size) == 300


def test_a_gif_shows_the_whole_game(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.gif"
    words = ("--size", "200", "--seconds", "0.3", "--out", str(out))
    assert run("picture", str(games), *words).returncode == 0
    with Image.open(out) as image:
        assert getattr(image, "n_frames", 1) == len(GAME.moves) + 1
        assert (max(image.size), image.info["duration"]) == (200, 300)


def test_transcripts_maps_and_problems_are_read_too(tmp_path: Path) -> None:
    out = tmp_path / "position.svg"
    for name, text, words, title in (
        ("moves.txt", "c2\n", ("--variant", "anti-6"), "anti-6, "),
        ("torus.map", generate("torus", 1).text, (), "xt:"),
        ("four.obf", "-----OX--XO----- X; b1:-8;\n", (), "othello-4, black to move, 2 : 2"),
    ):
        (tmp_path / name).write_text(text)
        done = run("picture", str(tmp_path / name), *words, "--out", str(out))
        assert done.returncode == 0, done.stderr
        assert f"<title>{title}" in out.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chess", "--out", "chess.png"), "there is no variant 'chess'"),
        (("nowhere.ggf", "--out", "game.png"), "nowhere.ggf cannot be opened"),
        (("./nowhere", "--out", "game.png"), "nowhere cannot be opened"),
        (("hex", "--out", "hex.jpg"), "hex.jpg; its name must end in .svg .png .gif"),
        (("hex", "--out", "hex.gif", "--ply", "0"), "a GIF shows the whole game"),
        (("hex", "--out", "hex.svg", "--ply", "1"), "there is no ply 1; the game has plies 0 to 0"),
        (("hex", "--out", "hex.png", "--size", "5"), "a picture cannot be 5 pixels long"),
        (("hex", "--out", "hex.gif", "--size", "3000"), "16 to 1024"),
        (("hex", "--out", "nowhere/hex.svg"), "nowhere/hex.svg cannot be written: No such file or directory"),
    ],
)
def test_bad_input_ends_with_a_sentence(
    words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("picture", *words)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_the_file_does_not_hold(games: Path, tmp_path: Path) -> None:
    done = run("picture", str(games), "--number", "3", "--out", str(tmp_path / "game.png"))
    assert done.returncode == 1
    assert "has no game 3" in done.stderr
