"""`botapp knowledge`: find, show, export and import what is known of classes, spells, monsters and maps.

The knowledge is loaded where it is used, so that `botapp --help` is quick. Next hop: `botapp.commands.cli`.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from botapp.content.knowledge.base import KnowledgeBase
    from botapp.content.knowledge.entry import Entry, EntryKind

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
    """Finds entries by key or name, in English or French, and fighters by their body's colour."""
    base = _knowledge()
    for problem in base.problems:
        typer.echo(f"botapp: {problem}", err=True)
    found = base.find(query, _kind(kind) if kind else None, limit)
    if as_json:
        typer.echo(json.dumps([_plain(entry) for entry in found], indent=2, ensure_ascii=False))
    elif not found:
        typer.echo("No match.")
    else:
        for entry in found:
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
        kept = [{"version": one.number, "saved": one.saved, "table": one.table} for one in versions]
        typer.echo(json.dumps({**_plain(entry), "versions": kept}, indent=2, ensure_ascii=False))
        return
    typer.echo(f"{entry.name} / {entry.name_fr}: {'your own' if entry.own else 'comes with the app'}")
    for field, value in entry.table.items():
        typer.echo(f"  {field} = {json.dumps(value, ensure_ascii=False)}")
    for one in versions:
        typer.echo(f"  version {one.number} was kept")


@app.command("export")
def export_entries(
    names: Names, to: Annotated[Path, typer.Option("--to", help="The file to write.")]
) -> None:
    """Writes entries to a file that another person can import."""
    written = _knowledge().export([_parsed(name) for name in names], to)
    typer.echo(f"{to}: {len(written)} entries")


@app.command("import")
def import_entries(
    file: Annotated[Path, typer.Argument(help="A file that the export wrote, or one by hand.")],
) -> None:
    """Takes the entries of a file over as your own; what you had before is kept."""
    kept = _knowledge().import_(file)
    for entry in kept:
        typer.echo(f"{entry.kind.value}:{entry.key}  {entry.name}")
    typer.echo(f"{len(kept)} entries are new or changed.")


def _knowledge() -> "KnowledgeBase":
    from botapp.content.knowledge.base import knowledge  # noqa: PLC0415

    return knowledge()


def _kind(name: str) -> "EntryKind":
    from botapp.content.knowledge.entry import EntryKind, KnowledgeError  # noqa: PLC0415

    try:
        return EntryKind(name)
    except ValueError:
        kinds = ", ".join(one.value for one in EntryKind)
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
