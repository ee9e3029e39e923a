"""A day in an hour: a server among honest and hostile visitors, killed on the way, measured to its end."""
