"""Games and contests on disk: databases, the queue of writes, and files that are only appended to."""
