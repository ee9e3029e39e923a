"""What organisers see to over HTTP: people, roles and invitations, the audit list, the room it all takes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from polyversi.server.responses import HttpError, json_response, parse_body
from polyversi.server.site.people import NOBODY, shown
from polyversi.server.site.site import Part
from polyversi.site import audit
from polyversi.site.erasing import erase
from polyversi.site.importing import read_people
from polyversi.site.people import Listed, Newcomer
from polyversi.site.roles import Person, Role
from polyversi.site.usage import used

RoleName = Literal["guest", "member", "organiser"]
PAGE = 100
"""Entries of the audit list at a time."""
NUMBER = re.compile(r"[0-9]{1,12}", re.ASCII)


class NewPeople(msgspec.Struct):
    """A list of people as it was pasted or uploaded, and the role of those who have none in it."""

    list: Annotated[str, msgspec.Meta(max_length=500_000)]
    role: RoleName = "member"


class Change(msgspec.Struct):
    """What is to change about a person."""

    name: Annotated[str, msgspec.Meta(max_length=400)] | None = None
    role: RoleName | None = None
    is_disabled: bool | None = None


class OrganisePart(Part):
    """People, invitations and the audit list."""

    def routes(self) -> Sequence[BaseRoute]:
        """Where its handlers are found, all of them for organisers."""
        route, people = self.site.guard.route, "/api/site/organise/people"
        return [
            route(people, Role.ORGANISER, self._list),
            route(people, Role.ORGANISER, self._add, "POST"),
            route(f"{people}/{{id}}", Role.ORGANISER, self._change, "POST"),
            route(f"{people}/{{id}}/link", Role.ORGANISER, self._link, "POST"),
            route(f"{people}/{{id}}/delete", Role.ORGANISER, self._delete, "POST"),
            route("/api/site/organise/audit", Role.ORGANISER, self._audit),
            route("/api/site/organise/storage", Role.ORGANISER, self._storage),
        ]

    async def _list(self, _: Request, __: Person) -> Response:
        everybody = await asyncio.to_thread(self.site.people.listed)
        return json_response({"people": [_listed(one) for one in everybody]})

    async def _add(self, request: Request, organiser: Person) -> Response:
        """Adds people and makes a link for each; links are told only this once."""
        wanted = await parse_body(request, NewPeople)

        def work() -> list[dict[str, Any]]:
            newcomers = read_people(wanted.list, Role.parse(wanted.role))
            return self._added(newcomers, organiser)

        return json_response({"people": await asyncio.to_thread(work)}, 201)

    def _added(self, newcomers: list[Newcomer], organiser: Person) -> list[dict[str, Any]]:
        added = self.site.people.add(newcomers, organiser.id)
        tokens = self.site.sessions.make_links([person.id for person in added], organiser.id)
        return [{**shown(person), "token": token} for person, token in zip(added, tokens, strict=True)]

    async def _change(self, request: Request, organiser: Person) -> Response:
        wanted = await parse_body(request, Change)
        person = await self._person(request)
        people = self.site.people

        def work() -> None:
            if wanted.name is not None:
                people.rename(person.id, wanted.name, organiser.id)
            if wanted.role is not None:
                people.set_role(person.id, Role.parse(wanted.role), organiser.id)
            if wanted.is_disabled is not None:
                people.set_disabled(person.id, wanted.is_disabled, organiser.id)

        await asyncio.to_thread(work)
        return json_response({})

    async def _link(self, request: Request, organiser: Person) -> Response:
        person = await self._person(request)
        token = await asyncio.to_thread(self.site.sessions.make_link, person.id, organiser.id)
        return json_response({**shown(person), "token": token}, 201)

    async def _delete(self, request: Request, organiser: Person) -> Response:
        person = await self._person(request)
        await asyncio.to_thread(erase, self.site.file, self.site.store, person.id, organiser.id)
        return json_response({})

    async def _audit(self, request: Request, _: Person) -> Response:
        before = request.query_params.get("before", "")
        found = await asyncio.to_thread(
            audit.entries, self.site.store, PAGE, int(before) if NUMBER.fullmatch(before) else None)
        names = await asyncio.to_thread(
            self.site.people.names, [id for entry in found for id in (entry.person, entry.subject)])
        return json_response({"entries": [{
            "number": entry.number, "time": entry.time, "action": entry.action, "subject": entry.subject,
            "person": entry.person, "detail": entry.detail, "name": names.get(entry.person, ""),
            "subject_name": names.get(entry.subject, ""),
        } for entry in found], "page": PAGE})

    async def _storage(self, _: Request, __: Person) -> Response:
        return json_response(await asyncio.to_thread(used, self.site.file, self.site.store))

    async def _person(self, request: Request) -> Person:
        person = await asyncio.to_thread(self.site.people.by_id, request.path_params["id"])
        if person is None:
            raise HttpError(404, NOBODY)
        return person


def _listed(one: Listed) -> dict[str, Any]:
    person = one.person
    return {**shown(person), "created": person.created, "is_disabled": person.is_disabled,
            "has_password": person.has_password, "seen": one.seen, "link_until": one.link_until}
