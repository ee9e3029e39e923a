"""Protocols: how front ends and match tools talk to the engine, line by line."""

from polyversi.engines.protocols.gtp import Gtp
from polyversi.engines.protocols.lines import Session, Settings, serve
from polyversi.engines.protocols.nboard import NBoard

__all__ = ["Gtp", "NBoard", "Session", "Settings", "serve"]
