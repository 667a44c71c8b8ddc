"""What a search found: the first actions of a turn, each with visits, value and principal variation."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from time import perf_counter

import numpy as np

from botapp.fight.actions import Action, EndTurn
from botapp.fight.state import Fighter, FightState
from botapp.search.candidates import Candidate, candidates
from botapp.search.core.static import STEEPNESS
from botapp.search.desk import Baseline
from botapp.search.node import SearchNode
from botapp.search.options import NO_ROLLOUTS, SearchOptions
from botapp.search.play_style import PlayStyle, play_style_from_spells
from botapp.search.room import FloatArray, IntArray
from botapp.search.tree import TurnSearch

_FEWEST_FIGHTERS = 3
"""The node budget is divided by so many at least: a duel's turn is soon expanded completely."""

_LONGEST_LINE = 14

_BY_FORMULA = 2.0, 0.0
_BY_BOTH = 1.5, -0.5
"""To which power the odds of winning are taken, and what is added to their logarithm, by the heuristic
evaluation alone and with the learned one."""


def shifted(chance: float, lead: float) -> float:
    """Returns a chance of winning, 0..1, where the side has more.

    Args:
        chance: without it, by the search with its learned evaluation.
        lead: how much more, as a share of all that both sides have at full HP; may be negative.
    """
    if not 0 < chance < 1:
        return chance
    odds: float = chance / (1 - chance) * math.exp(_BY_BOTH[0] * STEEPNESS * lead)
    return odds / (1 + odds)


@dataclass(frozen=True)
class SearchResult:
    """A finished search of one turn."""

    tree: TurnSearch
    candidates: tuple[Candidate, ...]  # The first actions, the end of the turn last
    # The value of each in HP before any rollout: the best end of turn behind it, by the heuristic evaluation
    evaluations: tuple[float, ...]

    @property
    def nodes(self) -> int:
        """States of the own turn that were evaluated, cells that a walk could end on included."""
        return self.tree.nodes

    @property
    def rollouts(self) -> int:
        return self.tree.rollouts

    def values(self) -> FloatArray:
        """Returns the backed-up values of all candidates in HP, in their order."""
        return self.tree.values(self._nodes)

    def chances(self) -> list[float]:
        """Returns how likely a fight is won after each candidate, 0..1, see `chance_of`."""
        return [self.chance_of(value) for value in self.values().tolist()]

    def ends(self) -> IntArray:
        """Returns the nodes in which the best turns that begin with the candidates end."""
        return self.tree.ends(self._nodes)

    @cached_property
    def _nodes(self) -> IntArray:
        return np.array([candidate.node.index for candidate in self.candidates])

    def value(self, candidate: Candidate) -> float:
        """Returns the backed-up value of a candidate in HP: that of the best end of turn behind it."""
        root = self.tree.root
        return root.here if candidate.node is root else candidate.node.value

    def chance(self, candidate: Candidate) -> float:
        """Returns how likely a fight is won after a candidate, 0..1, see `chance_of`."""
        return self.chance_of(self.value(candidate))

    def chance_of(self, value: float) -> float:
        """Returns how likely a fight is won with a value in HP, 0..1.

        What the search values says too little of chances, and those at turn think too well of theirs: they
        see the best of many values, and replies that are greedy. Both are put right by what became of
        fights that the search played for both sides (`botapp.bench.chances`; docs/log/search.md).
        """
        steepness, lead = self._by
        won = self.tree.share(value)
        odds: float = math.exp(lead) * (won / (1 - won)) ** steepness
        return odds / (1 + odds)

    def value_of(self, chance: float) -> float:
        """Returns the value in HP with which a fight is won with a chance, see `chance_of`.

        Args:
            chance: below 1; 0 or less for what is below every value.
        """
        if chance <= 0:
            return -inf
        steepness, lead = self._by
        return (math.log(chance / (1 - chance)) - lead) / (steepness * STEEPNESS) * self.tree.lead_unit

    @property
    def _by(self) -> tuple[float, float]:
        return _BY_FORMULA if self.tree.learned is None else _BY_BOTH

    def end(self, candidate: Candidate) -> SearchNode:
        """Returns the state in which the best turn that begins with a candidate ends."""
        node = candidate.node
        return node if node is self.tree.root else node.pv_end

    @property
    def planned_chance(self) -> float | None:
        """How likely a fight is won by the turn planned before; None where there is none that was played on
        from."""
        planned = self.tree.planned
        return None if planned is None or not planned.rollouts[1] else self.chance_of(planned.rollouts[0])

    def visits(self, candidate: Candidate) -> int:
        """Returns how many rollouts began at the end of a candidate's principal variation."""
        return self.end(candidate).rollouts[1]

    def line(self, candidate: Candidate) -> tuple[Action, ...]:
        """Returns a candidate's principal variation: the actions of the turn, dice at their means."""
        if candidate.node.index == 0:
            return (candidate.action,)
        further, last = self.tree.line(candidate.node.index, _LONGEST_LINE - 1)
        end = () if self.tree.ends_turn(last) else (EndTurn(),)
        return (candidate.action, *further, *end)

    def best(self) -> Candidate:
        """Returns the candidate of the highest backed-up value, the first one of equals."""
        return max(self.candidates, key=self.value)


def search_turn(
    state: FightState,
    room: int,
    options: SearchOptions = NO_ROLLOUTS,
    deadline: float = inf,
    play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells,
    planned: Sequence[Action] = (),
    baseline: Baseline | None = None,
    shown: Sequence[Action] = (),
) -> SearchResult:
    """Expands the actor's turn and runs rollouts from its best ends.

    Without a deadline the same arguments give the same result.

    Args:
        state: the fight, enemies' traps taken out.
        options: how much is searched, and how broadly.
        deadline: when to stop, in seconds of `time.perf_counter`. The first actions and the greedy turn are
            always evaluated.
        play_style: tells how a fighter plays in rollouts.
        planned: a turn thought of before, which is looked at in any case.
        baseline: what the search that thought of it has valued ends by, see `TurnSearch`.
    """
    fighters = max(_FEWEST_FIGHTERS, sum(fighter.hp > 0 for fighter in state.fighters))
    nodes = options.nodes // fighters
    tree = TurnSearch(
        state,
        nodes,
        play_style,
        options.walks,
        options.learned,
        options.replies,
        options.threads,
        baseline,
    )
    begun = perf_counter()
    tree.follow(planned)
    tried = [(action, tree.after(tree.root, action)) for action in shown if not isinstance(action, EndTurn)]
    tree.grow(nodes, begun + options.growing * (deadline - begun) if deadline < inf else inf)
    chosen = candidates(tree, room, [(action, node) for action, node in tried if node.index >= 0])
    root = tree.root
    evaluations = tuple(root.here if candidate.node is root else candidate.node.value for candidate in chosen)
    tree.play_on(options.rollout_actions, deadline, rounds=options.rounds, ends=options.ends)
    return SearchResult(tree, chosen, evaluations)
