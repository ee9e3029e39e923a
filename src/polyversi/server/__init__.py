"""Front doors: games for people and programs elsewhere, over a network."""
