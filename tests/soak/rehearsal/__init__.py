"""The rehearsal of a course: people, bots, a ladder and tournaments on a site that is killed on the way."""
