"""`botapp run`: the app, and the demo with the practice arena beside it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from botapp.commands.answers import Force, Trouble, load_settings, place, prepare
from botapp.commands.options import ClassName, Level, known_language


def run(
    demo: Annotated[bool, typer.Option("--demo", help="Start the practice arena beside the app.")] = False,
    seconds: Annotated[
        float | None, typer.Option(help="End by itself after so many seconds.", min=1, max=1_000_000)
    ] = None,
    report: Annotated[Path | None, typer.Option(help="With --demo: write the figures here.")] = None,
    screenshots: Annotated[Path | None, typer.Option(help="Folder for pictures of the run.")] = None,
    force: Force = False,
    seed: Annotated[
        int | None,
        typer.Option(help="With --demo: seed of the first fight; the same seed is the same fight.", min=0),
    ] = None,
    speed: Annotated[
        float | None,
        typer.Option(help="With --demo: the arena's speed; 1, or 2 with --seconds.", min=0.01, max=1000),
    ] = None,
    player_class: ClassName = "",
    placement: Annotated[
        bool, typer.Option(help="With --demo: places are chosen before each fight.")
    ] = False,
    language: Annotated[
        str | None, typer.Option(help="Language of this run.", callback=known_language)
    ] = None,
    level: Annotated[Level | None, typer.Option(help="How much is done for speed in this run.")] = None,
    safe: Annotated[
        bool, typer.Option("--safe", help="On the processor and without the overlay, for this run only.")
    ] = False,
) -> None:
    """Starts the app; with --demo on the practice arena."""
    from botapp.runtime import first_start  # noqa: PLC0415

    first_start.begin()
    _tidy()
    from botapp.tracking.spellbook import presets  # noqa: PLC0415

    if player_class and player_class not in presets():
        raise Trouble(
            f"--class {player_class}: there is no such class. Choose one of {', '.join(presets())}."
        )
    _only_now("ui.language", language)
    _only_now("engine.level", level)
    if safe:
        from botapp.host.settings import SAFE_MODE  # noqa: PLC0415

        for key, value in SAFE_MODE.items():
            _only_now(key, str(value))
    if screenshots is not None:
        prepare("--screenshots", screenshots)
    if not demo:
        for option, given in (
            ("--report", report is not None),
            ("--seed", seed is not None),
            ("--speed", speed is not None),
            ("--placement", placement),
        ):
            if given:
                raise Trouble(f"{option} is for the practice arena: add --demo.")
        _only_now("advisor.player_class", player_class or None)
        raise typer.Exit(open_app(seconds, screenshots))
    _alone()
    from botapp.demo.run import BESIDE_REPORT  # noqa: PLC0415

    if report is not None:
        report = place("--report", report, force=force)
        for name in BESIDE_REPORT:
            place("--report", report.with_name(name), force=force)
    from botapp.demo.run import DemoOptions  # noqa: PLC0415
    from botapp.demo.run import run as run_demo  # noqa: PLC0415

    settings, messages = load_settings()
    if speed is None:
        speed = 1.0 if seconds is None else 2.0
    options = DemoOptions(
        settings,
        messages,
        seconds,
        report,
        screenshots,
        1 if seed is None else seed,
        speed,
        player_class,
        placement,
    )
    from botapp.ui.app import main as app_main  # noqa: PLC0415 - Qt only where a window is opened

    raise typer.Exit(run_demo(options, app_main))


def _alone() -> None:
    """Ends the demo before its arena opens where the app runs: both would keep and count each fight."""
    from botapp.host.settings_file import config_dir  # noqa: PLC0415
    from botapp.ui.instance import call_running  # noqa: PLC0415

    if call_running(config_dir()):
        raise Trouble(
            "botapp is running already: its window was brought to the front. Close it first, or give the "
            "demo a folder of its own: BOTAPP_CONFIG_DIR=FOLDER."
        )


def open_app(seconds: float | None, screenshots: Path | None) -> int:
    """Opens the app's window; returns its exit code."""
    from botapp.runtime import first_start  # noqa: PLC0415

    first_start.begin()
    _tidy()
    from botapp.runtime.app_options import AppOptions  # noqa: PLC0415
    from botapp.ui.app import main as run_app  # noqa: PLC0415

    settings, messages = load_settings()
    messages += kept_nothing()
    return run_app(AppOptions(settings, messages, seconds=seconds, screenshots=screenshots))


def kept_nothing() -> tuple[str, ...]:
    """Returns what to tell a person whose folder of settings cannot be written to."""
    from botapp.host.files import why_unwritable  # noqa: PLC0415
    from botapp.host.message import say  # noqa: PLC0415
    from botapp.host.settings_file import config_dir  # noqa: PLC0415

    problem = why_unwritable(config_dir())
    if not problem:
        return ()
    text = say(
        "What you set will not be kept: {folder} cannot be written to ({problem}).",
        folder=str(config_dir()),
        problem=problem,
    )
    print(f"botapp: {text}", file=sys.stderr)
    return (text,)


def _tidy() -> None:
    from botapp.content.knowledge.shelf import knowledge_dir  # noqa: PLC0415
    from botapp.host.rooms import clear_rooms  # noqa: PLC0415
    from botapp.host.settings_file import config_dir  # noqa: PLC0415
    from hrm.atomic import clear_left_over  # noqa: PLC0415
    from hrm.backends.json_cache import cache_folder  # noqa: PLC0415

    clear_rooms()
    for folder in (config_dir(), knowledge_dir(), cache_folder()):
        clear_left_over(folder)


def _only_now(key: str, value: str | None) -> None:
    if value is not None:
        from botapp.host.settings_file import override  # noqa: PLC0415

        override(key, value)
