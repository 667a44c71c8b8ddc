"""`botapp bench vision` and `recording`: what reading costs, and how a film of fights is advised."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from botapp.commands.answers import answer, spoken
from botapp.commands.benches import bench
from botapp.commands.compiling import prepare_first
from botapp.commands.options import Json, Seed, Spoken
from botapp.host.clients import SHORT

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


@bench("vision")
def bench_vision(
    client: Annotated[AnyClient, typer.Option(help="Whose window.")] = "unity",
    frames: Annotated[int, typer.Option(help="How many frames after the first.", min=10)] = 600,
    size: Size | None = None,
    language: Spoken = None,
    as_json: Json = False,
) -> None:
    """Measures what reading a moving fight costs on one core, and whether memory grows."""
    from botapp.bench.vision import measure_vision, vision_text  # noqa: PLC0415

    figures = measure_vision(client, frames, _pixels(size) if size is not None else None)
    answer(figures, vision_text(figures, spoken(language, as_json)), as_json)


@bench("recording")
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
    figures = measure_recording(client, seconds, seed, _pixels(size))
    answer(figures, recording_text(figures, spoken(language, as_json)), as_json)


def _pixels(size: str) -> tuple[int, int]:
    width, _, height = size.partition("x")
    return int(width), int(height)
