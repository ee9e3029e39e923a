"""What the operator lets analysis cost."""

from __future__ import annotations

from dataclasses import dataclass

from polyversi.server.turns import MAX_THINKING

MAX_WORKERS = 256
MAX_SECONDS = 86_400.0


@dataclass(frozen=True)
class AnalysisPolicy:
    """How much of the machine analysis may have."""

    workers: int = MAX_THINKING
    """Processes that think for visitors; 0 for no analysis."""
    seconds: float = 30.0
    """How long a position is thought about at most, for all visitors together."""
    cluster: str = ""
    """The address of a dask cluster whose threads are the workers, in place of processes here."""


DEFAULT_POLICY = AnalysisPolicy()
