"""The game layer: variants, boards, states, moves, results, notation and drawings."""
