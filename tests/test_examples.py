"""Every example in a docstring, in the README and in docs/ runs and shows what it says."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import polyversi as pv

ROOT = Path(__file__).parent.parent
NAMES = [info.name for info in pkgutil.walk_packages(pv.__path__, "polyversi.")]
MODULES = sorted(name for name in NAMES if name != "polyversi._core")
BLOCK = re.compile(r"```(?:python|pycon)\n(.*?)```", re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RUNNER = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)


def run(text: str, names: dict[str, object], where: str) -> None:
    """Runs the examples of a text, which may go on from the names of earlier ones; failures are printed."""
    examples = doctest.DocTestParser().get_doctest(text, names, where, where, 0)
    failed = RUNNER.run(examples, clear_globs=False).failed
    assert failed == 0, f"an example in {where} does not show what it says"
    names.update(examples.globs)


def module_named(name: str) -> ModuleType:
    """The module itself, whatever its package offers under the same name."""
    return importlib.import_module(name)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    module = module_named(name)
    for test in doctest.DocTestFinder().find(module, name):
        assert RUNNER.run(test).failed == 0, f"an example in {test.name} does not show what it says"


@pytest.fixture
def registries() -> Iterator[None]:
    """Forgets afterwards what an example has registered."""
    from polyversi.games.variants import VARIANTS
    from polyversi.players import PLAYERS
    from polyversi.records import FORMATS

    tables: list[dict[str, Any]] = [VARIANTS.known, PLAYERS.known, FORMATS]
    before = [dict(table) for table in tables]
    yield
    for table, known in zip(tables, before, strict=True):
        table.clear()
        table.update(known)


@pytest.mark.parametrize("path", PAGES, ids=[path.name for path in PAGES])
@pytest.mark.usefixtures("registries")
def test_pages(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)    # some write files
    names: dict[str, object] = {}
    for number, block in enumerate(BLOCK.findall(path.read_text()), 1):
        where = f"{path.name}, block {number}"
        if ">>>" in block:
            run(block, names, where)
        else:
            exec(compile(block, where, "exec", dont_inherit=True), names)


def test_core_docstrings() -> None:
    """The core's own classes, whose docstrings are written in C++."""
    from polyversi import _core

    for cls in (_core.Move, _core.State, _core.Rules, _core.Batch):
        for name, member in [("", cls), *vars(cls).items()]:
            text = inspect.getdoc(member) or ""
            if ">>>" in text:
                run(text, {}, f"{cls.__name__}.{name}")


def test_public_names_are_documented() -> None:
    for name in pv.__all__:
        documented = inspect.getdoc(getattr(pv, name)) or ""
        assert documented, f"pv.{name} has no docstring"
