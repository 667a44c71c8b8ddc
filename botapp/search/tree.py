"""One decision's search: the states that the actor's turn can lead to, and rollouts from the best ends of it.

The turn is expanded best first, dice at their means; a state that is reached in different ways is one node,
and of walks only those are kept that differ in the casts they open up. Each end of turn is valued by the
heuristic evaluation. Then the turns of the others are played with the default policy from the best ends, one
for each of the best first actions, until the actor's next turn; the values are backed up to the first
actions. The search stops after a number of states or actions, or at a deadline, and can be read at any time.
Next hop: `botapp.search.turn` scores all legal actions with it, `botapp.search.result` the first actions.
"""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from math import inf
from time import perf_counter

from botapp.fight.actions import Action, EndTurn, Move
from botapp.fight.paths import reach
from botapp.fight.rules import apply_expected, winner
from botapp.fight.sight import BITS
from botapp.fight.state import Fighter, FightState
from botapp.search.budget import Budget
from botapp.search.expected_casts import Followers
from botapp.search.generation import sensible_casts, stands
from botapp.search.greedy import DefaultPolicy
from botapp.search.heuristic import HeuristicEvaluation, estimate
from botapp.search.identity_cache import IdentityCache
from botapp.search.play_style import PlayStyle, play_style_from_spells
from botapp.search.rollouts import OutOfTime, Rollout

_ACTION_COST = 0.05
"""What an action costs by itself, in HP, so that nothing is done for nothing."""

_ROLLOUT_SHARE = 0.5
"""Which part of the budget goes into rollouts."""

_ROLLOUT_WEIGHT = 0.7
"""The weight of an end's first rollout against the heuristic evaluation."""

_ENDS = 16
"""Ends of turn that rollouts begin at."""

_ALIKE = 2
"""Walks kept of those that open up the same casts."""

_LEAST_ACTIONS = 16
"""Actions that rollouts need for each of the others whose turn is played, see `TurnSearch.run_rollouts`."""

_FEWEST = 2
"""Turns of the others in a rollout, at the least."""

_ALL = 99
"""More turns than there are others."""

PASSES = 6
"""How often rollouts are run from the better half of the ends."""

_UNPLAYED = 1.0
"""How far, in HP, the value of an end without a rollout stays below the best one, at the least."""

_ACTIONS_A_TURN = 3
"""Actions of each of the others in a rollout, about."""

_LONGEST_TURN = 14
_STATES_A_STEP = 12
"""How many states an action of a rollout counts for where a budget is in states."""

_EVALUATIONS_AN_ACTION = 4.5
"""How many evaluations take as long as an action of a rollout: 3.5 to 5, from duels to 4v4."""


@dataclass(slots=True, eq=False)
class SearchNode:
    """A state within the turn.

    Attributes:
        state: the state.
        heuristic_value: how good it is to end the turn here by the heuristic evaluation, in HP.
        terms: what it is made of, see `HeuristicEvaluation.terms`.
        potential: what the AP left may bring on top of it, in HP.
        walked: whether a walk led here.
        children: the actions tried here, with the nodes they lead to.
        here: the backed-up value of ending the turn here; `value` that of the best end behind it.
        pv_end, pv_step: the principal variation: the end of turn it leads to, and its first action with the
            node that leads to.
        followers: the states that actions lead to, as far as they were asked for.
    """

    state: FightState
    heuristic_value: float
    terms: tuple[float, float, float]
    potential: float
    walked: bool
    children: list[tuple[Action, "SearchNode"]] = field(default_factory=list)
    here: float = 0.0
    value: float = 0.0
    pv_end: "SearchNode | None" = None
    pv_step: "tuple[Action, SearchNode] | None" = None
    followers: Followers = field(default_factory=dict)


class TurnSearch:
    """One decision's graph of states within the actor's turn.

    Args:
        state: the fight, enemies' traps taken out.
        budget: how many states may be expanded, or how long.
        play_style: tells how a fighter plays in rollouts.

    Attributes:
        root: the state itself; its children are the first actions tried.
        heuristic: evaluates the states.
        default_action: the first action of the turn that the default policy would play, None for ending it.
        nodes: states of the turn evaluated so far: each distinct state that an action led to, and each cell
            that a walk could end on.
        rollouts: rollouts run so far.
    """

    def __init__(
        self,
        state: FightState,
        budget: Budget,
        play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells,
    ) -> None:
        self._play_style = play_style
        self._begun = perf_counter()
        self._budget = budget
        self.heuristic = HeuristicEvaluation(state)
        self._nodes: dict[tuple[object, ...], SearchNode] = {}
        self._bodies: IdentityCache[int, int] = IdentityCache()
        self._numbers: dict[tuple[object, ...], int] = {}
        self._waiting: list[tuple[float, int, SearchNode]] = []
        self._ticket = count()
        self._states = 0
        self.nodes = 0
        self.rollouts = 0
        self._actor = state.actor.id
        self._team = state.actor.team
        terms = self.heuristic.terms(state)
        self.root = SearchNode(state, estimate(terms), terms, 0.0, False)
        self._played: dict[SearchNode, tuple[float, float, int]] = {}
        self._ordered: list[SearchNode] | None = None
        self._greedy = DefaultPolicy(state, play_style_from_spells)
        self._default_end = self.root
        self.default_action: Action | None = None

    def share(self, value: float) -> float:
        """Returns a value in HP as a share of winning."""
        return self.heuristic.static.share(value)

    def after(self, node: SearchNode, action: Action) -> SearchNode:
        """Returns the node for the state an action leads to, the node itself for the end of the turn."""
        if isinstance(action, EndTurn):
            return node
        follower = node.followers.get(action)
        if follower is None:
            follower = node.followers[action] = apply_expected(node.state, action)
        key = self._key(follower)
        child = self._nodes.get(key)
        if child is None:
            self._states += 1
            self.nodes += 1
            terms = self.heuristic.terms(follower)
            heuristic_value = estimate(terms)
            going_on = winner(follower) is None and follower.actor.id == self._actor
            potential = self.heuristic.potential(follower) if going_on else 0.0
            child = self._nodes[key] = SearchNode(
                follower, heuristic_value, terms, potential, isinstance(action, Move)
            )
            if going_on:
                heapq.heappush(self._waiting, (-(heuristic_value + potential), next(self._ticket), child))
        node.children.append((action, child))
        return child

    def run(self) -> None:
        """Searches until the budget is spent, rollouts included, and backs the values up."""
        first = self._states
        self._follow_default_policy()
        while self._waiting and not self._spent(1 - _ROLLOUT_SHARE, self._states - first):
            self.expand(heapq.heappop(self._waiting)[2])
        states = self._states - first
        seconds = self._budget.seconds
        self._run_rollouts(
            lambda taken: self._spent(1.0, states + taken * _STATES_A_STEP),
            _ALL,
            inf if seconds is None else self._begun + seconds,
        )

    def expand_turn(self, nodes: int, deadline: float = inf) -> None:
        """Expands the turn alone, whatever the budget, and backs the values up.

        The first actions and the greedy turn are always expanded; beyond them it stops at the deadline.

        Args:
            nodes: states evaluated at most, beside those of the first actions and of the greedy turn.
            deadline: in seconds of `time.perf_counter`.
        """
        self.expand(self.root)
        self._follow_default_policy()
        most = self.nodes + nodes
        while self._waiting and self.nodes < most and perf_counter() < deadline:
            self.expand(heapq.heappop(self._waiting)[2])
        self._back_up()

    def run_rollouts(self, actions: int, deadline: float = inf, passes: float = PASSES) -> None:
        """Runs rollouts from the best ends of an expanded turn, and backs the values up again.

        The fewer actions there are, the fewer of the others have their turns: two turns from each of several
        ends tell more than a whole round from one. With room for fewer than `_LEAST_ACTIONS` none is run:
        that would mislead. No rollout is begun that is likely to need more than is left.

        Args:
            actions: what the others may take in all.
            deadline: in seconds of `time.perf_counter`.
            passes: how often the better half of the ends is played on from at most.
        """
        begun = perf_counter()
        an_action = _EVALUATIONS_AN_ACTION * (begun - self._begun) / max(1, self.nodes)
        room = min(actions, (deadline - begun) / an_action) if an_action > 0 else actions
        if room < _LEAST_ACTIONS:
            return
        turns = max(_FEWEST, int(room) // _LEAST_ACTIONS)
        others = sum(fighter.hp > 0 for fighter in self.root.state.fighters) - 1

        def spent(taken: int) -> bool:
            plays = self.rollouts
            needed = taken / plays if plays else _ACTIONS_A_TURN * min(others, turns)
            now = perf_counter()
            next_takes = (now - begun) / plays if plays else needed * an_action
            return taken + needed > actions or now + next_takes > deadline

        self._run_rollouts(spent, turns, deadline, passes)

    def rollouts_from(self, end: SearchNode) -> tuple[float, int]:
        """Returns the value of an end of turn by its rollouts, in HP, and how many began there."""
        _, value, times = self._played.get(end, (0.0, end.heuristic_value, 0))
        return value, times

    def _follow_default_policy(self) -> None:
        """Evaluates the turn that the default policy would play: another one has to be better."""
        node = self.root
        for _ in range(_LONGEST_TURN):
            if winner(node.state) is not None or node.state.actor.id != self._actor:
                break
            action = self._greedy.action(node.state, node.followers)
            if isinstance(action, EndTurn):
                break
            if node is self.root:
                self.default_action = action
            node = self.after(node, action)
        self._default_end = node

    def expand(self, node: SearchNode) -> None:
        """Evaluates what may sensibly be done in a state; after a walk no second one is tried."""
        for _, cast in sensible_casts(node.state):
            self.after(node, cast)
        if not node.walked:
            for move in self._walks(node):
                self.after(node, move)

    def _key(self, state: FightState) -> tuple[object, ...]:
        """Returns what tells the states within a turn apart."""
        actor, bodies = state.order[state.current], self._bodies
        terms = [bodies.get(id(f)) or self._body(f) for f in state.fighters]
        return actor, tuple(terms), tuple(sorted(state.fighter(actor).casts)), state.marks

    def _body(self, fighter: Fighter) -> int:
        """Returns a number for what may change of a fighter within a turn, casts and cooldowns left out.

        Most states share most of their fighters: those are known by their ids. The numbers begin at 1, so
        that none is false.
        """
        f = fighter
        body = (f.cell, f.hp, f.max_hp, f.shield, f.ap, f.mp, f.buffs)
        return self._bodies.keep(id(f), self._numbers.setdefault(body, len(self._numbers) + 1), f)

    def _walks(self, node: SearchNode) -> list[Move]:
        """Returns the walks to try: of those that open up the same casts the best places to end on."""
        state = node.state
        actor = state.actor
        found = reach(state, actor)
        ways, left = found.ways, found.left
        if not ways:
            return []
        self.nodes += len(ways)
        within = [stand.origins for stand in stands(state, actor)]
        groups: dict[tuple[object, ...], list[tuple[float, int]]] = {}
        for cell, heuristic_value in zip(ways, self.heuristic.heuristic_values(state, ways), strict=True):
            bit = BITS[cell]
            opened = tuple([index for index, origins in enumerate(within) if origins & bit])
            groups.setdefault((opened, left[cell][1] if left else actor.ap), []).append(
                (heuristic_value, cell)
            )
        kept = [cell for group in groups.values() for _, cell in sorted(group, reverse=True)[:_ALIKE]]
        return [ways[cell] for cell in sorted(kept)]

    def _back_up(self) -> None:
        """Works out each node's value: that of the best end of turn behind it.

        An end's value is the mean of its rollouts. One without a rollout has its heuristic evaluation,
        corrected by the mean error of that evaluation where there were rollouts, and always less than the
        best of those.
        """
        played = {end: value for end, (_, value, _) in self._played.items()}
        shift, most = 0.0, inf
        if played:
            shift = sum(value - heuristic_value for heuristic_value, value, _ in self._played.values()) / len(
                played
            )
            most = max(played.values()) - _UNPLAYED
        for node in self._in_order():
            value = played.get(node)
            node.here = min(node.heuristic_value + shift, most) if value is None else value
            node.value = node.here
            node.pv_end, node.pv_step = node, None
            for action, child in node.children:
                value = child.value - _ACTION_COST
                if value > node.value:
                    node.value, node.pv_end, node.pv_step = value, child.pv_end, (action, child)

    def _in_order(self) -> list[SearchNode]:
        """Returns all nodes, each after those behind it."""
        if self._ordered is None:
            done: set[SearchNode] = set()
            self._ordered = []
            stack: list[tuple[SearchNode, bool]] = [(self.root, False)]
            while stack:
                node, left = stack.pop()
                if left:
                    self._ordered.append(node)
                elif node not in done:
                    done.add(node)
                    stack.append((node, True))
                    stack.extend((child, False) for _, child in node.children if child not in done)
        return self._ordered

    def _spent(self, share: float, states: float) -> bool:
        return self._budget.spent(share, self._begun, states)

    def _run_rollouts(
        self, spent: Callable[[int], bool], turns: int, deadline: float, passes: float = PASSES
    ) -> None:
        """Runs rollouts from the best ends of turn, from the best of them again and again.

        Sequential halving (Z. Karnin, T. Koren and O. Somekh, 2013): each pass keeps the better half; the
        first one takes the dice at their means, the others roll the same dice for every end.

        Args:
            spent: tells whether the budget is spent, given the actions taken so far.
            turns: how many of the others have their turns.
            deadline: when a rollout is broken off, in seconds of `time.perf_counter`.
            passes: how many passes at most.
        """
        rollout = Rollout(self.root.state, self.heuristic, self._play_style, deadline)
        ends = self._ends()
        done = 0
        while len(ends) > 1 or not done:
            for end in ends:
                if spent(rollout.steps):
                    self._back_up()
                    return
                rng = random.Random(done) if done else None
                try:
                    value = rollout.value(end.state, turns, rng)
                except OutOfTime:
                    self._back_up()
                    return
                self.rollouts += 1
                heuristic_value, mean, times = self._played.get(
                    end, (end.heuristic_value, end.heuristic_value, 0)
                )
                weight = 1 / (times + 1) if times else _ROLLOUT_WEIGHT
                self._played[end] = heuristic_value, mean + weight * (value - mean), times + 1
            self._back_up()
            done += 1
            ends.sort(key=lambda end: -self._played[end][1])
            ends = ends[: max(2, len(ends) // 2)] if done < passes else []

    def _ends(self) -> list[SearchNode]:
        """Returns the best ends of turn: those behind the best first actions, then the best of the others."""
        self._back_up()
        nodes = sorted((self.root, *(child for _, child in self.root.children)), key=lambda node: -node.value)
        best = {node.pv_end: None for node in nodes if node.pv_end is not None}
        rest = sorted(self._in_order(), key=lambda node: -node.heuristic_value)[:_ENDS]
        best.update(dict.fromkeys(rest))
        best.pop(self._default_end, None)
        return [
            self._default_end,
            *sorted(best, key=lambda node: -node.heuristic_value)[: _ENDS - 1],
        ]
