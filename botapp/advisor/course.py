"""The course of a deliberation: what the model answered after each step, and the decision that comes of it.

An answer begins with the search's own standing, as far as the model trusts it, and the model's correction is
added. It stays within a bound, so that the chance of winning that a person is shown holds while the advice is
followed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from botapp.advisor.bare import as_good, near, order
from botapp.advisor.decision import Decision, Effort, ScoredAction, TraceStep, reading
from botapp.advisor.evidence import Deliberated
from botapp.advisor.expectations import expectations
from botapp.advisor.facts import Numbers
from botapp.advisor.levelling import SHOWN
from botapp.advisor.network import ThinkingNetwork
from botapp.advisor.turn_advisor import heat, scored_actions, simplest
from botapp.advisor.wording import label, spell_name
from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.search.candidates import Candidate
from botapp.search.core.static import STEEPNESS
from hrm.act import DeliberationStep, Outputs, sigmoid

PRICE = 0.05  # What a slice costs in percent points of winning without a time budget
_EDGE = 1e-6  # Keeps a chance off the edge between two readings
_NOT_LESS = 0.001
"""How much less chance of winning an answer may have than the turn planned before, which was shown."""
_HELD_BACK = 20.0  # How far, as logits, an answer beyond that stays behind the best one within it
DECIDED = 0.99
"""From this chance of winning on the search's own answer stands: there is nothing left to win by another."""
_TURNS = 3  # Turns that a step of the trace names


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """What the model answered after a step."""

    order: list[int]  # The candidates' places, the best first
    trust: float  # Logits for a difference of one in the log odds of winning by the search
    correction: Numbers  # Added to the logits of all candidates, its share already taken
    q_halt: float


class Course:
    """The course of one deliberation.

    Args:
        network: whose answers they are.

    Attributes:
        looks: the named candidate that was looked at before each step, None for the schedule.
        rollouts: how many rollouts there had been at each step.
        answers: what the model answered after each.
        first: the first step's answer as it was given, None before it.
    """

    def __init__(self, matter: Deliberated, state: FightState, network: ThinkingNetwork) -> None:
        self._matter, self._search, self._tree = matter, matter.search, matter.tree
        self._state, self._network = state, network
        self._values: Numbers = np.zeros(0)
        self._least = -inf
        self.looks: list[int | None] = []
        self.rollouts: list[int] = []
        self.answers: list[StepAnswer] = []
        self.first: ScoredAction | None = None
        self._lines: list[tuple[Action, ...]] = []

    def note(self, looked: int | None) -> None:
        """Notes what the search has found by now, which the next answer begins with.

        Args:
            looked: the named candidate that was looked at since the answer before, None for the schedule.
        """
        self.looks.append(looked)
        self.rollouts.append(self._search.rollouts)
        self._values, self._least = self._found()
        if not self.answers:  # read now: the search goes on in another thread while the first step is taken
            self._lines = [self._search.line(candidate) for candidate in self._search.candidates]

    def answer(self, outputs: Outputs, q_halt: float) -> None:
        """Notes the answer of a step: what the search had found, as far as the model trusts it, corrected."""
        shown = self._matter.shown
        answer = self._network.answer(outputs, len(shown))
        trust = float(answer.trust[0])
        correction = np.zeros(len(self._search.candidates))
        correction[shown] = answer.correction[0].cpu().numpy()
        correction *= self._network.calibration.correction
        logits = self._logits(self._values, self._least, trust, correction)
        self.answers.append(StepAnswer(order(logits), trust, correction, q_halt))
        if self.first is None:
            self.first = self._given(self.answers[0].order[0])

    def _given(self, place: int) -> ScoredAction:
        action = self._search.candidates[place].action
        return ScoredAction(
            action,
            0.0,
            label(self._state, action),
            spell_name(self._state, action),
            value=self._search.chance_of(float(self._values[place])),
            line=self._lines[place],
        )

    def ranked(self) -> list[Candidate]:
        """Returns the candidates as they are shown by what is known by now: the last step's answer, then the
        others by their values."""
        newest = self.answers[-1]
        values, least = self._found()
        best = order(self._logits(values, least, newest.trust, newest.correction))[0]
        others = (place for place in order(values) if place != best)
        return [self._search.candidates[place] for place in (best, *others)]

    def decision(
        self,
        trace: Sequence[DeliberationStep],
        stop: str,
        step_ms: float,
        preferred: Action | None = None,
        *,
        simple: bool = True,
    ) -> Decision:
        """Returns the decision, with all that a person can be shown of how it came about.

        Whatever a step answered, its chance of winning is what was found of it in the end: figures that stand
        side by side are of one depth.

        Args:
            trace: what the Q-head said after each step.
            step_ms: milliseconds that a step took, in the mean.
            preferred: an action that is advised if the last answer is not better by half a point of winning.
            simple: whether of turns that are worth the same the simplest is taken.
        """
        newest = self.answers[-1]
        logits = self._logits(*self._found(), newest.trust, newest.correction)
        shares = self._network.calibration.shares(logits, newest.q_halt, self._matter.done)
        orders = [choice.order for choice in self.answers]
        orders[-1] = order(logits)
        shown = near(self._search, order(self._search.values())) if simple else []
        scored = scored_actions(
            self._state, self._search, shares.tolist(), {*shown, *orders[-1][:1]} if simple else ()
        )
        last = orders[-1][0]
        keep = next((place for place, choice in enumerate(scored) if choice.action == preferred), None)
        if keep is not None and as_good(scored[keep].chance, scored[last].chance):
            last = keep
        elif simple:
            last = simplest(self._search, scored, last)
        orders[-1] = [last, *(place for place in orders[-1] if place != last)]
        best, *others = orders[-1]
        others = sorted(others, key=lambda place: -scored[place].chance)
        candidates = tuple(scored[place] for place in (best, *others))
        steps = tuple(self._step(choice, orders[place], scored, place) for place, choice in enumerate(trace))
        return Decision(
            choices=candidates[:SHOWN],
            reflex=self.first if len(steps) > 1 and self.first is not None else candidates[0],
            value=2 * candidates[0].chance - 1,
            trace=steps,
            stop=stop,  # type: ignore[arg-type]
            heat=heat(candidates[:SHOWN]),
            expected=expectations(self._state, candidates[0].action),
            candidates=candidates,
            effort=Effort(step_ms=step_ms),
        )

    def _step(
        self, step: DeliberationStep, places: Sequence[int], scored: Sequence[ScoredAction], number: int
    ) -> TraceStep:
        look = self.looks[number]
        going_on = step.q_continue_logit - step.q_halt_logit
        turns = tuple(scored[place] for place in places[:_TURNS])
        return TraceStep(
            index=step.index,
            q_halt=sigmoid(-going_on / PRICE),
            best=turns[0],
            elapsed_ms=step.elapsed_ms,
            turns=turns,
            looked=None if look is None else scored[self._matter.shown[look]],
            rollouts=self.rollouts[number],
            regret=max(0.0, -step.q_halt_logit),
            gain=going_on,
        )

    def _found(self) -> tuple[Numbers, float]:
        """Returns the candidates' values in HP by now, and the least value that an answer may have.

        Once ends were played on from, an answer reads no worse than the search's own in whole percent, so
        that nothing on the screen reads better than the advice. It is not worse than the turn planned before,
        and it is the search's own where the fight is as good as won: a person who follows the advice sees the
        chance of winning, by the search, and it falls by dice and replies only.
        """
        search, planned = self._search, self._tree.planned
        values = search.values()
        if not search.rollouts:
            return values, -inf
        best = float(values.max())
        chance = search.chance_of(best)
        if chance >= DECIDED:
            return values, best
        least = search.value_of(max((reading(chance) - 0.5) / 100 + _EDGE, 0.0))
        if planned is not None and planned.rollouts[1]:
            least = max(least, search.value_of(search.chance_of(planned.rollouts[0]) - _NOT_LESS))
        return values, min(best, least)

    def _logits(self, values: Numbers, least: float, trust: float, correction: Numbers) -> Numbers:
        odds = STEEPNESS * values / self._tree.lead_unit
        logits: Numbers = (odds - odds.max()) * trust + correction
        within = values >= least
        return np.where(within, logits, np.minimum(logits, logits[within].max() - _HELD_BACK))
