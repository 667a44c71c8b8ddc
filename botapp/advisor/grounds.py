"""Whether a chance of winning may be shown: what it rests on must be known, not guessed.

The search gives a figure for any state. Where the level or the class is made up, or an opponent's strength,
that figure is 0 or 100 % for every action and says nothing about the fight on the screen.
"""

from dataclasses import dataclass
from typing import Literal

from botapp.fight.state import Fighter, FightState
from botapp.host.message import listed, mark, say

Remedy = Literal["class", "level", "fighters"]

UNTOLD = mark("The chance of winning is not shown: {reasons}.")
_OF_OTHERS = {"kind", "level"}
"""Facts of another fighter that are assumed only where nothing at all is known of its kind."""


@dataclass(frozen=True, slots=True)
class Guess:
    """Something that a chance of winning would rest on without being known."""

    why: str  # What is not known, part of a sentence
    remedy: Remedy


def guesses(state: FightState) -> tuple[Guess, ...]:
    """Returns what a chance of winning in this state would rest on without being known, empty for nothing."""
    own = next((fighter for fighter in state.fighters if fighter.player), state.actor)
    made = _of_player(own)
    others = [fighter for fighter in state.fighters if fighter.alive and fighter.id != own.id]
    unknown = sum(bool(_OF_OTHERS & fighter.assumed) for fighter in others)
    if unknown:
        text = mark("the strength of {unknown} of {all} other fighters is not known")
        if unknown == len(others):
            text = mark("the strength of the other fighters is not known")
        why = say(text, unknown=unknown, all=len(others))
        made.append(Guess(why, "fighters"))
    return tuple(made)


def may_tell_chance(state: FightState | None) -> bool:
    """Tells whether the chance of winning in a state may be shown to a person, in any view."""
    return state is None or not guesses(state)


def why_untold(state: FightState | None) -> str:
    """Returns why no chance of winning is shown, a sentence; "" where one may be."""
    open_guesses = guesses(state) if state is not None else ()
    return say(UNTOLD, reasons=listed([guess.why for guess in open_guesses])) if open_guesses else ""


def _of_player(fighter: Fighter) -> list[Guess]:
    if "kind" in fighter.assumed:
        return [Guess(say("your class is an example, not one of the game"), "class")]
    if "level" in fighter.assumed:
        return [Guess(say("your level is not confirmed"), "level")]
    return []
