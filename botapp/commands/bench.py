"""`botapp bench`: what things cost on this computer."""

from typing import Annotated

import typer

from botapp.commands.answers import answer, make_advisor, spoken
from botapp.commands.benches import BENCHES
from botapp.commands.benches.engines import bench_engines
from botapp.commands.compiling import prepare_first
from botapp.commands.options import Json, Seed, Spoken


def application() -> typer.Typer:
    """Returns the command with all that is registered as its subcommands."""
    app = typer.Typer(help="Measures what things cost on this computer.")
    app.callback(invoke_without_command=True)(bench)
    for name, command in BENCHES.all().items():
        app.command(name)(command)
    return app


def bench(
    context: typer.Context,
    states: Annotated[int, typer.Option(help="How many states to decide on.", min=1)] = 200,
    seed: Seed = 1,
    language: Spoken = None,
    as_json: Json = False,
    decisions: Annotated[
        int | None, typer.Option(help="How many decisions to time, the states again and again.", min=1)
    ] = None,
    busy: Annotated[
        bool, typer.Option("--busy", help="Keep all cores busy with other processes meanwhile.")
    ] = False,
    renew: Annotated[
        bool, typer.Option("--renew", help="Keep these figures as this machine's, for later runs.")
    ] = False,
    compare: Annotated[bool, typer.Option("--compare", help="Compare the engines instead.")] = False,
) -> None:
    """Measures what a decision and a reading cost on this computer."""
    if context.invoked_subcommand is not None:
        return
    if compare:
        bench_engines(language=language, as_json=as_json)
        return
    from botapp.bench.baseline import baseline_text, compared  # noqa: PLC0415
    from botapp.bench.decisions import measure, measure_vision, text  # noqa: PLC0415

    prepare_first()
    figures = measure(make_advisor(), states, seed, decisions=decisions, busy=busy)
    figures["vision_ms"] = measure_vision()
    figures["baseline"] = compared(figures, renew=renew)
    tongue = spoken(language, as_json)
    words = (text(figures, tongue), baseline_text(figures["baseline"], tongue))
    answer(figures, "\n".join(part for part in words if part), as_json)
