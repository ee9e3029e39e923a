"""Contests of many games, from a match to a tournament: plan, schedule, workers, stores and standings."""
