"""Statistics of games: Elo differences, ratings, sequential tests and stochastic tuning."""
