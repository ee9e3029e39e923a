"""Reversi XT over TCP: a server for the courses' clients, and a client for the courses' servers."""
