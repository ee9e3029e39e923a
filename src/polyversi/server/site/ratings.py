"""Who is how strong, over HTTP: the people who play a variant by their ratings."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from polyversi.games.variants import title
from polyversi.server.responses import json_response
from polyversi.server.site.site import Part
from polyversi.site.profiles import names_of
from polyversi.site.ratings import pools_of_people, ranking
from polyversi.site.roles import Person, Role

MAX_RANKED = 100
"""People of a list."""


class RatingsPart(Part):
    """Ratings of people; those of bots are the ladder's."""

    def routes(self) -> Sequence[BaseRoute]:
        """Where its handlers are found."""
        guard = self.site.guard
        return [
            guard.route("/api/site/rankings", Role.GUEST, self._pools),
            guard.route("/api/site/rankings/{spec}", Role.GUEST, self._ranking),
        ]

    async def _pools(self, _: Request, __: Person) -> Response:
        """The variants in which people have ratings, the most played first."""
        pools = await asyncio.to_thread(pools_of_people, self.site.store)
        return json_response({"variants": [{"spec": spec, "title": title(spec), "people": people}
                                           for spec, people in pools.items()]})

    async def _ranking(self, request: Request, _: Person) -> Response:
        return json_response({"people": await asyncio.to_thread(self._ranked, request.path_params["spec"])})

    def _ranked(self, spec: str) -> list[dict[str, Any]]:
        """The strongest people; whoever has left is not among them."""
        found = [one for one in ranking(self.site.store, spec) if one.player.startswith("person:")]
        names, now = names_of(self.site.store, {one.player for one in found}), time.time()
        told = [(names[one.player], one.at(now), one.games) for one in found if one.player in names]
        return [{"name": name, "rating": strength.rating, "error": strength.error, "games": games}
                for name, strength, games in told[:MAX_RANKED]]
