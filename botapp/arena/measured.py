"""How strong the shipped players were when they were last measured: `resources/strength.json`.

Each entry sums up one tournament's file with the command that made it; figures of strength stand there alone.
"""

import json
from dataclasses import dataclass
from importlib.resources import files

from botapp.arena.elo import Strength

FILE = "strength.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """One tournament of mirrored fights.

    Attributes:
        player, opponent: as `botapp.arena.player_spec` reads them.
        pool: one of `botapp.arena.fixtures.POOLS`; see `botapp.arena.scenarios.Pool`.
        turn_ms: time for a turn, in milliseconds.
        fights: how many were fought; the clock may have ended the run before all that were asked for.
        strength: the player's share of the points, with its 95 % interval and as Elo.
        command: what makes the tournament's file again.
    """

    player: str
    opponent: str
    pool: str
    turn_ms: int
    fights: int
    strength: Strength
    command: str
    about: bool
    readme: bool
    what: str


def measured() -> tuple[Measured, ...]:
    """Returns the tournaments that are shipped, the one that the app advises by first."""
    entries = json.loads(files("resources").joinpath(FILE).read_text("utf-8"))
    return tuple(
        Measured(
            entry["player"],
            entry["opponent"],
            entry["pool"],
            entry["turn_ms"],
            entry["fights"],
            Strength(entry["share"], entry["low"], entry["high"]),
            entry["command"],
            entry["about"],
            entry["readme"],
            entry["what"],
        )
        for entry in entries
    )
