"""`botapp bench rules` and `fights`: how fast the rules and the search are, alone and in whole fights."""

from typing import Annotated

import typer

from botapp.commands.answers import answer, spoken
from botapp.commands.benches import bench
from botapp.commands.compiling import prepare_first
from botapp.commands.options import Json, Seed, Spoken


@bench("rules")
def bench_rules(
    seconds: Annotated[float, typer.Option(help="How long each figure is measured.", min=0.01)] = 3.0,
    seed: Seed = 1,
    language: Spoken = None,
    as_json: Json = False,
) -> None:
    """Measures how fast the rules and the search run on one core, compiled and interpreted."""
    from botapp.bench.rules import measure_rules, rules_text  # noqa: PLC0415

    figures = measure_rules(seconds, seed)
    answer(figures, rules_text(figures, spoken(language, as_json)), as_json)


@bench("fights")
def bench_fights(
    seconds: Annotated[float, typer.Option(help="How long each figure is measured.", min=0.01)] = 4.0,
    seed: Seed = 1,
    language: Spoken = None,
    as_json: Json = False,
) -> None:
    """Measures whole fights in compiled code against the same fights played in Python."""
    from botapp.bench.fights import fights_text, measure_fights  # noqa: PLC0415

    prepare_first()
    figures = measure_fights(seconds, seed)
    answer(figures, fights_text(figures, spoken(language, as_json)), as_json)
