"""The commands of `polyversi`, one module each."""
