"""The layers: imports go downwards only."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "polyversi"
TESTS = sorted(path for path in (ROOT / "tests").rglob("*.py") if "node_modules" not in path.parts)

LAYERS = (
    ("bundling",),
    ("games", "drawing"),
    ("records",),
    ("rl",),
    ("engines",),
    ("players",),
    ("gameplay",),
    ("protocols",),
    ("stats",),
    ("storage",),
    ("contest",),
    ("site",),
    ("server",),
    ("cli", "__main__"),
)
"""From the bottom to the top; `_core` is below them all. A state draws itself, so those two are one layer."""
HEIGHTS = {name: height for height, names in enumerate(LAYERS) for name in names}


def layer(module: str) -> int:
    """The height of a module's layer; the package itself offers the game layer's names."""
    parts = module.split(".")
    name = parts[1] if len(parts) > 1 else "games"
    return HEIGHTS.get(name, -1)


def imported(text: str) -> set[str]:
    """The modules that a text imports, anywhere in it, and the names it imports from them."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def imports(path: Path) -> set[str]:
    """The modules of ours that a file imports."""
    return {name for name in imported(path.read_text()) if name.split(".")[0] == "polyversi"}


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(SOURCE)) for path in FILES])
def test_imports_go_down(path: Path) -> None:
    relative = path.relative_to(SOURCE).with_suffix("")
    if len(relative.parts) == 1 and relative.name == "__init__":
        own = len(LAYERS)    # the package's face offers names of every layer, and nothing below imports it
    else:
        own = layer(".".join(("polyversi", *relative.parts)))
        assert own >= 0, f"{path.name} belongs to no layer; name its layer in LAYERS"
    upwards = sorted(name for name in imports(path) if layer(name) > own)
    assert not upwards, f"{relative} imports from a higher layer: {upwards}"


def test_no_module_imports_a_test_module() -> None:
    """What tests share stands in tests/testing, in conftest files, or in the programs of tests/soak."""
    found = {}
    for path in TESTS:
        text = path.read_text()
        names = {name for name in imported(text) if re.match(r"tests\..*\b(test_|conftest\b)", name)}
        names |= set(re.findall(r"tests\.[\w.]*\btest_\w+(?= import)", text))    # in programs that it writes
        if names:
            found[str(path.relative_to(ROOT))] = sorted(names)
    assert not found, f"move what they share to tests/testing: {found}"


def test_every_module_opens_with_one_sentence() -> None:
    for path in FILES:
        docstring = ast.get_docstring(ast.parse(path.read_text()))
        assert docstring, f"{path} does not say what it is for"
        assert docstring.splitlines()[0].endswith("."), f"{path}: the first line is a whole sentence"


def test_files_stay_readable() -> None:
    files = [*FILES, *(ROOT / "core").rglob("*.[ch]pp"), *TESTS]
    long = {str(path.relative_to(ROOT)): count for path in files
            if (count := len(path.read_text().splitlines())) > 700}
    assert not long, f"files over 700 lines, each perhaps hiding a name: {long}"
