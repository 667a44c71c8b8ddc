"""`botapp arena`: the practice arena's window, and tournaments of its players."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from botapp.commands.answers import Force, Trouble, answer, load_settings, place
from botapp.commands.compiling import prepare_first
from botapp.commands.options import ClassName, Json, Seed
from botapp.host.translation import resolve

if TYPE_CHECKING:
    from botapp.content.knowledge.base import KnowledgeBase
    from botapp.content.templates import FighterTemplate
    from botapp.fight.state import FightMap, FightState

_WATCHED_MS = 150  # Time for a decision where the adviser plays and a person watches
_PLAYERS = "a word such as greedy, bare:ms=150 or lite:steps=8; a wrong one is answered with all there are"

_OF_A_SCENARIO = ("player_class", "scenario", "side", "placement", "monsters", "level", "board")
"""Options that say with what a fight begins."""

app = typer.Typer(help="The practice arena: a game window to try everything on.")


@app.callback(invoke_without_command=True)
def arena(
    context: typer.Context,
    seed: Seed = 1,
    player_class: ClassName = "",
    scenario: Annotated[
        Literal["adventure", "duel", "team"], typer.Option(help="What is fought.")
    ] = "adventure",
    side: Annotated[int, typer.Option(help="The side you play in a duel or team fight.", min=0, max=1)] = 0,
    opponent: Annotated[
        Literal["easy", "normal", "hard", "random", "greedy"],
        typer.Option(
            "--opponents",
            "--opponent",
            help="How well the others play: easy slips, normal (or greedy) takes what it can, hard searches.",
        ),
    ] = "normal",
    state: Annotated[
        Path | None,
        typer.Option(help="Play on from this position, a state as JSON, for the fighter whose turn it is."),
    ] = None,
    position: Annotated[
        str,
        typer.Option(help="The same from a line that was copied as a position; - reads it from stdin."),
    ] = "",
    speed: Annotated[float, typer.Option(help="Makes animations and pauses this much shorter.")] = 1.0,
    autopilot: Annotated[bool, typer.Option("--autopilot", help="Take actions from the link.")] = False,
    fights: Annotated[int | None, typer.Option(help="Close after so many fights.")] = None,
    link: Annotated[bool, typer.Option("--link", help="Read actions as JSON lines from stdin.")] = False,
    log: Annotated[Path | None, typer.Option(help="Write what is shown, line by line, to this file.")] = None,
    size: Annotated[str, typer.Option(help="Size of the window's inside.")] = "1280x720",
    at: Annotated[str | None, typer.Option(help="Place of the window: X,Y.")] = None,
    language: Annotated[
        Literal["en", "fr"] | None, typer.Option(help="Language of the window; the app's own if left out.")
    ] = None,
    turn_seconds: Annotated[float, typer.Option(help="How long a turn lasts.")] = 30.0,
    placement: Annotated[bool, typer.Option(help="Choose your place before the fight.")] = False,
    monsters: Annotated[
        str, typer.Option(help="Whom to meet: keys or names of monsters, such as golem,boar or Golem@50.")
    ] = "",
    level: Annotated[
        int | None,
        typer.Option(help="Level of a class of the imported game; 200 if left out.", min=1, max=200),
    ] = None,
    board: Annotated[
        str,
        typer.Option("--map", help="Key or name of the map to meet them on; one of the app's if left out."),
    ] = "",
    log_words: Annotated[
        bool, typer.Option("--log-words", help="Write the fight's log in words, as the real clients do.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Let the adviser play your side.")] = False,
    force: Force = False,
) -> None:
    """Opens the practice arena's window."""
    if context.invoked_subcommand is not None:
        _refuse_options_before(context)
        return
    from botapp.runtime import first_start  # noqa: PLC0415

    first_start.settle()
    from botapp.arena.options import ArenaOptions  # noqa: PLC0415
    from botapp.demo.display import has_display  # noqa: PLC0415

    if language is None:
        language = "fr" if resolve(load_settings()[0].ui.language) == "fr" else "en"
    begun = "--state" if state is not None else "--position" if position else ""
    if begun and (option := _given(context, *_OF_A_SCENARIO)):
        raise Trouble(f"{option} is for a fight from its beginning: leave it out, or {begun}.")
    if re.fullmatch(r"-?[0-9]+,-?[0-9]+", position):
        raise Trouble(
            f"--position takes the line of a copied position: the window's place is --at {position}."
        )
    if state is not None and position:
        raise Trouble("--state and --position both say with what the fight begins: leave one out.")
    player, foes = fighters_named(player_class, monsters, level)
    if board and player is None:
        raise Trouble("--map is for a fight against given monsters: add --monsters.")
    if log is not None:
        log = place("--log", log, force=force, inputs=(state,) if state is not None else ())
    options = ArenaOptions(
        seed=seed,
        player_class=None if player is not None else player_class or None,
        scenario=scenario,
        side=side,
        opponent=opponent,
        speed=speed,
        autopilot=autopilot,
        fights=fights,
        link=link,
        log=log,
        size=_pair("--size", size, "x", "1280x720"),
        position=_pair("--at", at, ",", "100,50") if at is not None else None,
        language=language,
        turn_seconds=turn_seconds,
        placement=placement,
        player=player,
        monsters=foes,
        ground=ground_named(board) if board and player is not None else None,
        adviser=f"bare:decision_ms={_WATCHED_MS}" if watch else "",
        position_at=_position(state, position) if begun else None,
        log_words=log_words,
    )
    if not has_display():
        raise Trouble(
            "There is no display for the arena's window. Set DISPLAY, or run `xvfb-run botapp arena`."
        )
    from botapp.arena.window import main as open_window  # noqa: PLC0415

    raise typer.Exit(open_window(options))


@app.command()
def tournament(
    a: Annotated[str, typer.Option("--a", help=f"The first player: {_PLAYERS}.")] = "hrm",
    b: Annotated[str, typer.Option("--b", help="The second player.")] = "random",
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
    pool: Annotated[
        Literal["seen", "drawn", "unseen", "hour-veil"],
        typer.Option(
            help="Classes trained on, fighters drawn at random, the twelve classes never trained on, "
            "or the two of these that there were until 28 November 2026."
        ),
    ] = "seen",
    even: Annotated[
        bool,
        typer.Option(
            "--even",
            help="With team and adventure: one side's HP are scaled so that the same player wins half. "
            "In adventures both players in turn meet the same monsters.",
        ),
    ] = False,
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
        bool,
        typer.Option("--from-pixels", help="Let --a (a model or bare) see the arena's window only."),
    ] = False,
    speed: Annotated[
        float | None, typer.Option(help="With --from-pixels: the arena's speed; 8 if left out.", min=0.01)
    ] = None,
    as_json: Json = False,
) -> None:
    """Lets two players fight many times and says who wins how often, and what that is in Elo."""
    from botapp.arena.tournament import Contest, pair_text, table_text  # noqa: PLC0415

    if from_pixels:
        table = _from_pixels(a, b, fights, seed, 8.0 if speed is None else speed, as_json)
        answer(table, pair_text(table), as_json)
        return
    if speed is not None:
        raise Trouble("--speed is for the arena's window: add --from-pixels, or leave it out.")
    if out is not None:
        out = place("--out", out, force=True)  # one that is there is gone on with, or refused as another's
    prepare_first()
    contest = Contest(fights, seed, workers, scenario, sizes, pool, out, ray, even)
    if players:
        from botapp.arena.player_spec import split  # noqa: PLC0415

        table = contest.table(split(players))
        answer(table, table_text(table), as_json)
    else:
        table = contest.pair(a, b)
        answer(table, pair_text(table), as_json)


def _from_pixels(a: str, b: str, fights: int, seed: int, speed: float, quiet: bool) -> dict[str, Any]:
    from botapp.arena.player_spec import parse  # noqa: PLC0415
    from botapp.arena.players.advised import MODELS  # noqa: PLC0415
    from botapp.demo.from_pixels import PixelFight  # noqa: PLC0415
    from botapp.demo.from_pixels import tournament as play  # noqa: PLC0415

    player = parse(a)
    if player.name not in (*MODELS, "bare") or b not in ("random", "greedy"):
        raise Trouble(
            f"--from-pixels lets {', '.join(MODELS)} or bare play against random or greedy: "
            "use --a lite --b random."
        )
    if "ms" in dict(player.options):
        raise Trouble("--from-pixels gives a time to each decision: use decision_ms in place of ms.")

    def progress(fight: PixelFight) -> None:
        if not quiet:
            print(f"seed {fight.seed}, side {fight.side}: {fight.result} after {fight.turns} turns")

    prepare_first()
    return play(load_settings()[0], player, b, fights, seed, speed, progress)


def fighters_named(
    player_class: str, monsters: str, level: int | None
) -> "tuple[FighterTemplate | None, tuple[FighterTemplate, ...]]":
    """Returns the player's fighter and the opponents; None and () where only the app's own are asked for."""
    from botapp.content.knowledge.base import knowledge  # noqa: PLC0415
    from botapp.content.library import classes  # noqa: PLC0415

    if not monsters and (not player_class or player_class in classes()) and level is None:
        return None, ()
    base = knowledge()
    player = base.fighter(player_class or next(iter(classes())), level)
    if player is None or player.play_style:
        raise Trouble(
            f"--class {player_class}: there is no such class. "
            "`botapp knowledge find --kind class` lists those of the app, your own and the game's."
        )
    names = [name.strip() for name in (monsters or "golem,boar").split(",") if name.strip()]
    return player, tuple(_monster(base, name) for name in names)


def _monster(base: "KnowledgeBase", name: str) -> "FighterTemplate":
    """Returns a monster by its key or its name, behind an @ perhaps near which level its grade is."""
    from botapp.content.knowledge.entry import EntryKind  # noqa: PLC0415

    wanted, _, suffix = name.partition("@")
    level = int(suffix) if suffix.isdecimal() else None
    template = base.fighter(wanted, level)
    if template is None:
        called = base.find(wanted, EntryKind.MONSTER, 1)
        template = base.fighter(called[0].key, level) if called else None
    if template is None or not template.play_style:
        raise Trouble(
            f"--monsters {name}: there is no such monster. `botapp knowledge find --kind monster` finds them."
        )
    return template


def ground_named(name: str) -> "FightMap":
    from botapp.content.knowledge.base import knowledge  # noqa: PLC0415
    from botapp.content.knowledge.entry import EntryKind  # noqa: PLC0415
    from botapp.content.templates import MapTemplate  # noqa: PLC0415

    entries = knowledge().find(name, EntryKind.MAP, 1)
    if not entries or not isinstance(entries[0].value, MapTemplate):
        raise Trouble(f"--map {name}: there is no such map. `botapp knowledge find --kind map` lists them.")
    return entries[0].value.board


def _position(path: Path | None, line: str) -> "FightState":
    from botapp.arena.options import unplayable  # noqa: PLC0415
    from botapp.commands.advice import read_position, read_state  # noqa: PLC0415
    from botapp.content.errors import FieldError  # noqa: PLC0415

    state = read_state(path) if path is not None else read_position(line)
    if problem := unplayable(state):
        raise FieldError(problem)
    return state


def _refuse_options_before(context: typer.Context) -> None:
    """Refuses what was given to the window although another command follows, which has options of its own."""
    names = [parameter.name for parameter in context.command.params if parameter.name]
    if given := _given(context, *names):
        raise Trouble(
            f"{given} before {context.invoked_subcommand} would be passed over: write it behind it."
        )


def _given(context: typer.Context, *names: str) -> str:
    """Returns the first of these options that was written, as it is called, "" for none."""
    options = (parameter for parameter in context.command.params if parameter.name in names)
    return next(
        (option.opts[0] for option in options if option.name and _was_written(context, option.name)), ""
    )


def _was_written(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _pair(name: str, text: str, separator: str, example: str) -> tuple[int, int]:
    first, mark, second = text.partition(separator)
    try:
        if not mark:
            raise ValueError(text)
        return int(first), int(second)
    except ValueError:
        raise Trouble(f"{name} {text}: expected two whole numbers such as {example}.") from None
