"""Bots: players in processes of their own, whatever they speak."""

from polyversi.arena.bots.course import CourseSeat
from polyversi.arena.bots.gtp import GtpSeat
from polyversi.arena.bots.jsonbot import JsonSeat
from polyversi.arena.bots.nboard import NboardSeat
from polyversi.arena.bots.process import Command
from polyversi.arena.bots.sandbox import Sandbox, SandboxError, check_sandbox
from polyversi.arena.bots.seat import BotSeat
from polyversi.arena.bots.spec import BOTS, sandbox_of, seat_from
from polyversi.arena.bots.xtclient import XtClientSeat

__all__ = [
    "BOTS", "BotSeat", "Command", "CourseSeat", "GtpSeat", "JsonSeat", "NboardSeat", "Sandbox",
    "SandboxError", "XtClientSeat", "check_sandbox", "sandbox_of", "seat_from",
]
