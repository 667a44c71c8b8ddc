"""`botapp bench`: what things cost on this computer."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from botapp.commands.answers import answer, make_advisor, spoken
from botapp.commands.compiling import prepare_first
from botapp.commands.options import Json, Seed, Spoken
from botapp.commands.writing import Force, place
from botapp.host.clients import SHORT

app = typer.Typer(help="Measures what things cost on this computer.")

if TYPE_CHECKING:
    AnyClient = str
    RealClient = str
else:
    AnyClient = Literal[tuple(SHORT)]
    RealClient = Literal[tuple(name for name in SHORT if name != "arena")]
Size = Annotated[
    Literal["1280x720", "1920x1080", "2560x1440", "3440x1440"],
    typer.Option("--size", help="Width and height of the pictures."),
]


@app.callback(invoke_without_command=True)
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
    found = measure(make_advisor(), states, seed, decisions=decisions, busy=busy)
    found["vision_ms"] = measure_vision()
    found["baseline"] = compared(found, renew=renew)
    tongue = spoken(language, as_json)
    words = (text(found, tongue), baseline_text(found["baseline"], tongue))
    answer(found, "\n".join(part for part in words if part), as_json)


@app.command("rules")
def bench_rules(
    seconds: Annotated[float, typer.Option(help="How long each figure is measured.", min=0.01)] = 3.0,
    seed: Seed = 1,
    language: Spoken = None,
    as_json: Json = False,
) -> None:
    """Measures how fast the rules and the search run on one core, compiled and interpreted."""
    from botapp.bench.rules import measure_rules, rules_text  # noqa: PLC0415

    found = measure_rules(seconds, seed)
    answer(found, rules_text(found, spoken(language, as_json)), as_json)


@app.command("fights")
def bench_fights(
    seconds: Annotated[float, typer.Option(help="How long each figure is measured.", min=0.01)] = 4.0,
    seed: Seed = 1,
    language: Spoken = None,
    as_json: Json = False,
) -> None:
    """Measures whole fights in compiled code against the same fights played in Python."""
    from botapp.bench.fights import fights_text, measure_fights  # noqa: PLC0415

    prepare_first()
    found = measure_fights(seconds, seed)
    answer(found, fights_text(found, spoken(language, as_json)), as_json)


@app.command("vision")
def bench_vision(
    client: Annotated[AnyClient, typer.Option(help="Whose window.")] = "unity",
    frames: Annotated[int, typer.Option(help="How many frames after the first.", min=10)] = 600,
    size: Size | None = None,
    language: Spoken = None,
    as_json: Json = False,
) -> None:
    """Measures what reading a moving fight costs on one core, and whether memory grows."""
    from botapp.bench.vision import measure_vision, vision_text  # noqa: PLC0415

    found = measure_vision(client, frames, _pixels(size) if size is not None else None)
    answer(found, vision_text(found, spoken(language, as_json)), as_json)


@app.command("recording")
def bench_recording(
    client: Annotated[RealClient, typer.Option(help="Whose screens are filmed.")] = "unity",
    seconds: Annotated[int, typer.Option(help="How long the film is.", min=2)] = 600,
    size: Size = "1920x1080",
    seed: Seed = 1,
    language: Spoken = None,
    as_json: Json = False,
) -> None:
    """Shows a film of drawn fights to the whole app, and counts the turns that it advises in time."""
    from botapp.bench.recording import measure_recording, recording_text  # noqa: PLC0415

    prepare_first()
    found = measure_recording(client, seconds, seed, _pixels(size))
    answer(found, recording_text(found, spoken(language, as_json)), as_json)


@app.command("engines")
def bench_engines(
    models: Annotated[str, typer.Option(help="Which models, by comma; all unless given.")] = "",
    rounds: Annotated[int, typer.Option(help="Turns that each engine gets.", min=1)] = 12,
    plot: Annotated[Path, typer.Option(help="Draw the result here, as an SVG.")] = Path("out/engines.svg"),
    force: Force = False,
    language: Spoken = None,
    as_json: Json = False,
) -> None:
    """Measures every engine and precision that works here, turn by turn, against the plain step."""
    from botapp.bench.engines import MODELS, measure  # noqa: PLC0415

    plot = place("--plot", plot, force=force or plot == Path("out/engines.svg"))
    chosen = models.split(",") if models else MODELS
    values, words = measure(
        chosen,
        rounds,
        plot,
        lambda line: print(line, file=sys.stderr, flush=True),
        spoken(language, as_json),
    )
    answer(values, words, as_json)


def _pixels(size: str) -> tuple[int, int]:
    width, _, height = size.partition("x")
    return int(width), int(height)
