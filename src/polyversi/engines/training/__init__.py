"""Training: evaluation weights for a game, made from nothing by self-play."""
