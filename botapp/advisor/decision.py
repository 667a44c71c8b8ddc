"""Hop 6: what the model would do, how sure it is, and how it got there. Next hop: `botapp.engine`."""

from dataclasses import dataclass
from typing import Literal

from botapp.fight.actions import Action, Cast, Move

StopReason = Literal["halted", "step-limit", "budget", "only-choice"]
ActionType = Literal["move", "cast", "end_turn"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One candidate action with its share of the model's confidence (0..1).

    `label` is what a person reads, in English; the UI builds a translated one from `action` and `spell_name`.
    """

    action: Action
    confidence: float
    label: str
    spell_name: str = ""


@dataclass(frozen=True, slots=True)
class ThinkingStep:
    """What the model held after one ACT step; `q_halt` and `q_continue` are probabilities (0..1)."""

    index: int
    q_halt: float
    q_continue: float
    best: Choice
    value: float
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class Decision:
    """The advice for one state.

    Attributes:
        choices: the best first, at most five, confidences calibrated.
        reflex: the first step's answer (System 1).
        value: expected outcome for the player's team, -1 (lost) to 1 (won).
        trace: one entry for each ACT step.
        stop: why the thinking ended.
        heat: the confidence of every candidate's target cell, summed by cell: (cell, share), best first.
        assumed: facts about the fight that nobody has seen, in words.
        timings_ms: by stage (encode, think, decode).
    """

    choices: tuple[Choice, ...]
    reflex: Choice
    value: float
    trace: tuple[ThinkingStep, ...]
    stop: StopReason
    heat: tuple[tuple[int, float], ...] = ()
    assumed: tuple[str, ...] = ()
    timings_ms: tuple[tuple[str, float], ...] = ()

    @property
    def best(self) -> Choice:
        """The deliberate answer (System 2)."""
        return self.choices[0]

    @property
    def action(self) -> Action:
        """The action advised."""
        return self.best.action

    @property
    def action_type(self) -> ActionType:
        """Which kind of action is advised."""
        if isinstance(self.action, Move):
            return "move"
        return "cast" if isinstance(self.action, Cast) else "end_turn"

    @property
    def confidence(self) -> float:
        """The confidence in the action advised, 0..1."""
        return self.best.confidence

    @property
    def target(self) -> int | None:
        """The cell id the action ends at, None for the end of the turn."""
        return self.action.target

    @property
    def changed_mind(self) -> bool:
        """Tells whether thinking longer changed the reflex answer."""
        return self.reflex.action != self.action
