"""What `polyversi solve --moves` shows: the bounds of each first move."""

from __future__ import annotations

from rich.table import Table

from polyversi.cli.views.board import seat_name
from polyversi.cli.views.terminal import new_table
from polyversi.engines.proof import Proof, ProvedMove


def bounds_table(proof: Proof) -> Table:
    """The first moves with what is proved about each, the best first."""
    table = new_table("move", "at least", "at most", "value", left=("move", "like it"))
    table.add_column("like it")
    for proved in proof.moves:
        table.add_row(
            str(proved.move), f"{proved.low:+}", f"{proved.high:+}",
            f"{proved.low:+}" if proved.is_exact else "",
            " ".join(map(str, proved.same)), style=_style(proof, proved))
    return table


def _style(proof: Proof, proved: ProvedMove) -> str:
    """Bold for moves that may be the best, faint for those that cannot."""
    return "bold" if proved.low == proof.low else "dim" if proved.high < proof.low else ""


def verdict(proof: Proof) -> str:
    """What is proved about the position.

    >>> from polyversi.engines.proof import prove
    >>> verdict(prove("othello-4"))
    'white wins by 8: every value is proved'
    """
    game, mover = proof.state.game, proof.state.next_seat
    if not proof.is_solved:
        return f"not proved yet: between {proof.low:+} and {proof.high:+} for {seat_name(game, mover)}"
    winner = seat_name(game, mover if proof.low > 0 else 3 - mover)
    result = f"{winner} wins by {abs(proof.low)}" if proof.low else "a draw"
    return f"{result}: {'every value is proved' if proof.is_done else 'other moves are still open'}"
