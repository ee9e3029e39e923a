"""Fuzzing: hostile variations of good input for every parser; run with `python -m tests.soak.fuzz`."""
