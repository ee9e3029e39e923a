"""Network games in the terminal: the views of `polyversi play`, for games with others elsewhere."""

from __future__ import annotations

import sys

from polyversi.cli.views.board import ending, seat_name
from polyversi.cli.views.game import RECENT, GameView, PageView, PlainView
from polyversi.cli.views.terminal import can_redraw, new_console
from polyversi.gameplay.events import EndEvent, Event, StartEvent, VerdictEvent
from polyversi.gameplay.human import Dialogue
from polyversi.gameplay.seat import PersonSeat
from polyversi.server.client import Follower, View
from polyversi.server.messages import Welcome


class NetworkPage(PageView):
    """A page on which the news of the connections stand with what happened on the board."""

    def __init__(self) -> None:
        super().__init__()
        self.is_hurried = False
        """Whether something newer is about to be drawn."""
        self._question = ""
        self._result = ""

    def __call__(self, event: Event) -> None:
        if isinstance(event, VerdictEvent):    # who is out stays on the page
            self.log.apply(event)
            self.note(self._offence(event))
        else:
            super().__call__(event)

    def show_start(self) -> None:
        super().show_start()
        if self._result:
            self.note(f"the last game: {self._result}")

    def show_change(self, sentence: str) -> None:
        del self.recent[: -RECENT + 1]
        super().show_change(sentence)

    def show_end(self, sentence: str) -> None:
        super().show_end(sentence)
        self._result = sentence.partition("\n")[0]

    def redraw(self) -> None:
        if not self.is_hurried:
            super().redraw()

    async def ask(self, question: str) -> str | None:
        self._question = question
        try:
            return await super().ask(question)
        finally:
            self._question = ""

    def note(self, sentence: str) -> None:
        """Shows a sentence that does not change the board, and repeats the question it may have wiped out."""
        self.recent.append(sentence)
        self.redraw()
        self.console.print(self._question, end="")


REFUSED = {"undo": "Moves cannot be taken back over the network."}
"""Commands that are refused in network games, and why."""


class NetworkView(View):
    """Shows games as they come over the network, or as they are played here with others elsewhere."""

    def __init__(self, *, has_person: bool, plain: bool, address: str = "") -> None:
        self.view: GameView
        if not plain and can_redraw(new_console()) and (sys.stdin.isatty() or not has_person):
            self.view = NetworkPage()
        else:
            self.view = PlainView() if plain or not has_person else GameView()
        self._has_person, self._address = has_person, address
        self._people: tuple[int, ...] = ()
        self._known = 0
        self._has_begun = False

    def person(self, name: str) -> PersonSeat:
        """Somebody at this terminal, from whom no move is taken back."""
        return PersonSeat(name, Dialogue(self.view, self.view.commands, REFUSED))

    def say(self, sentence: str) -> None:
        """Tells something about the connections."""
        if isinstance(self.view, NetworkPage) and self._has_begun:
            self.view.note(sentence)
        else:
            self.view.console.print(sentence, soft_wrap=True)    # addresses and tokens stay whole

    def welcome(self, welcome: Welcome, follower: Follower) -> None:
        """A place at a game elsewhere."""
        self._people = (welcome.seat,) if self._has_person else ()
        self._known = welcome.events
        self._has_begun = False
        many = f"game {welcome.number} of {welcome.games}: " if welcome.games > 1 else ""
        place = f"you are {seat_name(follower.game, welcome.seat)}" if welcome.seat else "you watch"
        self.say(f"{many}{follower.game.spec}, {place}")
        if welcome.token and welcome.number == 1:
            self.say("if this program ends early, come back with:\n"
                     f"  polyversi join {self._address} --token {welcome.token}")
        if not welcome.events:
            self.say("waiting for the others")

    def show(self, follower: Follower, event: Event) -> None:
        """An event of a game elsewhere; of those that were missed, only the last one is shown."""
        if isinstance(event, StartEvent):
            self.view.begin(follower.log.start, self._people)
        if follower.events < self._known:
            self.view.log.apply(event)
        else:
            self.show_here(event)

    def show_here(self, event: Event) -> None:
        """An event of a game that is played here."""
        self._has_begun = not isinstance(event, EndEvent)
        self.view(event)

    def show_briefly(self, event: Event, *, is_past: bool) -> None:
        """An event, without its board if that is past already; of the end only who wins, above a table."""
        self.skip_drawing(is_past)
        if isinstance(event, EndEvent):
            self._has_begun = False
            self.view.log.apply(event)
            self.view.show_end(ending(self.view.game, event).partition("\n")[0])
        else:
            self.show_here(event)

    def skip_drawing(self, is_past: bool) -> None:
        """Whether the page is left as it is, since something newer is about to be drawn."""
        if isinstance(self.view, NetworkPage):
            self.view.is_hurried = is_past
