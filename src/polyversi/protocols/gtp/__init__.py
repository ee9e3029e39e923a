"""GTP, the Go Text Protocol, version 2, as Othello programs use it: the engine's side and the referee's."""

SEATS = {"b": 1, "black": 1, "w": 2, "white": 2}
"""The names of colours."""
COLORS = {1: "b", 2: "w"}
