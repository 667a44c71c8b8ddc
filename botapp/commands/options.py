"""Options that several commands have, as typer takes them."""

from typing import Annotated, Literal

import typer

from botapp.host.translation import languages


def known_language(wanted: str | None) -> str | None:
    """Returns the language given, or None.

    Raises:
        typer.BadParameter: the app has no such language.
    """
    known = ("auto", *languages())
    if wanted is not None and wanted not in known:
        raise typer.BadParameter(f"{wanted!r} is not one of {', '.join(known)}.")
    return wanted


Spoken = Annotated[
    str | None,
    typer.Option(
        "--language",
        help="Language of the answer; the app's own, and English for --json.",
        callback=known_language,
    ),
]
Level = Literal["conservative", "balanced", "aggressive"]
Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
Seed = Annotated[int, typer.Option(help="Seed of the first fight; the same seed is the same fight.", min=0)]
ClassName = Annotated[str, typer.Option("--class", help="Key of the class you play.")]
