"""`botapp look` and `botapp advise`: what a picture shows, and what to do."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import numpy.typing as npt
import typer

from botapp.commands.answers import Force, Trouble, answer, place, spoken
from botapp.commands.compiling import prepare_first
from botapp.commands.options import ClassName, Json
from botapp.host.settings import Client
from botapp.host.translation import Language
from vision.view import FightView

if TYPE_CHECKING:
    from botapp.commands.advice import Advice

Whose = Annotated[
    Client | None,
    typer.Option(help="Whose screen it is; the picture tells if left out, and the settings where it cannot."),
]
Config = Annotated[
    Path | None,
    typer.Option(help="Folder of the player's settings, names and accepted boards, in place of the app's."),
]
Plain = Annotated[
    bool, typer.Option("--plain", help="Go by no settings, names, accepted board or class of the player.")
]


def look(
    image: Annotated[Path, typer.Argument(help="A picture of the game's window.")],
    client: Whose = None,
    config: Config = None,
    plain: Plain = False,
    report: Annotated[
        Path | None,
        typer.Option(
            help="Write what was read to a zip file that you can send; chat and names in it are smeared."
        ),
    ] = None,
    debug: Annotated[
        Path | None,
        typer.Option(
            help="Write the picture with how each cell was judged: the ring by the network, in percent, and "
            "whether a fighter is shown there or withheld."
        ),
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Reads a picture of a fight and says what it shows, and what of it was not read.

    Whose screen it is, is told by the picture: the answer names the client.

    The accepted boards and names of the player are used, as in the app.

    With --json all that was read is answered: phase, turn, figures,
    fighters, cells by kind, highlights, glyphs and traps, timeline, spell
    slots and the log, each with how sure the reader is of it, 0 to 1.

    The exit code is 1 where nothing of a game can be read, unless --json
    says so.
    """
    from botapp.runtime import first_start  # noqa: PLC0415

    first_start.settle()
    from botapp.commands.player import profile_of, settings_of  # noqa: PLC0415
    from botapp.commands.view_answers import view_json, view_text  # noqa: PLC0415
    from botapp.tracking.clients import client_on_picture  # noqa: PLC0415
    from botapp.tracking.image_file import image_frame  # noqa: PLC0415
    from botapp.tracking.state_tracker import StateTracker  # noqa: PLC0415
    from vision.view import Phase  # noqa: PLC0415

    if report is not None:
        report = place("--report", report, force=force, inputs=(image,))
    if debug is not None:
        debug = place("--debug", debug, force=force, inputs=(image,))
    profile = profile_of(settings_of(config, plain), plain, client)
    frame = image_frame(image)
    if client is None:
        profile = client_on_picture(frame, profile)
    tracker = StateTracker(profile)
    tracker.explains = debug is not None
    tracked = tracker.update(frame)
    if report is not None:
        _write_report(report, frame.pixels, tracked.view, profile.client)
    if debug is not None:
        _write_debug(debug, frame.pixels, tracked.view, profile.client)
    text = view_text(tracked, profile, spoken(None, as_json), asked=client is None)
    answer({"client": profile.client, **view_json(tracked, profile.names)}, text, as_json)
    if tracked.view.phase.value in (None, Phase.UNKNOWN) and not as_json:
        raise typer.Exit(1)


def _write_report(path: Path, pixels: npt.NDArray[np.uint8], view: FightView, client: str) -> None:
    """Writes a report, or ends with the reason why it cannot be written."""
    from botapp.commands.player import Refused  # noqa: PLC0415
    from botapp.host.message import error_text, say  # noqa: PLC0415
    from botapp.tracking import reading_report  # noqa: PLC0415

    try:
        reading_report.save(path, pixels, view, client)
    except OSError as error:
        raise Refused(
            say("{file} cannot be written: {reason}", file=path, reason=error_text(error))
        ) from error


def _write_debug(path: Path, pixels: npt.NDArray[np.uint8], view: FightView, client: str) -> None:
    """Writes the picture with the network's scores, or ends with the reason why it cannot be written."""
    from botapp.commands.player import Refused  # noqa: PLC0415
    from botapp.host.message import error_text, say  # noqa: PLC0415
    from vision import profiles  # noqa: PLC0415
    from vision.extract.dofus import rings_drawn  # noqa: PLC0415

    if profiles.load(client).screen is None:
        raise Refused(say("--debug: the network is not asked about the practice arena's board."))
    if view.lattice.value is None:
        raise Refused(say("--debug: no board is found in the picture, so that no cell has a score."))
    if view.scores is None:
        raise Refused(
            say("--debug: the network cannot be used on this computer, so that no cell has a score.")
        )
    try:
        path.write_bytes(rings_drawn.scored_png(pixels, view.lattice.value, view.scores))
    except OSError as error:
        raise Refused(
            say("{file} cannot be written: {reason}", file=path, reason=error_text(error))
        ) from error


def advise(
    sources: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Pictures of the game's window, folders of pictures, or one state as JSON.",
            show_default=False,
        ),
    ] = None,
    position: Annotated[
        str,
        typer.Option(help="In place of them: the line of a copied position; - reads it from stdin."),
    ] = "",
    client: Whose = None,
    player_class: ClassName = "",
    frames: Annotated[
        bool, typer.Option("--frames", help="The pictures are successive frames of one fight.")
    ] = False,
    interval: Annotated[
        float, typer.Option(help="With --frames: seconds between two frames.", min=0.001, max=3600)
    ] = 1.0,
    config: Config = None,
    plain: Plain = False,
    as_json: Json = False,
) -> None:
    """Advises what to do in a fight, from pictures, a state or a copied position.

    Each picture stands alone; with --frames, what was known of the fight
    stays known from one to the next. The pictures of a folder are taken in
    the order of their names.

    The advice goes by the player's settings, names, accepted boards and
    class: the app's own, or those in the folder --config. --class replaces
    the class or character sheet of the settings. --plain goes by none.

    With --json the answer has either "action", with "confidence" (0 to 1),
    "chance" (of winning the fight, 0 to 1, null where it would rest on what
    is "guessed") and "line" (the turn after the
    action), or "withheld" with the reason's "id" and "text"; the id is the
    text before figures and names were put in. A single picture or state is
    one object; several pictures, a folder and --frames give one line each,
    with the file's name as "image". "position" is the state advised on, as
    a line for --position, without the names of people.

    The exit code is 1 where a single picture or state gets no advice,
    unless --json says why.
    """
    from botapp.commands.advice import FileAdviser, pictures, read_position, read_state  # noqa: PLC0415
    from botapp.commands.image_answers import advice_json, advice_text  # noqa: PLC0415
    from botapp.commands.player import profile_of, settings_of  # noqa: PLC0415
    from botapp.tracking.image_file import is_image  # noqa: PLC0415

    if bool(sources) is bool(position):
        raise Trouble("Give pictures or a state, or --position and a position's line: one of the two.")
    asked = read_position(position) if position else None
    tongue = spoken(None, as_json)
    settings = settings_of(config, plain)
    profile = profile_of(settings, plain, client, player_class)
    prepare_first()
    adviser = FileAdviser(settings, asks_picture=client is None)
    if asked is not None:
        _tell(adviser.on_state(asked), tongue, as_json)
        return
    assert sources
    only = sources[0] if len(sources) == 1 and not sources[0].is_dir() and not frames else None
    if only is None:
        paths = pictures(sources)
        several = adviser.on_frames(paths, profile, interval) if frames else adviser.on_images(paths, profile)
        for advice in several:
            values = {"image": advice.image, **advice_json(advice)}
            print(
                json.dumps(values) if as_json else f"{advice.image}:\n{advice_text(advice, tongue)}",
                flush=True,
            )
        return
    _tell(
        adviser.on_image(only, profile) if is_image(only) else adviser.on_state(read_state(only)),
        tongue,
        as_json,
    )


def _tell(single: "Advice", tongue: Language, as_json: bool) -> None:
    """Answers with the advice for one picture or state.

    Raises:
        Refused: it is withheld, and words are wanted.
    """
    from botapp.commands.image_answers import advice_json, advice_text  # noqa: PLC0415
    from botapp.commands.player import Refused  # noqa: PLC0415
    from botapp.host.translation import Translator  # noqa: PLC0415
    from botapp.tracking.reasons import plainly  # noqa: PLC0415

    if single.decision is None and not as_json:
        raise Refused(" ".join(map(Translator(tongue), (plainly(single.withheld), *single.found))))
    answer(advice_json(single), advice_text(single, tongue), as_json)
