"""The server side of the page: games in rooms, a lobby of rooms, and the HTTP and WebSocket doors to them."""
