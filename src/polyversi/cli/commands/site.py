"""`polyversi site`: a site with people, bots, ladders and events, looked after in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:    # which needs more packages
    from polyversi.site.opened import OpenSite
    from polyversi.site.roles import Person, Role

SENTENCE = "Make and look after a site: people, links, roles, backup, export."
app = typer.Typer(help=SENTENCE, no_args_is_help=True)
SiteOption = Annotated[Path, typer.Option("--site", metavar="FILE", help="The site's file.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a person.")]
RoleOption = Annotated[str, typer.Option("--role", help="guest, member or organiser.")]
Url = Annotated[str, typer.Option("--url", help=(
    "The address of the site, which the links begin with; default: that of `polyversi run` here."))]
DEFAULT = Path("site.toml")
HERE = "http://127.0.0.1:8777"
FILE = """\
# A site of Polyversi. Start it with: polyversi run --site {file}
name = {name}

# Where everything is kept: a file, or a URL such as postgresql://club@localhost/polyversi
store = "site.db"
# The folder of what people hand in.
uploads = "uploads"
# What people may hand in.
languages = ["python", "json-python", "javascript", "executable", "xt"]

# A ladder for each game that bots play. Limits are for each bot: seconds a move, seconds a game; MiB.
[[ladders]]
id = "{ladder}"
title = {title}
variant = "{variant}"
limit = "seconds=5,bank=180"
memory = 1024

# How much one person may use; organisers may use any amount.
[quotas]
bots = 5
versions_per_day = 50
megabytes = 50
challenges = 10
"""


@app.callback()
def site() -> None:
    """Make and look after a site: people, links, roles, backup, export."""


@app.command()
def new(
    organiser: Annotated[str, typer.Argument(metavar="ORGANISER", help="Your name on the site.")],
    file: SiteOption = DEFAULT,
    name: Annotated[str, typer.Option(help="The name of the site.")] = "Polyversi",
    variant: Annotated[str, typer.Option("--variant", help=(
        "The game of its first ladder; `polyversi variants` lists them."))] = "othello",
    url: Url = HERE,
) -> None:
    """Make a site with one organiser, and a link to come in with.

    The site's file says everything else; it can be changed at any time, and counts when the server starts.

    Examples:

      polyversi site new "Ann Lee" --name "AI course"

      polyversi site new Ann --site club/site.toml --variant anti
    """
    import json
    import re

    from polyversi.games.errors import PolyversiError
    from polyversi.games.variants import VARIANTS, game
    from polyversi.site.opened import open_private
    from polyversi.site.people import Newcomer, People
    from polyversi.site.roles import Role
    from polyversi.site.sessions import Sessions

    spec = game(variant).spec
    label = VARIANTS[spec].label if spec in VARIANTS else spec
    ladder = re.sub(r"[^a-z0-9]+", "-", variant.lower()).strip("-")[:40]
    text = FILE.format(file=file, name=json.dumps(name, ensure_ascii=False), variant=variant, ladder=ladder,
                       title=json.dumps(label, ensure_ascii=False))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "x", encoding="utf-8", opener=open_private) as written:
            written.write(text)
    except FileExistsError:
        raise PolyversiError(f"there is a file {file} already; start it with `polyversi run --site {file}`"
                             ) from None
    with _opened(file) as opened:
        person, = People(opened.store).add([Newcomer(organiser, Role.ORGANISER)])
        token = Sessions(opened.store, opened.file.settings).make_link(person.id)
    typer.echo(f"{file} is a new site; start it with: polyversi run --site {file}")
    typer.echo(f"Then come in with this link, which works once:\n{_link(url, token)}")


@app.command("people")
def list_people(file: SiteOption = DEFAULT) -> None:
    """List the people of the site, with their roles and when they were last here.

    Examples:

      polyversi site people --site club/site.toml
    """
    import time

    from rich.console import Console
    from rich.table import Table

    from polyversi.site.people import People

    with _opened(file) as opened:
        everybody = People(opened.store).listed()
    table = Table("name", "role", "last here", box=None)
    for one in everybody:
        seen = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.seen)) if one.seen else "never"
        is_invited = one.link_until is not None and one.seen is None
        state = "kept out" if one.person.is_disabled else "invited" if is_invited else seen
        table.add_row(one.person.name, str(one.person.role), state)
    Console(highlight=False, markup=False).print(table)


@app.command("bots")
def list_bots(file: SiteOption = DEFAULT) -> None:
    """List the bots of the site: whose they are, which version plays, and how the newest was checked.

    Examples:

      polyversi site bots --site club/site.toml
    """
    from rich.console import Console
    from rich.table import Table

    from polyversi.site.bots import Bots

    with _opened(file) as opened:
        bots = Bots(opened.file, opened.store)
        listed, newest = bots.all(), bots.newest()
    table = Table("name", "of", "ladder", "plays", "newest version", box=None)
    for bot in listed:
        last = newest.get(bot.id)
        plays = f"version {bot.active}" if bot.active else "rests"
        table.add_row(bot.name, bot.owner_name, bot.ladder, plays,
                      f"{last.number}: {last.phase}" if last else "none")
    Console(highlight=False, markup=False).print(table)


@app.command()
def invite(name: Name, role: RoleOption = "member", file: SiteOption = DEFAULT, url: Url = HERE) -> None:
    """Add a person, and print the link with which that person comes in.

    Examples:

      polyversi site invite "Cleo Fox" --url https://club.example
    """
    from polyversi.site.people import Newcomer, People
    from polyversi.site.sessions import Sessions

    with _opened(file) as opened:
        person, = People(opened.store).add([Newcomer(name, _role(role))])
        typer.echo(_link(url, Sessions(opened.store, opened.file.settings).make_link(person.id)))


@app.command("import")
def import_people(
    source: Annotated[Path, typer.Argument(metavar="FILE.csv", help=(
        "A name on each line, or a table with a column `name` and perhaps `role`."))],
    role: RoleOption = "member",
    file: SiteOption = DEFAULT,
    url: Url = HERE,
) -> None:
    """Add the people of a list, all of them or none, and print a table of their links.

    Examples:

      polyversi site import students.csv --url https://club.example
    """
    import csv
    import sys

    from polyversi.site.importing import read_people
    from polyversi.site.people import People
    from polyversi.site.sessions import Sessions

    data = source.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")    # as spreadsheets save tables
    newcomers = read_people(text, _role(role))
    with _opened(file) as opened:
        added = People(opened.store).add(newcomers)
        tokens = Sessions(opened.store, opened.file.settings).make_links([person.id for person in added])
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["name", "link"])
    writer.writerows((person.name, _link(url, token)) for person, token in zip(added, tokens, strict=True))


@app.command("role")
def set_role(
    name: Name,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="guest, member or organiser.")],
    file: SiteOption = DEFAULT,
) -> None:
    """Give a person another role.

    Examples:

      polyversi site role "Bob Ray" organiser
    """
    from polyversi.site.people import People

    with _person(file, name) as (opened, person):
        People(opened.store).set_role(person.id, _role(role))
    typer.echo(f"{person.name} is {'an' if role[0] in 'aeiou' else 'a'} {role} now")


@app.command("rename")
def rename_person(
    name: Name,
    new_name: Annotated[str, typer.Argument(metavar="NEW", help="The name that this person is to have.")],
    file: SiteOption = DEFAULT,
) -> None:
    """Give a person another name, with which that person signs in from now on.

    Examples:

      polyversi site rename "Bob Ray" "Rob Ray"
    """
    from polyversi.site.people import People

    with _person(file, name) as (opened, person):
        people = People(opened.store)
        people.rename(person.id, new_name)
        changed = people.by_id(person.id) or person
    typer.echo(f"{person.name} is called {changed.name} now")


@app.command("keep-out")
def keep_out(name: Name, file: SiteOption = DEFAULT) -> None:
    """Keep a person out, who is signed out at once, and whose links end; nothing is erased.

    Examples:

      polyversi site keep-out "Bob Ray"
    """
    from polyversi.site.people import People

    with _person(file, name) as (opened, person):
        People(opened.store).set_disabled(person.id, True)
    typer.echo(f"{person.name} is kept out now; `polyversi site let-in` lets them in again")


@app.command("let-in")
def let_in(name: Name, file: SiteOption = DEFAULT) -> None:
    """Let a person in again who was kept out; they sign in with their password, or `reset` makes a link.

    Examples:

      polyversi site let-in "Bob Ray"
    """
    from polyversi.site.people import People

    with _person(file, name) as (opened, person):
        People(opened.store).set_disabled(person.id, False)
    typer.echo(f"{person.name} may come in again")


@app.command()
def reset(name: Name, file: SiteOption = DEFAULT, url: Url = HERE) -> None:
    """Print a link with which a person comes in and chooses another password.

    Examples:

      polyversi site reset "Bob Ray"
    """
    from polyversi.site.sessions import Sessions

    with _person(file, name) as (opened, person):
        typer.echo(_link(url, Sessions(opened.store, opened.file.settings).make_link(person.id)))


@app.command()
def delete(
    name: Name,
    file: SiteOption = DEFAULT,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase a person for good: the account, uploads, and what their bots have written.

    Games stay, without the name: ratings of others depend on them.

    Examples:

      polyversi site delete "Bob Ray"
    """
    from polyversi.site.erasing import erase

    with _person(file, name) as (opened, person):
        if not yes:
            typer.confirm(f"Erase {person.name} for good?", abort=True)
        erase(opened.file, opened.store, person.id)
    typer.echo(f"{person.name} was erased")


@app.command("audit")
def list_changes(
    file: SiteOption = DEFAULT,
    count: Annotated[int, typer.Option(min=1, max=100_000, help="How many changes, the latest.")] = 50,
) -> None:
    """List what organisers have changed, the latest first.

    Examples:

      polyversi site audit --count 200
    """
    import json
    import time

    from polyversi.games.board import printable
    from polyversi.site.audit import AT_THE_TERMINAL, BY_SCHEDULE, entries
    from polyversi.site.people import People

    with _opened(file) as opened:
        found = entries(opened.store, count)
        names = People(opened.store).names([id for entry in found for id in (entry.person, entry.subject)])
    for entry in found:
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.time))
        others = {AT_THE_TERMINAL: "at the terminal", BY_SCHEDULE: "by schedule"}
        who = names.get(entry.person) or others.get(entry.person, entry.person)
        whom = names.get(entry.subject, entry.subject)
        detail = json.dumps(entry.detail, ensure_ascii=False) if entry.detail else ""
        typer.echo(printable(f"{when}  {who}  {entry.action}  {whom}  {detail}".rstrip()))


@app.command("backup")
def make_backup(
    target: Annotated[Path, typer.Argument(metavar="FILE.tar.gz", help="The archive to write.")],
    file: SiteOption = DEFAULT,
) -> None:
    """Write the whole site into one archive, as it is at one moment; the site may run meanwhile.

    Examples:

      polyversi site backup monday.tar.gz
    """
    from polyversi.site.backup import backup
    from polyversi.site.settings import read_site

    contents = backup(read_site(file), target)
    rows = sum(table.rows for table in contents.tables.values())
    typer.echo(f"{target} has {contents.site}: {rows:,} rows, {target.stat().st_size / 1e6:,.1f} MB")


@app.command("restore")
def restore_backup(
    archive: Annotated[Path, typer.Argument(
        metavar="FILE.tar.gz", help="What `polyversi site backup` has written.")],
    file: SiteOption = DEFAULT,
) -> None:
    """Fill an empty store and an empty folder of uploads from a backup; without a site's file, that too.

    The store may be of another kind than the one that was backed up.

    Examples:

      polyversi site restore monday.tar.gz --site again/site.toml
    """
    from polyversi.site.restoring import restore, restore_file
    from polyversi.site.settings import read_site

    if not file.exists():
        restore_file(archive, file)
    contents = restore(archive, read_site(file))
    typer.echo(f"{contents.site} is restored; start it with: polyversi run --site {file}")


@app.command("export")
def export_site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder.")],
    file: SiteOption = DEFAULT,
    person: Annotated[str, typer.Option("--person", metavar="NAME", help=(
        "Only what there is about this person."))] = "",
) -> None:
    """Write everything that the site knows into a folder: tables as JSON Lines, games, what was handed in.

    Passwords and tokens are left out.

    Examples:

      polyversi site export everything

      polyversi site export about-bob --person "Bob Ray"
    """
    from polyversi.site.exporting import export, export_person

    if person:
        with _person(file, person) as (opened, found):
            written = export_person(opened.file, opened.store, found, folder)
    else:
        with _opened(file) as opened:
            written = export(opened.file, opened.store, folder)
    typer.echo(f"{folder} has {written:,} files")


@contextmanager
def _opened(file: Path) -> Iterator[OpenSite]:
    from polyversi.site.opened import open_site

    with open_site(file) as opened:
        yield opened


@contextmanager
def _person(file: Path, name: str) -> Iterator[tuple[OpenSite, Person]]:
    """The site, and the person of that name in it."""
    from polyversi.site.people import People

    with _opened(file) as opened:
        yield opened, People(opened.store).named(name)


def _role(name: str) -> Role:
    from polyversi.games.errors import PolyversiError
    from polyversi.site.roles import Role

    try:
        return Role.parse(name)
    except ValueError as error:
        raise PolyversiError(str(error)) from None


def _link(url: str, token: str) -> str:
    return f"{url.rstrip('/')}/sign-in#{token}"
