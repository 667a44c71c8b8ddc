"""`botapp look` and `botapp advise`: what a picture shows, and what to do.

Next hop: `botapp.commands.cli`.
"""

from pathlib import Path
from typing import Annotated

import typer

from botapp.commands.answers import answer, make_advisor
from botapp.commands.options import ClassName, Client, Json


def look(
    image: Annotated[Path, typer.Argument(help="A picture of the game's window.")],
    client: Annotated[Client, typer.Option(help="Whose screen it is.")] = "arena",
    as_json: Json = False,
) -> None:
    """Reads a picture of a fight and says what it shows."""
    from botapp.commands.image_answers import read_image, view_json, view_text  # noqa: PLC0415

    view = read_image(image, client)
    answer(view_json(view), view_text(view), as_json)


def advise(
    source: Annotated[Path, typer.Argument(help="A picture of the game's window, or a state as JSON.")],
    client: Annotated[Client, typer.Option(help="Whose screen the picture shows.")] = "arena",
    player_class: ClassName = "",
    as_json: Json = False,
) -> None:
    """Advises what to do in a fight, from a picture or from a state."""
    from botapp.commands.image_answers import (  # noqa: PLC0415
        IMAGE_SUFFIXES,
        decision_json,
        decision_text,
        read_image,
        read_state,
        state_of,
    )

    if source.suffix.lower() in IMAGE_SUFFIXES:
        state = state_of(read_image(source, client), player_class)
    else:
        state = read_state(source)
    advisor = make_advisor()
    advisor.decide(state)  # the first one is slow and would use the budget up
    decision = advisor.plan(state, advisor.decide(state))
    answer(decision_json(decision), decision_text(decision), as_json)
