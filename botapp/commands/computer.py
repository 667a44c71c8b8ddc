"""`botapp doctor`, `caches` and `migrate`: the computer and what is on it."""

from pathlib import Path
from typing import Annotated

import typer

from botapp.commands.answers import Trouble, answer, spoken
from botapp.commands.options import Json, Spoken, known_language
from botapp.host.translation import Translator


def caches(
    clear: Annotated[list[str] | None, typer.Option(help="Empty this cache; all for every one.")] = None,
    keep: Annotated[
        int | None,
        typer.Option(help="Take the oldest out of each that holds more megabytes than this.", min=0),
    ] = None,
    as_json: Json = False,
) -> None:
    """Says how much the caches of compiled kernels hold, keeps them to a size and empties them."""
    from hrm.backends import compile_caches as compiled  # noqa: PLC0415

    own = [name for name in compiled.places() if not compiled.refusal(name)]
    names = own if clear == ["all"] else clear or []
    lines = []
    if clear == ["all"] or keep is not None:
        lines += [why for why in map(compiled.refusal, compiled.places()) if why]
    lines += [f"cleared {gone.name}: {gone.size / 1e6:.1f} MB" for gone in map(compiled.clear, names)]
    for name in own if keep is not None else ():
        gone = compiled.trim(name, (keep or 0) * 1_000_000)
        lines += [f"taken out of {name}: {gone.size / 1e6:.1f} MB"] if gone.files else []
    lines.append(compiled.find_mode())
    found = compiled.caches()
    values = [{"name": c.name, "path": str(c.path), "files": c.files, "bytes": c.size} for c in found]
    answer({"caches": values, "cleared": names}, "\n".join([*lines, compiled.text(found)]), as_json)


def doctor(
    as_json: Json = False,
    report: Annotated[
        bool,
        typer.Option(
            "--report", help="Print a report in English to paste into an issue: no names, no paths."
        ),
    ] = False,
    language: Annotated[
        str | None,
        typer.Option(
            help="Language of the answer; the app's own, and English for --json and --report.",
            callback=known_language,
        ),
    ] = None,
) -> None:
    """Says what there is on this computer, what is wrong or missing, and what to do about it."""
    from botapp.doctor import examine, paste, text  # noqa: PLC0415

    wanted = spoken("en" if report else language, as_json)
    found = examine(wanted)
    answer(found, paste(found) if report else text(found, wanted), as_json)


def migrate(
    path: Annotated[Path, typer.Argument(help="Folder of the project that was written for CUDA.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be done; nothing is written.")
    ] = False,
    start_from: Annotated[
        str | None, typer.Option(help="Begin with this step, such as code_001; those before are skipped.")
    ] = None,
    take_back: Annotated[bool, typer.Option("--undo", help="Take back what was written.")] = False,
    language: Spoken = None,
    as_json: Json = False,
) -> None:
    """Brings a project from CUDA to an AMD card, step by step; rewritten code is shown as a diff first."""
    from botapp.doctor.snapshot import look as look_at_computer  # noqa: PLC0415
    from botapp.migrate import MigrationError, text, to_json, undo, undone  # noqa: PLC0415
    from botapp.migrate import migrate as carry_out  # noqa: PLC0415

    wanted = spoken(language, as_json)
    try:
        if take_back:
            restored, refused = undo(path)
            answer({"restored": restored, "refused": refused}, undone(restored, refused, wanted), as_json)
            raise typer.Exit(1 if refused else 0)
        outcomes = carry_out(path, look_at_computer(), dry_run=dry_run, start_from=start_from)
    except MigrationError as error:
        raise Trouble(Translator(wanted).plain(error.args[0])) from error
    answer(to_json(outcomes), text(outcomes, wanted), as_json)
    raise typer.Exit(1 if any(outcome.status == "failed" for outcome in outcomes) else 0)
