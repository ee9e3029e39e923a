"""Modules joined into few scripts: each of them once, in order, with the way back to its source."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from polyversi.bundling import MORE, SHARED, BundleError, bundle, chunks

MODULES = {
    "app/main.js": """
        /** The start. */
        import { seen } from "./log.js";
        seen.push("main");
        export { seen };""",
    "app/log.js": """
        /** What ran. */
        // in order
        export const seen = [];""",
    "parts/both.js": """
        import { seen as log } from "../app/log.js";
        log.push("both");
        export class Both {}""",
    "views/one/view.js": """
        import * as parts from "../../parts/both.js";
        import { own } from "./own.js";
        export function View() { return [parts.Both.name, own]; }""",
    "views/one/own.js": """
        import { seen } from "../../app/log.js";
        seen.push("own");
        export const own = 1;""",
    "views/two/view.js": """
        import made from "../../parts/made.js";
        import { later } from "../../parts/lazy.js";
        export const lazy = later;
        export { Both } from "../../parts/both.js";
        export async function View() { return made; }""",
    "parts/lazy.js": """
        export const later = () => import("./rare.js");""",
    "parts/rare.js": """
        export default 7;""",
    "parts/made.js": """
        export default function () {}""",
}
VIEWS = ("views/one/view.js", "views/two/view.js")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with these modules."""
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return tmp_path


def test_every_module_is_in_one_script(folder: Path) -> None:
    scripts = chunks("app/main.js", VIEWS, folder)
    places = {name: [script for script, made in scripts.items() if f"const module_{place} = (" in made.text]
              for name in MODULES
              for place in [re.sub(r"\W", "_", "/".join([*(folder / name).parts[-3:-1], Path(name).stem]))]}
    assert places == {
        "app/main.js": ["app/main.js"], "app/log.js": ["app/main.js"], "parts/both.js": [SHARED],
        "views/one/view.js": ["views/one/view.js"], "views/one/own.js": ["views/one/view.js"],
        "views/two/view.js": ["views/two/view.js"], "parts/made.js": ["views/two/view.js"],
        "parts/lazy.js": ["views/two/view.js"], "parts/rare.js": ["parts/rare.js"],
    }


def test_the_first_view_does_not_load_what_others_share(folder: Path) -> None:
    (folder / "views/first").mkdir()
    (folder / "views/first/view.js").write_text("export function View() {}")
    for first, place in ((VIEWS[0], SHARED), ("views/first/view.js", MORE)):
        scripts = chunks("app/main.js", [*VIEWS, "views/first/view.js"], folder, first=first)
        assert [name for name, script in scripts.items() if "class Both" in script.text] == [place]


def test_scripts_run_as_the_modules_would(folder: Path, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node to run them")
    into = tmp_path / "made"
    for name, script in chunks("app/main.js", VIEWS, folder).items():
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script.text)
    (into / "package.json").write_text('{"type": "module"}')
    program = """
      const { seen } = await import("./app/main.js");
      const [one, two] = [await import("./views/one/view.js"), await import("./views/two/view.js")];
      const { default: rare } = await two.lazy();
      console.log(JSON.stringify([seen, one.View(), typeof await two.View(), typeof two.Both, rare]));
    """
    (into / "run.js").write_text(program)
    told = subprocess.run([node, into / "run.js"], capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == [["main", "both", "own"], ["Both", 1], "function", "function", 7]


def test_a_map_leads_back_to_the_sources(folder: Path) -> None:
    script = chunks("app/main.js", VIEWS, folder)["app/main.js"]
    shown = json.loads(script.map)
    assert shown["sources"] == ["../../app/log.js", "../../app/main.js"]
    assert len(shown["mappings"].split(";")) <= len(script.text.splitlines())
    assert "The start" not in script.text


def test_one_script_has_everything(folder: Path) -> None:
    made = bundle(folder / "views/one/view.js")
    assert made.index('"both"') < made.index('"own"') < made.index("function View")
    assert "import" not in made


@pytest.mark.parametrize(("text", "told"), [
    ('import "./log.js";\n', 'does not know \'import "./log.js";\''),
    ("export let count = 0;\n", "does not know 'export let count = 0;'"),
    ('import { a } from "./main.js";\nexport const b = a;\n', "in a circle"),
])
def test_what_cannot_be_joined_is_refused(folder: Path, text: str, told: str) -> None:
    (folder / "app/log.js").write_text(text)
    with pytest.raises(BundleError, match=re.escape(told)):
        chunks("app/main.js", VIEWS, folder)
