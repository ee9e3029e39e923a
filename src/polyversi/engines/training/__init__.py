"""Training: weights for a game from self-play, regression and a validation match."""
