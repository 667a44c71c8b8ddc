"""`botapp knowledge`: find, show, export and import what is known, and bring the real game's data in.

The knowledge is loaded where it is used, so that `botapp --help` is quick.
"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from botapp.commands.answers import Force, Trouble, place, spoken
from botapp.commands.options import Spoken

if TYPE_CHECKING:
    from botapp.content.game.importing import ImportProgress
    from botapp.content.knowledge.base import KnowledgeBase
    from botapp.content.knowledge.entry import Entry, EntryKind
    from botapp.host.translation import Translator

KindName = Literal["class", "spell", "monster", "map"]
Names = Annotated[list[str], typer.Argument(help="Entries as KIND:KEY, such as monster:golem.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]

app = typer.Typer(help="Classes, spells, monsters and maps: what the app knows and what you added.")


@app.command()
def find(
    query: Annotated[str, typer.Argument(help="A key, a name (also in part or misspelt), or #RRGGBB.")] = "",
    kind: Annotated[KindName | None, typer.Option(help="What to look for; everything if left out.")] = None,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1)] = 20,
    as_json: AsJson = False,
) -> None:
    """Finds entries by key or by name in any language of the data, and fighters by their body's colour."""
    base = _knowledge()
    for problem in base.problems:
        typer.echo(f"botapp: {problem}", err=True)
    entries = base.find(query, _kind(kind) if kind else None, limit)
    if as_json:
        typer.echo(json.dumps([_plain(entry) for entry in entries], indent=2, ensure_ascii=False))
    elif not entries:
        typer.echo("No match.")
    else:
        for entry in entries:
            mark = "  (your own)" if entry.own else ""
            name = f"{entry.kind.value}:{entry.key}"
            typer.echo(f"{name:32} {entry.name} / {entry.name_fr}{mark}")


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="An entry as KIND:KEY, such as monster:golem.")],
    as_json: AsJson = False,
) -> None:
    """Shows one entry, and the earlier versions of it that were kept."""
    base = _knowledge()
    kind, key = _parsed(name)
    entry = base.get(kind, key)
    versions = base.versions(kind, key)
    if as_json:
        saved_versions = [
            {"version": version.number, "saved": version.saved, "table": version.table}
            for version in versions
        ]
        typer.echo(json.dumps({**_plain(entry), "versions": saved_versions}, indent=2, ensure_ascii=False))
        return
    typer.echo(f"{entry.name} / {entry.name_fr}: {'your own' if entry.own else 'comes with the app'}")
    for field, value in entry.table.items():
        typer.echo(f"  {field} = {json.dumps(value, ensure_ascii=False)}")
    for line in _not_known(base, kind, key):
        typer.echo(f"  {line}")
    for version in versions:
        typer.echo(f"  version {version.number} was kept")


def _not_known(base: "KnowledgeBase", kind: "EntryKind", key: str) -> list[str]:
    """Returns in words what is unknown about a monster of the game, or not simulated of one of its spells."""
    from botapp.content.game.spells import parsed_key  # noqa: PLC0415

    game, spell = base.game, parsed_key(key)
    monster = game.monster_of_key(key) if game is not None else None
    if game is not None and kind.value == "monster" and monster is not None:
        return [f"not known: {why}" for why in game.judged_monster(monster[0])[1]]
    if game is not None and kind.value == "spell" and spell is not None:
        return [f"not judged: {why}" for why in game.judged(spell[0])[1]]
    return []


@app.command("export")
def export_entries(
    names: Names, to: Annotated[Path, typer.Option("--to", help="The file to write.")], force: Force = False
) -> None:
    """Writes entries to a file that another person can import."""
    to = place("--to", to, force=force)
    written = _knowledge().export([_parsed(name) for name in names], to)
    typer.echo(f"{to}: {len(written)} entries")


@app.command("import")
def import_entries(
    file: Annotated[Path, typer.Argument(help="A file that the export wrote, or one by hand.")],
) -> None:
    """Imports the entries of a file as your own; earlier versions of them are kept."""
    entries = _knowledge().import_(file)
    for entry in entries:
        typer.echo(f"{entry.kind.value}:{entry.key}  {entry.name}")
    typer.echo(f"{len(entries)} entries are new or changed.")


@app.command("import-game")
def import_game(
    paths: Annotated[
        list[Path], typer.Argument(help="Folders, zips or files of the game's public data, as JSON.")
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help="Take them though they hold less than those in use.")
    ] = False,
    list_spells: Annotated[
        bool, typer.Option("--spells", help="Say of every spell of a class how far it is judged.")
    ] = False,
    language: Spoken = None,
    as_json: AsJson = False,
) -> None:
    """Imports the game's classes, spells, monsters and maps, in place of the import before.

    Data that hold far less than those in use are refused; `bring-back` restores the former ones.
    """
    from botapp.content.game.reading import GameDataError  # noqa: PLC0415
    from botapp.content.game.report_words import lines_of, plain_report, spell_lines  # noqa: PLC0415
    from botapp.host.message import error_text  # noqa: PLC0415
    from botapp.host.translation import Translator  # noqa: PLC0415

    wanted = spoken(language, as_json)
    translate = Translator(wanted)
    base = _knowledge()
    try:
        shown = _shown if sys.stderr.isatty() else lambda _: None
        report = base.import_game(paths, shown, replace=replace)
    except GameDataError as error:
        raise Trouble(translate(error_text(error))) from error
    if as_json:
        typer.echo(json.dumps(plain_report(report), indent=2, ensure_ascii=False))
        return
    for line in lines_of(report):
        typer.echo(translate(line))
    if list_spells and base.game is not None:
        for line in spell_lines(base.game, wanted):
            typer.echo(translate(line))


@app.command("bring-back")
def bring_back(language: Spoken = None) -> None:
    """Restores the game's data that were in use before the last import; the last import is kept instead."""
    from botapp.content.game.reading import GameDataError  # noqa: PLC0415
    from botapp.host.message import error_text, say  # noqa: PLC0415
    from botapp.host.translation import Translator  # noqa: PLC0415

    translate = Translator(spoken(language, as_json=False))
    base = _knowledge()
    try:
        base.bring_back()
    except GameDataError as error:
        raise Trouble(translate(error_text(error))) from error
    if base.game is not None:
        line = say(
            "In use again: {classes} classes and {monsters} monsters, brought in on {day}.",
            classes=len(base.game.classes),
            monsters=len(base.game.monsters),
            day=base.game.store.meta.get("imported", "")[:10],
        )
        typer.echo(translate(line))


@app.command("fetch-game")
def fetch_game(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether to begin.")] = False,
    address: Annotated[
        str, typer.Option("--from", help="Another address that answers as the public database does.")
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="Take them though they hold less than those in use.")
    ] = False,
    pictures: Annotated[
        bool, typer.Option("--pictures", help="Bring the pictures of spells and monsters too.")
    ] = False,
    language: Spoken = None,
) -> None:
    """Downloads and imports the game's public data, after telling you how much that is."""
    from botapp.content.game.fetching import ADDRESS, Fetcher, plan_lines  # noqa: PLC0415
    from botapp.content.game.reading import GameDataError  # noqa: PLC0415
    from botapp.content.game.report_words import lines_of  # noqa: PLC0415
    from botapp.host.message import error_text, say  # noqa: PLC0415
    from botapp.host.translation import Translator  # noqa: PLC0415

    translate = Translator(spoken(language, as_json=False))
    base = _knowledge()
    shown = _shown if sys.stderr.isatty() else lambda _: None
    asked = address or ADDRESS
    question = say("Ask {address} what the download takes?", address=asked)
    if not yes and not typer.confirm(translate(question)):
        raise typer.Exit(1)
    fetcher = Fetcher(base.fetched_folder, asked, shown)
    try:
        plan = fetcher.plan()
        for line in plan_lines(plan):
            typer.echo(translate(line))
        if not yes and not typer.confirm(translate(say("Download it now?"))):
            raise typer.Exit(1)
        report = base.import_game([fetcher.fetch()], shown, replace=replace)
    except GameDataError as error:
        raise Trouble(translate(error_text(error))) from error
    fetcher.clear()
    for line in lines_of(report):
        typer.echo(translate(line))
    if pictures:
        _fetch_pictures(base, asked, translate, yes=yes)


def _fetch_pictures(base: "KnowledgeBase", address: str, translate: "Translator", *, yes: bool) -> None:
    from botapp.content.game.fetching import Site  # noqa: PLC0415
    from botapp.content.game.pictures import fetch_pictures, plan_line, wanted_of  # noqa: PLC0415
    from botapp.content.game.reading import GameDataError  # noqa: PLC0415
    from botapp.host.message import error_text, say  # noqa: PLC0415
    from botapp.tracking.game_pictures import brought_line, index_pictures  # noqa: PLC0415

    assert base.game is not None
    folder, wanted = base.pictures_folder, wanted_of(base.game.store)
    typer.echo(translate(plan_line(wanted, folder)))
    if not yes and not typer.confirm(translate(say("Download them now?"))):
        raise typer.Exit(1)
    try:
        report = fetch_pictures(
            Site(address), wanted, folder, _shown if sys.stderr.isatty() else lambda _: None
        )
    except GameDataError as error:
        raise Trouble(translate(error_text(error))) from error
    typer.echo(translate(brought_line(report, index_pictures(folder, base.game.store))))


def _shown(progress: "ImportProgress") -> None:
    end = "\n" if progress.share >= 1 else ""
    typer.echo(f"\r{progress.share:4.0%} {progress.doing:30}{end}", err=True, nl=False)


def _knowledge() -> "KnowledgeBase":
    from botapp.content.knowledge.base import knowledge  # noqa: PLC0415

    return knowledge()


def _kind(name: str) -> "EntryKind":
    from botapp.content.knowledge.entry import EntryKind, KnowledgeError  # noqa: PLC0415

    try:
        return EntryKind(name)
    except ValueError:
        kinds = ", ".join(kind.value for kind in EntryKind)
        raise KnowledgeError(
            f"{name!r}: there is no such kind. Write KIND:KEY such as monster:golem, KIND one of {kinds}."
        ) from None


def _parsed(name: str) -> tuple["EntryKind", str]:
    kind, _, key = name.partition(":")
    return _kind(kind), key


def _plain(entry: "Entry") -> dict[str, object]:
    return {
        "kind": entry.kind.value,
        "key": entry.key,
        "name": entry.name,
        "name_fr": entry.name_fr,
        "own": entry.own,
        "table": dict(entry.table),
    }
