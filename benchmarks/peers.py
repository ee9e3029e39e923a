"""The packages that Polyversi is compared with; each may be missing."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
from typing import Any

PACKAGES = {
    "rust-reversi": "rust_reversi",
    "open_spiel": "pyspiel",
    "pgx": "pgx",
    "jax": "jax",
    "reversi": "reversi",
}
"""The name of each package on PyPI, and the module to import."""


def load(package: str) -> Any:
    """The module of a peer, or None when it is not installed.

    >>> load("no-such-package") is None
    True
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        return importlib.import_module(PACKAGES.get(package, package))
    except ImportError:
        return None


def versions() -> dict[str, str]:
    """The installed peers with their versions."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
