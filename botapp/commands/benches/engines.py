"""`botapp bench engines`: every engine and precision that works here, against the plain step."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from botapp.commands.answers import Force, answer, place, spoken
from botapp.commands.benches import bench
from botapp.commands.options import Json, Spoken


@bench("engines")
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
