"""Bots: players in processes of their own, started, sandboxed and ended as a whole."""

from polyversi.gameplay.bots.process import Command
from polyversi.gameplay.bots.sandbox import Sandbox, SandboxError, check_sandbox
from polyversi.gameplay.bots.seat import BotSeat

__all__ = ["BotSeat", "Command", "Sandbox", "SandboxError", "check_sandbox"]
