"""`botapp doctor`, `caches` and `migrate`: the computer and what is on it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botapp.commands.answers import Trouble, answer, spoken
from botapp.commands.options import Json, Spoken, known_language
from botapp.host.translation import Translator

if TYPE_CHECKING:
    from botapp.doctor.machine import Machine
    from hrm.migrate.computer import Computer


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
    sizes = compiled.caches()
    values = [{"name": c.name, "path": str(c.path), "files": c.files, "bytes": c.size} for c in sizes]
    answer({"caches": values, "cleared": names}, "\n".join([*lines, compiled.text(sizes)]), as_json)


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
    from botapp.doctor.examination import examine  # noqa: PLC0415
    from botapp.doctor.report import paste, text  # noqa: PLC0415

    wanted = spoken("en" if report else language, as_json)
    examined = examine(wanted)
    answer(examined, paste(examined) if report else text(examined, wanted), as_json)


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
    from botapp.doctor.snapshot import look  # noqa: PLC0415
    from hrm.migrate import MigrationError, text, to_json, undo, undone  # noqa: PLC0415
    from hrm.migrate import migrate as carry_out  # noqa: PLC0415

    tr = Translator(spoken(language, as_json))
    try:
        if take_back:
            restored, refused = undo(path)
            answer({"restored": restored, "refused": refused}, undone(restored, refused, tr), as_json)
            raise typer.Exit(1 if refused else 0)
        outcomes = carry_out(path, for_migration(look()), dry_run=dry_run, start_from=start_from)
    except MigrationError as error:
        raise Trouble(tr.plain(error.args[0])) from error
    answer(to_json(outcomes), text(outcomes, tr, tr.plain), as_json)
    raise typer.Exit(1 if any(outcome.status == "failed" for outcome in outcomes) else 0)


def for_migration(machine: "Machine") -> "Computer":
    """Returns what a migration has to know of a machine."""
    from botapp.doctor.cards import amd  # noqa: PLC0415
    from botapp.doctor.faults import diagnose  # noqa: PLC0415
    from botapp.doctor.install import torch_command  # noqa: PLC0415
    from botapp.doctor.snapshot import tried  # noqa: PLC0415
    from hrm.migrate.computer import Card, Computer, Fault, Trial  # noqa: PLC0415

    cards = [Card(card.name, card.title, card.gfx) for card in amd(machine)]
    faults = [f for f in diagnose(machine) if f.severity != "note"]
    return Computer(
        cards,
        [Fault(fault.fault, fault.title, fault.evidence, fault.fix) for fault in faults],
        bool(machine.torch and machine.torch.hip),
        torch_command(cards[0].gfx) if cards else "",
        lambda: [
            Trial(trial.name, trial.device, trial.ok, trial.how)
            for trial in (machine if machine.trials else tried(machine)).trials
        ],
    )
