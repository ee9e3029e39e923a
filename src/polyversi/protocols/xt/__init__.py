"""Reversi XT over a wire: the courses' frames, and a seat whose player speaks them."""
