"""Games that are run elsewhere, in rooms of this server: shown event by event, and closed."""

from __future__ import annotations

from contextlib import suppress

from msgspec import structs

from polyversi.gameplay.events import Event, StartEvent
from polyversi.server.lobby import Lobby
from polyversi.server.room import Room
from polyversi.storage.errors import StoreError


def take_shown(lobby: Lobby, room: Room, event: Event) -> bool:
    """Shows the next event of a game that is run elsewhere; returns False if the game is not shown."""
    if room not in (lobby.rooms.get(room.id), lobby.unseen.get(room.id)):
        return False
    if isinstance(event, StartEvent):    # whoever watches needs no name of a file on this machine
        event = structs.replace(event, game=room.game.spec)
    with suppress(StoreError):    # the page is ending
        room.take(event)
    return True


def close_shown(lobby: Lobby, room: Room, why: str) -> None:
    """Shows that a game which is run elsewhere has ended, or why it goes no further."""
    if lobby.unseen.get(room.id) is room:
        del lobby.unseen[room.id]
    if lobby.rooms.get(room.id) is room:
        room.break_off(why)    # unless it has ended
        lobby.open(room)
