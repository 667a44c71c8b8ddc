"""What the arena's window is asked to do; the command line builds it, `botapp.arena.window.main` obeys it."""

from dataclasses import dataclass
from pathlib import Path

from botapp.content.templates import FighterTemplate
from botapp.fight.rules import winner
from botapp.fight.state import FightMap, FightState
from botapp.host.message import Message, say

SCENARIOS = ("adventure", "duel", "team")
STRENGTHS = {"easy": "easy", "normal": "greedy", "hard": "bare:ms=300"}
"""How well the others may play, each with the word of the player that does (`botapp.arena.player_spec`)."""
OPPONENTS = (*STRENGTHS, "random", "greedy")
LANGUAGES = ("en", "fr")
SMALLEST = (640, 400)


@dataclass(frozen=True, slots=True)
class ArenaOptions:
    """Options of one run of the arena's window; fight number i is played from `seed + i`.

    Raises:
        ValueError: an option is out of its range; the text names it and what it may be.
    """

    seed: int = 1  # Seed of the first fight
    # Key of the class to play, None to let the seed pick one; a team fight always does
    player_class: str | None = None
    # "adventure" (against monsters), "duel" (class against class) or "team" (2 to 4 a side, of which one is
    # the person's)
    scenario: str = "adventure"
    # Team that the person plays in a duel or team fight, 0 or 1; adventures are played as team 0
    side: int = 0
    # How well all others play, a key of `STRENGTHS`, or "random"; "greedy" is "normal"
    opponent: str = "normal"
    speed: float = 1.0  # Makes animations, the opponents' pauses and result screens this many times as short
    autopilot: bool = False  # Whether actions are taken from the link at the start
    fights: int | None = None  # The window closes after so many fights, None to go on
    link: bool = False  # Whether to read actions from standard input and answer on standard output
    # File that gets one JSON line for each change of the picture, each action and each fight's end
    log: Path | None = None
    size: tuple[int, int] = (1280, 720)  # Width and height of the client area at the start, in pixels
    # Left and top of the window on the screen, None to leave it to the desktop
    position: tuple[int, int] | None = None
    language: str = "en"  # Language of the window's texts, "en" or "fr"
    turn_seconds: float = 30.0  # How long a turn lasts, in seconds of real time whatever the speed
    placement: bool = False
    player: FighterTemplate | None = None  # Who is played, in place of a class of the app's; with `monsters`
    monsters: tuple[FighterTemplate, ...] = ()  # The adventure's opponents, in place of a group of the app's
    ground: FightMap | None = None  # The map to fight on then, one of the app's where it is left out
    # Word of the player (`botapp.arena.player_spec`) that plays the person's side, "" for the person
    adviser: str = ""
    # A fight in the middle, to be played on for its current fighter, in place of a scenario
    position_at: FightState | None = None
    # Whether the fight's log is written in words, in a window of its own as the real clients have one, in
    # place of the chronicle that the app reads by its colours
    log_words: bool = False

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("scenario", self.scenario, SCENARIOS),
            ("opponent", self.opponent, OPPONENTS),
            ("language", self.language, LANGUAGES),
            ("side", self.side, (0, 1)),
        ):
            if value not in allowed:
                raise ValueError(f"{name}: {value!r} is not one of {', '.join(map(str, allowed))}")
        if self.side and self.scenario == "adventure":
            raise ValueError(
                "side: an adventure is played as side 0; choose the scenario duel or team for side 1"
            )
        if self.position_at is not None and self.placement:
            raise ValueError("placement: a position is in the middle of a fight, where places are taken")
        if self.position_at is not None and (problem := unplayable(self.position_at)):
            raise ValueError(problem)
        if not 0.01 <= self.speed <= 1000:
            raise ValueError(f"speed: {self.speed} is not between 0.01 and 1000")
        if self.fights is not None and self.fights < 1:
            raise ValueError(f"fights: {self.fights} is not at least 1; leave it out to go on without end")
        if self.turn_seconds <= 0:
            raise ValueError(f"turn_seconds: {self.turn_seconds} is not above 0")
        if self.size[0] < SMALLEST[0] or self.size[1] < SMALLEST[1]:
            raise ValueError(
                f"size: {self.size[0]}x{self.size[1]} is too small; the least is {SMALLEST[0]}x{SMALLEST[1]}"
            )


def unplayable(position: FightState) -> Message | None:
    """Returns why a position cannot be played on from, None where it can."""
    if position.placing:
        return say(
            "In this position places are still being chosen: the arena plays on from a fight that has begun."
        )
    if winner(position) is not None:
        return say("In this position the fight is over: there is nothing left to play.")
    if not position.actor.alive:
        return say("In this position it is the turn of a fighter without HP.")
    return None
