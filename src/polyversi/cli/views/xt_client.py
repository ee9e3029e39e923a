"""Games of Reversi XT elsewhere, in the terminal: what the process that plays them tells, shown."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from polyversi.cli.views.board import ending, seat_name
from polyversi.cli.views.network import REFUSED, NetworkPage, NetworkView
from polyversi.cli.views.terminal import new_table
from polyversi.gameplay.events import EndEvent, Event, read_event
from polyversi.gameplay.human import Dialogue, PersonLeft
from polyversi.gameplay.seat import Request
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players import Limit
from polyversi.records import jsonl
from polyversi.server.xt.client import Ended
from polyversi.server.xt.client_process import (
    Answered,
    Asked,
    Began,
    GameEnded,
    Happened,
    Left,
    Said,
    Withdrawn,
)

if TYPE_CHECKING:
    from rich.table import Table

    from polyversi.records.record import Record
    from polyversi.server.xt.client_process import ClientProcess, News


REFUSED_BY_XT = REFUSED | {
    "resign": "Reversi XT knows no resigning; 'quit' leaves the game, which disqualifies you."}


class XtClientView:
    """Shows the news of a client as fast as the terminal can, asks the person, and keeps the games.

    A page is not drawn for what is past already when its turn comes.
    """

    def __init__(self, client: ClientProcess, *, has_person: bool, plain: bool) -> None:
        self.played: list[Ended] = []
        """The games that are over."""
        self.has_left = False
        """Whether the person has left the game."""
        self._client = client
        self._shown = NetworkView(has_person=has_person, plain=plain)
        self._has_person = has_person
        self._seat = 0
        self._asking: asyncio.Task[None] | None = None

    def show(self, news: News, *, is_past: bool) -> None:
        """Shows something; not all of it when something has happened since."""
        match news:
            case Began(map=text, seat=seat):
                self._begin(text, seat)
            case Happened(number=number, kind=kind, data=data):
                self._show(read_event(number, kind, data), is_past=is_past)
            case Asked(limit=limit, number=number):
                self._asking = asyncio.create_task(self._ask(number, Limit.parse(limit)))
            case GameEnded(seat=seat, record=line, fault=fault):
                self.played.append(Ended(seat, cast("Record", jsonl.parse(line)), fault))
                self._shown.view.console.print(result_table(self.played[-1]))
            case Said(sentence=sentence):
                self._shown.say(sentence)
            case Withdrawn() if self._asking is not None:
                self._asking.cancel()
                self._shown.view.lines.forget()

    def say(self, sentence: str) -> None:
        """Tells something about all games."""
        self._shown.say(sentence)

    def _begin(self, chart: str, seat: int) -> None:
        start = xt_game(XtMap.parse(chart)).start()
        board, self._seat = start.board, seat
        self._shown.begin(start, (seat,) if self._has_person else ())
        self._shown.say(f"{board.width}×{board.height}, {start.game.seats} players; "
                        f"you are {seat_name(start.game, seat)}")

    def _show(self, event: Event, *, is_past: bool) -> None:
        view = self._shown.view
        if isinstance(view, NetworkPage):
            view.is_hurried = is_past
        if isinstance(event, EndEvent):
            self._shown.say(ending(view.game, event).partition("\n")[0])
        else:
            self._shown.show_here(event)

    async def _ask(self, number: int, limit: Limit) -> None:
        log = self._shown.view.log
        person = Dialogue(self._shown.view, self._shown.view.commands, REFUSED_BY_XT)
        try:
            move = await person.ask(Request(log.state, self._seat, limit, log.start, log.moves))
        except PersonLeft:
            self.has_left = True
            self._client.send(Left())
        else:
            self._client.send(Answered(str(move), number))


def result_table(ended: Ended) -> Table:
    """The places of all seats at the end of a game."""
    final, result = ended.record.final, ended.result
    table = new_table("rank", "seat", "", "stones", "points", left=("seat", ""))
    for place, seat in sorted(zip(result.ranks, range(1, final.game.seats + 1), strict=True)):
        who = [ended.record.players[seat - 1]] if seat == ended.seat else []
        who += ["disqualified"] if seat in final.out else []
        table.add_row(str(place), seat_name(final.game, seat), ", ".join(who), str(result.scores[seat - 1]),
                      f"{result.points[seat - 1]:g}")
    return table
