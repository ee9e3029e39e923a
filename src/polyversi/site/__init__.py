"""The site: people, bots, ladders and events of a course or a club, over one store."""
