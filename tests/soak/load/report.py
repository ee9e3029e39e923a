"""The figures of an evening, for people."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from tests.soak.load.measuring import KIB, MIB

MOST_MILLISECONDS = 50
MOST_A_CLIENT = 64 * KIB
MOST_GROWTH = MIB
"""Bytes a minute that are no growth but the noise of an allocator."""


def table(figures: dict[str, Any]) -> Table:
    """Everything that was measured."""
    plan, memory = figures["plan"], figures["memory"]
    shown = Table(title=f"{plan['clients']} clients, {plan['games']} games at a time, {plan['seconds']:g} s")
    shown.add_column("what")
    shown.add_column("figure", justify="right")
    for who in ("opponents", "spectators"):
        times = figures[who]
        shown.add_row(f"move to {who}: p50, p99, max",
                      f"{times['p50']:.1f}, {times['p99']:.1f}, {times['max']:.1f} ms")
    lag = figures["lag_of_clients"]
    shown.add_row("  of it the clients' own lag: p50, p99, max",
                  f"{lag['p50']:.1f}, {lag['p99']:.1f}, {lag['max']:.1f} ms")
    moves = figures["moves"]
    shown.add_row("moves a second", f"{moves['a_second']:.1f}")
    shown.add_row("moves acknowledged, of those sent", f"{moves['acknowledged']:,} of {moves['sent']:,}")
    shown.add_row("messages to clients a second", f"{figures['messages_a_second']:.0f}")
    shown.add_row("games", f"{figures['games']:,}")
    shown.add_row("server's processor time", f"{figures['processor']['server']:.0%}")
    shown.add_row("clients' processor time", f"{figures['processor']['clients']:.0%}")
    for name in ("at_start", "with_games", "with_clients"):
        shown.add_row(f"server's memory {name.replace('_', ' ')}", f"{memory[name] / MIB:.1f} MiB")
    shown.add_row("server's memory a client", f"{memory['a_client'] / KIB:.1f} KiB")
    for look in memory["looks"]:
        shown.add_row(f"  after {look['second']:.0f} s, {look['events']:,} events in running games",
                      f"{look['memory'] / MIB:.1f} MiB")
    shown.add_row("  growth in the second half", f"{memory['growth_a_minute'] / KIB:.0f} KiB a minute")
    return shown


def goals(figures: dict[str, Any]) -> dict[str, bool]:
    """What is wanted, and whether it was reached."""
    slowest, memory = figures["opponents"]["p99"], figures["memory"]
    return {
        f"p99 from move to opponent under {MOST_MILLISECONDS} ms": slowest < MOST_MILLISECONDS,
        f"under {MOST_A_CLIENT // KIB} KiB of memory a client": memory["a_client"] < MOST_A_CLIENT,
        "no growth": memory["growth_a_minute"] < MOST_GROWTH,
    }
