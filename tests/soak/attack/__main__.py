"""`python -m tests.soak.attack [NAME …]`: attacks a server of this machine and says what held."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import logging
import os
import pkgutil
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from tests.soak.attack import attacks
from tests.soak.attack.registry import ATTACKS, MIB, Attack, FailedError, SkippedError, SlowError
from tests.soak.attack.site import Site, latencies, until

SETTLE = 45.0
"""Seconds in which a server has let go of everything that an attack opened."""
SLACK = 24
"""Handles that may stay open: of the store, of workers that wait for the next picture."""
LONGEST = 240.0
"""Seconds after which an attack has hung."""
CAPTION = ("the server's memory before and at most; p50 and p99: milliseconds that an honest visitor waits; "
           "lag: how late a process wakes on this machine that does nothing but sleep, p99")
BUSY = 0.2
"""The part of the machine that other programs may take before a slow answer says nothing of the server."""
ENOUGH = 20
"""Answers to the honest visitor that are measured at least."""
CLIENT_FILES = 8_192


async def _quiet(_: Site) -> str:
    """Shows what the honest visitor waits for on this machine without an attack."""
    await asyncio.sleep(5)
    return f"load of the machine {os.getloadavg()[0]:.1f}"


QUIET = Attack("nothing at all", _quiet)


def all_attacks() -> list[Attack]:
    """Every attack there is, after none at all."""
    for module in pkgutil.iter_modules(attacks.__path__, f"{attacks.__name__}."):
        importlib.import_module(module.name)
    return [QUIET, *ATTACKS]


def run(one: Attack, latency: float) -> tuple[str, str, list[str]]:
    """Attacks once: the verdict, why, and the figures for the table."""
    with tempfile.TemporaryDirectory() as folder:
        site, verdict, why = Site(Path(folder), *one.options), "held", ""
        try:
            with site:
                why = asyncio.run(_attack(site, one))
                verdict, problem = _cost(site, one, latency)
                why = problem or why
        except SkippedError as error:
            verdict, why = "skipped", str(error)
        except SlowError as error:
            verdict, why = _slow(site, str(error))
        except (FailedError, OSError, TimeoutError) as error:
            verdict, why = "failed", f"{error or type(error).__name__}"
        return verdict, why, _figures(site)


async def _attack(site: Site, one: Attack) -> str:
    async with asyncio.timeout(LONGEST):
        why = await one.deed(site)
        await until(lambda: site.meter.open_handles() <= site.meter.handles_before + SLACK, SETTLE,
                    "what the attack opened stays open")
        if not one.disrupts:
            await until(lambda: latencies(site.noted(site.meter.began))[0].count >= ENOUGH, SETTLE,
                        "the honest visitor is not answered")
        return why


def _cost(site: Site, one: Attack, latency: float) -> tuple[str, str]:
    """The verdict on what the attack cost, and what it cost too much of, if anything."""
    waits, _, cut = latencies(site.noted(site.meter.began))
    grown = site.meter.memory - site.meter.memory_before
    if grown > one.memory:
        allowed = one.memory / MIB
        return "failed", f"the server needed {grown / MIB:.0f} MiB of memory; {allowed:.0f} are allowed"
    if cut and not one.disrupts:
        return "failed", f"the honest visitor was cut off {cut} times"
    slowest = waits.share(0.99)
    if slowest < latency or one.is_slow:
        return "held", ""
    return _slow(site, f"the honest visitor waited {slowest:.0f} ms (p99)")


def _slow(site: Site, told: str) -> tuple[str, str]:
    """The verdict on somebody who waited for too long, perhaps for other programs."""
    others = site.meter.others()
    if others < BUSY:
        return "failed", told
    return "unclear", f"{told}, but {others:.0%} of this machine was busy with other things; try again later"


def _figures(site: Site) -> list[str]:
    meter = site.meter
    waits, lag, _ = latencies(site.noted(meter.began))
    return [f"{meter.memory_before / MIB:.0f}→{meter.memory / MIB:.0f}", f"{meter.handles}",
            f"{meter.processes}", f"{waits.share(0.5):.0f}", f"{waits.share(0.99):.0f}",
            f"{lag.share(0.99):.0f}", f"{time.monotonic() - meter.began:.0f}"]


def main() -> int:
    """Runs all attacks, or those that are named; returns 1 if any failed."""
    parser = argparse.ArgumentParser("tests.soak.attack", description="Attacks on a server of this machine.")
    parser.add_argument("names", nargs="*", help="words in the names of the attacks wanted; default: all")
    parser.add_argument("--latency", type=float, default=100.0,
                        help="milliseconds that the honest visitor may wait at most, in 99 of 100 cases")
    asked = parser.parse_args()
    words = asked.names or [""]
    chosen = [one for one in all_attacks() if any(word in one.name for word in words)]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(CLIENT_FILES, most), most))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    logging.getLogger("asyncio").setLevel(logging.ERROR)    # it tells of every connection that was ended
    console = Console(width=None if sys.stdout.isatty() else 120)    # a file has room for the whole table
    table = Table(box=box.SIMPLE, padding=(0, 0, 0, 1), caption=CAPTION)
    for column in ("attack", "", "MiB", "handles", "processes", "p50", "p99", "lag", "s"):
        table.add_column(column, justify="left" if column in ("attack", "") else "right", no_wrap=True)
    verdicts = []
    try:
        for number, one in enumerate(chosen, 1):
            with console.status(f"{number} of {len(chosen)}: {one.name}"):
                verdict, why, figures = run(one, asked.latency)
            verdicts.append(verdict)
            console.print(f"{verdict:<8}{one.name}: {why}", highlight=False, markup=False, soft_wrap=True)
            table.add_row(one.name, verdict, *figures)
    except KeyboardInterrupt:
        console.print("interrupted; so far:")
    console.print(table)
    kinds = ("held", "failed", "unclear", "skipped")
    console.print(", ".join(f"{verdicts.count(kind)} {kind}" for kind in kinds))
    return 1 if "failed" in verdicts or not verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
