"""Options that several commands have, as typer takes them. Next hop: the commands beside this file."""

from typing import Annotated, Literal

import typer

Client = Literal["arena", "dofus-unity", "dofus-2", "dofus-retro"]
Language = Literal["auto", "en", "fr"]
Spoken = Annotated[
    Language | None,
    typer.Option("--language", help="Language of the answer; the app's own, and English for --json."),
]
Level = Literal["conservative", "balanced", "aggressive"]
Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
Seed = Annotated[int, typer.Option(help="Seed of the first fight; the same seed is the same fight.", min=0)]
ClassName = Annotated[str, typer.Option("--class", help="Key of the class you play.")]
