"""Every example in a docstring, in the README and in docs/ runs and shows what it says."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import pytest

import polyversi as pv

ROOT = Path(__file__).parent.parent
MODULES = sorted(info.name for info in pkgutil.walk_packages(pv.__path__, "polyversi.") if not info.name.endswith("_core"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RUNNER = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)


def run(text: str, names: dict[str, object], where: str) -> None:
    """Runs the examples of a text; failures are printed."""
    examples = doctest.DocTestParser().get_doctest(text, dict(names), where, where, 0)
    assert RUNNER.run(examples).failed == 0, f"an example in {where} does not show what it says"


def module_named(name: str) -> ModuleType:
    """The module itself, whatever its package offers under the same name."""
    return importlib.import_module(name)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    module = module_named(name)
    for test in doctest.DocTestFinder().find(module, name):
        assert RUNNER.run(test).failed == 0, f"an example in {test.name} does not show what it says"


@pytest.mark.parametrize("path", PAGES, ids=[path.name for path in PAGES])
def test_pages(path: Path) -> None:
    for number, block in enumerate(re.findall(r"```(?:python|pycon)\n(.*?)```", path.read_text(), re.DOTALL), 1):
        if ">>>" in block:
            run(block, {}, f"{path.name}, block {number}")
        else:
            exec(compile(block, f"{path.name}, block {number}", "exec"), {"__name__": "example"})


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
