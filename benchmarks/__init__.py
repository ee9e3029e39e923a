"""Measures how fast Polyversi is, compared with other Reversi packages: `python -m benchmarks`."""
