"""The attacks, by what they aim at; every module here is found by itself."""
