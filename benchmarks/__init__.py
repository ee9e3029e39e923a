"""How fast Polyversi is, measured side by side with other Reversi packages: `python -m benchmarks`."""
