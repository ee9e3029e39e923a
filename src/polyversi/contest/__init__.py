"""Tournaments: many entrants, a format that says who meets whom, and a store that loses no game."""
