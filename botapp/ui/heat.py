"""What the search found of each cell that can be aimed at: the chance of winning, and how many rollouts.

No Qt in here; the drawn board shows it where a person asks for it.
"""

from dataclasses import dataclass

from botapp.advisor.decision import Decision, ScoredAction
from botapp.fight.actions import Action, Cast, Move
from botapp.runtime.turns import WALK
from botapp.ui import words

FAR = 10  # Points below the best action from which on a cell is as red as can be


@dataclass(frozen=True, slots=True)
class CellHeat:
    """A cell with the best action aimed at it."""

    cell: int
    choice: ScoredAction
    # Below the best action of the decision, as shown; None where it was seen but not played on, so that its
    # chance of winning would be of another depth than the others'
    points: int | None

    @property
    def share(self) -> float:
        """How near it comes to the best action, 0 to 1."""
        return 0.0 if self.points is None else 1 - min(max(self.points, 0), FAR) / FAR


def heat_of(decision: Decision, spell: str | None = None) -> tuple[CellHeat, ...]:
    """Returns every candidate cell, each once with the best action aimed at it.

    Args:
        spell: the spell's key, `WALK` for walking; None for all actions.
    """
    cells: dict[int, ScoredAction] = {}
    for candidate in decision.candidates or decision.choices:
        cell = candidate.action.target
        if cell is None or (spell is not None and key_of(candidate.action) != spell):
            continue
        before = cells.get(cell)
        if before is None or _rank(candidate) > _rank(before):
            cells[cell] = candidate
    return tuple(
        CellHeat(
            cell, candidate, words.points(decision.chance, candidate.chance) if candidate.visits else None
        )
        for cell, candidate in cells.items()
    )


def key_of(action: Action) -> str | None:
    """Returns the spell that an action casts, `WALK` for a walk, None for what aims at nothing."""
    if isinstance(action, Cast):
        return action.spell
    return WALK if isinstance(action, Move) else None


def _rank(choice: ScoredAction) -> tuple[bool, float]:
    return choice.visits > 0, choice.chance
