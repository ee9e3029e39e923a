"""Many games played in parallel from arrays, as in training; finished games are restarted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polyversi as pv
from benchmarks import peers
from benchmarks.harness import Benchmark, Contender, Goal

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = 1_000
STEPS = 100


def polyversi_steps(batch: pv.Batch, look: bool) -> None:
    """Plays random actions in all games; with `look`, also computes what a learner sees of them."""
    for _ in range(STEPS):
        if look:
            _ = batch.tiles, batch.legal
        batch.play(batch.random_actions())
        batch.reset(batch.done)


def pgx_steps(pgx: Any, jax: Any) -> Callable[[], None]:
    """The steps compiled into one loop, which is a little faster than one compiled step called many times."""
    from pgx.experimental import auto_reset

    env = pgx.make("othello")
    step = auto_reset(env.step, env.init)

    def one(carried: Any, _: Any) -> tuple[Any, None]:
        states, key = carried
        key, choosing, stepping = jax.random.split(key, 3)
        scores = jax.numpy.where(states.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(choosing, scores, axis=-1)
        return (jax.vmap(step)(states, actions, jax.random.split(stepping, GAMES)), key), None

    loop = jax.jit(lambda carried: jax.lax.scan(one, carried, None, length=STEPS)[0])
    starts = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), GAMES))
    carried = starts, jax.random.PRNGKey(1)

    def run() -> None:
        nonlocal carried
        carried = jax.block_until_ready(loop(carried))

    return run


def contenders() -> list[Contender]:
    batch = pv.batch("othello", GAMES)
    pgx, jax = peers.load("pgx"), peers.load("jax")
    units = GAMES * STEPS
    return [
        # Pgx computes boards and legal actions at every step, so this is the row to compare.
        Contender("polyversi, boards and legal actions", lambda: polyversi_steps(batch, look=True), units),
        Contender("polyversi, steps alone", lambda: polyversi_steps(batch, look=False), units),
        Contender("pgx", pgx_steps(pgx, jax) if pgx and jax else None, units),
    ]


BENCHMARKS = (
    Benchmark(
        "batch",
        f"Steps of {GAMES:,} games of Othello at once",
        "steps",
        contenders,
        goals=(Goal(20, "pgx"),),
    ),
)
