"""A real server under load (`make load`) and behind a bad network (`make chaos`), its store checked."""
