"""Games of Reversi XT elsewhere, in the terminal: what the process that plays them tells, shown."""

from __future__ import annotations

import asyncio

from rich.table import Table

from polyversi.cli.views.board import seat_name
from polyversi.cli.views.network import REFUSED, NetworkView
from polyversi.cli.views.terminal import new_table
from polyversi.gameplay.events import read_event
from polyversi.gameplay.human import Dialogue, PersonLeft
from polyversi.gameplay.seat import Request
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players import Limit
from polyversi.server.messages import Bye, EventMessage, MoveMessage, RequestMessage
from polyversi.server.xt import client_process as process
from polyversi.server.xt.client import Began, Ended, Said

REFUSED_BY_XT = REFUSED | {
    "resign": "Reversi XT has no resignation; 'quit' leaves the game and disqualifies you."}


class XtClientView(NetworkView):
    """Shows the news of a client as fast as the terminal can, asks the person, and keeps the games."""

    def __init__(self, client: process.ClientProcess, *, has_person: bool, plain: bool) -> None:
        super().__init__(has_person=has_person, plain=plain)
        self.played: list[Ended] = []
        """The games that are over."""
        self.has_left = False
        """Whether the person has left the game."""
        self._client = client
        self._seat = 0
        self._asking: asyncio.Task[None] | None = None

    def show_news(self, news: process.News, *, is_past: bool) -> None:
        """Shows something; not all of it when something has happened since."""
        match news:
            case Began(map=text, seat=seat):
                self._begin(text, seat)
            case EventMessage(number=number, kind=kind, data=data):
                self.show_briefly(read_event(number, kind, data), is_past=is_past)
            case RequestMessage(limit=limit, number=number):
                self._asking = asyncio.create_task(self._ask(number, limit))
            case process.GameEnded(seat=seat, fault=fault):
                self.played.append(Ended(seat, self.view.log.record, fault))
                self.view.console.print(result_table(self.played[-1]))
            case Said(sentence=sentence):
                self.say(sentence)
            case process.Withdrawn() if self._asking is not None:
                self._asking.cancel()
                self.view.lines.forget()

    def _begin(self, chart: str, seat: int) -> None:
        start = xt_game(XtMap.parse(chart)).start()
        board, self._seat = start.board, seat
        self.view.begin(start, (seat,) if self._has_person else ())
        self.say(f"{board.width}×{board.height}, {start.game.seats} players; "
                 f"you are {seat_name(start.game, seat)}")

    async def _ask(self, number: int, limit: Limit) -> None:
        log = self.view.log
        person = Dialogue(self.view, self.view.commands, REFUSED_BY_XT)
        try:
            move = await person.ask(Request(log.state, self._seat, limit, log.start, log.moves))
        except PersonLeft:
            self.has_left = True
            self._client.send(Bye())
        else:
            self._client.send(MoveMessage(number, str(move)))


def result_table(ended: Ended) -> Table:
    """The places of all seats at the end of a game."""
    final, result = ended.record.final, ended.result
    table = new_table("rank", "seat", "", "stones", "points", names=("seat", ""))
    for place, seat in sorted(zip(result.ranks, range(1, final.game.seats + 1), strict=True)):
        who = [ended.record.players[seat - 1]] if seat == ended.seat else []
        who += ["disqualified"] if seat in final.out else []
        table.add_row(str(place), seat_name(final.game, seat), ", ".join(who), str(result.scores[seat - 1]),
                      f"{result.points[seat - 1]:g}")
    return table
