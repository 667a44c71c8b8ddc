"""The model beside a search that thinks on: an ACT step each time it is looked at what was found.

It begins anew, because it reads one search only, and chooses the candidate behind which the search plays on.
It does not end the search: the player is not waiting for it. Its answer keeps to the same limits as the first
one (`botapp.advisor.course`).
"""

import math
from time import perf_counter

import torch

from botapp.advisor.course import Course
from botapp.advisor.decision import Decision
from botapp.advisor.evidence import Deliberated
from botapp.advisor.levelling import level
from botapp.advisor.network import ThinkingNetwork
from botapp.advisor.turn_advisor import since
from botapp.fight.state import FightState
from botapp.host.message import say
from botapp.search.options import SearchOptions
from botapp.search.result import SearchResult
from hrm.act import DeliberationStep
from hrm.backends.errors import PrecisionError
from hrm.model import Carry

_PRICE = 0.01  # What a slice costs here in percent points of winning: as little as the model knows of


def require_finite(*logits: float, precision: str, device: str) -> None:
    """Checks what the Q-head said.

    Raises:
        PrecisionError: some of it is no number.
    """
    if not all(map(math.isfinite, logits)):
        raise PrecisionError(
            say("{precision} gives no numbers on {device}", precision=precision, device=device)
        )


class ByModel:
    """The model's answers.

    Args:
        state: the fight as the actor's side sees it.
        search: its turn expanded, without rollouts yet; its candidates get named.
        options: how broadly it is searched.
        slices: steps after the first one at most; later answers keep to the last.
        slice_actions: about how many actions of the others a slice has.

    Raises:
        PrecisionError: a step gave no numbers.
    """

    def __init__(
        self,
        state: FightState,
        search: SearchResult,
        options: SearchOptions,
        *,
        network: ThinkingNetwork,
        slices: int,
        slice_actions: float,
    ) -> None:
        self.behind: int | None = None
        self._search, self._options = search, options
        self._network = network
        self._matter = Deliberated(search, slices, slice_actions, _PRICE, options.ends)
        self._course = Course(self._matter, state, network)
        self._tokens, self._mask = network.tokens(self._matter.facts)
        self._carry = network.start(len(self._tokens))
        self._trace: list[DeliberationStep] = []
        self._begun = perf_counter()
        self._stepped_ms = 0.0
        self.step()

    @torch.inference_mode()
    def step(self) -> None:
        """Takes an ACT step on what was found by now, and says where to look next; after the last one the
        schedule does."""
        if len(self._trace) > self._matter.slices:
            self.behind = None
            return
        begun = perf_counter()
        self._course.note(self.behind)
        reading = self._matter.read(self.behind)
        x = self._network.with_evidence(self._tokens, reading)
        carry, q, outputs = self._network.step(self._carry, x, self._mask)
        self._carry = Carry(*(state.clone() for state in carry))  # another decision may use the engine's own
        halt, go_on = (float(logit) for logit in q[0, :2])
        placement = self._network.placement
        require_finite(halt, go_on, precision=self._network.precision, device=placement.device)
        self._course.answer(outputs, halt)
        best = self._network.answer(outputs, len(self._matter.shown)).best_look()
        self.behind = None if self._search.tree.plan_unseen else best
        self._trace.append(DeliberationStep(len(self._trace) + 1, halt, go_on, since(self._begun)))
        self._stepped_ms += since(begun)

    def decision(self, first: Decision, *, over: bool) -> Decision:
        level(self._search, self._course.ranked, self._options, also=first.reflex.action)
        self._matter.name()
        step_ms = self._stepped_ms / len(self._trace)
        return self._course.decision(self._trace, "exhausted" if over else "budget", step_ms, first.action)
