"""Attacks on a running server, one after the other: what each costs, and what an honest visitor notices."""
