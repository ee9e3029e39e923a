"""Bundles ES modules into one script, because a local HTML file cannot import modules."""

from __future__ import annotations

import re
from pathlib import Path

IMPORT = re.compile(
    r'(?:^|(?<=;))(import|export)\s*(?:(\w+)\s+)?(?:\{([^{}]*)\}\s*)?from\s*"([^"]+)";?', re.MULTILINE
)
EXPORT = re.compile(
    r"(?:^|(?<=[;}]))export\s*(?:\{([^{}]*)\};?|(default\s)|(?=(?:async )?(?:class|function|const)\s+(\w+)))",
    re.MULTILINE,
)


def bundle(entry: Path) -> str:
    """A script with a module and everything it imports, each in a function of its own.

    It handles only the kinds of import and export that occur in our modules and in `page/vendor`.
    """
    parts: dict[Path, str] = {}
    _add(entry.resolve(), parts)
    return "\n".join(parts.values())


def _add(path: Path, parts: dict[Path, str]) -> str:
    """Adds a module after those that it imports; returns the name of its exports."""
    name = "module_" + re.sub(r"\W", "_", f"{path.parent.name}/{path.stem}")
    if path in parts:
        return name
    exported: list[str] = []

    def imported(found: re.Match[str]) -> str:
        kind, default, names, source = found.groups()
        module = _add((path.parent / source).resolve(), parts)
        taken = _pairs(names or "") + [("default", default)] * bool(default)
        if kind == "export":
            exported.extend(f"{other}: {module}.{one}" for one, other in taken)
            return ""
        return f"const {{ {', '.join(f'{one}: {other}' for one, other in taken)} }} = {module};"

    def declared(found: re.Match[str]) -> str:
        names, default, declaration = found.groups()
        exported.extend(f"{other}: {one}" for one, other in _pairs(names or ""))
        if declaration:
            exported.append(declaration)
        if default:
            exported.append("default: made")
        return "const made = " if default else ""

    body = EXPORT.sub(declared, IMPORT.sub(imported, path.read_text(encoding="utf-8")))
    parts[path] = f"const {name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"
    return name


def _pairs(names: str) -> list[tuple[str, str]]:
    """The names of a list, each with its name on the other side: the same, or the one after `as`."""
    words = [name.split() for name in names.split(",") if name.strip()]
    return [(word[0], word[-1]) for word in words]
