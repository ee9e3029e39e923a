"""ES modules in one script: a file without a server cannot import them, and its policy forbids it."""

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
    """A script with a module and all that it imports, each in a function of its own.

    It knows the kinds of import and export that our modules and those in `page/vendor` have, no others.
    """
    parts: dict[Path, str] = {}
    _add(entry.resolve(), parts)
    return "\n".join(parts.values())


def _add(path: Path, parts: dict[Path, str]) -> str:
    """Puts a module behind those that it imports; the name of what it exports."""
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
    """The names of a list, each with the one that it has on the other side: itself, or that after `as`."""
    words = [name.split() for name in names.split(",") if name.strip()]
    return [(word[0], word[-1]) for word in words]
