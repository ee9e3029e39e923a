"""Joins ES modules into few scripts, so that browsers need few requests while the sources stay as they are.

It handles only the kinds of import and export that occur in our modules and in `page/vendor`, and says so
where it meets another one. Each module becomes a function that runs once, in the order of the imports; what
it exports must be there when it ends, as functions, classes and constants are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

IMPORT = re.compile(
    r'(?:^|(?<=;))(import|export)\s*(?:(\w+)\s+|\*\s*as\s+(\w+)\s+)?(?:\{([^{}]*)\}\s*)?from\s*"([^"]+)";?',
    re.MULTILINE,
)
EXPORT = re.compile(
    r"(?:^|(?<=[;}]))export\s*(?:\{([^{}]*)\};?|(default\s)|(?=(?:async )?(?:class|function|const)\s+(\w+)))",
    re.MULTILINE,
)
LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
"""A module that is loaded when it is needed."""
COMMENT = re.compile(r"^[ \t]*(?:/\*\*?(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*$", re.MULTILINE)
"""Comments that have their lines to themselves: all that can be told from code without reading JavaScript."""
UNREAD = re.compile(r"^(?:import|export)\b(?!\()[^\n]*", re.MULTILINE)
SHARED = "shared.js"
"""What the first view shares with others."""
MORE = "more.js"
"""What only other views share."""
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class BundleError(Exception):
    """A module has an import or an export that the bundler does not know."""


@dataclass
class Module:
    """One module as a function."""

    path: Path
    imports: list[Path] = field(default_factory=list)
    later: list[Path] = field(default_factory=list)
    """What it imports when it is needed."""
    body: str = ""
    exports: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the constant with its exports."""
        return name_of(self.path)

    @property
    def text(self) -> str:
        """The module as a constant; the body begins on its second line."""
        return f"const {self.name} = (() => {{\n{self.body}\nreturn {{ {', '.join(self.exports)} }};\n}})();"


def name_of(path: Path) -> str:
    """The name of a module in a bundle.

    >>> name_of(Path("/page/views/editor/map-plan.js"))
    'module_views_editor_map_plan'
    """
    return "module_" + re.sub(r"\W", "_", "/".join([*path.parts[-3:-1], path.stem]))


def read_module(path: Path) -> Module:
    """A module with its imports and exports rewritten."""
    module = Module(path)

    def imported(found: re.Match[str]) -> str:
        kind, default, everything, names, source = found.groups()
        other = (path.parent / source).resolve()
        module.imports.append(other)
        taken = _pairs(names or "") + [("default", default)] * bool(default)
        if kind == "export":
            module.exports.extend(f"{there}: {name_of(other)}.{one}" for one, there in taken)
            return ""
        if everything:
            return f"const {everything} = {name_of(other)};"
        return f"const {{ {', '.join(f'{one}: {here}' for one, here in taken)} }} = {name_of(other)};"

    def declared(found: re.Match[str]) -> str:
        names, default, declaration = found.groups()
        module.exports.extend(f"{there}: {one}" for one, there in _pairs(names or ""))
        if declaration:
            module.exports.append(declaration)
        if default:
            module.exports.append("default: made")
        return "const made = " if default else ""

    def blank(found: re.Match[str]) -> str:
        return "\n" * found[0].count("\n")    # so that lines keep their numbers

    text = COMMENT.sub(blank, path.read_text(encoding="utf-8"))
    module.body = EXPORT.sub(declared, IMPORT.sub(lambda found: imported(found) + blank(found), text))
    untyped = re.sub(r"/\*.*?\*/", "", module.body, flags=re.DOTALL)
    module.later = [(path.parent / name).resolve() for name in LATER.findall(untyped)]
    if unread := UNREAD.search(module.body):
        raise BundleError(f"{path}: the bundler does not know '{unread[0]}'; see polyversi/bundling.py")
    return module


def _pairs(names: str) -> list[tuple[str, str]]:
    """The names of a list, each with its name on the other side: the same, or the one after `as`."""
    words = [name.split() for name in names.split(",") if name.strip()]
    return [(word[0], word[-1]) for word in words]


def closure(entry: Path, known: dict[Path, Module]) -> list[Module]:
    """A module after all that it imports; `known` keeps those that have been read."""
    found: dict[Path, Module] = {}

    def add(path: Path, above: tuple[Path, ...]) -> None:
        if path in above:
            circle = " → ".join(one.name for one in (*above, path))
            raise BundleError(f"modules import each other in a circle: {circle}")
        if path in found:
            return
        if path not in known:
            known[path] = read_module(path)
        for other in known[path].imports:
            add(other, (*above, path))
        found[path] = known[path]

    add(entry.resolve(), ())
    return list(found.values())


def bundle(entry: Path) -> str:
    """A script with a module and everything it imports: a local HTML file cannot import modules."""
    return "\n".join(module.text for module in closure(entry, {}))


@dataclass(frozen=True)
class Script:
    """A module of a bundle, with the map that shows browsers' tools the sources."""

    text: str
    map: str


def chunks(main: str, others: Iterable[str], folder: Path, first: str = "") -> dict[str, Script]:
    """Scripts for some entries of a folder, each under the entry's own name, and two for what they share.

    Every module is in one of them: that of the main entry, that of the only other entry which needs it,
    `shared.js`, or `more.js` where several need it but not the entry that visitors meet first. What a module
    imports later is an entry, too; entries whose names the main one makes up at run time are found beside it.
    """
    folder = folder.resolve()
    known: dict[Path, Module] = {}
    wanted: dict[str, list[Module]] = {}
    waiting = [main, *others]
    for entry in waiting:
        if entry not in wanted:
            wanted[entry] = closure(folder / entry, known)
            later = [path for module in wanted[entry] for path in module.later]
            waiting += [path.relative_to(folder).as_posix() for path in later]
    needed: dict[Path, list[str]] = {}
    for entry, modules in wanted.items():
        for module in modules:
            needed.setdefault(module.path, []).append(entry)

    def place(entries: list[str]) -> str:
        if main in entries or len(entries) == 1:
            return entries[0]    # the main one comes first
        return SHARED if not first or first in entries else MORE

    places = {path: place(entries) for path, entries in needed.items()}
    ordered = {module.path: module for modules in wanted.values() for module in modules}
    return {name: _script(name, [module for path, module in ordered.items() if places[path] == name],
                          places, folder)
            for name in (*wanted, SHARED, MORE)}


def _script(name: str, own: list[Module], places: Mapping[Path, str], folder: Path) -> Script:
    """One script: what it imports from the others, its modules, and what the others import from it."""
    needed: dict[str, set[str]] = {}
    for path in (path for module in own for path in module.imports if places[path] != name):
        needed.setdefault(places[path], set()).add(name_of(path))
    upwards = "../" * name.count("/") or "./"
    lines = [f'import {{ {", ".join(sorted(names))} }} from "{upwards}{other}";'
             for other, names in sorted(needed.items())]
    sources: list[tuple[int, int] | None] = [None] * len(lines)
    def loaded_later(found: re.Match[str]) -> str:
        path = (module.path.parent / found[1]).resolve()
        return f'import("{upwards}{path.relative_to(folder).as_posix()}")'

    for number, module in enumerate(own):
        for at, line in enumerate(LATER.sub(loaded_later, module.text).split("\n")):
            if line.strip():
                lines.append(line)
                sources.append((number, max(at - 1, 0)))
    lines.append(f"export {{ {', '.join(module.name for module in own)} }};")
    for entry in (module for module in own if module.path == folder / name):
        lines += [_exported(one.partition(":")[0], entry) for one in entry.exports]
    lines.append(f"//# sourceMappingURL={Path(name).name}.map")
    files = [f"{upwards}../{module.path.relative_to(folder).as_posix()}" for module in own]
    shown = {"version": 3, "sources": files, "names": [], "mappings": _mappings(sources)}
    return Script("\n".join(lines) + "\n", json.dumps(shown, separators=(",", ":")))


def _exported(name: str, entry: Module) -> str:
    made = f"{entry.name}.{name};"
    return f"export default {made}" if name == "default" else f"export const {name} = {made}"


def _mappings(sources: Iterable[tuple[int, int] | None]) -> str:
    """Which line of which source each line is, as source maps have it.

    >>> _mappings([None, (0, 0), (0, 2), (1, 0)])
    ';AAAA;AAEA;ACFA'
    """

    def segments() -> Iterator[str]:
        before = (0, 0)
        for source in sources:
            if source is None:
                yield ""
                continue
            yield "A" + _vlq(source[0] - before[0]) + _vlq(source[1] - before[1]) + "A"
            before = source

    return ";".join(segments())


def _vlq(number: int) -> str:
    """A number in the base 64 of source maps.

    >>> [_vlq(number) for number in (0, 1, -1, 16)]
    ['A', 'C', 'D', 'gB']
    """
    rest = abs(number) << 1 | (number < 0)
    digits = ""
    while True:
        rest, digit = rest >> 5, rest & 31
        digits += DIGITS[digit | (32 if rest else 0)]
        if not rest:
            return digits
