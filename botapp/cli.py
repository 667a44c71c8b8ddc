"""The `botapp` command: each subcommand puts the parts together and prints the answer.

Nothing a person does here ends in a traceback: what went wrong is said in a line with its remedy, and the
log file has the rest. Everything heavy is imported where it is used, so that `--help` is quick.
"""

import json
import logging
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from botapp.knowledge.commands import app as knowledge_app
from botapp.logs import log_file, set_up

_log = logging.getLogger(__name__)

Client = Literal["arena", "dofus-unity", "dofus-2", "dofus-retro"]
Language = Literal["auto", "en", "fr"]
Level = Literal["conservative", "balanced", "aggressive"]
PlayerName = Literal["random", "greedy", "search", "hrm", "lite", "full"]
Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
Seed = Annotated[int, typer.Option(help="Seed of the first fight; the same seed is the same fight.", min=0)]
ClassName = Annotated[str, typer.Option("--class", help="Key of the class you play.")]

app = typer.Typer(
    help="Live advice for DOFUS fights: reads the screen, thinks, shows what it would do.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
arena_app = typer.Typer(help="The practice arena: a game window to try everything on.")
app.add_typer(arena_app, name="arena")
bench_app = typer.Typer(help="Measures what things cost on this computer.")
app.add_typer(bench_app, name="bench")
app.add_typer(knowledge_app, name="knowledge")


class Trouble(Exception):
    """Something a person can put right; the text says what and how."""


@app.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        raise typer.Exit(_run_app(None, None))


@app.command()
def run(
    demo: Annotated[bool, typer.Option("--demo", help="Start the practice arena beside the app.")] = False,
    seconds: Annotated[
        float | None, typer.Option(help="End by itself after so many seconds.", min=1, max=1_000_000)
    ] = None,
    report: Annotated[Path | None, typer.Option(help="With --demo: write the figures here.")] = None,
    screenshots: Annotated[Path | None, typer.Option(help="Folder for pictures of the run.")] = None,
    seed: Seed = 1,
    speed: Annotated[
        float | None,
        typer.Option(help="With --demo: the arena's speed; 1, or 2 with --seconds.", min=0.01, max=1000),
    ] = None,
    player_class: ClassName = "",
    language: Annotated[Language | None, typer.Option(help="Language of this run.")] = None,
    level: Annotated[Level | None, typer.Option(help="How much is done for speed in this run.")] = None,
) -> None:
    """Starts the app; with --demo on the practice arena."""
    _only_now("ui.language", language)
    _only_now("engine.level", level)
    if screenshots is not None:
        _prepare("--screenshots", screenshots)
    if not demo:
        if report is not None:
            raise Trouble("--report needs the arena to compare with: add --demo.")
        raise typer.Exit(_run_app(seconds, screenshots))
    if report is not None:
        _prepare("--report", report.parent)
        if report.is_dir():
            raise Trouble(f"--report {report} is a folder. Give the path of a file in it.")
    from botapp.advisor.spellbook import presets  # noqa: PLC0415

    if player_class and player_class not in presets():
        raise Trouble(
            f"--class {player_class}: there is no such class. Choose one of {', '.join(presets())}."
        )
    from botapp.demo import DemoOptions  # noqa: PLC0415
    from botapp.demo import run as run_demo  # noqa: PLC0415

    settings, messages = _settings()
    if speed is None:
        speed = 1.0 if seconds is None else 2.0
    options = DemoOptions(settings, messages, seconds, report, screenshots, seed, speed, player_class)
    raise typer.Exit(run_demo(options))


@app.command()
def look(
    image: Annotated[Path, typer.Argument(help="A picture of the game's window.")],
    client: Annotated[Client, typer.Option(help="Whose screen it is.")] = "arena",
    as_json: Json = False,
) -> None:
    """Reads a picture of a fight and says what it shows."""
    from botapp.look import read_image, view_json, view_text  # noqa: PLC0415

    view = read_image(image, client)
    _answer(view_json(view), view_text(view), as_json)


@app.command()
def advise(
    source: Annotated[Path, typer.Argument(help="A picture of the game's window, or a state as JSON.")],
    client: Annotated[Client, typer.Option(help="Whose screen the picture shows.")] = "arena",
    player_class: ClassName = "",
    as_json: Json = False,
) -> None:
    """Advises what to do in a fight, from a picture or from a state."""
    from botapp.look import (  # noqa: PLC0415
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
    advisor = _advisor()
    advisor.decide(state)  # the first one is slow and would use the budget up
    decision = advisor.plan(state, advisor.decide(state))
    _answer(decision_json(decision), decision_text(decision), as_json)


@arena_app.callback(invoke_without_command=True)
def arena(
    context: typer.Context,
    seed: Seed = 1,
    player_class: ClassName = "",
    scenario: Annotated[
        Literal["adventure", "duel", "team"], typer.Option(help="What is fought.")
    ] = "adventure",
    side: Annotated[int, typer.Option(help="The side you play in a duel or team fight.", min=0, max=1)] = 0,
    opponent: Annotated[
        Literal["greedy", "random"], typer.Option(help="Who plays the other side.")
    ] = "greedy",
    speed: Annotated[float, typer.Option(help="Makes animations and pauses this much shorter.")] = 1.0,
    autopilot: Annotated[bool, typer.Option("--autopilot", help="Take actions from the link.")] = False,
    fights: Annotated[int | None, typer.Option(help="Close after so many fights.")] = None,
    link: Annotated[bool, typer.Option("--link", help="Read actions as JSON lines from stdin.")] = False,
    log: Annotated[Path | None, typer.Option(help="Write what is shown, line by line, to this file.")] = None,
    size: Annotated[str, typer.Option(help="Size of the window's inside.")] = "1280x720",
    position: Annotated[str | None, typer.Option(help="Place of the window: X,Y.")] = None,
    language: Annotated[Literal["en", "fr"], typer.Option(help="Language of the window.")] = "en",
    turn_seconds: Annotated[float, typer.Option(help="How long a turn lasts.")] = 30.0,
    placement: Annotated[bool, typer.Option(help="Choose your place before the fight.")] = False,
) -> None:
    """Opens the practice arena's window."""
    if context.invoked_subcommand is not None:
        return
    from botapp.arena.options import ArenaOptions  # noqa: PLC0415
    from botapp.engine.display import has_display  # noqa: PLC0415

    options = ArenaOptions(
        seed=seed,
        player_class=player_class or None,
        scenario=scenario,
        side=side,
        opponent=opponent,
        speed=speed,
        autopilot=autopilot,
        fights=fights,
        link=link,
        log=log,
        size=_pair("--size", size, "x", "1280x720"),
        position=_pair("--position", position, ",", "100,50") if position is not None else None,
        language=language,
        turn_seconds=turn_seconds,
        placement=placement,
    )
    if not has_display():
        raise Trouble(
            "There is no display for the arena's window. Set DISPLAY, or run `xvfb-run botapp arena`."
        )
    from botapp.arena.window import main as open_window  # noqa: PLC0415

    raise typer.Exit(open_window(options))


@arena_app.command()
def tournament(
    a: Annotated[PlayerName, typer.Option("--a", help="The first player.")] = "hrm",
    b: Annotated[PlayerName, typer.Option("--b", help="The second player.")] = "random",
    fights: Annotated[
        int, typer.Option(help="How many fights; each seed is played on both sides.", min=1)
    ] = 20,
    seed: Seed = 1,
    workers: Annotated[int, typer.Option(help="Processes to play in.", min=1)] = 1,
    scenario: Annotated[
        Literal["duel", "team", "adventure"], typer.Option(help="What is fought; sides are swapped.")
    ] = "duel",
    sizes: Annotated[
        str, typer.Option(help="Sizes of teams, taken in turn: 1v1, or 1v1,3v3, or 1v1..4v4.")
    ] = "",
    unseen: Annotated[
        bool, typer.Option("--unseen", help="Only classes and maps that no model was trained on.")
    ] = False,
    ms: Annotated[
        float | None, typer.Option(help="Milliseconds that search and models have for a turn.", min=1)
    ] = None,
    weights_a: Annotated[Path | None, typer.Option(help="File of the first player's weights.")] = None,
    weights_b: Annotated[Path | None, typer.Option(help="File of the second player's weights.")] = None,
    device: Annotated[str | None, typer.Option(help="Where models run, such as cuda:1.")] = None,
    precision: Annotated[
        Literal["fp32", "bf16", "fp16"] | None, typer.Option(help="What models compute in.")
    ] = None,
    max_steps: Annotated[int | None, typer.Option(help="Steps of thinking at most.", min=1)] = None,
    early_exit: Annotated[
        bool | None, typer.Option(help="Whether models stop once they are sure, which they do if left out.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option(help="Address of a Ray cluster to play on, in place of --workers.")
    ] = None,
    players: Annotated[
        str, typer.Option(help="Several players, such as random,greedy,search: each meets each other.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            help="File for the result, written as it goes; what it holds already is not fought again."
        ),
    ] = None,
    from_pixels: Annotated[
        bool, typer.Option("--from-pixels", help="Let hrm see the arena's window instead of the true state.")
    ] = False,
    speed: Annotated[float, typer.Option(help="With --from-pixels: the arena's speed.", min=0.01)] = 8.0,
    as_json: Json = False,
) -> None:
    """Lets two players fight many times and says who wins how often, and what that is in Elo."""
    from botapp.arena.contest import Contest, Thinking, pair_text, table_text  # noqa: PLC0415

    if from_pixels:
        answer = _from_pixels(a, b, fights, seed, speed, as_json)
        _answer(answer, pair_text(answer), as_json)
        return
    thinking = Thinking(weights_a, weights_b, device, precision, max_steps, early_exit)
    contest = Contest(fights, seed, workers, scenario, sizes, unseen, ms, out, ray, thinking)
    if players:
        answer = contest.table(players.split(","))
        _answer(answer, table_text(answer), as_json)
    else:
        answer = contest.pair(a, b)
        _answer(answer, pair_text(answer), as_json)


@bench_app.callback(invoke_without_command=True)
def bench(
    context: typer.Context,
    states: Annotated[int, typer.Option(help="How many states to decide on.", min=1)] = 200,
    seed: Seed = 1,
    as_json: Json = False,
    compare: Annotated[bool, typer.Option("--compare", help="Compare the engines instead.")] = False,
) -> None:
    """Measures what a decision and a reading cost on this computer."""
    if context.invoked_subcommand is not None:
        return
    if compare:
        bench_engines(as_json=as_json)
        return
    from botapp.bench import measure, measure_vision, text  # noqa: PLC0415

    found = {**measure(_advisor(), states, seed), "vision_ms": measure_vision()}
    _answer(found, text(found), as_json)


@bench_app.command("rules")
def bench_rules(
    seconds: Annotated[float, typer.Option(help="How long each figure is measured.", min=0.01)] = 3.0,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Measures how many actions a second the game's rules apply on one core."""
    from botapp.speed import measure_rules, rules_text  # noqa: PLC0415

    found = measure_rules(seconds, seed)
    _answer(found, rules_text(found), as_json)


@bench_app.command("vision")
def bench_vision(
    client: Annotated[Literal["arena", "unity", "2", "retro"], typer.Option(help="Whose window.")] = "unity",
    frames: Annotated[int, typer.Option(help="How many frames after the first.", min=10)] = 600,
    as_json: Json = False,
) -> None:
    """Measures what reading a moving fight costs on one core, and whether memory grows."""
    from botapp.seeing import measure_vision, vision_text  # noqa: PLC0415

    found = measure_vision(client, frames)
    _answer(found, vision_text(found), as_json)


@bench_app.command("engines")
def bench_engines(
    models: Annotated[str, typer.Option(help="Which models, by comma; all unless given.")] = "",
    rounds: Annotated[int, typer.Option(help="Turns that each engine gets.", min=1)] = 12,
    plot: Annotated[Path, typer.Option(help="Draw the result here, as an SVG.")] = Path("out/engines.svg"),
    as_json: Json = False,
) -> None:
    """Measures every engine and precision that works here, turn by turn, against the plain step."""
    from botapp.engines import MODELS, measure  # noqa: PLC0415

    _prepare("--plot", plot.parent)
    chosen = models.split(",") if models else MODELS
    values, words = measure(chosen, rounds, plot, lambda told: print(told, file=sys.stderr, flush=True))
    _answer(values, words, as_json)


@app.command()
def caches(
    clear: Annotated[list[str] | None, typer.Option(help="Empty this cache; all for every one.")] = None,
    keep: Annotated[
        int | None,
        typer.Option(help="Take the oldest out of each that holds more megabytes than this.", min=0),
    ] = None,
    as_json: Json = False,
) -> None:
    """Says how much the caches of compiled kernels hold, keeps them to a size and empties them."""
    from hrm.backends import caches as compiled  # noqa: PLC0415

    names = list(compiled.places()) if clear == ["all"] else clear or []
    lines = [f"cleared {gone.name}: {gone.size / 1e6:.1f} MB" for gone in map(compiled.clear, names)]
    for name in compiled.places() if keep is not None else ():
        gone = compiled.trim(name, (keep or 0) * 1_000_000)
        lines += [f"taken out of {name}: {gone.size / 1e6:.1f} MB"] if gone.files else []
    lines.append(compiled.find_mode())
    found = compiled.caches()
    values = [{"name": c.name, "path": str(c.path), "files": c.files, "bytes": c.size} for c in found]
    _answer({"caches": values, "cleared": names}, "\n".join([*lines, compiled.text(found)]), as_json)


@app.command()
def doctor(
    as_json: Json = False,
    report: Annotated[
        bool, typer.Option("--report", help="Print a report to paste into an issue: no names, no paths.")
    ] = False,
) -> None:
    """Says what there is on this computer, what is wrong or missing, and what to do about it."""
    from botapp.doctor import examine, paste, text  # noqa: PLC0415

    found = examine()
    _answer(found, paste(found) if report else text(found), as_json)


@app.command()
def migrate(
    path: Annotated[Path, typer.Argument(help="Folder of the project that was written for CUDA.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be done; nothing is written.")
    ] = False,
    start_from: Annotated[
        str | None, typer.Option(help="Begin with this step, such as code_001; those before are skipped.")
    ] = None,
    take_back: Annotated[bool, typer.Option("--undo", help="Take back what was written.")] = False,
    as_json: Json = False,
) -> None:
    """Brings a project from CUDA to an AMD card, step by step; rewritten code is shown as a diff first."""
    from botapp.doctor.snapshot import look as look_at_computer  # noqa: PLC0415
    from botapp.migrate import migrate as carry_out  # noqa: PLC0415
    from botapp.migrate import text, to_json, undo  # noqa: PLC0415

    if take_back:
        restored, refused = undo(path)
        lines = [f"restored {name}" for name in restored]
        lines += [f"left {name}: it was changed since" for name in refused]
        _answer(
            {"restored": restored, "refused": refused}, "\n".join(lines) or "nothing to take back", as_json
        )
        raise typer.Exit(1 if refused else 0)
    outcomes = carry_out(path, look_at_computer(), dry_run=dry_run, start_from=start_from)
    _answer(to_json(outcomes), text(outcomes), as_json)
    raise typer.Exit(1 if any(outcome.status == "failed" for outcome in outcomes) else 0)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code. Never raises."""
    set_up()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a Windows pipe knows no arrows, a file name may be no text
    try:
        app(arguments, prog_name="botapp")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except Exception as error:
        _log.exception("botapp %s", " ".join(sys.argv[1:] if arguments is None else arguments))
        print(f"botapp: {_words(error)}", file=sys.stderr)
    return 1


def _words(error: Exception) -> str:
    """Puts an error in words: those made for a person as they are, the others with where the details are."""
    if isinstance(error, ModuleNotFoundError):
        return f"the package {error.name} is missing. Install botapp again: pip install botapp"
    if isinstance(error, ImportError) and ".so" in str(error):
        return f"a system library is missing ({error}). On Debian and Ubuntu `make system` installs it."
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    modules = ("botapp.", "vision.", "hrm.")
    if isinstance(error, ValueError) or type(error).__module__.startswith(modules):
        return str(error)
    return f"something went wrong ({type(error).__name__}: {error}). The details are in {log_file()}."


def _run_app(seconds: float | None, screenshots: Path | None) -> int:
    from botapp.ui.app import main as run_app  # noqa: PLC0415
    from botapp.ui.options import AppOptions  # noqa: PLC0415

    settings, messages = _settings()
    return run_app(AppOptions(settings, messages, seconds=seconds, screenshots=screenshots))


def _only_now(key: str, value: str | None) -> None:
    """Has a setting hold for this run alone: what the environment says is never saved to the file."""
    if value is not None:
        group, name = key.upper().split(".")
        os.environ[f"BOTAPP_{group}__{name}"] = value


def _settings() -> tuple[Any, tuple[str, ...]]:
    """Returns the settings of this run, and what there is to say about them."""
    from botapp.store import load  # noqa: PLC0415

    loaded = load()
    for message in loaded.messages:
        print(f"botapp: {message}", file=sys.stderr)
    return loaded.settings, loaded.messages


def _prepare(option: str, folder: Path) -> None:
    """Makes a folder that is written to at the end, lest a run be for nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Trouble(f"{option}: the folder {folder} cannot be made ({error.strerror}).") from error
    if not os.access(folder, os.W_OK):
        raise Trouble(f"{option}: the folder {folder} cannot be written to. Choose another one.")


def _advisor() -> Any:
    """Makes an advisor as the settings want it."""
    import torch  # noqa: PLC0415

    from botapp import create_advisor  # noqa: PLC0415
    from botapp.advisor.place import place  # noqa: PLC0415

    wish = _settings()[0].engine
    advisor = create_advisor(
        placement=place(wish.backend, wish.device, wish.precision, level=wish.level),
        max_steps=wish.step_limit,
        budget_ms=float(wish.latency_budget_ms),
        halt_threshold=wish.halt_threshold,
        memory_cap=wish.memory_cap_mb << 20,
    )
    torch.set_num_threads(wish.cpu_threads or 1)
    return advisor


def _from_pixels(a: str, b: str, fights: int, seed: int, speed: float, quiet: bool) -> dict[str, Any]:
    if a != "hrm" or b not in ("random", "greedy"):
        raise Trouble("--from-pixels lets hrm play against random or greedy: use --a hrm --b random.")
    from botapp.pixels import Fight  # noqa: PLC0415
    from botapp.pixels import tournament as play  # noqa: PLC0415

    def progress(fight: Fight) -> None:
        if not quiet:
            print(f"seed {fight.seed}, side {fight.side}: {fight.result} after {fight.turns} turns")

    return play(_settings()[0], b, fights, seed, speed, progress)


def _pair(name: str, text: str, separator: str, example: str) -> tuple[int, int]:
    first, found, second = text.partition(separator)
    try:
        if not found:
            raise ValueError(text)
        return int(first), int(second)
    except ValueError:
        raise Trouble(f"{name} {text}: expected two whole numbers such as {example}.") from None


def _answer(values: dict[str, Any], text: str, as_json: bool) -> None:
    print(json.dumps(values, indent=2) if as_json else text)
