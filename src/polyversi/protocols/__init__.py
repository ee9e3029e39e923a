"""Protocols: GTP, NBoard, JSON bots, course agents and the Reversi XT wire, both sides of each."""
