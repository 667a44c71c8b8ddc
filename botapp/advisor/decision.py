"""What to do, how sure the advisor is, and how it got there."""

from dataclasses import dataclass, field
from typing import Literal

from botapp.fight.actions import Action, Cast, Move, Place, Ready
from botapp.fight.state import FightState

StopReason = Literal["halted", "step-limit", "budget", "only-choice", "searched", "exhausted", "think-limit"]
Adviser = Literal["search", "model"]
ActionType = Literal["move", "cast", "end_turn", "place"]
Sureness = Literal["sure", "fairly sure", "close", ""]
"""How sure the choice is, see `botapp.advisor.sureness`; "" where there was nothing to choose."""


class Withheld(ValueError):
    """There is no advice for a state; the text says why, as a sentence for a person."""


def reading(chance: float) -> int:
    """Returns a chance of winning, 0..1, as people read it: in whole percent."""
    return round(100 * chance)


def chance_of(value: float) -> float:
    """Returns the chance of winning, 0..1, that an expected outcome, -1 to 1, stands for."""
    return (value + 1) / 2


@dataclass(frozen=True, slots=True)
class Prospect:
    """What the turn that begins with an action leaves, dice at their means, to tell apart what wins alike."""

    # How much better off the side is after the others' replies, in HP, by the search's evaluation
    lead: float
    kills: int = 0  # Enemies that it brings down, summons left out
    # Own turns until all enemies are down, this one counted, at the damage that the side can do now; None
    # where it can do none
    turns: int | None = None
    ap: int = 0  # AP left at its end
    cooldown: int = 0  # Turns that the spells cast in it cannot be cast again, summed


@dataclass(frozen=True, slots=True)
class ScoredAction:
    """One candidate action with its chance of winning and what the search found of it."""

    action: Action
    # Of the model's best one the chance that it costs a percent point of winning at most, the others sharing
    # the rest; where the search advises alone the chance of winning after it. Only a word for the model's
    # best one is ever shown of it: what a person reads in percent is `chance`
    confidence: float
    label: str  # What a person reads, in English; the UI builds a translated one from action and spell name
    spell_name: str = ""  # The name of the spell cast, "" for other actions
    visits: int = 0  # How many rollouts began at the end of its principal variation
    value: float | None = None  # The chance of winning after it by the search, 0..1; None where there is none
    # Its principal variation, the actions of the turn with dice at their means, itself the first
    line: tuple[Action, ...] = ()
    prospect: Prospect | None = None  # What that turn leaves, None where it is not known

    @property
    def chance(self) -> float:
        """The chance of winning after it, 0..1: the one figure that people are shown of an action."""
        return self.confidence if self.value is None else self.value


@dataclass(frozen=True, slots=True)
class Expectation:
    """What an action is expected to do to one fighter, as means: HP, and AP and MP taken away."""

    fighter: int
    name: str
    enemy: bool
    damage: float = 0.0  # HP and shield lost, never more than there are
    heal: float = 0.0
    shield: float = 0.0
    ap: float = 0.0
    mp: float = 0.0
    kills: bool = False  # Whether the mean damage is enough to bring it down


@dataclass(frozen=True, slots=True)
class Alternative:
    """The second best action and what taking it for the best one would cost."""

    choice: ScoredAction
    chance_lost: float  # How much less likely winning is after it, 0..1
    damage_lost: float  # Expected damage on enemies that the best one does beyond it, in HP; may be negative
    kills_lost: int  # Enemies the best one is expected to bring down beyond it; may be negative


@dataclass(frozen=True, slots=True)
class Planned:
    """A further action of the turn, as it looks when every die before it falls on its mean."""

    choice: ScoredAction
    state: FightState  # The expected state, in which it would be taken
    expected: tuple[Expectation, ...] = ()


@dataclass(frozen=True, slots=True)
class TraceStep:
    """What the model held after one ACT step."""

    index: int
    # How sure the Q-head is that going on does not pay, 0..1; 0.5 where both are worth the same
    q_halt: float
    best: ScoredAction  # The action it would have advised, with its chance of winning as found by the end
    elapsed_ms: float
    # The three best turns by then, whole, each with its value and visits as found by the end
    turns: tuple[ScoredAction, ...] = ()
    # The action that the slice of search before this step was spent behind; None for the schedule, or for
    # none
    looked: ScoredAction | None = None
    rollouts: int = 0
    regret: float = 0.0  # Percent points of winning that `best` was expected to cost against the best action
    # Percent points that going on was expected to bring beyond the price of time; may be negative
    gain: float = 0.0

    @property
    def chance(self) -> float:
        """The chance of winning after this step's answer, 0..1, by what was found of it in the end."""
        return self.best.chance


@dataclass(frozen=True, slots=True)
class Effort:
    """What an advice took; each deeper answer that takes its place adds to it."""

    timings_ms: tuple[tuple[str, float], ...] = ()  # By stage (search, encode, think, decode), wall time
    # States of the own turn that the search evaluated, cells that a walk could end on included
    nodes: int = 0
    rollouts: int = 0  # Rollouts it ran, those of the first advice included
    depth: int = 1  # 1 for the first answer, one more for each deeper one that has taken its place
    # What these took beyond `timings_ms`, which is what the first answer took, in seconds
    thought_s: float = 0.0
    # What an ACT step took on average, its reading included; 0 where no model thought
    step_ms: float = field(default=0.0, compare=False)
    first_steps: int = 0  # How many steps led to the first advice; the others came while it was thought on

    @property
    def first_ms(self) -> float:
        """What the first answer took, all stages together."""
        return sum(spent for _, spent in self.timings_ms)


@dataclass(frozen=True, slots=True)
class Decision:
    """The advice for one state."""

    choices: tuple[ScoredAction, ...]  # The best first, at most five, confidences calibrated
    # The first answer (System 1) as it was given: action, line and chance of then, with no visits where
    # nothing had been played out; deeper answers keep it. The advice itself without a model
    reflex: ScoredAction
    value: float  # Expected outcome for the player's team, -1 (lost) to 1 (won)
    # One entry for each ACT step, those of deeper answers after those of the first; none where no model
    # thought
    trace: tuple[TraceStep, ...]
    stop: StopReason  # Why the thinking ended; "searched" where no model thought
    # How near each target cell's action comes to the best one's chance of winning: (cell, 0..1), best first
    heat: tuple[tuple[int, float], ...] = ()
    assumed: tuple[str, ...] = ()  # Facts about the fight that were assumed and not seen, in words
    # What the best action is expected to do, by fighter; nothing for walks and the turn's end
    expected: tuple[Expectation, ...] = ()
    # The second of the best actions as they are listed and its cost, None where there was only one choice
    alternative: Alternative | None = None
    # The rest of the turn after the best action, empty until `Advisor.plan` has looked ahead. No part of the
    # value: with and without it a decision is the same
    plan: tuple[Planned, ...] = field(default=(), compare=False)
    effort: Effort = Effort()
    # All actions that were chosen from, the best first; `choices` are the first of them
    candidates: tuple[ScoredAction, ...] = ()
    adviser: Adviser = "model"  # Who decided: the model, or the search alone
    # How likely the fight is won by the turn planned before, None where there was none. By as much as the
    # chance of the best action is higher, a better turn was found
    planned_chance: float | None = field(default=None, compare=False)
    sure: Sureness = ""  # How sure the choice is

    @property
    def best(self) -> ScoredAction:
        """The deliberate answer (System 2)."""
        return self.choices[0]

    @property
    def action(self) -> Action:
        return self.best.action

    @property
    def action_type(self) -> ActionType:
        if isinstance(self.action, Move):
            return "move"
        if isinstance(self.action, Place | Ready):
            return "place"
        return "cast" if isinstance(self.action, Cast) else "end_turn"

    @property
    def confidence(self) -> float:
        return self.best.confidence

    @property
    def going_on(self) -> bool:
        return self.effort.depth > 1 and self.stop in ("budget", "searched")

    @property
    def first_known(self) -> ScoredAction:
        """The first answer's action with what is known of it now, which is what figures beside it mean."""
        return self.known(self.reflex)

    def known(self, choice: ScoredAction) -> ScoredAction:
        return next((candidate for candidate in self.candidates if candidate.action == choice.action), choice)

    @property
    def search_choice(self) -> ScoredAction:
        """What the search alone would advise by what it found: the highest chance, the advice of equals."""
        return max((self.best, *self.candidates), key=lambda candidate: candidate.chance)

    @property
    def chance(self) -> float:
        """The chance of winning the fight, 0..1: the scale that people are shown."""
        return chance_of(self.value)

    @property
    def target(self) -> int | None:
        """The cell id the action ends at, None for the end of the turn."""
        return self.action.target
