"""Whole turns as values: what the overlay and the panels draw of a decision. Small, picklable, no Qt."""

from dataclasses import dataclass

from botapp.advisor.decision import Expectation, ScoredAction
from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.state import FightState

WALK = ""  # Stands for walking where a spell's key is asked for
END = "."  # Stands for ending the turn there

Aims = tuple[tuple[str, tuple[int, ...]], ...]
"""The cells at which each spell can be cast, by its key; `WALK` for those in reach."""


@dataclass(frozen=True, slots=True)
class TurnStep:
    """An action of a turn, as it looks when every die before it falls on its mean."""

    action: Action
    origin: int  # The cell where its actor stands before it
    spell: str = ""  # The name of the spell cast, "" for others
    expected: tuple[Expectation, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A whole turn."""

    choice: ScoredAction  # Its first action
    steps: tuple[TurnStep, ...]  # Its actions; the turn's end is left out where anything comes before it
    chance: float  # How likely the fight is won after it, 0..1
    # (fighter id, probability 0..1) of each fighter that it may kill
    kills: tuple[tuple[int, float], ...] = ()
    # The chance of winning after it in the worst tenth of the dice, 0..1; None where not known
    worst: float | None = None


@dataclass(frozen=True, slots=True)
class TurnOutlook:
    """What there is to say of a turn beside the decision."""

    # The best turns that differ in what is cast or where they end, the advised one first
    lines: tuple[TurnLine, ...] = ()
    aims: Aims = ()

    def cells(self, spell: str) -> tuple[int, ...]:
        """Returns the cells at which a spell can be cast, or walked to."""
        return dict(self.aims).get(spell, ())


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The outcome of an action that the person asked about."""

    number: int
    line: TurnLine | None = None  # The best turn that begins with the action; None where it cannot be done
    # How much less likely the fight is won than after the best action looked into as closely, -1..1
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Possible:
    """The answer to what can be done in a state."""

    number: int
    aims: Aims = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to where a turn leads."""

    number: int
    after: FightState  # The state after the turn, dice at their means
    threat: "Threat | None"  # What the next enemy is expected to do, None where it is none of an enemy


@dataclass(frozen=True, slots=True)
class Threat:
    """What an enemy at turn may do."""

    fighter: int
    name: str
    reached: tuple[int, ...]  # Ids of those it can strike this turn, nearest to death by it first
    line: TurnLine  # The turn that the search expects of it; its chance is that of its own side
    # What that turn should do to each of its enemies, summed over the turn, the most damage first
    harm: tuple[Expectation, ...]
    # The turn that the search would then advise the person's own fighter, once the others have played as
    # expected; None where it is not looked for yet, or the fight is over by then
    own: TurnLine | None = None
    # The state in which that turn is played; where none was found, the one that was looked into
    then: FightState | None = None
    # The state in which it plays, where that is still to come: in the person's own turn the one after the
    # turn as advised. None for the state on the screen
    at: FightState | None = None


def is_asked(action: Action, spell: str, cell: int) -> bool:
    """Tells whether an action is a cast of a spell at a cell; see `WALK` and `END` for the others."""
    if isinstance(action, Cast):
        return (action.spell, action.target) == (spell, cell)
    if isinstance(action, EndTurn):
        return spell == END
    return isinstance(action, Move) and spell == WALK and action.target == cell
